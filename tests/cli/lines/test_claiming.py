"""A claim in line mode: the other side can answer it, now or when the game is resumed."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import trio
import trio.testing

from cli.lines.console import Console
from cli.lines.line_mode import LineFront
from cli.table.orders import actions
from cli.table.seat.controller import TableController
from p2p_stratego.registry import GAMES
from protocol.limits import CLAIM_WHEN_AWAY
from protocol.replication.replica import Replica
from protocol.storage.home import Owner
from tests.golden.tables import Chronicle, assert_as_kept
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


async def test_a_claim_is_waited_with_and_an_answer_undoes_it(tmp_path: Path, chronicle: Chronicle) -> None:
    for interactive in (True, False):
        ends, out, typed = Ends(tmp_path / str(interactive)), io.StringIO(), Typed()
        table, boris = ends.table(0, keys=False), ends.table(1)
        front = LineFront(table, Console(typed, out), interactive=interactive)  # type: ignore[arg-type]
        ends.replicas[0].on_change = front.changed
        async with trio.open_nursery() as nursery:
            nursery.start_soon(front.run)
            await claimed(ends, front, typed)
            who = "a person" if interactive else "a script"
            chronicle.show(f"Anna, {who} in lines, claims the game", *printed(out, ends))
            ends.connect()
            actions.enter(boris, laid(boris))
            ends.pump()
            await trio.testing.wait_all_tasks_blocked()
            chronicle.show("Boris is back and answers", *printed(out, ends))
            assert not table.over
            await typed.type("leave", "yes")
        assert table.left
        ends.close()
    assert_as_kept(chronicle)


async def test_a_claimed_game_that_is_resumed_waits_for_the_answer(
    tmp_path: Path, chronicle: Chronicle
) -> None:
    ends, typed = Ends(tmp_path), Typed()
    front = LineFront(ends.table(0, keys=False), Console(typed, io.StringIO()), interactive=True)  # type: ignore[arg-type]
    ends.replicas[0].on_change = front.changed
    async with trio.open_nursery() as nursery:
        nursery.start_soon(front.run)
        await claimed(ends, front, typed)
        await typed.type("leave")
    ends.replicas[0].close()
    home, id_ = ends.homes[0], ends.homes[0].games()[0].id
    ends.replicas[0] = Replica(Owner(home, home.identity(), "Anna", GAMES), home.open(id_), ends.clock)
    boris, out = ends.table(1), io.StringIO()
    front = LineFront(ends.table(0, keys=False), Console(typed, out), interactive=True)  # type: ignore[arg-type]
    ends.replicas[0].on_change = front.changed
    async with trio.open_nursery() as nursery:
        nursery.start_soon(front.run)
        await trio.testing.wait_all_tasks_blocked()
        chronicle.show("Anna resumes the game that she has claimed", *printed(out, ends))
        ends.connect()
        actions.enter(boris, laid(boris))
        ends.pump()
        await trio.testing.wait_all_tasks_blocked()
        assert not front.table.over
        chronicle.show("Boris is back and answers", *printed(out, ends))
        await typed.type("leave", "yes")
    ends.close()
    assert_as_kept(chronicle)


def printed(out: io.StringIO, ends: Ends) -> list[str]:
    """What was printed since the last look, with the record's place left out."""
    lines = out.getvalue().replace(ends.replicas[0].store.path, "{record}").splitlines()
    out.seek(0)
    out.truncate()
    return lines


@pytest.mark.parametrize("interactive", [True, False])
async def test_after_a_claim_the_end_of_the_input_leaves(tmp_path: Path, interactive: bool) -> None:
    ends, typed = Ends(tmp_path), Typed()
    table = ends.table(0, keys=False)
    front = LineFront(table, Console(typed, io.StringIO()), interactive=interactive)  # type: ignore[arg-type]
    ends.replicas[0].on_change = front.changed
    async with trio.open_nursery() as nursery:
        nursery.start_soon(front.run)
        await claimed(ends, front, typed)
        before = table.left
        await typed.end()
    assert (before, table.left) == (False, True)
    ends.close()
