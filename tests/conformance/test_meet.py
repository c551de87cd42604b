"""The driver of another player: it answers what our program asks, and tells what was not as it should be."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conformance.meet import CASES, QUESTION, Case, differences, is_right, main, meet, records_of
from tests.helpers.machine.modules import ROOT, imports

HONEST = Case("honest", ("stratego",))
CROOKED = Case("crooked", ("stratego",), "false-end")
INVITE = "P2PS" + "0" * 60


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("Start? (yes/no) ", "yes"),
        ("Start? (yes/no) Ben is ready.\n", "yes"),
        ("Your move. (two squares, such as i1j1)", "i1j1"),
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


def of_file(path: Path, verdict: str, fault: object = None) -> dict[str, Any]:
    return {"type": "transcript", "file": str(path), "verdict": verdict, "fault": fault}


def test_honest_records_are_complete_and_agree(tmp_path: Path) -> None:
    ours, theirs = records_of(HONEST, tmp_path)
    copies = {"type": "comparison", "files": [str(ours), str(theirs)], "verdict": "agree"}
    complete = [of_file(ours, "complete"), of_file(theirs, "complete")]
    assert not list(differences(HONEST, tmp_path, [*complete, copies], []))
    assert list(differences(HONEST, tmp_path, [complete[0], of_file(theirs, "incomplete"), copies], []))
    assert list(differences(HONEST, tmp_path, [*complete, {**copies, "verdict": "differ"}], []))
    assert list(differences(HONEST, tmp_path, complete, []))


@pytest.mark.parametrize(
    ("verdict", "fault", "right"),
    [
        ("cheated", {"seat": "blue", "rule": "false-end"}, True),
        ("cheated", {"seat": 1, "rule": "false-end"}, True),
        ("cheated", {"seat": "red", "rule": "false-end"}, False),
        ("cheated", {"seat": "blue", "rule": "out-of-turn"}, False),
        ("equivocated", {"seat": "blue", "rule": "false-end"}, False),
        ("complete", None, False),
    ],
)
def test_a_cheat_is_named_with_its_rule_and_its_seat(
    tmp_path: Path, verdict: str, fault: object, *, right: bool
) -> None:
    (ours,) = records_of(CROOKED, tmp_path)
    answer = of_file(ours, verdict, fault)
    assert is_right(CROOKED, answer) == right
    assert (not list(differences(CROOKED, tmp_path, [answer], []))) == right


@pytest.mark.parametrize(("rule", "right"), [("false-end", True), ("out-of-turn", False)])
def test_another_auditor_has_to_say_the_same(tmp_path: Path, rule: str, *, right: bool) -> None:
    (ours,) = records_of(CROOKED, tmp_path)
    answer = of_file(ours, "cheated", {"seat": "blue", "rule": "false-end"})
    verdict = json.dumps({"verdict": "cheated", "fault": {"seat": 1, "rule": rule}})
    assert (not list(differences(CROOKED, tmp_path, [answer], ["sh", "-c", f"echo '{verdict}'"]))) == right


def program(path: Path, *lines: str) -> str:
    path.write_text("\n".join(["#!/bin/sh", *lines]))
    path.chmod(0o755)
    return str(path)


def host(folder: Path, text: str) -> str:
    """A program that prints an invite, asks once, tells something, and leaves a record."""
    ask = 'printf "Start? (yes/no) "; read word; echo "> $word"'
    keep = 'mkdir -p "$2/games/id"; touch "$2/games/id/transcript.p2ps"'
    return program(folder / "host.sh", f"echo {INVITE}", ask, f'echo "{text}"', "echo 'THE END'", keep)


def player(folder: Path, *, status: int = 0, record: str = "transcript.p2ps") -> list[str]:
    """A program that leaves a record where it is told to, and ends."""
    where = 'for folder; do :; done; mkdir -p "$folder"'
    return [program(folder / "player.sh", where, f'touch "$folder/{record}"', f"exit {status}")]


def test_a_match_that_both_end_and_keep_is_right(tmp_path: Path) -> None:
    assert not list(meet(HONEST, host(tmp_path, "You won."), player(tmp_path), tmp_path, limit=20.0))


def test_a_player_that_fails_or_keeps_nothing_is_reported(tmp_path: Path) -> None:
    for bad in (player(tmp_path, status=1), player(tmp_path, record="nothing")):
        assert list(meet(HONEST, host(tmp_path, "You won."), bad, tmp_path / "table", limit=20.0))
        shutil.rmtree(tmp_path / "table")


def test_a_player_that_does_not_stop_when_told_to_is_reported(tmp_path: Path) -> None:
    stopped = replace(HONEST, stop=3)
    assert list(meet(stopped, host(tmp_path, "You won."), player(tmp_path), tmp_path, limit=20.0))


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Audit: cheated: blue, Ben [ND2T-JN8X-N959-T33F] broke the rules in entry", True),
        ("Audit: cheated: red, Ada [ND2T-JN8X-N959-T33F] broke the rules in entry", False),
        ("You won.", False),
    ],
)
def test_the_host_has_to_tell_its_person_who_cheated(tmp_path: Path, text: str, *, right: bool) -> None:
    assert (not list(meet(CROOKED, host(tmp_path, text), player(tmp_path), tmp_path, limit=20.0))) == right


def test_a_host_that_prints_no_invite_is_reported(tmp_path: Path) -> None:
    assert "no invite" in next(meet(HONEST, "true", ["true"], tmp_path, limit=20.0))


def test_names_of_no_case_are_refused() -> None:
    assert main(["--only", "nothing-like-this", "--", "true"]) == 64
    assert len({case.name for case in CASES}) == len(CASES)


def test_the_driver_needs_the_standard_library_alone() -> None:
    modules = {module.partition(".")[0] for module in imports(ROOT / "conformance" / "meet.py")}
    assert not modules & {"p2p_stratego", "protocol", "cli", "tests", "conformance"}
