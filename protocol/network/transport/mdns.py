"""Multicast DNS by the library zeroconf: the one module that names it, to be imported where it is used.

The library has a thread and an event loop of its own.  Every call of it waits, so all of this belongs into a
worker thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any, Final

import ifaddr
from zeroconf import Error, InterfaceChoice, IPVersion, ServiceBrowser, ServiceInfo, Zeroconf

from protocol.failures import NoNearby
from protocol.network.limits import MAX_NEARBY_NAMES
from protocol.network.nearby import SERVICE, OpenGame, networks_of, read_game, text_of

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


class Ear:
    """The library at work in our networks."""

    def __init__(self) -> None:
        """Raises NoNearby."""
        self._announced: ServiceInfo | None = None
        self._browser: ServiceBrowser | None = None
        self._zeroconf: Zeroconf | None = None
        for version in (IPVersion.All, IPVersion.V4Only):  # not every machine has IPv6
            with suppress(*_TROUBLE):
                self._zeroconf = Zeroconf(InterfaceChoice.All, ip_version=version, use_asyncio=False)
                break
        if self._zeroconf is None:
            raise NoNearby("the port of multicast DNS cannot be used")
        loop = self._zeroconf.loop
        if loop is not None:  # what others send may break the library: that is not for our terminal
            loop.call_soon_threadsafe(loop.set_exception_handler, _ignore)

    def announce(self, game: OpenGame | None) -> None:
        """Announce `game` from now on, in the place of the one before; None: nothing.  Raises NoNearby."""
        before, library = self._announced, self._zeroconf
        if library is None:
            return
        try:
            if game is None:
                self._announced = None
                if before is not None:
                    library.unregister_service(before)
                return
            info = ServiceInfo(
                SERVICE,
                game.service,
                game.addresses[0].port,
                properties=dict(text_of(game)),
                server=f"{game.instance}.local.",  # not this machine's name
                parsed_addresses=[each.host for each in game.addresses],
            )
            self._announced = info
            if before is None:
                library.register_service(info, cooperating_responders=True)  # nobody else has that name
            else:
                library.update_service(info)
        except _TROUBLE as error:
            raise NoNearby(type(error).__name__) from error

    def games(self) -> list[OpenGame]:
        """What others announce now."""
        library = self._zeroconf
        if library is None:
            return []
        if self._browser is None:
            self._browser = ServiceBrowser(library, SERVICE, handlers=[_nothing])
        networks = networks_of(own_networks())
        found = []
        for service in islice(_names(library), MAX_NEARBY_NAMES):
            with suppress(*_TROUBLE, ValueError):
                info = ServiceInfo(SERVICE, service)
                if info.load_from_cache(library):
                    game = read_game(
                        service, info.text, info.port or 0, info.parsed_scoped_addresses(), networks
                    )
                    found += [] if game is None else [game]
        return found

    def close(self) -> None:
        """Withdraw what is announced, and end the library's threads."""
        library, self._zeroconf = self._zeroconf, None
        if library is not None:
            with suppress(*_TROUBLE):
                if self._browser is not None:
                    self._browser.cancel()
                library.close()


def _names(library: Zeroconf) -> Iterator[str]:
    """The services that were heard of, in the order of hearing."""
    for record in library.cache.entries_with_name(SERVICE):
        alias = getattr(record, "alias", None)
        if isinstance(alias, str):
            yield alias


def _ignore(_loop: asyncio.AbstractEventLoop, _context: dict[str, Any]) -> None:
    pass


def _nothing(**_: object) -> None:
    pass
