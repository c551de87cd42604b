"""`learn`: a lesson is a real match, goes on where it was left, and leaves a record that audits complete."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cli.shell.exit_codes import Exit
from protocol.storage.match_store import PEER
from tests.golden.dialogues import assert_told
from tests.helpers.program.commands import Call
from tests.helpers.program.window import Window

HAND = re.compile(r"The \w+ rests\. .*")  # chance exhausts one soldier
MOVES = ["e4e7", "j4j5", "j5j6", "j6j7", "e3e4", "i4i5", "i5i6", "i6i7", "i7i8", "i8j8", "j8j9", "j9j10"]


def test_the_battle_of_the_coach_is_a_match_that_audits_complete(call: Call) -> None:
    told = call("learn", "stratego", "--name", "Anna", stdin="\n".join(["ready", *MOVES]).encode())
    assert told.code == Exit.OK
    words = ("Coach:", "THE END", "have learnt", "learn spies")
    assert_told("learn", "the battle of the coach", told, *words)
    assert "Goal (hide" not in told.out  # the coach says it
    [row] = json.loads(call("games", "--json").out)["games"]
    assert (row["verdict"], row["reason"]) == ("complete", "flag")
    counted = call("stats").out
    assert_told("learn", "statistics do not count it", counted, "lesson")
    assert "won" not in counted
    assert_told("learn", "an analysis", call("analyse", row["id"], "--time", "0.01").out, "lesson")
    (Path(row["transcript"]).parent / PEER).unlink()  # as in a copy of the record alone
    assert_told("learn", "statistics do not count it", call("stats").out, "lesson")


def test_a_lesson_goes_on_where_it_was_left_or_begins_anew(call: Call) -> None:
    call("learn", "--name", "Anna", stdin=b"leave\nyes\n")
    told = call("learn", stdin=b"")
    assert_told("learn", "a lesson goes on", told.out, "goes on", "Coach: Goal", HAND=HAND)
    assert len(json.loads(call("games", "--json").out)["games"]) == 1
    assert "goes on" not in call("learn", "stratego", stdin=b"").out
    assert "goes on" not in call("learn", "--new", stdin=b"").out
    rows = json.loads(call("games", "--json").out)["games"]
    assert len(rows) == 3
    resumed = call("resume", next(row["id"] for row in rows if row["game"] == "stratego"), stdin=b"")
    assert_told("learn", "a lesson goes on by the ordinary way", resumed.out, "Coach: Goal")


def test_a_game_without_a_lesson_is_refused_by_name(call: Call) -> None:
    told = call("learn", "spies")
    assert_told("learn", "a game without a lesson", told)


@pytest.mark.usefixtures("nursery")
def test_the_first_day_is_shown_with_its_coach_and_ends_in_good_order(tmp_path: Path) -> None:
    window = Window(tmp_path / "home", "play")
    window.until("Your first game?")
    window.type("yes\r")
    window.until("Your name")
    window.type("Anna\r")
    window.until("─ Coach", "Goal: push", "Lay four", "│ Type ", "BLUE Tutor bot")
    window.type("leave\r")
    window.until("Leave?")
    window.type("y\r")
    assert window.code() == 0
    window.close()
    saved = json.loads((tmp_path / "home" / "settings.json").read_text())
    assert saved["name"] == "Anna"  # whoever has a name is not asked again
