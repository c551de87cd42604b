"""Games in the own network, announced and browsed by mDNS, with the library zeroconf.

A worker thread makes every call of the library (mdns.py), so trio's loop never waits.  Import this module
only at need: the library takes a moment to load.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

import trio

from protocol.limits import NEARBY_EVERY
from protocol.network.transport.mdns import MdnsAnnouncer, MdnsBrowser, own_networks
from protocol.rendezvous.nearby import NearbyGames, OpenGame, announced_at
from protocol.wire.addresses import Endpoint

T = TypeVar("T")

_END_WITHIN: Final = 3.0
"""Seconds for the farewell, when the program ends."""


async def _in_thread(work: Callable[[], T]) -> T:
    """The result of `work`, which runs to its end even if cancelled, so no half-done call stays behind."""
    return await trio.to_thread.run_sync(work)


async def _close(library: MdnsBrowser | MdnsAnnouncer) -> None:
    with trio.CancelScope(shield=True, deadline=trio.current_time() + _END_WITHIN):
        await trio.to_thread.run_sync(library.close, abandon_on_cancel=True)


class Announcer:
    """Tells our networks of one game, as long as `run` runs."""

    def __init__(self) -> None:
        self._wanted: OpenGame | None = None
        self._stirred = trio.Event()

    def show(self, game: OpenGame | None) -> None:
        """Announce `game` from now on; None: no game.  `instance` never changes; `addresses` are ours."""
        if game != self._wanted:
            self._wanted = game
            self._stirred.set()

    async def run(self) -> None:
        """Announce until cancelled; then withdraw the announcement.  Raises NoNearby."""
        while self._wanted is None:
            await self._stirred.wait()
            self._stirred = trio.Event()
        announcer = await _in_thread(MdnsAnnouncer)
        try:
            while True:
                self._stirred = trio.Event()
                wanted = self._wanted
                await _in_thread(lambda: announcer.announce(wanted))  # noqa: B023 - awaited at once
                if wanted == self._wanted:
                    await self._stirred.wait()
        finally:
            await _close(announcer)


class Browser:
    """Hears of the games in our networks, as long as `run` runs."""

    def __init__(self) -> None:
        self.heard = NearbyGames()
        self.on_change: Callable[[], None] = lambda: None
        """Called after every change of `heard`."""

    async def run(self) -> None:
        """Ask and listen until cancelled.  Raises NoNearby."""
        browser = await _in_thread(MdnsBrowser)
        try:
            while True:
                if self.heard.update(await _in_thread(browser.games)):
                    self.on_change()
                await trio.sleep(NEARBY_EVERY)
        finally:
            await _close(browser)


async def own_places(port: int) -> tuple[Endpoint, ...]:
    """The places at which others in our networks can call us at `port`."""
    return await _in_thread(lambda: announced_at(own_networks(), port))
