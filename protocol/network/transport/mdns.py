"""Multicast DNS by the library zeroconf: no other module imports it, and this module is imported only at
need.

The library has a thread and an event loop of its own.  Every call of it waits, so it belongs into a worker
thread.
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

from protocol.failures import NoNearby
from protocol.limits import ANSWER_NEARBY_WITHIN
from protocol.rendezvous.nearby import SERVICE, Network, OpenGame, Services, networks_of, read_game, text_of

_TROUBLE: Final = (Error, OSError, RuntimeError, TimeoutError)
"""The exceptions of the library if a network or a system refuses something."""


def own_networks() -> list[tuple[str, int]]:
    """The IP addresses of this machine, with a zone if link-local, and the bits of their networks.

    It asks the system alone.
    """
    networks = []
    for adapter in ifaddr.get_adapters():
        for address in adapter.ips:
            if isinstance(address.ip, str):
                networks.append((address.ip, address.network_prefix))
            else:
                host, _, zone = address.ip
                networks.append((f"{host}%{zone}" if zone else host, address.network_prefix))
    return networks


class _Library:
    """The library, running in our networks."""

    def __init__(self) -> None:
        """Raises NoNearby."""
        for version in (IPVersion.All, IPVersion.V4Only):  # not every machine has IPv6
            with suppress(*_TROUBLE):
                self._zeroconf = Zeroconf(InterfaceChoice.All, ip_version=version, use_asyncio=False)
                break
        else:
            raise NoNearby("the port of multicast DNS cannot be used")
        loop = self._zeroconf.loop
        if loop is not None:  # hostile datagrams may break the library: keep its traces off our terminal
            loop.call_soon_threadsafe(loop.set_exception_handler, _ignore)

    def close(self) -> None:
        """Withdraw the announcement, and end the library's threads."""
        with suppress(*_TROUBLE):
            self._zeroconf.close()


class MdnsAnnouncer(_Library):
    """Tells our networks of one game."""

    def __init__(self) -> None:
        """Raises NoNearby."""
        super().__init__()
        self._announced: ServiceInfo | None = None

    def announce(self, game: OpenGame | None) -> None:
        """Announce `game` from now on, in the place of the last; None: no game.  Raises NoNearby."""
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
        parsed_addresses=[address.host for address in game.addresses],
    )


class MdnsBrowser(_Library):
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
        """The games announced now; missing records are asked for, with a wait of a moment."""
        networks = networks_of(own_networks())
        lacking = [name for name in self._services.names if not self._read(name, networks)]
        to_ask = self._services.to_ask(lacking, monotonic())
        loop = self._zeroconf.loop
        if to_ask and loop is not None:
            with suppress(*_TROUBLE, CancelledError):
                run_coroutine_threadsafe(self._ask(to_ask), loop).result(2 * ANSWER_NEARBY_WITHIN)
            for name in to_ask:
                self._read(name, networks)
        return self._services.games(monotonic())

    def _read(self, name: str, networks: tuple[Network, ...]) -> bool:
        """Read the known records of a service; return whether they are complete."""
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
