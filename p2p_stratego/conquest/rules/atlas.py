"""The map: a drawing that a person reads, and zones, neighbours, mountains, territories and reach worked out.

The drawing is the one place to change it; house values throughout, for the printed board is lost.  A zone is
a number: six times its column plus its row, both from 0; so a1 is 0, a6 is 5 and l6 is 71.  A set of zones is
an integer, bit z for zone z, so that one operation asks about whole fields.  This module knows no pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from p2p_stratego.core.language import mark_c

DRAWING: Final = """\
    a   b   c   d   e   f   g   h   i   j   k   l
6   A   B   B   B   C   C # D   D   E   E   E   F
            =                           =
5   A   G   G   H # C   I # J   D # K   L   L   F

4   A   G   H   H   I   I   J   J   K   K   L   F
            =   =                   =   =
3   M   N   O   O   P   P   Q   Q   R   R   S   T

2   M   N   N   O # U   P # Q   V # R   S   S   T
            =                           =
1   M   W   W   W   U   U # V   V   X   X   X   T
"""
"""North is up.  A letter is a zone of that territory; `#` and `=` are mountains between two zones."""


class TerritoryName(NamedTuple):
    """The name of a territory in English; `formats.words` has it in the language that is spoken."""

    name: str
    city: bool = False


TERRITORY_NAMES: Final[dict[str, TerritoryName]] = {
    "A": TerritoryName(mark_c("a territory", "Gullstrand")),
    "B": TerritoryName(mark_c("a territory", "North Hold"), city=True),
    "C": TerritoryName(mark_c("a territory", "Frostgate")),
    "D": TerritoryName(mark_c("a territory", "Highmeadow")),
    "E": TerritoryName(mark_c("a territory", "Rocky Wild"), city=True),
    "F": TerritoryName(mark_c("a territory", "Amberquay")),
    "G": TerritoryName(mark_c("a territory", "Thornmoor")),
    "H": TerritoryName(mark_c("a territory", "Ironbrow")),
    "I": TerritoryName(mark_c("a territory", "Lookout Ledge"), city=True),
    "J": TerritoryName(mark_c("a territory", "Keyfort"), city=True),
    "K": TerritoryName(mark_c("a territory", "Cinderscar")),
    "L": TerritoryName(mark_c("a territory", "Wolfheath")),
    "M": TerritoryName(mark_c("a territory", "Reedhaven")),
    "N": TerritoryName(mark_c("a territory", "Oxenfield")),
    "O": TerritoryName(mark_c("a territory", "Stonecradle")),
    "P": TerritoryName(mark_c("a territory", "Castleburg"), city=True),
    "Q": TerritoryName(mark_c("a territory", "Ravenfall"), city=True),
    "R": TerritoryName(mark_c("a territory", "Wyrmback")),
    "S": TerritoryName(mark_c("a territory", "Larkwood")),
    "T": TerritoryName(mark_c("a territory", "Saltspur")),
    "U": TerritoryName(mark_c("a territory", "Willowford")),
    "V": TerritoryName(mark_c("a territory", "Millbrook")),
    "W": TerritoryName(mark_c("a territory", "Mammoth Bay"), city=True),
    "X": TerritoryName(mark_c("a territory", "Tidewatch"), city=True),
}


Zone: TypeAlias = int
"""0 (a1) to 71 (l6)."""
TerritoryId: TypeAlias = int
"""A territory: 0 (A) to 23 (X)."""
Field: TypeAlias = int
"""A set of zones: bit z stands for zone z."""

COLUMNS: Final = "abcdefghijkl"
ROWS: Final = 6
ZONES: Final = tuple(range(len(COLUMNS) * ROWS))
NAMES: Final[tuple[str, ...]] = tuple(f"{column}{row}" for column in COLUMNS for row in range(1, ROWS + 1))
ZONE_NAMED: Final[dict[str, Zone]] = {name: zone for zone, name in enumerate(NAMES)}
ALL: Final[Field] = (1 << len(ZONES)) - 1

_MARGIN, _PITCH = 4, 4
"""The drawing: where its first zone stands in a line, and how far apart zones are."""


def _read() -> tuple[dict[Zone, str], frozenset[tuple[Zone, Zone]]]:
    """The letter of each zone, and the pairs of zones with a mountain between, the lower one first."""
    letters: dict[Zone, str] = {}
    mountains: set[tuple[Zone, Zone]] = set()
    row = ROWS
    for line in (f"{text:<{_MARGIN + _PITCH * len(COLUMNS)}}" for text in DRAWING.split("\n")[1:-1]):
        beside = line[0] != " "
        row -= beside
        for column in range(len(COLUMNS)):
            zone, at = column * ROWS + row, _MARGIN + _PITCH * column
            if beside:
                letters[zone] = line[at]
            if beside and line[at + _PITCH // 2] == "#":
                mountains.add((zone, zone + ROWS))
            if not beside and line[at] == "=":
                mountains.add((zone - 1, zone))
    return letters, frozenset(mountains)


_LETTERS, MOUNTAINS = _read()


def beside(zone: Zone) -> tuple[Zone, ...]:
    """The zones left, right, above and below, mountain or not, ascending."""
    row = zone % ROWS
    neighbours = (zone - ROWS, zone - 1 if row else -1, zone + 1 if row < ROWS - 1 else -1, zone + ROWS)
    return tuple(other for other in neighbours if 0 <= other < len(ZONES))


NEIGHBOURS: Final[tuple[tuple[Zone, ...], ...]] = tuple(
    tuple(other for other in beside(zone) if (min(zone, other), max(zone, other)) not in MOUNTAINS)
    for zone in ZONES
)
"""By zone: the zones beside it without a mountain between, ascending."""


class Territory(NamedTuple):
    """Three zones with a name, in English."""

    letter: str
    name: str
    city: bool
    zones: tuple[Zone, ...]
    """Ascending."""


TERRITORIES: Final[tuple[Territory, ...]] = tuple(
    Territory(letter, named.name, named.city, tuple(zone for zone in ZONES if _LETTERS[zone] == letter))
    for letter, named in TERRITORY_NAMES.items()
)
"""A to X."""
LETTERS: Final = "".join(TERRITORY_NAMES)
TERRITORY_OF: Final[tuple[TerritoryId, ...]] = tuple(LETTERS.index(_LETTERS[zone]) for zone in ZONES)
"""By zone."""
CITIES: Final[frozenset[TerritoryId]] = frozenset(
    p for p, territory in enumerate(TERRITORIES) if territory.city
)
BORDERS: Final[tuple[tuple[TerritoryId, ...], ...]] = tuple(
    tuple(sorted({TERRITORY_OF[other] for zone in territory.zones for other in NEIGHBOURS[zone]} - {place}))
    for place, territory in enumerate(TERRITORIES)
)
"""By territory: its neighbours, ascending."""


def field(zones: Iterator[Zone] | tuple[Zone, ...]) -> Field:
    """The set of these zones."""
    bits = 0
    for zone in zones:
        bits |= 1 << zone
    return bits


def zones_of(of: Field) -> tuple[Zone, ...]:
    """The zones of a set, ascending."""
    zones = []
    while of:
        lowest = of & -of
        zones.append(lowest.bit_length() - 1)
        of ^= lowest
    return tuple(zones)


NEAR: Final[tuple[Field, ...]] = tuple(map(field, NEIGHBOURS))
"""By zone: its neighbours as a set."""
_EASTWARD: Final[Field] = field(tuple(zone for zone in ZONES if zone + ROWS in NEIGHBOURS[zone]))
_NORTHWARD: Final[Field] = field(tuple(zone for zone in ZONES if zone + 1 in NEIGHBOURS[zone]))
"""The zones from which a step east, or north, is open."""


def around(of: Field) -> Field:
    """Every zone next to one of these."""
    return (
        (of & _EASTWARD) << ROWS | (of >> ROWS) & _EASTWARD | (of & _NORTHWARD) << 1 | (of >> 1) & _NORTHWARD
    )


def flood(start: Zone, free: Field) -> Field:
    """The zones of `free` that a walk from `start` over zones of `free` alone comes to, without `start`."""
    reached = frontier = NEAR[start] & free
    while frontier:
        frontier = around(frontier) & free & ~reached
        reached |= frontier
    return reached & ~(1 << start)
