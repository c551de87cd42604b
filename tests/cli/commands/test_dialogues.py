"""The golden dialogues themselves: a difference is found, `GOLDEN` writes it, and nothing is left over."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.golden import dialogues
from tests.golden.dialogues import assert_said, assert_told
from tests.helpers.program.commands import Called

ROOT = Path(__file__).parents[2]
FEWEST = 4
"""Letters of a situation that are always the same, so that it is told from others."""
DIALOGUE = """\
# A remark.
> greet {WHO}
< me
  Hello, {WHO} and me
= 10

> fail
! No.
= 64
"""
TOLD = """\
# A remark.
> a door opens
  The door opens.

> a door shuts
  The door shuts.
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("GOLDEN", raising=False)
    monkeypatch.setattr(dialogues, "FOLDER", tmp_path)
    (tmp_path / "theme.txt").write_text(DIALOGUE, encoding="utf-8")
    (tmp_path / "told").mkdir()
    (tmp_path / "told/theme.txt").write_text(TOLD, encoding="utf-8")
    return tmp_path


def greeting(*words: str, stdin: bytes) -> Called:
    if words[0] == "fail":
        return Called(64, "", "No.\n")
    return Called(10, f"Hello, {words[1]} and {stdin.decode()}", "")


def gruff(*words: str, stdin: bytes) -> Called:
    return Called(10, "", "")


def test_a_command_gets_what_is_typed_and_a_difference_is_told(folder: Path) -> None:
    assert [run.code for run in assert_said("theme", greeting, WHO="Ann")] == [10, 64]
    with pytest.raises(AssertionError, match=r"-  Hello, \{WHO\} and me"):
        assert_said("theme", gruff, WHO="Ann")
    assert (folder / "theme.txt").read_text(encoding="utf-8") == DIALOGUE


def test_a_situation_that_differs_or_is_new_fails(folder: Path) -> None:
    assert_told("theme", "a door opens", "It rains.\n  The door opens.\n", "door")
    with pytest.raises(AssertionError, match="'wall'"):
        assert_told("theme", "a door opens", "The door opens.", "wall")
    with pytest.raises(AssertionError, match=r"\+  The door falls"):
        assert_told("theme", "a door opens", "The door falls.", "door")
    with pytest.raises(AssertionError, match="> a door falls"):
        assert_told("theme", "a door falls", "The door falls.")


def test_golden_writes_the_part_of_a_situation_and_keeps_remarks(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLDEN", "1")
    assert_told("theme", "a door opens", "The door falls.", "door")
    assert_said("theme", greeting, WHO="Ben")
    assert (folder / "theme.txt").read_text(encoding="utf-8") == DIALOGUE
    written = (folder / "told/theme.txt").read_text(encoding="utf-8")
    assert written == TOLD.replace("opens.", "falls.")


def strings() -> Iterator[str]:
    """Every text in the tests that keep a dialogue, as a pattern: what is filled in may be anything."""
    for path in ROOT.rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        if "golden.dialogues" in text and path != Path(__file__):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield re.escape(node.value)
                elif isinstance(node, ast.JoinedStr):
                    parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
                    yield "".join(".+" if part is None else re.escape(str(part)) for part in parts)


def test_no_theme_and_no_situation_is_left_over() -> None:
    known = set(strings())
    exact = {re.sub(r"\\(.)", r"\1", pattern) for pattern in known if ".+" not in pattern}
    filled = [
        re.compile(pattern)
        for pattern in known
        if ".+" in pattern and len(re.findall(r"[a-z]", pattern)) >= FEWEST
    ]
    here = ROOT / "golden/dialogues"
    themes = {path.stem for path in (*here.glob("*.txt"), *here.glob("told/*.txt"))}
    assert themes - exact == set()
    for path in here.glob("told/*.txt"):
        lines = path.read_text(encoding="utf-8").splitlines()
        for situation in (line[2:] for line in lines if line.startswith("> ")):
            assert situation in exact or any(pattern.fullmatch(situation) for pattern in filled), (
                f"nobody compares “{situation}” of {path.name}"
            )
