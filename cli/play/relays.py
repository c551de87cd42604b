"""The relays at which our player waits for calls, told of at the table when that changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import trio

from cli.table.reaching import OwnRelay, why
from protocol.network.transport.relayed import Waiter

STEADY: Final = 5.0
"""Seconds for which a change has to last: most breaks of a network are over by then."""


def seen(waiter: Waiter) -> OwnRelay:
    """How the waiting at one relay goes."""
    if waiter.there:
        return OwnRelay(str(waiter.relay))
    return OwnRelay(str(waiter.relay), "no answer" if waiter.trouble is None else why(waiter.trouble))


async def keep_told(waiter: Waiter, told: bool, tell: Callable[[OwnRelay], None]) -> None:
    """Tell whenever a relay is lost, and whenever it is back, for longer than a moment; until cancelled.

    `told`: whether it was there when that was told last.
    """
    changed = trio.Event()

    def change() -> None:
        changed.set()

    waiter.on_change = change
    while True:
        while waiter.there == told:
            await changed.wait()
            changed = trio.Event()
        with trio.move_on_after(STEADY):
            while waiter.there != told:
                await changed.wait()
                changed = trio.Event()
        if waiter.there != told:
            told = waiter.there
            tell(seen(waiter))
