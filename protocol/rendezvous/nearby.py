"""Games that wait nearby, as their hosts announce them in the own network (mDNS, RFC 6762 and 6763).

An announcement is a claim of anybody in the network: it proves no name and no key, and it holds nothing
secret.  So it is read as strictly as everything of others, names only an address within the own networks, and
the meeting that follows proves the rest (threat 83).  No code here waits or sends.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, TypeAlias

from protocol.channel.limits import (
    ASK_NEARBY_EVERY,
    ASKED_NEARBY,
    KEEP_NEARBY,
    MAX_NEARBY,
    MAX_NEARBY_NAMES,
    MAX_NEARBY_OF_ADDRESS,
    MAX_NEARBY_TEXT,
)
from protocol.errors import Malformed
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
    """A game that waits for players, as its host says.

    `instance`: 16 hexadecimal digits, new for each lobby; `game`: its short name; `fingerprint`: of the
    host's key; `seats`: 1 to 99 that are empty; `code`: 1 to 999, or 0 for none; `addresses`: best first.
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
    """The text of its announcement, by key."""
    text = {"v": VERSION, "n": game.name, "g": game.game, "f": game.fingerprint, "s": str(game.seats)}
    return text | ({"c": str(game.code)} if game.code else {})


def read_game(
    service: str, text: bytes, port: int, addresses: Iterable[str], networks: Sequence[Network]
) -> OpenGame | None:
    """The game that an announcement tells of; None if it is none that this program would write.

    `text`: as on the wire; `addresses`: as told, IPv6 perhaps with a zone; `networks`: those of this machine.
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
    """Whether `address` is one of a machine in one of `networks`, so that a call to it stays there.

    A link-local one of IPv6 needs its zone ("%2"): without it nobody knows where that is.
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

    This machine alone counts as one only where there is no other: others must not name a port of ours.
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
    """The announcements heard in one network, each under a number that it keeps: a list for a person.

    Who comes first stays: whoever floods the network later takes nobody's place.
    """

    def __init__(self) -> None:
        self.full = False
        """Whether some were passed over because there are too many."""
        self._numbers: dict[str, int] = {}
        self._games: dict[str, OpenGame] = {}
        self._next = 1

    @property
    def games(self) -> Mapping[int, OpenGame]:
        """What is open now, by number."""
        return {self._numbers[instance]: game for instance, game in self._games.items()}

    def update(self, games: Iterable[OpenGame]) -> bool:
        """Take what is announced now; whether that changes the list."""
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
            if instance not in self._numbers:
                self._numbers[instance], self._next = self._next, self._next + 1
        self._games = kept
        if len(self._numbers) > 4 * MAX_NEARBY:  # numbers of those who are gone need not be kept for ever
            self._numbers = {instance: self._numbers[instance] for instance in kept}
        return before != kept


class Services:
    """The names of the services that were heard of, and what each was last read as.

    The first names are kept, and what was read stays for a while when it can be read no more: a flood of
    records pushes those of others out of the memory of the library, and theirs expire before their names do.
    """

    def __init__(self) -> None:
        self._read: dict[str, tuple[OpenGame | None, float]] = {}
        """By name: the game, if it is one, and when it was read last, in monotonic seconds."""
        self._asked: dict[str, float] = {}

    @property
    def names(self) -> list[str]:
        """Those that are kept, in the order of hearing."""
        return list(self._read)

    def note_name(self, service: str) -> None:
        """A service of this name was heard of."""
        if len(self._read) < MAX_NEARBY_NAMES:
            self._read.setdefault(service, (None, -inf))

    def withdraw(self, service: str) -> None:
        """It was withdrawn."""
        self._read.pop(service, None)
        self._asked.pop(service, None)

    def note_game(self, service: str, game: OpenGame | None, now: float) -> None:
        """It says this now; None: nothing that this program would say."""
        if service in self._read:
            self._read[service] = game, now

    def to_ask(self, lacking: Iterable[str], now: float) -> list[str]:
        """Which of the services of which records are `lacking` to ask for them now: a few, each now and then,
        those of games before the others.
        """
        due = [service for service in lacking if now - self._asked.get(service, -inf) >= ASK_NEARBY_EVERY]
        due.sort(key=lambda service: self._read.get(service, (None, 0.0))[0] is None)
        for service in due[:ASKED_NEARBY]:
            self._asked[service] = now
        return due[:ASKED_NEARBY]

    def games(self, now: float) -> list[OpenGame]:
        """What is announced, as far as is known."""
        return [game for game, at in self._read.values() if game is not None and now - at < KEEP_NEARBY]


def _read_text(text: bytes) -> dict[str, str] | None:
    """The strings of a TXT record as keys and values (RFC 6763, 6); None unless they are just that."""
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
