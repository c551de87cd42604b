"""The map worked out: cities, territories, neighbours, seas and the length of voyages.

A city is a number in the order of the table.  This module knows no pieces.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, TypeAlias

from p2p_stratego.spies.rules.map_data import AIR, CITIES, RAIL, SEAS

City: TypeAlias = int
"""0 (berlin) to 60 (tirana)."""
Sea: TypeAlias = int
"""0 (baltic) to 6 (black)."""
Power: TypeAlias = int
"""0 germany, 1 italy, 2 russia, 3 france, 4 britain: the turn order."""

POWERS: Final = ("germany", "italy", "russia", "france", "britain")
CODES: Final = ("ge", "it", "ru", "fr", "br")
GERMANY, ITALY, RUSSIA, FRANCE, BRITAIN = range(5)

_ROWS: Final = [row.split("|") for row in CITIES.strip().splitlines()]
_OF: Final[dict[str, list[str]]] = {power.strip(): names.replace("/", " ").split() for power, names in _ROWS}
NAMES: Final[tuple[str, ...]] = tuple(name for names in _OF.values() for name in names)
CITY_NAMED: Final[dict[str, City]] = {name: city for city, name in enumerate(NAMES)}
TERRITORY: Final[tuple[Power | None, ...]] = tuple(
    POWERS.index(power) if power in POWERS else None for power, names in _OF.items() for _ in names
)
"""By city, at the start: whose it is."""
SIGN: Final[frozenset[City]] = frozenset(
    CITY_NAMED[name]
    for power, names in _ROWS
    if power.strip() in POWERS
    for name in names.split("/")[0].split()
)
"""The cities with a police sign."""
SIGNED: Final[tuple[tuple[City, ...], ...]] = tuple(
    tuple(city for city in range(len(NAMES)) if city in SIGN and TERRITORY[city] == power)
    for power in range(len(POWERS))
)
"""By power: its cities with a sign, in their order."""
CAPITALS: Final[tuple[City, ...]] = tuple(CITY_NAMED[_OF[power][0]] for power in POWERS)
NEUTRAL: Final[tuple[City, ...]] = tuple(CITY_NAMED[name] for name in _OF["secret"])
HAVENS: Final[tuple[City, ...]] = tuple(CITY_NAMED[name] for name in _OF["haven"])


def _chains(table: str) -> frozenset[tuple[City, City]]:
    """The links of a table, each in both directions."""
    pairs = [
        (CITY_NAMED[start], CITY_NAMED[end])
        for chain in table.strip().splitlines()
        for start, end in pairwise(chain.split())
    ]
    return frozenset(pairs) | frozenset((end, start) for start, end in pairs)


BY_RAIL: Final = _chains(RAIL)
BY_AIR: Final = _chains(AIR)
LINKS: Final[tuple[tuple[City, ...], ...]] = tuple(
    tuple(other for other in range(len(NAMES)) if (city, other) in BY_RAIL | BY_AIR)
    for city in range(len(NAMES))
)
"""By city: its neighbours, ascending."""

_SEAS: Final = [[part.split() for part in row.split("|")] for row in SEAS.strip().splitlines()]
SEA_NAMES: Final[tuple[str, ...]] = tuple(name for (name,), _, _ in _SEAS)
PORTS: Final[tuple[tuple[City, ...], ...]] = tuple(
    tuple(sorted(CITY_NAMED[name] for name in ports)) for _, ports, _ in _SEAS
)
"""By sea, ascending."""
SEA_LINKS: Final[tuple[tuple[Sea, ...], ...]] = tuple(
    tuple(sorted(SEA_NAMES.index(name) for name in near)) for _, _, near in _SEAS
)
SEAS_AT: Final[tuple[tuple[Sea, ...], ...]] = tuple(
    tuple(sea for sea, ports in enumerate(PORTS) if city in ports) for city in range(len(NAMES))
)
"""By city: the seas of the port; empty if it is none."""


def _borders(sea: Sea) -> tuple[int, ...]:
    """How many borders lie between this sea and each."""
    distances = {sea: 0}
    frontier = [sea]
    while frontier:
        near = {other for at in frontier for other in SEA_LINKS[at]} - set(distances)
        distances.update(dict.fromkeys(near, max(distances.values()) + 1))
        frontier = sorted(near)
    return tuple(distances[other] for other in range(len(SEA_NAMES)))


BORDERS: Final[tuple[tuple[int, ...], ...]] = tuple(_borders(sea) for sea in range(len(SEA_NAMES)))


def voyage(sea: Sea, port: City) -> int | None:
    """The length of a voyage that puts out to `sea` and lands at `port`, 2 or more; None if it is no port."""
    return min((2 + BORDERS[sea][other] for other in SEAS_AT[port]), default=None)
