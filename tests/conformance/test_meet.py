"""The driver of another player: it answers what our program asks, and tells what was not as it should be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conformance.meet import CASES, QUESTION, Case, main, meet, records_of, verdicts
from tests.helpers.machine.modules import ROOT, imports

HONEST = Case("honest", ("stratego",))
CROOKED = Case("crooked", ("stratego",), "false-end")
INVITE = "P2PS" + "0" * 60


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("Start? (yes/no) ", "yes"),
        ("Your move, the 1st of the game. (two squares, such as i1j1)", "i1j1"),
        (
            "Day 1: which four soldiers? (four ranks, rising but for the Sergeant, such as 1 4 8 10)",
            "1 4 8 10",
        ),
        ("Which of your missions hold one? (the missions, such as 2 3, or the word none)", "2 3"),
        ("Which soldier lies there? (a rank or a name, such as 7 or bomb)", "7"),
        ("Lay a token on it? (yes (4 points if the guess is wrong) or no)", "yes"),
        ("What does your Marshal do? (ten or five)", "ten"),
        ("Set up your army. (ready, random, mirror, load NAME, or two squares: a1 b1)", "ready"),
        ("Waiting ... (Ctrl-C ends it)", None),
        ("Seat 1, red: Ada [YKHN-2B2K-PHTW-9BE8]; you, not yet.", None),
    ],
)
def test_a_question_is_answered_with_its_example_or_its_first_alternative(
    line: str, answer: str | None
) -> None:
    question = QUESTION.search(f"Before.\n{line}")
    assert (question and question[1]) == answer


def records(folder: Path) -> tuple[str, str]:
    """Two files that stand for the records of a case."""
    game = folder / "host" / "games" / "id"
    game.mkdir(parents=True)
    (game / "transcript.p2ps").touch()
    ours, theirs = records_of(folder)
    return str(ours), str(theirs)


def of_file(file: str, verdict: str, fault: object = None) -> dict[str, Any]:
    return {"type": "transcript", "file": file, "verdict": verdict, "fault": fault}


def test_honest_records_are_complete_and_agree(tmp_path: Path) -> None:
    ours, theirs = records(tmp_path)
    copies = {"type": "comparison", "files": [ours, theirs], "verdict": "agree"}
    complete = [of_file(ours, "complete"), of_file(theirs, "complete")]
    assert not list(verdicts(HONEST, tmp_path, [*complete, copies]))
    assert list(verdicts(HONEST, tmp_path, [complete[0], of_file(theirs, "incomplete"), copies]))
    assert list(verdicts(HONEST, tmp_path, [*complete, {**copies, "verdict": "differ"}]))
    assert list(verdicts(HONEST, tmp_path, complete))


@pytest.mark.parametrize(
    ("verdict", "fault", "is_right"),
    [
        ("cheated", {"seat": "blue", "rule": "false-end"}, True),
        ("cheated", {"seat": "red", "rule": "false-end"}, False),
        ("cheated", {"seat": "blue", "rule": "out-of-turn"}, False),
        ("equivocated", {"seat": "blue", "rule": "false-end"}, False),
        ("complete", None, False),
    ],
)
def test_a_cheat_is_named_with_its_rule_and_its_seat(
    tmp_path: Path, verdict: str, fault: object, *, is_right: bool
) -> None:
    ours, _ = records(tmp_path)
    assert list(verdicts(CROOKED, tmp_path, [of_file(ours, verdict, fault)])) == [] or not is_right
    assert list(verdicts(CROOKED, tmp_path, [of_file(ours, verdict, fault)])) != [] or is_right


def host(folder: Path, *, told: str) -> str:
    """A program that prints an invite, asks once, and tells something."""
    path = folder / "program"
    ask = 'printf "Start? (yes/no) "; read word; echo "> $word"'
    path.write_text(f'#!/bin/sh\necho {INVITE}; {ask}; echo "{told}"; echo "THE END"\n')
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("case", "player", "is_right"),
    [
        (HONEST, "true", True),
        (HONEST, "false", False),
        (CROOKED, "true", False),
    ],
)
def test_a_player_that_fails_or_a_cheat_that_nobody_told_is_reported(
    tmp_path: Path, case: Case, player: str, *, is_right: bool
) -> None:
    differences = list(meet(case, host(tmp_path, told="You won."), [player], tmp_path, limit=20.0))
    assert (differences == []) == is_right


def test_a_cheat_that_the_host_told_is_right(tmp_path: Path) -> None:
    program = host(tmp_path, told="Audit: cheated: blue, Ben [ND2T-JN8X-N959-T33F] broke the rules in entry")
    assert not list(meet(CROOKED, program, ["true"], tmp_path, limit=20.0))


def test_a_host_that_prints_no_invite_is_reported(tmp_path: Path) -> None:
    assert "no invite" in next(meet(HONEST, "true", ["true"], tmp_path, limit=20.0))


def test_names_of_no_case_are_refused() -> None:
    assert main(["--only", "nothing-like-this", "--", "true"]) == 64
    assert len({case.name for case in CASES}) == len(CASES)


def test_the_driver_needs_the_standard_library_alone() -> None:
    assert not {
        name
        for name in imports(ROOT / "conformance" / "meet.py")
        if name.startswith(("protocol", "cli", "p2p"))
    }
