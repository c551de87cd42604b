"""Multicast DNS by the library zeroconf: the one module that names it, to be imported where it is used.

The library has a thread and an event loop of its own.  Every call of it waits, so all of this belongs into a
worker thread.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop, gather, run_coroutine_threadsafe
from concurrent.futures import CancelledError
from contextlib import suppress
from time import monotonic
from typing import Any, Final

import ifaddr
from zeroconf import (
    Error,
    InterfaceChoice,
    IPVersion,
    ServiceBrowser,
    ServiceInfo,
    ServiceStateChange,
    Zeroconf,
)
from zeroconf.asyncio import AsyncServiceInfo

from protocol.channel.limits import ANSWER_NEARBY_WITHIN
from protocol.failures import NoNearby
from protocol.rendezvous.nearby import SERVICE, Network, OpenGame, Services, networks_of, read_game, text_of

_TROUBLE: Final = (Error, OSError, RuntimeError, TimeoutError)
"""What the library raises where a network or a system refuses something."""


def own_networks() -> list[tuple[str, int]]:
    """The IP addresses of this machine, link-local ones of IPv6 with a zone, and the bits of their networks.

    Asks the system alone.
    """
    found = []
    for adapter in ifaddr.get_adapters():
        for one in adapter.ips:
            if isinstance(one.ip, str):
                found.append((one.ip, one.network_prefix))
            else:
                host, _, zone = one.ip
                found.append((f"{host}%{zone}" if zone else host, one.network_prefix))
    return found


class _Library:
    """The library at work in our networks."""

    def __init__(self) -> None:
        """Raises NoNearby."""
        for version in (IPVersion.All, IPVersion.V4Only):  # not every machine has IPv6
            with suppress(*_TROUBLE):
                self._zeroconf = Zeroconf(InterfaceChoice.All, ip_version=version, use_asyncio=False)
                break
        else:
            raise NoNearby("the port of multicast DNS cannot be used")
        loop = self._zeroconf.loop
        if loop is not None:  # what others send may break the library: that is not for our terminal
            loop.call_soon_threadsafe(loop.set_exception_handler, _ignore)

    def close(self) -> None:
        """Withdraw what is announced, and end the library's threads."""
        with suppress(*_TROUBLE):
            self._zeroconf.close()


class Mouth(_Library):
    """Tells our networks of one game."""

    def __init__(self) -> None:
        """Raises NoNearby."""
        super().__init__()
        self._announced: ServiceInfo | None = None

    def announce(self, game: OpenGame | None) -> None:
        """Announce `game` from now on, in the place of the one before; None: nothing.  Raises NoNearby."""
        before, self._announced = self._announced, None if game is None else _info(game)
        try:
            if self._announced is None:
                if before is not None:
                    self._zeroconf.unregister_service(before)
            elif before is None:  # nobody else has that name
                self._zeroconf.register_service(self._announced, cooperating_responders=True)
            else:
                self._zeroconf.update_service(self._announced)
        except _TROUBLE as error:
            raise NoNearby(type(error).__name__) from error


def _info(game: OpenGame) -> ServiceInfo:
    """The announcement of `game`."""
    return ServiceInfo(
        SERVICE,
        game.service,
        game.addresses[0].port,
        properties=dict(text_of(game)),
        server=f"{game.instance}.local.",  # not this machine's name
        parsed_addresses=[each.host for each in game.addresses],
    )


class Ear(_Library):
    """Hears of the games in our networks."""

    def __init__(self) -> None:
        """Raises NoNearby."""
        super().__init__()
        self._services = Services()
        self._browser = ServiceBrowser(self._zeroconf, SERVICE, handlers=[self._changed])

    def _changed(self, name: str, state_change: ServiceStateChange, **_: object) -> None:
        """Called by the library in a thread of its own."""
        if state_change is ServiceStateChange.Removed:
            self._services.withdraw(name)
        else:
            self._services.note_name(name)

    def games(self) -> list[OpenGame]:
        """What others announce now; it may ask for records that are missing, and wait for those a moment."""
        networks = networks_of(own_networks())
        lacking = [name for name in self._services.names if not self._read(name, networks)]
        asked = self._services.to_ask(lacking, monotonic())
        loop = self._zeroconf.loop
        if asked and loop is not None:
            with suppress(*_TROUBLE, CancelledError):
                run_coroutine_threadsafe(self._ask(asked), loop).result(2 * ANSWER_NEARBY_WITHIN)
            for name in asked:
                self._read(name, networks)
        return self._services.games(monotonic())

    def _read(self, name: str, networks: tuple[Network, ...]) -> bool:
        """Read what is known of a service; whether nothing is missing."""
        info = ServiceInfo(SERVICE, name)
        try:
            whole = info.load_from_cache(self._zeroconf)
            addresses = info.parsed_scoped_addresses()
        except (*_TROUBLE, ValueError):
            return True
        if whole:
            game = read_game(name, info.text, info.port or 0, addresses, networks)
            self._services.note_game(name, game, monotonic())
        return whole

    async def _ask(self, names: list[str]) -> None:
        """Run by the library's loop."""
        infos = [AsyncServiceInfo(SERVICE, name) for name in names]
        await gather(
            *(info.async_request(self._zeroconf, 1000 * ANSWER_NEARBY_WITHIN) for info in infos),
            return_exceptions=True,
        )

    def close(self) -> None:
        """End the library's threads."""
        with suppress(*_TROUBLE):
            self._browser.cancel()
        super().close()


def _ignore(_loop: AbstractEventLoop, _context: dict[str, Any]) -> None:
    pass
