"""Which unauthenticated callers may stay connected to a host (threats 20 and 21).  No I/O.

A host always admits a newcomer.  If there are too many, it pushes out another caller: of the network with the
most callers the one at the earliest stage, of several such one by chance.  So a crowd from one network pushes
out its own, and silent callers go before speaking ones.  The oldest would be the one that is about to prove
itself, and whoever calls often enough would keep a player of the same network out for good (threat 117).
"""

from __future__ import annotations

import ipaddress
import secrets
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeVar

from protocol.channel.limits import (
    LET_IN_AT_ONCE,
    LET_IN_OF_NETWORK,
    MAX_STRANGERS,
    MAX_STRANGERS_OF_NETWORK,
)

T = TypeVar("T")

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


def chosen(
    newcomers: Sequence[tuple[str, T]], speaks: Callable[[T], bool], known: Collection[str] = ()
) -> list[T]:
    """The ones who are let in of those who came since the last turn, in order of arrival, each with its
    network: at most LET_IN_OF_NETWORK of one network, and LET_IN_AT_ONCE in all.

    One of each network comes first, `known` ones before others, then a second of each, and so on.  In a crowd
    those who have sent something come first, then the newest: the others had their time to speak.
    """
    crowds: dict[str, list[T]] = {}
    for network, one in newcomers:
        crowds.setdefault(network, []).append(one)
    ranked: list[tuple[tuple[int, bool], T]] = []
    for network, crowd in crowds.items():
        crowded = len(crowd) > LET_IN_OF_NETWORK
        first = sorted(crowd, key=speaks)[::-1] if crowded else crowd
        ranked += [
            ((place, network not in known), one) for place, one in enumerate(first[:LET_IN_OF_NETWORK])
        ]
    ranked.sort(key=lambda each: each[0])
    return [one for _, one in ranked[:LET_IN_AT_ONCE]]


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

    @property
    def known(self) -> tuple[str, ...]:
        """The networks that have places of their own, since a player came from there."""
        return tuple(self._known)

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
        crowd = [caller for caller in self._callers if caller.network == network]
        least = min(caller.stage for caller in crowd)
        return secrets.choice([caller for caller in crowd if caller.stage == least])
