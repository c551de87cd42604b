"""Games that wait nearby, as their hosts announce them in our own network (mDNS, RFC 6762 and 6763).

Anybody in the network can announce anything: an announcement proves no name and no key, and holds no secret.
So announcements are read strictly, only addresses within our own networks count, and the meeting that follows
proves the rest (threat 83).  No code here waits or sends.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, TypeAlias

from protocol.errors import Malformed
from protocol.limits import (
    ASK_NEARBY_EVERY,
    ASKED_NEARBY,
    KEEP_NEARBY,
    MAX_NEARBY,
    MAX_NEARBY_NAMES,
    MAX_NEARBY_OF_ADDRESS,
    MAX_NEARBY_TEXT,
)
from protocol.record.genesis import check_name
from protocol.wire.addresses import Endpoint

SERVICE: Final = "_p2p-stratego._tcp.local."
"""The kind of service, in all announcements and questions."""
VERSION: Final = "1"
MAX_SEATS: Final = 99
MAX_CODE: Final = 999
MAX_ADDRESSES: Final = 8
_INSTANCE: Final = re.compile(r"[0-9a-f]{16}")
_GAME: Final = re.compile(r"[a-z0-9-]{1,32}")
_FINGERPRINT: Final = re.compile(r"(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}")
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,2}")

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A game that waits for players, as its host announces it.

    `instance`: 16 hexadecimal digits, new for each lobby; `game`: the game's short name; `fingerprint`: of
    the host's key; `seats`: 1 to 99 empty seats; `code`: 1 to 999, or 0 for none; `addresses`: best first.
    """

    instance: str
    name: str
    game: str
    fingerprint: str
    seats: int
    addresses: tuple[Endpoint, ...]
    code: int = 0

    @property
    def service(self) -> str:
        """Its name in the network."""
        return f"{self.instance}.{SERVICE}"


def text_of(game: OpenGame) -> dict[str, str]:
    """The text of the announcement of `game`, by key."""
    text = {"v": VERSION, "n": game.name, "g": game.game, "f": game.fingerprint, "s": str(game.seats)}
    return text | ({"c": str(game.code)} if game.code else {})


def read_game(
    service: str, text: bytes, port: int, addresses: Iterable[str], networks: Sequence[Network]
) -> OpenGame | None:
    """The game in an announcement; None if this program would not write such an announcement.

    `text`: as on the wire; `addresses`: as announced, IPv6 perhaps with a zone; `networks`: of this machine.
    """
    instance = service.removesuffix(f".{SERVICE}")
    fields = _read_text(text)
    if fields is None or not _INSTANCE.fullmatch(instance) or fields.pop("v", "") != VERSION:
        return None
    name, game, fingerprint = fields.pop("n", ""), fields.pop("g", ""), fields.pop("f", "")
    seats, code = _number(fields.pop("s", ""), MAX_SEATS), _number(fields.get("c", ""), MAX_CODE)
    if not (_GAME.fullmatch(game) and _FINGERPRINT.fullmatch(fingerprint) and seats):
        return None
    if "c" in fields and not code:
        return None
    try:
        check_name(name)
    except Malformed:
        return None
    near = [
        Endpoint(address, port) for address in addresses if 0 < port < 2**16 and is_near(address, networks)
    ]
    if not near:
        return None
    return OpenGame(instance, name, game, fingerprint, seats, tuple(near[:MAX_ADDRESSES]), code)


def is_near(address: str, networks: Sequence[Network]) -> bool:
    """Whether `address` belongs to a machine in one of `networks`, so that a call stays in that network.

    A link-local address of IPv6 needs its zone ("%2"): without the zone it names no network.
    """
    try:
        bare = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    zoned = "%" in address
    if bare.is_multicast or bare.is_unspecified or zoned != (bare.version == 6 and bare.is_link_local):
        return False
    for network in networks:
        if bare.version == network.version and bare in network:
            edge = bare in (network.network_address, network.broadcast_address)
            return not (edge and network.num_addresses > 2)
    return False


def networks_of(addresses: Iterable[tuple[str, int]]) -> tuple[Network, ...]:
    """The networks of a machine that has these `addresses`, each with the bits of its network's prefix.

    The loopback network counts only if there is no other: others must not name a port of this machine.
    """
    networks = {
        ipaddress.ip_network((host.partition("%")[0], bits), strict=False) for host, bits in addresses
    }
    others = {network for network in networks if not network.is_loopback}
    return tuple(sorted(others or networks, key=str))


def announced_at(addresses: Iterable[tuple[str, int]], port: int) -> tuple[Endpoint, ...]:
    """Where a machine that has these `addresses`, each with its network's bits, is called at `port`, IPv4
    first; zones mean nothing to others.
    """
    addresses = list(addresses)
    networks = networks_of(addresses)
    near = {host.partition("%")[0] for host, _ in addresses if is_near(host, networks)}
    ordered = sorted(map(ipaddress.ip_address, near), key=lambda ip: (ip.version, ip.is_global, ip.packed))
    return tuple(Endpoint(str(ip), port) for ip in ordered[:MAX_ADDRESSES])


class NearbyGames:
    """The announcements heard in one network, each under a lasting number: a list for a person.

    The first announcements stay: a later flood takes nobody's place (threat 83).
    """

    def __init__(self) -> None:
        self.full = False
        """Whether announcements were left out because there are too many."""
        self.numbers: dict[str, int] = {}
        """By instance: its number, also of games that were announced a while ago."""
        self._games: dict[str, OpenGame] = {}
        self._next = 1

    @property
    def games(self) -> Mapping[int, OpenGame]:
        """The games that are open now, by number."""
        return {self.numbers[instance]: game for instance, game in self._games.items()}

    def update(self, games: Iterable[OpenGame]) -> bool:
        """Take the present announcements; return whether they change the list."""
        before = dict(self._games)
        offered = {game.instance: game for game in games}
        kept: dict[str, OpenGame] = {}
        crowd: dict[str, int] = {}
        self.full = False
        first = [instance for instance in self._games if instance in offered]
        for instance in dict.fromkeys((*first, *offered)):
            game = offered[instance]
            near = game.addresses[0].host
            crowd[near] = crowd.get(near, 0) + 1
            if len(kept) >= MAX_NEARBY or crowd[near] > MAX_NEARBY_OF_ADDRESS:
                self.full = True
                continue
            kept[instance] = game
            if instance not in self.numbers:
                self.numbers[instance], self._next = self._next, self._next + 1
        self._games = kept
        if len(self.numbers) > 4 * MAX_NEARBY:  # the memory of numbers of closed games must not grow for ever
            self.numbers = {instance: self.numbers[instance] for instance in kept}
        return before != kept


class Services:
    """The names of the services that were heard of, each with the game last read from its records.

    The first names are kept, and a game stays for a while after its records are gone: a flood of records
    pushes those of others out of the memory of the library, and their records expire before their names do.
    """

    def __init__(self) -> None:
        self._read: dict[str, tuple[OpenGame | None, float]] = {}
        """By name: the game, if it is one, and when it was read last, in monotonic seconds."""
        self._asked: dict[str, float] = {}

    @property
    def names(self) -> list[str]:
        """The kept names, in the order of hearing."""
        return list(self._read)

    def note_name(self, service: str) -> None:
        """Take note that a service of this name was heard of."""
        if len(self._read) < MAX_NEARBY_NAMES:
            self._read.setdefault(service, (None, -inf))

    def withdraw(self, service: str) -> None:
        """Forget a service, which was withdrawn."""
        self._read.pop(service, None)
        self._asked.pop(service, None)

    def note_game(self, service: str, game: OpenGame | None, now: float) -> None:
        """Take note of the game that a service announces now; None: nothing that this program would write."""
        if service in self._read:
            self._read[service] = game, now

    def to_ask(self, lacking: Iterable[str], now: float) -> list[str]:
        """The services to ask now, among those whose records are `lacking`: a few, each now and then.

        Known games come first.
        """
        due = [service for service in lacking if now - self._asked.get(service, -inf) >= ASK_NEARBY_EVERY]
        due.sort(key=lambda service: self._read.get(service, (None, 0.0))[0] is None)
        for service in due[:ASKED_NEARBY]:
            self._asked[service] = now
        return due[:ASKED_NEARBY]

    def games(self, now: float) -> list[OpenGame]:
        """The games that are announced, as far as this program knows."""
        return [game for game, at in self._read.values() if game is not None and now - at < KEEP_NEARBY]


def _read_text(text: bytes) -> dict[str, str] | None:
    """The strings of a TXT record as keys and values (RFC 6763, 6); None for any other form."""
    values: dict[str, str] = {}
    if len(text) > MAX_NEARBY_TEXT:
        return None
    while text:
        size, text = text[0], text[1:]
        part, text = text[:size], text[size:]
        key, equals, value = part.partition(b"=")
        if len(part) != size or not equals or not key.isalpha() or len(key) != 1:
            return None
        if chr(key[0]) in values:
            return None
        try:
            values[chr(key[0])] = value.decode("utf-8")
        except UnicodeDecodeError:
            return None
    return values


def _number(text: str, most: int) -> int:
    """The number in `text`, 1 to `most`; 0 if there is none."""
    number = int(text) if _NUMBER.fullmatch(text) else 0
    return number if number <= most else 0
