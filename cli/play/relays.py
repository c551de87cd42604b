"""The relays at which our player waits for calls, told of at the table when that changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import trio

from cli.table.words.reaching import OwnRelay, why
from p2p_stratego.core.language import _
from protocol.network.transport.relayed import Waiter

STEADY: Final = 5.0
"""Seconds for which a change has to last: most breaks of a network are over by then."""


@dataclass(slots=True)
class Watched:
    """A relay at which our player waits; `told`: whether it was there when our player was told of it last."""

    waiter: Waiter
    told: bool = True


def seen(waiter: Waiter) -> OwnRelay:
    """How the waiting at one relay goes."""
    if waiter.there:
        return OwnRelay(str(waiter.relay))
    return OwnRelay(str(waiter.relay), _("no answer") if waiter.trouble is None else why(waiter.trouble))


async def keep_told(watched: Watched, tell: Callable[[OwnRelay], None]) -> None:
    """Tell whenever a relay is lost, and whenever it is back, for longer than a moment; until cancelled."""
    waiter, changed = watched.waiter, trio.Event()

    def change() -> None:
        changed.set()

    waiter.on_change = change
    while True:
        while waiter.there == watched.told:
            await changed.wait()
            changed = trio.Event()
        with trio.move_on_after(STEADY):
            while waiter.there != watched.told:
                await changed.wait()
                changed = trio.Event()
        if waiter.there != watched.told:
            watched.told = waiter.there
            tell(seen(waiter))
