"""`learn`: a lesson is a real match, goes on where it was left, and leaves a record that audits complete."""

from __future__ import annotations

import json
from pathlib import Path

from cli.shell.exit_codes import Exit
from protocol.storage.match_store import PEER
from tests.helpers.program.commands import Call
from tests.helpers.program.window import Window

MOVES = ["e4e7", "j4j5", "j5j6", "j6j7", "e3e4", "i4i5", "i5i6", "i6i7", "i7i8", "i8j8", "j8j9", "j9j10"]


def test_the_battle_of_the_coach_is_a_match_that_audits_complete(call: Call) -> None:
    told = call("learn", "stratego", "--name", "Anna", stdin="\n".join(["ready", *MOVES]).encode())
    assert told.code == Exit.OK
    assert "Coach: Goal: take blue's flag." in told.out
    assert "The spy beats the Marshal" in told.out
    assert "Your scout falls, but now you know the Marshal" in told.out
    assert "Audit: complete: red, Anna" in told.out
    assert "What you have learnt" in told.out
    assert "learn spies-and-lies" in told.out
    assert "Goal (hide: goal off)" not in told.out  # the coach says it
    [row] = json.loads(call("games", "--json").out)["games"]
    assert (row["verdict"], row["reason"]) == ("complete", "flag")
    counted = call("stats").out
    assert "a lesson: its tutor plays by a script" in counted
    assert "won" not in counted
    assert "a script led both sides" in " ".join(call("analyse", row["id"], "--time", "0.01").out.split())
    (Path(row["transcript"]).parent / PEER).unlink()  # as in a copy of the record alone
    assert "a lesson: its tutor plays by a script" in call("stats").out


def test_a_lesson_goes_on_where_it_was_left_or_begins_anew(call: Call) -> None:
    call("learn", "--name", "Anna", stdin=b"leave\nyes\n")
    told = call("learn", stdin=b"")
    assert "Your lesson goes on" in told.out
    assert "Coach: Goal: push the double agent" in told.out
    assert len(json.loads(call("games", "--json").out)["games"]) == 1
    assert "goes on" not in call("learn", "stratego", stdin=b"").out
    assert "goes on" not in call("learn", "--new", stdin=b"").out
    rows = json.loads(call("games", "--json").out)["games"]
    assert len(rows) == 3
    resumed = call("resume", next(row["id"] for row in rows if row["game"] == "stratego"), stdin=b"")
    assert "Coach: Goal: take blue's flag." in resumed.out  # also by the ordinary way


def test_a_game_without_a_lesson_is_refused_by_name(call: Call) -> None:
    told = call("learn", "conquest")
    assert told.code == Exit.USAGE
    assert "spies-and-lies" in told.err


def test_the_first_day_is_shown_with_its_coach_and_ends_in_good_order(tmp_path: Path) -> None:
    window = Window(tmp_path / "home", "play")
    window.until("Your first game?")
    window.type("yes\r")
    window.until("Your name")
    window.type("Anna\r")
    window.until("─ Coach", "Goal: push the double", "Lay four soldiers in", "│ Type ", "BLUE Tutor bot")
    window.type("leave\r")
    window.until("Leave?")
    window.type("y\r")
    assert window.code() == 0
    window.close()
    saved = json.loads((tmp_path / "home" / "settings.json").read_text())
    assert saved["name"] == "Anna"  # whoever has a name is not asked again
