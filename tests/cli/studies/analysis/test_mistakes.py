"""Costly decisions as questions: another answer is weighed as the first one was, and the best one is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

import pytest

from cli.commands import mistakes as command
from cli.games.interface import Question
from cli.lines.prompt import Prompt
from cli.reports import sources
from cli.screen import mistakes as drawn
from cli.studies.analysis.analysing import Analysed
from cli.studies.analysis.mistakes import Retries, costliest
from cli.studies.analysis.mistakes_plain import MOST, questions, spread
from cli.text import language
from cli.text.layout import width, words
from p2p_stratego.core.analysis import COSTLY, Judgement
from p2p_stratego.core.game import Choose
from p2p_stratego.registry import ENTRIES, GAMES
from tests.helpers.games.judged import never, played
from tests.helpers.machine.modules import VECTORS

DATA = VECTORS / "transcripts"
RECORD = "complete-flag.p2ps"
"""Gives the report, whose game is put in its place."""
JUDGED = ("stratego", "spies-and-lies", "conquest", "spies")
OPTIONS: dict[str, dict[str, Any]] = {
    "stratego": {"army": "duel"},
    "conquest": {"rounds": 6},
}
STEPS = {"spies": 30}
"""How far a long game is played."""


@cache
def costly(game: str) -> tuple[Analysed, tuple[tuple[str, Judgement], ...]]:
    """A game whose first costly answer was given, and the answers that there were, each judged."""
    entry = ENTRIES[game]
    assert entry.analysis is not None
    judge = entry.analysis.load().judge
    made, _states = played(game, 1, options=OPTIONS.get(game), steps=STEPS.get(game))
    for at, decision in enumerate(made):
        if not isinstance(decision.view.asked, Choose):
            continue
        before = [other for other in made[:at] if other.seat == decision.seat]
        if [*judge([*before, decision], never)][-1].lost is None:
            continue
        tried = [
            (str(move), [*judge([*before, replace(decision, answer=str(move), after=None)], never)][-1])
            for move in islice(decision.view.asked.options, 12)
        ]
        worst = max(tried, key=lambda pair: pair[1].lost or 0.0)[1]
        if (worst.lost or 0.0) >= COSTLY and any(
            judged.lost is not None and judged.lost < COSTLY for _move, judged in tried
        ):
            report = sources.replayed(RECORD, (DATA / RECORD).read_bytes()).report
            report = replace(report, genesis=replace(report.genesis, game=GAMES[game]))
            earlier = tuple(Judgement(other, "move", "") for other in before)
            return Analysed(report, ("Ann", "Ben"), (), (*earlier, worst), (), (), False, {}), tuple(tried)
    raise AssertionError(game)


def retries(game: str) -> Retries:
    analysed, _tried = costly(game)
    return Retries(analysed, analysed.judged[-1].made.seat, never)


@pytest.mark.parametrize("game", JUDGED)
def test_another_answer_is_worth_what_it_would_have_been_worth(game: str) -> None:
    _analysed, tried = costly(game)
    asked = retries(game)
    assert asked.open.chosen in asked.heading
    assert asked.question.text
    readable = 0
    for move, judged in tried:
        asked.enter(asked.game.questions.spoken(asked.open.made.view, move) if game == "spies" else move)
        if judged.lost is None or judged.chosen not in asked.sentences[0]:
            continue  # typed otherwise in this game
        readable += 1
        assert ("as good as the best" in asked.sentences[0]) == (judged.lost < COSTLY)
    assert readable
    asked.enter("nonsense")
    assert "nonsense" in asked.sentences[0]
    asked.enter("best")
    assert asked.open.best in asked.sentences[0]
    asked.enter("next")
    assert asked.over


@pytest.mark.parametrize("game", JUDGED)
def test_nothing_tells_that_enter_proposes_an_answer(game: str) -> None:
    """Enter alone does nothing here, or goes to the next question."""
    assert "Enter" not in retries(game).asked


def test_a_costly_decision_that_came_right_is_called_lucky() -> None:
    analysed, _tried = costly("conquest")
    worst, seat = analysed.judged[-1], analysed.judged[-1].made.seat
    headings = [
        Retries(replace(analysed, judged=(replace(worst, came=came),)), seat, never).heading
        for came in (True, False, None)
    ]
    assert ["came right by luck" in heading for heading in headings] == [True, False, False]


def test_only_what_cost_something_comes_back_the_costliest_first_and_three_at_most() -> None:
    analysed, _tried = costly("stratego")
    worst = analysed.judged[-1]
    seat = worst.made.seat
    costs = (0.1, 0.4, 0.0, 0.3, 0.2, COSTLY / 2)
    judged = tuple(replace(worst, lost=cost) for cost in costs)
    assert [judgement.lost for judgement in costliest(replace(analysed, judged=judged), seat)] == [
        0.4,
        0.3,
        0.2,
    ]
    assert costliest(replace(analysed, judged=judged), 1 - seat) == []
    best = replace(worst, best=worst.chosen)
    assert costliest(replace(analysed, judged=(best,)), seat) == []


@pytest.fixture(params=["en", "de", "nl"])
def spoken(request: pytest.FixtureRequest) -> Iterator[None]:
    language.install(request.param)
    yield
    language.install("en")


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("game", JUDGED)
def test_the_screen_has_the_board_of_then_and_the_question_in_every_size(game: str) -> None:
    asked = retries(game)
    asked.enter("best")
    for columns, rows in ((80, 24), (120, 40), (60, 12)):
        lines = drawn.screen(asked, "", columns, rows)
        assert [width(line) for line in lines] == [columns] * rows
        text = " ".join("\n".join(map(words, lines)).split())
        if rows >= 24:
            assert asked.open.best in text
            assert " ".join(asked.question.text.split())[:40] in text
            assert asked.facts[0][:30] in text
    assert width(drawn.keys(80)) == 80


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("game", ["stratego", "spies-and-lies"])
@pytest.mark.parametrize("typed", ["", "best", "?"])
def test_no_answer_wipes_the_board_off_a_usual_terminal(
    monkeypatch: pytest.MonkeyPatch, game: str, typed: str
) -> None:
    asked = retries(game)
    long = "Of what can be known, this and that speak for it; " * 8
    if typed:
        asked.enter(typed)
        asked.sentences = (*asked.sentences, long)
    monkeypatch.setattr(Retries, "facts", (long,))
    lines = drawn.screen(asked, "", 80, 22)
    high = asked.game.board.LEAST[1] - asked.game.spare_rows
    board = asked.game.board.draw(asked.context(), *asked.game.board.fitting(80, asked.game.board.LEAST[1]))
    middle = words(board[len(board) // 2]).strip()
    assert any(middle in words(line) for line in lines[:high])
    assert " ".join(asked.question.text.split())[:30] in " ".join("\n".join(map(words, lines)).split())


@pytest.mark.parametrize("game", JUDGED)
def test_all_answers_and_the_board_in_sentences_are_told_on_request(game: str) -> None:
    asked = retries(game)
    question = " ".join(asked.question.text.split())[:30]
    for typed, least in (("moves", 10), ("board", 40)):
        asked.enter(typed)
        assert len(" ".join(asked.sentences)) >= least
        text = " ".join(" ".join(map(words, drawn.screen(asked, "", 80, 24))).split())
        assert question in text


@pytest.mark.parametrize(("how", "asked"), [("a move", "Which? (a move)"), ("", "Which?")])
def test_how_to_answer_stands_behind_a_question_where_there_is_more_to_say(
    monkeypatch: pytest.MonkeyPatch, how: str, asked: str
) -> None:
    tried = retries("stratego")
    monkeypatch.setattr(Retries, "question", Question("Which?", how))
    lines = [words(line).strip() for line in drawn.screen(tried, "", 80, 24)]
    assert asked in lines


def test_in_lines_the_questions_come_one_by_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = iter(["nonsense", "best", "next"])
    monkeypatch.setattr(Prompt, "ask", lambda _self, _question, _usual="": next(typed))
    asked = retries("spies-and-lies")
    facts = asked.facts
    command.ask(asked, Prompt())
    output = capsys.readouterr().out
    assert facts[0] in output
    assert output.count("Question 1 of 1") == 1
    assert output.rstrip().endswith("The next game will be better.")


@pytest.mark.parametrize("game", JUDGED)
def test_for_a_page_a_question_has_its_answers_with_what_each_comes_to(game: str) -> None:
    asked = retries(game)
    first = asked.open
    (question,) = questions(asked)
    answers = dict(question["answers"])
    assert question["at"] >= 0
    assert [*answers] == sorted(answers)
    assert 2 <= len(answers) <= MOST + 2
    assert "costs" in answers[first.chosen][0]
    assert "as good as the best" in answers[first.best][0]
    assert all(sentences[0].startswith(f"{answer}: ") for answer, sentences in answers.items())
    assert first.best in question["best"][0]
    assert first.chosen in question["heading"]


def test_answers_are_spread_over_all_that_there_are() -> None:
    assert spread(range(100), 4) == [0, 25, 50, 75]
    assert list(spread(range(3), 4)) == [0, 1, 2]
