"""The unauthenticated callers of a host, and the choice of those that stay (threats 20 and 21).  No I/O.

A host always admits a newcomer.  If there are too many callers, the host pushes out another: of the network
with the most callers a caller at the earliest stage, by chance if there are several.  So a crowd from one
network pushes out its own, and silent callers go before speaking callers.  The oldest caller does not go
first: it is about to prove itself, and an attacker who calls often enough would keep a player of the same
network out for good (threat 117).
"""

from __future__ import annotations

import ipaddress
import secrets
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeVar

from protocol.limits import LET_IN_AT_ONCE, LET_IN_OF_NETWORK, MAX_STRANGERS, MAX_STRANGERS_OF_NETWORK

T = TypeVar("T")

_IPV6_NETWORK: Final = 64
"""Bits of an IPv6 address that name the network: one household can use all addresses of a /64 (RFC 6177)."""
_MAX_KNOWN: Final = 4
"""Networks of players that a host remembers; the oldest is forgotten first."""


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


def selection(
    newcomers: Sequence[tuple[str, T]], speaks: Callable[[T], bool], known: Collection[str] = ()
) -> list[T]:
    """The newcomers that are let in: at most LET_IN_OF_NETWORK of one network, and LET_IN_AT_ONCE in all.

    `newcomers`: who came since the last turn, in order of arrival, with their networks.  The first newcomer
    of each network goes before the second of any, and `known` networks go before others.  In a crowd of one
    network newcomers that have sent something go first, then the newest: the older had their time to speak.
    """
    crowds: dict[str, list[T]] = {}
    for network, newcomer in newcomers:
        crowds.setdefault(network, []).append(newcomer)
    ranked: list[tuple[tuple[int, bool], T]] = []
    for network, crowd in crowds.items():
        crowded = len(crowd) > LET_IN_OF_NETWORK
        # Stable, then reversed: speakers first, and within both groups the newest first.
        first = sorted(crowd, key=speaks)[::-1] if crowded else crowd
        ranked += [
            ((place, network not in known), newcomer)
            for place, newcomer in enumerate(first[:LET_IN_OF_NETWORK])
        ]
    ranked.sort(key=lambda candidate: candidate[0])
    return [newcomer for _, newcomer in ranked[:LET_IN_AT_ONCE]]


class Stage(IntEnum):
    """The progress of a caller."""

    SILENT = 0
    SPOKE = 1
    ENCRYPTED = 2


@dataclass(eq=False, slots=True)
class Stranger:
    """A connection whose player is unknown yet.  `push_out` ends it."""

    network: str
    push_out: Callable[[], None]
    stage: Stage = Stage.SILENT


class Strangers:
    """The unauthenticated callers of a host, in order of arrival."""

    def __init__(self) -> None:
        self._callers: list[Stranger] = []
        self._known: list[str] = []

    def __len__(self) -> int:
        return len(self._callers)

    @property
    def known(self) -> tuple[str, ...]:
        """The networks from which a player came: they have places of their own."""
        return tuple(self._known)

    def enter(self, address: str, push_out: Callable[[], None]) -> Stranger:
        """Admit a caller from `address`, and push out another caller if there are too many."""
        caller = Stranger(network_of(address), push_out)
        if leaving := self._to_push_out(caller.network):
            self.leave(leaving)
            leaving.push_out()
        self._callers.append(caller)
        return caller

    def leave(self, caller: Stranger) -> None:
        """Free the place of `caller`, which is authenticated or gone; a second call has no effect."""
        if caller in self._callers:
            self._callers.remove(caller)

    def recognise(self, caller: Stranger) -> None:
        """Give the network of `caller`, a proven player, places of its own."""
        if caller.network in self._known:
            self._known.remove(caller.network)
        self._known = [*self._known, caller.network][-_MAX_KNOWN:]

    def _to_push_out(self, network: str) -> Stranger | None:
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
        # By chance: a rule would tell an attacker when to call (threat 117).
        return secrets.choice([caller for caller in crowd if caller.stage == least])
