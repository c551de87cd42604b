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
    spectator = Spectator(folder, played())
    texts = [text for frame in spectator.frames for text in spectator.take([frame])]
    record = replay(spectator.table.seats[0].transcript, GAMES)
    assert [step.state for step in spectator.watched.story.steps] == [
        step.state for step in history.of_match(record).steps if not step.ends
    ]
    for step in history.of_match(record).steps:
        assert set(step.sentences) <= set(texts)
    assert spectator.onlooker.finished
    assert spectator.watched.link == "over"
    chronicle.show("at the end", spectator.watched.ending)
    spectator.onlooker.close()
    assert_as_kept(chronicle)


def test_a_resignation_is_told_with_the_winner(folder: Path, chronicle: Chronicle) -> None:
    table = played(steps=60)
    loser = table.seats[1]
    loser.session.resign()
    table.play()
    spectator = Spectator(folder, table)
    texts = spectator.take(spectator.frames)
    chronicle.show("Ben resigns", texts[-1], spectator.watched.ending)
    assert "Ben resigns." in spectator.watched.story.steps[-1].sentences
    spectator.onlooker.close()
    assert_as_kept(chronicle)


def test_chat_is_told_once_and_shown_with_the_last_step(folder: Path) -> None:
    table = played(steps=60)
    table.seats[0].session.say("hello\x1b[2J all")
    table.hold()
    table.play(steps=4)
    spectator = Spectator(folder, table)
    texts = spectator.take(spectator.frames)
    (sentence,) = (text for text in texts if text.startswith("Ada: "))
    assert "\x1b" not in sentence
    assert spectator.watched.heard == (sentence,)
    assert spectator.watched.read() == []
    spectator.onlooker.close()


def test_chat_of_long_ago_is_not_shown_with_the_last_step(folder: Path) -> None:
    table = played(steps=60)
    table.seats[0].session.say("hello all")
    table.hold()
    table.play()
    spectator = Spectator(folder, table)
    shown = []
    for frame in spectator.frames:
        spectator.take([frame])
        shown.append(spectator.watched.heard)
    assert any(shown)
    assert spectator.watched.heard == ()
    spectator.onlooker.close()


def test_steps_that_do_not_count_any_more_are_taken_back(folder: Path, chronicle: Chronicle) -> None:
    """A GONE takes the place of entries that this copy has already."""
    spectator = Spectator(folder, played())
    texts = spectator.take(spectator.frames)
    referee = spectator.onlooker.copy.referee
    kept = referee.count // 2
    referee.rewind(kept)
    chronicle.show("half of the record is taken back", *spectator.watched.read())
    steps = spectator.watched.story.steps
    assert steps[-1].number <= kept
    missing = [frame for frame in spectator.frames if frame not in [known.frame for known in referee.record]]
    again = spectator.take(missing)
    assert again == texts[len(texts) - len(again) :]
    spectator.onlooker.close()
    assert_as_kept(chronicle)


@pytest.mark.parametrize("steps", [2, 30, 1_000_000])
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
def test_the_board_is_drawn_at_any_moment(folder: Path, steps: int, columns: int, rows: int) -> None:
    spectator = Spectator(folder, played(steps=steps))
    spectator.take(spectator.frames)
    place = Replay(spectator.watched.story).grown(spectator.watched.story, spectator.watched.link)
    lines = screen(place, columns, rows)
    assert [width(line) for line in lines] == [columns] * rows
    text = "\n".join(words(line) for line in lines)
    assert "Ada" in text
    assert spectator.watched.link in text
    assert spectator.onlooker.status is Status.CONNECTING
    spectator.onlooker.close()


def test_a_spectator_who_looks_back_is_left_there_while_the_game_goes_on(folder: Path) -> None:
    spectator = Spectator(folder, played())
    half = len(spectator.frames) * 2 // 3
    spectator.take(spectator.frames[:half])
    before = spectator.watched.story
    last = Replay(before, len(before.steps), live="live")
    back = last.go("back")
    spectator.take(spectator.frames[half:])
    after = spectator.watched.story
    assert len(after.steps) > len(before.steps)
    assert last.grown(after, "over").at == len(after.steps)
    assert back.grown(after, "over").at == back.at
    spectator.onlooker.close()


async def test_an_end_is_told_once_with_who_may_still_answer_a_claim(
    tmp_path: Path, chronicle: Chronicle
) -> None:
    """The last words of the players come behind the end, one by one."""
    for name in ("unresponsive", "unresponsive-four", "complete-flag"):
        replayed = replay((VECTORS / "transcripts" / f"{name}.p2ps").read_bytes(), GAMES)
        home = KeptHome(tmp_path / name)
        onlooker = Onlooker(home.watch(replayed.report.genesis), GAMES, lambda: 0.0)
        session = play_session(tmp_path / f"watching {name}", lines())
        watcher = cast("Watcher", SimpleNamespace(onlooker=onlooker, leave=lambda: None))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch_in_lines, session, watcher, nursery.cancel_scope)
            for record in replayed.referee.record:
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
