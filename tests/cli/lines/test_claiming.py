"""A claim in line mode: the other side can answer it, now or when the game is resumed."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import trio
import trio.testing

from cli.lines.console import Talk
from cli.lines.line_mode import LineFront
from cli.table.orders import actions
from cli.table.seat.controller import TableController
from p2p_stratego.registry import GAMES
from protocol.channel.limits import CLAIM_WHEN_AWAY
from protocol.replication.replica import Replica
from protocol.storage.home import Owner
from tests.helpers.links.ends import Ends


class Typed:
    """Standard input at which somebody types now and then."""

    def __init__(self) -> None:
        self._send, self._typed = trio.open_memory_channel[str](9)

    async def read(self) -> str | None:
        try:
            return await self._typed.receive()
        except trio.EndOfChannel:
            return None

    async def type(self, *lines: str) -> None:
        """Type these lines; each is obeyed before the next one."""
        for line in lines:
            await self._send.send(line)
            await trio.testing.wait_all_tasks_blocked()

    async def end(self) -> None:
        """Nothing more comes."""
        self._send.close()
        await trio.testing.wait_all_tasks_blocked()


def laid(table: TableController) -> str:
    """An honest line of soldiers that are in hand."""
    tired = table.replica.session.view.state.exhausted[table.replica.seat]
    return " ".join([str(rank) for rank in range(1, 11) if rank not in (*tired, 4)][:4])


async def claimed(ends: Ends, front: LineFront, typed: Typed) -> None:
    """Anna, who sits at `front`, has deployed, has lost Boris, and claims the game."""
    ends.connect()
    await trio.testing.wait_all_tasks_blocked()
    await typed.type(laid(front.table))
    ends.pump()
    ends.cut()
    ends.clock.now += CLAIM_WHEN_AWAY
    await typed.type("claim", "yes")
    assert ends.replicas[0].claimed


@pytest.mark.parametrize("interactive", [True, False])
async def test_a_claim_is_waited_with_and_an_answer_undoes_it(tmp_path: Path, interactive: bool) -> None:
    ends, out, typed = Ends(tmp_path), io.StringIO(), Typed()
    table, boris = ends.table(0, keys=False), ends.table(1)
    front = LineFront(table, Talk(typed, out), interactive=interactive)  # type: ignore[arg-type]
    ends.replicas[0].on_change = front.changed
    async with trio.open_nursery() as nursery:
        nursery.start_soon(front.run)
        await claimed(ends, front, typed)
        told = out.getvalue()
        assert "Anna claims the game: Boris did not answer." in told
        assert "leave, or wait: should Boris answer after all, the game goes on" in told
        ends.connect()
        actions.enter(boris, laid(boris))
        ends.pump()
        await trio.testing.wait_all_tasks_blocked()
        assert "Boris is back." in out.getvalue()
        assert "Day 1: both sides have deployed." in out.getvalue()
        assert not table.over
        await typed.type("leave", "yes")
    assert table.left
    ends.close()


async def test_a_claimed_game_that_is_resumed_waits_for_the_answer(tmp_path: Path) -> None:
    ends, typed = Ends(tmp_path), Typed()
    front = LineFront(ends.table(0, keys=False), Talk(typed, io.StringIO()), interactive=True)  # type: ignore[arg-type]
    ends.replicas[0].on_change = front.changed
    async with trio.open_nursery() as nursery:
        nursery.start_soon(front.run)
        await claimed(ends, front, typed)
        await typed.type("leave")
    ends.replicas[0].close()
    home, id_ = ends.homes[0], ends.homes[0].games()[0].id
    ends.replicas[0] = Replica(Owner(home, home.identity(), "Anna", GAMES), home.open(id_), ends.clock)
    boris, out = ends.table(1), io.StringIO()
    front = LineFront(ends.table(0, keys=False), Talk(typed, out), interactive=True)  # type: ignore[arg-type]
    ends.replicas[0].on_change = front.changed
    async with trio.open_nursery() as nursery:
        nursery.start_soon(front.run)
        await trio.testing.wait_all_tasks_blocked()
        assert "leave, or wait" in out.getvalue()
        ends.connect()
        actions.enter(boris, laid(boris))
        ends.pump()
        await trio.testing.wait_all_tasks_blocked()
        assert not front.table.over
        assert "Which of your missions" in out.getvalue() or "which of your missions" in out.getvalue()
        await typed.type("leave", "yes")
    ends.close()


@pytest.mark.parametrize("interactive", [True, False])
async def test_after_a_claim_the_end_of_the_input_leaves(tmp_path: Path, interactive: bool) -> None:
    ends, typed = Ends(tmp_path), Typed()
    table = ends.table(0, keys=False)
    front = LineFront(table, Talk(typed, io.StringIO()), interactive=interactive)  # type: ignore[arg-type]
    ends.replicas[0].on_change = front.changed
    async with trio.open_nursery() as nursery:
        nursery.start_soon(front.run)
        await claimed(ends, front, typed)
        before = table.left
        await typed.end()
    assert (before, table.left) == (False, True)
    ends.close()
