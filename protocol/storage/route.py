"""The ways to the seats of a match, as one file of its folder keeps them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from p2p_stratego.core import strict_json
from p2p_stratego.core.game import Seat
from protocol.failures import Damaged, NotAnAddress, Part
from protocol.wire.addresses import Address, read

HASH_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Place:
    """Where a seat listens: `addresses`, best first; `certificate`: SHA-256 (32 bytes) of its certificate."""

    addresses: tuple[Address, ...]
    certificate: bytes


@dataclass(frozen=True, slots=True)
class Route:
    """How the seats of a match find each other again.

    `own`: where we listen, or None if we cannot; `others`: by seat, the last place that it told the table, or
    that an invite named; `bots`: the seats that are bots of this program on this machine, and the level of
    each; `serials`: by seat, ours too, the number of its last address card in this match; `port`: that of
    this machine on which we listened last, which a router may know under another number; 0: any;
    `hidden`: whether our player hides its address, so that no later process may show it unasked; `mapped`:
    those addresses of `own` at which a router let callers in: the next process asks it anew.
    """

    own: Place | None = None
    others: Mapping[Seat, Place] = field(default_factory=lambda: MappingProxyType({}))
    bots: Mapping[Seat, str] = field(default_factory=lambda: MappingProxyType({}))
    serials: Mapping[Seat, int] = field(default_factory=lambda: MappingProxyType({}))
    port: int = 0
    hidden: bool = False
    mapped: tuple[Address, ...] = ()

    def with_place(self, seat: Seat, place: Place | None, serial: int | None = None) -> Route:
        """The route with `seat` at `place`, by its card number `serial`; None: the seat listens nowhere."""
        others = {other: known for other, known in self.others.items() if other != seat}
        if place is not None:
            others[seat] = place
        serials = dict(self.serials) if serial is None else {**self.serials, seat: serial}
        return replace(
            self, others=MappingProxyType(dict(sorted(others.items()))), serials=MappingProxyType(serials)
        )

    def relocated(
        self, seat: Seat, place: Place | None, port: int, mapped: tuple[Address, ...] = ()
    ) -> Route:
        """The route after we, `seat`, moved to `place`; None: we listen nowhere.  `port`: of this machine."""
        serials = {**self.serials, seat: self.serials.get(seat, 1) + 1}
        return replace(self, own=place, serials=MappingProxyType(serials), port=port, mapped=mapped)

    def reseated(self, seats: Mapping[Seat, Seat]) -> Route:
        """The route of another match of the same players, who have moved to `seats`."""
        others = {seats[seat]: place for seat, place in self.others.items()}
        bots = {seats[seat]: level for seat, level in self.bots.items()}
        return replace(
            self, others=MappingProxyType(others), bots=MappingProxyType(bots), serials=MappingProxyType({})
        )


def route_json(route: Route) -> bytes:
    """The bytes that `read_route` reads."""
    value = {
        "own": None if route.own is None else _value(route.own),
        "seats": {str(seat): _value(place) for seat, place in sorted(route.others.items())},
        "bots": {str(seat): level for seat, level in sorted(route.bots.items())},
        "cards": {str(seat): serial for seat, serial in sorted(route.serials.items())},
        "port": route.port,
        "hidden": route.hidden,
        "mapped": [str(address) for address in route.mapped],
    }
    return (json.dumps(value, indent=1) + "\n").encode()


def read_route(data: bytes, path: str) -> Route:
    """The Route in the bytes of the file at `path`.  Raises Damaged."""
    try:
        match strict_json.read(data):
            case {
                "own": own,
                "seats": dict(seats),
                "bots": dict(bots),
                "cards": dict(cards),
                "port": int(port),
                "hidden": bool(hidden),
                "mapped": [*mapped],
            } if 0 <= port < 2**16:
                others = MappingProxyType({int(seat): _place(place) for seat, place in seats.items()})
                levels = MappingProxyType({int(seat): _text(level) for seat, level in bots.items()})
                serials = MappingProxyType({int(seat): int(serial) for seat, serial in cards.items()})
                ours = None if own is None else _place(own)
                outside = tuple(read(_text(address)) for address in mapped)
                return Route(ours, others, levels, serials, port, hidden, outside)
    except (ValueError, TypeError, NotAnAddress):
        pass
    raise Damaged(path, Part.ROUTE)


def _value(place: Place) -> dict[str, object]:
    return {
        "addresses": [str(address) for address in place.addresses],
        "certificate": place.certificate.hex(),
    }


def _place(value: object) -> Place:
    """The Place in a JSON value.  Raises ValueError or NotAnAddress."""
    match value:
        case {"addresses": [*addresses], "certificate": str(certificate)}:
            digest = bytes.fromhex(certificate)
            if len(digest) == HASH_BYTES:
                return Place(tuple(read(_text(address), zones=True) for address in addresses), digest)
    raise ValueError("no place")


def _text(value: object) -> str:
    """Raises ValueError."""
    if isinstance(value, str):
        return value
    raise ValueError("no text")
