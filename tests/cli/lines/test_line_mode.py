"""Line mode: whole games as lines, two real ends at loopback's distance, and scripts."""

from __future__ import annotations

import io
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio
import trio.testing

from cli.lines.console import Console
from cli.lines.line_mode import LineFront
from cli.play.bots.bot_match import link_up
from cli.reports import history
from cli.shell.settings import Settings
from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.seat.controller import Environment, TableController
from cli.text.sanitize import cells
from p2p_stratego.registry import GAMES
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from p2p_stratego.spies_and_lies.rules.game import GAME
from protocol.audit import verdict
from protocol.network.peer import Peer
from protocol.record.statements import Kind, Statement
from protocol.replication.replica import Status
from protocol.storage.home import Home, Owner
from tests.golden.tables import Chronicle, assert_as_kept
from tests.helpers.links.ends import NAMES, Ends, bytes_from
from tests.helpers.links.founding import founded
from tests.helpers.program.playing import spoken
from tests.helpers.program.typists import Scripted, Silent


class Typist:
    """Standard input of a player who answers each question as a bot would."""

    def __init__(self, answer: Callable[[], str | None]) -> None:
        self._answer = answer

    async def read(self) -> str | None:
        await trio.testing.wait_all_tasks_blocked()
        return self._answer()


class Table:
    """Two peers connected in this process, and a front end for each."""

    def __init__(self, folder: Path, nursery: trio.Nursery, starter: str = "red") -> None:
        self.homes = [Home(folder / name, bytes_from(f"typed {name}")) for name in NAMES]
        owners = [
            Owner(home, home.identity(), name, GAMES) for home, name in zip(self.homes, NAMES, strict=True)
        ]
        stores = founded(GAME, GAME.options({"starter": starter}), owners, "agent")
        self.paths = [Path(store.path) for store in stores]
        self.peers = [Peer(nursery, owner, store) for owner, store in zip(owners, stores, strict=True)]
        self.out = [io.StringIO(), io.StringIO()]
        self.seen: dict[int, TableController] = {}
        """By seat, what its player sees."""
        link_up(nursery, *self.peers)

    def front(self, seat: int, lines: object, *, interactive: bool = False) -> LineFront:
        talk = Console(lines, self.out[seat])  # type: ignore[arg-type]  # anything with a `read`
        peer = self.peers[seat]
        table = TableController(
            peer.replica, Settings(), Environment(trio.current_time, lambda: peer.rtt, keys=False)
        )
        self.seen[seat] = table
        front = LineFront(table, talk, interactive=interactive)
        peer.replica.on_change = front.changed
        return front

    async def sit(self, front: LineFront) -> None:
        """Play at one front end until it ends; then leave."""
        peer = next(peer for peer in self.peers if peer.replica is front.table.replica)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(peer.run)
            await front.run()
            peer.leave()

    def close(self) -> None:
        for home in self.homes:
            home.close()


def bot_typist(table: Table, seat: int, *, last: str | None = None) -> Typist:
    """Answers whenever asked, says yes to a warning, and after the end says `last`, or nothing more."""
    bot = Recruit(random.Random(seat))

    def answer() -> str | None:
        session = table.peers[seat].replica.session
        if table.seen[seat].pending is not None:
            return "yes"
        if session.decision is not None:
            return spoken(bot.decide(session.view))
        return last if session.outcome is not None else ""

    return Typist(answer)


async def test_a_whole_game_is_played_in_lines_by_both_and_both_records_are_audited(tmp_path: Path) -> None:
    async with trio.open_nursery() as nursery:
        table = Table(tmp_path, nursery)
        with trio.fail_after(60):
            async with trio.open_nursery() as players:
                for seat in (0, 1):
                    front = table.front(seat, bot_typist(table, seat, last="leave"))
                    players.start_soon(table.sit, front)
        nursery.cancel_scope.cancel()
    first, second = (out.getvalue() for out in table.out)
    table.close()
    for output in (first, second):
        assert "✓ " in output
        assert "THE END" in output
    verdicts = {verdict.audit(path.read_bytes(), GAMES).verdict.value for path in table.paths}
    assert verdicts == {"complete"}
    histories = [
        # The question to the Captain's owner tells the guess too, as one at "your mission".
        [line for line in output.split("\n") if " guesses the " in line and " at your mission " not in line]
        for output in (first, second)
    ]
    assert histories[0] == histories[1]
    assert len(histories[0]) >= 8


async def play_script(tmp_path: Path, *lines: str, interactive: bool = False) -> tuple[str, Table]:
    """Anna plays a script, Boris is a bot that stays; the lines that Anna saw."""
    async with trio.open_nursery() as nursery:
        table = Table(tmp_path, nursery)
        table.peers[1].replica.on_change = lambda: None
        with trio.fail_after(60):
            async with trio.open_nursery() as players:
                players.start_soon(table.sit, table.front(1, bot_typist(table, 1, last="leave")))
                await table.sit(table.front(0, Scripted(*lines), interactive=interactive))
                players.cancel_scope.cancel()
        nursery.cancel_scope.cancel()
    table.close()
    return table.out[0].getvalue(), table


def from_line(output: str, first: str, last: str = "") -> list[str]:
    """The lines from that one on, up to another; but not that a bot is waited for: tasks run in any order."""
    lines = [line for line in output.splitlines() if not line.startswith("Boris is still ")]
    return lines[lines.index(first) : lines.index(last) + 1 if last else None]


async def test_a_script_can_be_written_down_in_advance(tmp_path: Path, chronicle: Chronicle) -> None:
    script = ("1 3 4 5", "deploy 2 4 6 8", "mark none", "yes", "guess 3", "guess 7")
    output, table = await play_script(tmp_path, *script)
    assert table.peers[0].replica.session.outcome is None  # the input has ended: saved and left
    chronicle.show(", ".join(script), *from_line(output, "> 1 3 4 5"))
    assert_as_kept(chronicle)


async def test_a_deployment_said_before_the_question_is_open_is_not_sent(
    tmp_path: Path, chronicle: Chronicle
) -> None:
    script = ("/3 4 5 6", "no", "/1, 2, 8, 10 it is", "no", "1 3 4 5")
    output, table = await play_script(tmp_path, *script)
    asked = [line for line in output.splitlines() if line.startswith(("> ", "“", "Send"))]
    chronicle.show(", ".join(script), *asked)
    record = table.peers[1].replica.session.referee.record
    assert [
        signed.content for signed in record if isinstance(signed, Statement) and signed.kind is Kind.CHAT
    ] == []
    assert_as_kept(chronicle)


async def test_commands_of_a_script_are_obeyed_in_their_order(tmp_path: Path, chronicle: Chronicle) -> None:
    script = ("help", "rules bomb", "who", "/hello", "board", "hand", "bogus", "resign", "yes", "leave")
    output, table = await play_script(tmp_path, *script)
    for page in ("HELP", "7 BOMB", "WHO PLAYS", "THE BOARD", "WHAT YOU HAVE"):
        assert page in output
    assert table.peers[0].replica.session.outcome is not None
    assert "Anna resigns." in output
    chronicle.show(", ".join(script), *from_line(output, "> bogus", "> yes"))
    assert_as_kept(chronicle)


async def test_the_goal_is_told_once(tmp_path: Path) -> None:
    output, _ = await play_script(tmp_path, "1 3 4 5", "hand", "bogus", "board")
    assert output.count("Goal (") == 1


async def test_the_goal_is_not_told_where_it_is_switched_off(tmp_path: Path, chronicle: Chronicle) -> None:
    ends = Ends(tmp_path)
    out = io.StringIO()
    table = ends.table(0, Settings(goal=False), keys=False)
    typed = Scripted("hand", "goal on", "goal off", "hand", ends=False)
    front = LineFront(table, Console(typed, out), interactive=False)  # type: ignore[arg-type]
    ends.replicas[0].on_change = front.changed
    ends.connect()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(front.run)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    chronicle.show("hand, goal on, goal off, hand", *out.getvalue().splitlines())
    ends.close()
    assert_as_kept(chronicle)


async def test_the_end_of_the_input_saves_and_leaves(tmp_path: Path) -> None:
    output, table = await play_script(tmp_path)
    assert output
    assert table.peers[0].replica.session.outcome is None
    assert verdict.audit(table.paths[0].read_bytes(), GAMES).verdict.value == "incomplete"


async def test_coming_and_going_of_the_other_side_is_told_truthfully_and_once(
    tmp_path: Path, chronicle: Chronicle
) -> None:
    ends = Ends(tmp_path)
    out = io.StringIO()
    table = ends.table(0, keys=False)
    front = LineFront(table, Console(Silent(), out), interactive=False)  # type: ignore[arg-type]
    ends.replicas[0].on_change = front.changed
    async with trio.open_nursery() as nursery:
        nursery.start_soon(front.run)
        for change in (front.changed, ends.connect, ends.cut, ends.connect, front.changed):
            await trio.testing.wait_all_tasks_blocked()
            change()
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    lines = [line for line in out.getvalue().split("\n") if line.startswith("Boris is ")]
    chronicle.show("Boris comes, is away for a moment, and is back", *lines)
    out.seek(0)
    out.truncate()
    ends.cut()
    again = LineFront(table, Console(Silent(), out), interactive=False)  # type: ignore[arg-type]
    again.show_news()
    ends.connect()
    again.show_news()
    lines = [line for line in out.getvalue().split("\n") if line.startswith("Boris is ")]
    chronicle.show("a new front end, while Boris is away and then back", *lines)
    ends.close()
    assert_as_kept(chronicle)


async def test_news_that_come_with_the_end_of_the_connection_are_told(tmp_path: Path) -> None:
    ends = Ends(tmp_path)
    out = io.StringIO()
    front = LineFront(ends.table(0, keys=False), Console(Silent(), out), interactive=False)  # type: ignore[arg-type]
    ends.replicas[0].on_change = front.changed
    ends.connect()
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(front.run)
            await trio.testing.wait_all_tasks_blocked()
            ends.replicas[1].resign()
            ends.pump()
            ends.cut()
    assert front.table.replica.status is Status.OVER
    assert "Boris resigns." in out.getvalue()
    assert "THE END" in out.getvalue()
    ends.close()


async def test_the_path_of_the_record_is_never_folded(tmp_path: Path) -> None:
    folder = tmp_path / ("a very long name " * 8).strip()
    output, table = await play_script(folder, "resign", "yes", "proof", "leave")
    assert f"{table.paths[0]}" in output


async def test_who_shows_the_path_of_the_record_on_a_line_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / ("a very long name " * 8).strip()
    output, table = await play_script(folder, "who", "leave", "yes")
    assert f"\n  {table.paths[0]}\n" in output


async def test_a_closed_terminal_leaves_at_once(tmp_path: Path) -> None:
    output, table = await play_script(tmp_path, interactive=True)
    assert table.peers[0].replica.session.outcome is None
    assert output


async def test_a_warning_is_printed_whole_before_it_is_confirmed(
    tmp_path: Path, chronicle: Chronicle
) -> None:
    output, _ = await play_script(tmp_path, "10 8 7 6", "no", "10 8 6 3", "yes")
    chronicle.show("10 8 7 6, no, 10 8 6 3, yes", *from_line(output, "> 10 8 7 6", "> yes"))
    assert_as_kept(chronicle)


async def test_a_script_waits_for_a_link_and_not_for_a_post(tmp_path: Path, chronicle: Chronicle) -> None:
    """Nothing that a post brings can come while its player's program runs."""
    for by_post in (True, False):
        ends = Ends(tmp_path / str(by_post))
        out = io.StringIO()
        table = ends.table(0, keys=False)
        ends.connect()
        ends.cut()
        ends.replicas[0].by_post = by_post
        typed = Scripted("1 3 4 5", "guess 3", "leave", ends=False)
        front = LineFront(table, Console(typed, out), interactive=False)  # type: ignore[arg-type]
        ends.replicas[0].on_change = front.changed
        async with trio.open_nursery() as nursery:
            nursery.start_soon(front.run)
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        assert table.left is by_post
        way = "by post" if by_post else "over a link, which is broken"
        chronicle.show(f"{way}: 1 3 4 5, guess 3, leave", *from_line(out.getvalue(), "> 1 3 4 5"))
        ends.close()
    assert_as_kept(chronicle)


async def test_row_23_chat_of_the_other_side_is_printed_and_escaped(tmp_path: Path) -> None:
    async with trio.open_nursery() as nursery:
        table = Table(tmp_path, nursery)
        with trio.fail_after(60):
            async with trio.open_nursery() as players:
                # No input ends: a player that leaves hears nothing more.
                boris = table.front(1, Scripted("/hi \x1b[2J", ends=False))
                players.start_soon(table.sit, boris)
                players.start_soon(table.sit, table.front(0, Silent()))
                while "says: hi" not in table.out[0].getvalue():
                    await trio.testing.wait_all_tasks_blocked()
                players.cancel_scope.cancel()
        nursery.cancel_scope.cancel()
    table.close()
    assert "says: hi <U+001B>[2J" in table.out[0].getvalue()
    assert "\x1b" not in table.out[0].getvalue()


class Screen(io.StringIO):
    """Standard output that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("columns", [10, 40, 80])
@pytest.mark.parametrize("sign", [".", "日", "a ", "x" * 90])
def test_row_23_chat_cannot_forge_a_line_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sign: str, columns: int
) -> None:
    """At every width of the terminal, text of others never begins a line."""
    monkeypatch.setattr("cli.lines.console.get_terminal_size", lambda: os.terminal_size((columns, 24)))
    monkeypatch.setattr("cli.reports.history.get_terminal_size", lambda: os.terminal_size((columns, 24)))
    monkeypatch.setattr(sys, "stdout", Screen())
    forged = "Ada resigns. Boris wins the game. Audit: complete."
    ends = Ends(tmp_path)
    out = Screen()
    front = LineFront(ends.table(0, keys=False), Console(Silent(), out), interactive=False)  # type: ignore[arg-type]
    ends.replicas[0].on_change = front.changed
    ends.connect()
    for count in range(columns):
        ends.replicas[1].say(f"hi {sign * count} {forged}"[:500])
        ends.pump()
    front.show_news()
    actions.enter(front.table, "chat")
    front.show_news()
    lines = out.getvalue().split("\n")
    for statement in history.statements(ends.replicas[0].session.referee.record):
        lines += history.line("   9  ", history.speak(statement, ends.replicas[0].match), columns).split("\n")
    lines = [line for line in lines if line]
    assert sum(line.startswith("Boris") for line in lines) >= 2 * columns
    ours = ("Boris", "CHAT", "The wall", "Day 1")
    assert [line for line in lines if not line.startswith("  ") and not line.startswith(ours)] == []
    assert [line for line in lines if cells(line) > max(columns, 14)] == []  # or the terminal would fold it
    ends.close()


@pytest.mark.parametrize("line", ["x" * 9000, "\x00", "\ufffd", "¿?", "guess", "mark 5", "yes"])
async def test_rubbish_is_answered_with_a_sentence(tmp_path: Path, line: str) -> None:
    output, table = await play_script(tmp_path, line)
    assert table.peers[0].replica.session.referee.count < 10
    assert all(len(shown) < 1200 for shown in output.split("\n"))


def test_a_player_who_decides_often_in_a_row_is_waited_for_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every move of a turn brought "Boris is to move: Italy, 8 points." once more."""
    out = io.StringIO()
    owed = SimpleNamespace(seat=1)
    table = SimpleNamespace(
        asked=False, pending=None, left=False, over=False, waits_for_player=True, terminal=None
    )
    table.session = SimpleNamespace(referee=SimpleNamespace(owed=owed))
    table.timing = SimpleNamespace(left=None)
    front = LineFront(cast("TableController", table), Console(None, out), interactive=False)
    for seat, text in ((1, "8 points"), (1, "7 points"), (2, "asked for Papers"), (1, "6 points"), (1, "5")):
        owed.seat = seat
        monkeypatch.setattr(presentation, "question", lambda _, question=text: (question, ""))
        front.ask()
    assert out.getvalue().split("\n")[:-1] == ["8 points", "asked for Papers", "6 points"]
