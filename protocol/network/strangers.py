"""Which unauthenticated callers may stay connected to a host (threats 20 and 21).  No I/O.

A host always admits a newcomer.  If there are too many, it pushes out another caller: of the network with the
most callers the one at the earliest stage, of several such the oldest.  So a crowd from one network pushes
out its own, and silent callers go before speaking ones.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from protocol.network.limits import MAX_STRANGERS, MAX_STRANGERS_OF_NETWORK

_IPV6_NETWORK: Final = 64
"""Bits of an IPv6 address that name the network: one household can use all addresses of a /64 (RFC 6177)."""
_MAX_KNOWN: Final = 4
"""Networks remembered as those of players; the oldest is forgotten first."""


def network_of(address: str) -> str:
    """The network of an address: an IPv4 address, or the /64 of an IPv6 address; other text unchanged."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip, _IPV6_NETWORK), strict=False))
    return str(ip)


class Stage(IntEnum):
    """The progress of a caller."""

    SILENT = 0
    SPOKE = 1
    ENCRYPTED = 2


@dataclass(eq=False, slots=True)
class Caller:
    """A connection whose player is unknown yet.  `push_out` ends it."""

    network: str
    push_out: Callable[[], None]
    stage: Stage = Stage.SILENT


class Strangers:
    """The unauthenticated callers, in order of arrival."""

    def __init__(self) -> None:
        self._callers: list[Caller] = []
        self._known: list[str] = []

    def __len__(self) -> int:
        return len(self._callers)

    def enter(self, address: str, push_out: Callable[[], None]) -> Caller:
        """Admit a caller from `address`; it may push out another one."""
        caller = Caller(network_of(address), push_out)
        if leaving := self._to_push_out(caller.network):
            self.leave(leaving)
            leaving.push_out()
        self._callers.append(caller)
        return caller

    def leave(self, caller: Caller) -> None:
        """`caller` is authenticated, or gone; a second call has no effect."""
        if caller in self._callers:
            self._callers.remove(caller)

    def recognise(self, caller: Caller) -> None:
        """`caller` has proven to be a player: from now on its network has places of its own."""
        if caller.network in self._known:
            self._known.remove(caller.network)
        self._known = [*self._known, caller.network][-_MAX_KNOWN:]

    def _to_push_out(self, network: str) -> Caller | None:
        """The caller to push out for a newcomer from `network`, or None."""
        crowds = Counter(caller.network for caller in self._callers)
        if crowds[network] < MAX_STRANGERS_OF_NETWORK:
            if network in self._known:
                return None
            unknown = {where: size for where, size in crowds.items() if where not in self._known}
            if sum(unknown.values()) < MAX_STRANGERS:
                return None
            network = max(unknown, key=unknown.__getitem__)
        return min((caller for caller in self._callers if caller.network == network), key=lambda it: it.stage)
