"""The story of a watched match: the same as that of its record, however often it is looked at."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio
import trio.testing

from cli.commands.watch import watch_in_lines
from cli.reports import history
from cli.screen.replay.replay import screen
from cli.studies.playback import Replay
from cli.table.seat.watching import WatchedMatch
from cli.text.layout import width, words
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import replay
from protocol.network.watcher import Watcher
from protocol.record.evidence import read_record
from protocol.replication.onlooker import Onlooker
from protocol.replication.replica import Status
from protocol.wire.encoding import Frame
from tests.golden.tables import Chronicle, assert_as_kept
from tests.helpers.machine.homes import KeptHome
from tests.helpers.machine.modules import VECTORS
from tests.helpers.program.commands import honest
from tests.helpers.program.playing import lines, play_session, printed
from tests.helpers.seats.pair import Table


def played(*, steps: int = 1_000_000) -> Table:
    return Table(3, decide=honest).play(steps=steps)


class Spectator:
    """A spectator that is handed the records of a table, as if by its host."""

    def __init__(self, folder: Path, table: Table) -> None:
        self.table = table
        self.home = KeptHome(folder)
        match = table.seats[0].session.genesis
        self.onlooker = Onlooker(self.home.watch(match), GAMES, lambda: 0.0)
        self.watched = WatchedMatch(self.onlooker)

    @property
    def frames(self) -> list[Frame]:
        """Everything that the first seat knows."""
        return [record.frame for record in self.table.seats[0].session.referee.record]

    def take(self, frames: list[Frame]) -> list[str]:
        """Admit records; what the spectator is told then."""
        for frame in frames:
            self.onlooker.copy.admit(read_record(frame))
        return self.watched.read()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home"


def test_the_story_grows_into_that_of_the_record(folder: Path, chronicle: Chronicle) -> None:
    one = Spectator(folder, played())
    told = [text for frame in one.frames for text in one.take([frame])]
    record = replay(one.table.seats[0].transcript, GAMES)
    assert [step.state for step in one.watched.story.steps] == [
        step.state for step in history.of_match(record).steps if not step.ends
    ]
    for step in history.of_match(record).steps:
        assert set(step.sentences) <= set(told)
    assert one.onlooker.finished
    assert one.watched.link == "over"
    chronicle.show("at the end", one.watched.ending)
    one.onlooker.close()
    assert_as_kept(chronicle)


def test_a_resignation_is_told_with_the_winner(folder: Path, chronicle: Chronicle) -> None:
    table = played(steps=60)
    loser = table.seats[1]
    loser.session.resign()
    table.play()
    one = Spectator(folder, table)
    told = one.take(one.frames)
    chronicle.show("Ben resigns", told[-1], one.watched.ending)
    assert "Ben resigns." in one.watched.story.steps[-1].sentences
    one.onlooker.close()
    assert_as_kept(chronicle)


def test_chat_is_told_once_and_shown_with_the_last_step(folder: Path) -> None:
    table = played(steps=60)
    table.seats[0].session.say("hello\x1b[2J all")
    table.hold()
    table.play(steps=4)
    one = Spectator(folder, table)
    told = one.take(one.frames)
    (said,) = (text for text in told if text.startswith("Ada: "))
    assert "\x1b" not in said
    assert one.watched.heard == (said,)
    assert one.watched.read() == []
    one.onlooker.close()


def test_chat_of_long_ago_is_not_shown_with_the_last_step(folder: Path) -> None:
    table = played(steps=60)
    table.seats[0].session.say("hello all")
    table.hold()
    table.play()
    one = Spectator(folder, table)
    shown = []
    for frame in one.frames:
        one.take([frame])
        shown.append(one.watched.heard)
    assert any(shown)
    assert one.watched.heard == ()
    one.onlooker.close()


def test_steps_that_do_not_count_any_more_are_taken_back(folder: Path, chronicle: Chronicle) -> None:
    """A GONE takes the place of entries that this copy has already."""
    one = Spectator(folder, played())
    told = one.take(one.frames)
    referee = one.onlooker.copy.referee
    kept = referee.count // 2
    referee.rewind(kept)
    chronicle.show("half of the record is taken back", *one.watched.read())
    steps = one.watched.story.steps
    assert steps[-1].number <= kept
    missing = [frame for frame in one.frames if frame not in [known.frame for known in referee.record]]
    again = one.take(missing)
    assert again == told[len(told) - len(again) :]
    one.onlooker.close()
    assert_as_kept(chronicle)


@pytest.mark.parametrize("steps", [2, 30, 1_000_000])
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
def test_the_board_is_drawn_at_any_moment(folder: Path, steps: int, columns: int, rows: int) -> None:
    one = Spectator(folder, played(steps=steps))
    one.take(one.frames)
    place = Replay(one.watched.story).grown(one.watched.story, one.watched.link)
    lines = screen(place, columns, rows)
    assert [width(line) for line in lines] == [columns] * rows
    text = "\n".join(words(line) for line in lines)
    assert "Ada" in text
    assert one.watched.link in text
    assert one.onlooker.status is Status.CONNECTING
    one.onlooker.close()


def test_a_spectator_who_looks_back_is_left_there_while_the_game_goes_on(folder: Path) -> None:
    one = Spectator(folder, played())
    half = len(one.frames) * 2 // 3
    one.take(one.frames[:half])
    before = one.watched.story
    last = Replay(before, len(before.steps), live="live")
    back = last.go("back")
    one.take(one.frames[half:])
    after = one.watched.story
    assert len(after.steps) > len(before.steps)
    assert last.grown(after, "over").at == len(after.steps)
    assert back.grown(after, "over").at == back.at
    one.onlooker.close()


async def test_an_end_is_told_once_with_who_may_still_answer_a_claim(
    tmp_path: Path, chronicle: Chronicle
) -> None:
    """The last words of the players come behind the end, one by one."""
    for name in ("unresponsive", "unresponsive-four", "complete-flag"):
        found = replay((VECTORS / "transcripts" / f"{name}.p2ps").read_bytes(), GAMES)
        home = KeptHome(tmp_path / name)
        onlooker = Onlooker(home.watch(found.report.genesis), GAMES, lambda: 0.0)
        session = play_session(tmp_path / f"watching {name}", lines())
        watcher = cast("Watcher", SimpleNamespace(onlooker=onlooker, leave=lambda: None))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch_in_lines, session, watcher, nursery.cancel_scope)
            for record in found.referee.record:
                onlooker.copy.admit(read_record(record.frame))
                onlooker.on_change()
                await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        [end] = [line for line in printed(session).getvalue().splitlines() if "game is over" in line]
        chronicle.show(f"{name}.p2ps, watched to its end", end)
        onlooker.close()
        home.close()
        session.home.close()
    assert_as_kept(chronicle)
