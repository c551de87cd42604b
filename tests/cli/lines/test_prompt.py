"""Questions before a match: no word is torn at the end of a row."""

from __future__ import annotations

import pytest

from cli.lines.prompt import Prompt


@pytest.fixture
def prompt(monkeypatch: pytest.MonkeyPatch) -> Prompt:
    """A person at a terminal of 40 columns."""
    monkeypatch.setenv("COLUMNS", "40")
    asking = Prompt()
    asking.interactive = True
    return asking


def test_a_long_question_breaks_at_its_words(
    prompt: Prompt, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def answer(question: str) -> str:
        asked.append(question)
        return "yes"

    monkeypatch.setattr("builtins.input", answer)
    question = "A lesson takes ten minutes, with a coach beside you. Begin with it? (yes/no) "
    assert prompt.ask(question) == "yes"
    rows = [*capsys.readouterr().out.splitlines(), *asked]
    assert " ".join(row.strip() for row in rows) == question.strip()
    assert len(rows) > 1
    assert all(len(row) <= 40 for row in rows)
    assert asked[0].endswith(" ")


def test_what_is_told_breaks_at_its_words_and_short_lines_stay(
    prompt: Prompt, capsys: pytest.CaptureFixture[str]
) -> None:
    row, sentence = "   1  a row of a list", "This game is open in another window or program. Close it there."
    prompt.say(row)
    prompt.say(sentence)
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == row
    assert " ".join(map(str.strip, rest)) == sentence
    assert all(len(row) <= 40 for row in rest)


def test_a_page_keeps_its_rows_to_the_last_column(prompt: Prompt, capsys: pytest.CaptureFixture[str]) -> None:
    """A full row with a letter that some terminals draw wide was broken again, in mid-paragraph."""
    rows = ["Met één leger, tenzij ander is afgesprok", "en. Eerst leggen beide hun rangen."]
    prompt.page(rows)
    assert capsys.readouterr().out.splitlines() == rows


def test_who_is_no_person_gets_each_line_whole(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    text = "This game is open in another window or program. Close it there."
    prompt = Prompt()
    assert not prompt.interactive
    prompt.say(text)
    assert capsys.readouterr().out == f"{text}\n"
