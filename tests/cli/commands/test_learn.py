"""`learn`: a lesson is a real match, goes on where it was left, and leaves a record that audits complete."""

from __future__ import annotations

import fcntl
import json
import re
from pathlib import Path

import pytest

from cli.games import lessons
from cli.shell.exit_codes import Exit
from cli.shell.settings import Settings
from p2p_stratego.registry import GAMES, lesson, lesson_number
from protocol.storage.match_store import LOCK, PEER
from tests.golden.dialogues import assert_told
from tests.helpers.program.commands import Call
from tests.helpers.program.window import Window

HAND = re.compile(r"The \w+ rests\.")  # chance exhausts one soldier
MOVES = ["e4e7", "j4j5", "j5j6", "j6j7", "e3e4", "i4i5", "i5i6", "i6i7", "i7i8", "i8j8", "j8j9", "j9j10"]


def test_the_battle_of_the_coach_is_a_match_that_audits_complete(call: Call) -> None:
    run = call("learn", "stratego", "--name", "Anna", stdin="\n".join(["ready", *MOVES]).encode())
    assert run.code == Exit.OK
    end = run.out[run.out.index("LESSON 1") :]
    assert_told(
        "learn", "the battle of the coach", run, "Coach:", "LESSON 1", "Well done", "You have the flag"
    )
    assert not any(word in end for word in ("Audit", "Record", "learn ", "replay"))  # nothing to copy
    listed = call("learn")
    assert_told("learn", "the list of lessons", listed, "First steps", "A bluff", "begins a lesson")
    assert "✓ 1  First steps" in listed.out
    assert "flag and bomb never move.\n  Type ready\n" in run.out, "what to type has a line of its own"
    assert "Goal (hide" not in run.out  # the coach says it
    [row] = json.loads(call("games", "--json").out)["games"]
    assert (row["verdict"], row["reason"]) == ("complete", "flag")
    assert row["status"] == "a lesson, over"  # the tutor gives up after a failed one, too
    counted = call("stats").out
    assert_told("learn", "statistics do not count it", counted, "lesson")
    assert "won" not in counted
    assert_told("learn", "an analysis", call("analyse", row["id"], "--time", "0.01").out, "lesson")
    (Path(row["transcript"]).parent / PEER).unlink()  # as in a copy of the record alone
    assert_told("learn", "statistics do not count it", call("stats").out, "lesson")


def test_a_lesson_goes_on_where_it_was_left_or_begins_anew(call: Call) -> None:
    call("learn", "spies-and-lies", "--name", "Anna", stdin=b"leave\nyes\n")
    run = call("learn", "spies-and-lies", stdin=b"")
    assert_told("learn", "a lesson goes on", run.out, "goes on", "Coach: Goal", HAND=HAND)
    assert len(json.loads(call("games", "--json").out)["games"]) == 1
    assert "goes on" not in call("learn", "stratego", stdin=b"").out
    assert "goes on" not in call("learn", "spies-and-lies", "--new", stdin=b"").out
    rows = json.loads(call("games", "--json").out)["games"]
    assert len(rows) == 3
    resumed = call("resume", next(row["id"] for row in rows if row["game"] == "stratego"), stdin=b"")
    assert_told("learn", "a lesson goes on by the ordinary way", resumed.out, "Coach: Goal")


def test_each_lesson_goes_on_by_its_number_and_a_tick_is_listed(call: Call) -> None:
    call("learn", "stratego", "2", stdin=b"ready\nleave\nyes\n")
    assert "lesson goes on" not in call("learn", "stratego", "3", stdin=b"leave\nyes\n").out
    listing = call("learn").out
    assert [f"  {at}  {title} (begun)\n" in listing for at, title in LISTED] == [False, True, True]
    run = call("learn", "stratego", "2", stdin="\n".join(BLUFF).encode())
    assert_told("learn", "a bluff", run, "lesson goes on", "Coach:", "LESSON", "Well done")
    assert "✓ 2  A bluff\n" in call("learn").out
    assert_told("learn", "a number too many", call("learn", "conquest", "9"))


def test_a_lesson_begins_though_another_window_has_another_one_open(call: Call) -> None:
    call("learn", "stratego", "2", stdin=b"ready\nleave\nyes\n")
    [row] = json.loads(call("games", "--json").out)["games"]
    with (Path(row["transcript"]).parent / LOCK).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        begun = call("learn", "stratego", "3", stdin=b"leave\nyes\n")
        assert begun.code == Exit.OK
        assert call("learn", "stratego", "2", stdin=b"").code == Exit.IO  # that one itself is in use


LISTED = [(1, "First steps"), (2, "A bluff"), (3, "Reading an opponent")]
BLUFF = ["e4e5", "e5e6", "e6e7", "e7e8", "e8e9", "e9e10"]


def test_a_goal_that_is_missed_gets_no_tick(call: Call) -> None:
    missed = call("learn", "stratego", "2", stdin=b"ready\ne4e8\ne8e9\na2a3\n")
    assert_told("learn", "a goal that is missed", missed, "LESSON", "Not this time")
    assert "✓" not in call("learn").out


def test_no_two_lessons_of_a_game_have_the_same_options() -> None:
    for game in lessons.taught():
        numbers = range(1, len(lessons.listed(Settings(), game, ())) + 1)
        for number in numbers:
            known = lesson(game, number)
            assert known is not None
            assert lesson_number(game, GAMES[game].options(known.options)) == number


def test_a_game_without_a_lesson_is_refused_by_name(call: Call) -> None:
    run = call("learn", "chess")
    assert_told("learn", "a game without a lesson", run)


@pytest.mark.usefixtures("nursery")
def test_the_first_day_is_shown_with_its_coach_and_ends_in_good_order(tmp_path: Path) -> None:
    window = Window(tmp_path / "home", "play")
    window.until("Your first game?")
    window.type("yes\r")
    window.until("─ Coach", "Goal: push", "Lay four", "│ Type ", "BLUE Tutor bot")
    window.type("leave\r")
    window.until("Leave?")
    window.type("y\r")
    assert window.code() == 0
    window.close()
    assert not (tmp_path / "home" / "settings.json").exists()  # nobody reads a learner's name: none is asked


@pytest.mark.usefixtures("nursery")
def test_below_the_list_of_lessons_one_is_chosen(tmp_path: Path) -> None:
    """The list ended with a command to copy."""
    window = Window(tmp_path / "home", "learn")
    window.until("SPIES!", "Which one? (Enter: spies-and-lies 1; q: none)")
    window.type("stratego 1\r")
    window.until("─ Coach", "take blue's flag")
    window.type("leave\r")
    window.until("Leave?")
    window.type("y\r")
    assert window.code() == 0
    window.close()
