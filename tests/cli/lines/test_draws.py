"""An offer of a draw in line mode at a table of three: told once, with what it takes."""

from __future__ import annotations

import io
from pathlib import Path

import trio
import trio.testing

from cli.lines.console import Console
from cli.lines.line_mode import LineFront
from p2p_stratego.registry import GAMES
from tests.helpers.links.many import Many
from tests.helpers.program.typists import Silent

TAKES = "Boris offers a draw: accept takes it"


async def test_an_offer_and_its_acceptance_are_told_once(tmp_path: Path) -> None:
    """Chen read "Boris offers a draw." and, in the next line, the same with what can be done."""
    many = Many(tmp_path, GAMES["spies-and-lies"], 3, {"starter": "red"})
    outs = [io.StringIO() for _ in many.seats]
    fronts = [
        LineFront(many.table(seat), Console(Silent(), out), interactive=True)  # type: ignore[arg-type]
        for seat, out in zip(many.seats, outs, strict=True)
    ]
    for replica, front in zip(many.replicas, fronts, strict=True):
        replica.on_change = front.changed
    many.connect()

    async def seen() -> list[str]:
        """What each player reads of what has just happened."""
        starts = [len(out.getvalue()) for out in outs]
        many.pump()
        await trio.testing.wait_all_tasks_blocked()
        return [out.getvalue()[start:] for out, start in zip(outs, starts, strict=True)]

    async with trio.open_nursery() as nursery:
        for front in fronts:
            nursery.start_soon(front.run)
        await seen()
        many.replicas[1].offer_draw()
        anna, boris, chen = await seen()
        assert anna.count("offers a draw") == 1, "she accepts last, and has nothing to accept yet"
        assert "offers a draw" not in chen.replace(TAKES, "", 1)
        assert TAKES in chen
        many.replicas[2].accept_draw()
        anna, boris, chen = await seen()
        assert anna.count("accept") == 2, "to accept, and that Chen has"
        assert TAKES in anna
        assert boris.count("Chen accepts the draw.") == 1
        nursery.cancel_scope.cancel()
    many.close()
