"""Announcing a game in the own network, and hearing of those of others: mDNS, by the library zeroconf.

Every call of the library is made in a worker thread (mdns.py), and nothing here keeps trio's loop from going
on.  To be imported only where it is used: the library takes a moment to load.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

import trio

from protocol.channel.limits import NEARBY_EVERY
from protocol.network.transport.mdns import Ear, Mouth, own_networks
from protocol.rendezvous.nearby import NearbyGames, OpenGame, announced_at
from protocol.wire.addresses import Endpoint

T = TypeVar("T")

_END_WITHIN: Final = 3.0
"""Seconds for the farewell, when the program ends."""


async def _in_thread(work: Callable[[], T]) -> T:
    """The result of `work`; it is not abandoned, so that nothing of it is left behind."""
    return await trio.to_thread.run_sync(work)


async def _closed(ear: Ear | Mouth) -> None:
    with trio.CancelScope(shield=True, deadline=trio.current_time() + _END_WITHIN):
        await trio.to_thread.run_sync(ear.close, abandon_on_cancel=True)


class Announcer:
    """Tells our networks of one game, as long as `run` runs."""

    def __init__(self) -> None:
        self._wanted: OpenGame | None = None
        self._stirred = trio.Event()

    def show(self, game: OpenGame | None) -> None:
        """Announce `game` from now on; None: none.  Its `instance` stays the same; `addresses` are ours."""
        if game != self._wanted:
            self._wanted = game
            self._stirred.set()

    @property
    def shown(self) -> OpenGame | None:
        """What is to be announced now."""
        return self._wanted

    async def run(self) -> None:
        """Announce until cancelled; then nothing is announced any more.  Raises NoNearby."""
        while self._wanted is None:
            await self._stirred.wait()
            self._stirred = trio.Event()
        mouth = await _in_thread(Mouth)
        try:
            while True:
                self._stirred = trio.Event()
                wanted = self._wanted
                await _in_thread(lambda: mouth.announce(wanted))  # noqa: B023 - awaited at once
                if wanted == self._wanted:
                    await self._stirred.wait()
        finally:
            await _closed(mouth)


class Browser:
    """Hears of the games in our networks, as long as `run` runs."""

    def __init__(self) -> None:
        self.heard = NearbyGames()
        self.on_change: Callable[[], None] = lambda: None
        """Called after every change of `heard`."""

    async def run(self) -> None:
        """Ask and listen until cancelled.  Raises NoNearby."""
        ear = await _in_thread(Ear)
        try:
            while True:
                if self.heard.update(await _in_thread(ear.games)):
                    self.on_change()
                await trio.sleep(NEARBY_EVERY)
        finally:
            await _closed(ear)


async def own_places(port: int) -> tuple[Endpoint, ...]:
    """Where others in our networks can call us at `port`."""
    return await _in_thread(lambda: announced_at(own_networks(), port))
