"""The relays at which our player waits for calls, and reports to the table when one goes or comes back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import trio

from cli.table.words.call_attempts import OwnRelay, why
from p2p_stratego.core.language import _
from protocol.network.transport.relay_client import Waiter

STEADY: Final = 5.0
"""Seconds for which a change has to last before it is told: most breaks of a network are shorter."""


@dataclass(slots=True)
class WatchedRelay:
    """A relay at which our player waits; `last`: whether it was there, by the last report."""

    waiter: Waiter
    last: bool = True


def own_relay(waiter: Waiter) -> OwnRelay:
    """How the waiting at one relay goes."""
    if waiter.there:
        return OwnRelay(str(waiter.relay))
    return OwnRelay(str(waiter.relay), _("no answer") if waiter.trouble is None else why(waiter.trouble))


async def report_changes(watched: WatchedRelay, tell: Callable[[OwnRelay], None]) -> None:
    """Call `tell` when a relay is lost, or back, for longer than a moment; until cancelled."""
    waiter, changed = watched.waiter, trio.Event()

    def change() -> None:
        changed.set()

    waiter.on_change = change
    while True:
        while waiter.there == watched.last:
            await changed.wait()
            changed = trio.Event()
        with trio.move_on_after(STEADY):
            while waiter.there != watched.last:
                await changed.wait()
                changed = trio.Event()
        if waiter.there != watched.last:
            watched.last = waiter.there
            tell(own_relay(waiter))
