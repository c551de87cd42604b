"""The golden sentences themselves: a difference is found, `GOLDEN` writes it, and no theme is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.games.interface import Unknown
from tests.golden import sentences
from tests.golden.sentences import Row, assert_answers

HERE = Path(__file__).parent
KEPT = """\
# A remark.
[the middle]
  Your move.
> a1\\x1b
  a1\\x1b
Anna> {SECOND}
  Anna: {SECOND}
> b9
! Unknown: There is no b9.
>
  .
"""


@pytest.fixture
def theme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("GOLDEN", raising=False)
    monkeypatch.setattr(sentences, "FOLDER", tmp_path)
    (tmp_path / "theme.txt").write_text(KEPT, encoding="utf-8")
    return tmp_path / "theme.txt"


def answer(row: Row) -> Iterator[str]:
    if row.typed is None:
        yield "Your move."
    elif row.typed == "b9":
        raise Unknown("There is no b9.")
    else:
        yield f"{row.who}: {row.typed}" if row.who else row.typed


def other(row: Row) -> Iterator[str]:
    yield from (line.replace("move", "turn") for line in answer(row))


@pytest.mark.usefixtures("theme")
def test_the_same_sentences_pass() -> None:
    assert_answers("theme", answer, SECOND="a2")


def test_a_difference_is_told_and_written_only_if_it_is_wanted(
    theme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(AssertionError, match=r"\+  Your turn\."):
        assert_answers("theme", other, SECOND="a2")
    assert theme.read_text(encoding="utf-8") == KEPT
    monkeypatch.setenv("GOLDEN", "1")
    assert_answers("theme", other, SECOND="a2")
    assert theme.read_text(encoding="utf-8") == KEPT.replace("move", "turn")


@pytest.mark.parametrize("text", ["no full stop", "Two\nlines.", "x" * 300 + "."])
@pytest.mark.usefixtures("theme")
def test_a_refusal_is_a_printable_sentence_of_few_rows(text: str) -> None:
    def refusing(row: Row) -> Iterator[str]:
        yield from ()
        raise Unknown(text)

    with pytest.raises(AssertionError, match=text[:10]):
        assert_answers("theme", refusing)


def test_every_theme_is_told_by_a_test() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in HERE.rglob("test_*.py"))
    themes = [path.stem for path in sentences.FOLDER.glob("*.txt")]
    assert themes
    assert [theme for theme in themes if f'"{theme}"' not in tests] == []
