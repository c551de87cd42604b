"""The event tiles worked out of their table."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from p2p_stratego.spies.rules.atlas import CITY_NAMED, GERMANY, ITALY, POWERS, City, Power
from p2p_stratego.spies.rules.counters import FIRST_YEAR, LAST_YEAR
from p2p_stratego.spies.rules.tile_data import TILES as _TABLE

TileId: TypeAlias = int
"""1 to 50: the face of the tile."""


class Award(NamedTuple):
    """The gain of every power with a spy in a city."""

    city: City
    chits: int
    pounds: int


class Tile(NamedTuple):
    """An event tile."""

    id: TileId
    name: str
    years: range
    awards: tuple[Award, ...]


def _years(text: str) -> range:
    if text == "any":
        return range(FIRST_YEAR, LAST_YEAR + 1)
    first, last = (1900 + int(year) for year in text.split("-"))
    return range(first, last + 1)


def _awards(text: str) -> tuple[Award, ...]:
    awards = []
    for group in text.split(";"):
        code, *cities = group.split()
        number, kind = int(code[:-1]), code[-1]
        awards += [Award(CITY_NAMED[city], number * (kind == "c"), number * (kind == "p")) for city in cities]
    return tuple(awards)


def _read() -> dict[TileId, Tile]:
    tiles = {}
    for row in _TABLE.strip().splitlines():
        number, name, years, awards = (cell.strip() for cell in row.split("|"))
        tiles[int(number)] = Tile(int(number), name.rstrip("*"), _years(years), _awards(awards))
    return tiles


TILES: Final[dict[TileId, Tile]] = _read()
COLOURED: Final = 7
"""Tiles of a power's own colour."""
RANDOM: Final = 3
"""Tiles that a power draws."""
RANDOM_TILES: Final[tuple[TileId, ...]] = tuple(range(len(POWERS) * COLOURED + 1, len(TILES) + 1))
ANNEXED: Final[dict[TileId, tuple[City, Power]]] = {
    1: (CITY_NAMED["prague"], GERMANY),
    7: (CITY_NAMED["vienna"], GERMANY),
    14: (CITY_NAMED["tirana"], ITALY),
}
"""By tile: a city that becomes territory of a power."""
CRISIS: Final[TileId] = 5
"""Played in 1938 it makes that year the last."""
PACT: Final[TileId] = 16
"""Played by Russia it binds Russia to germany's player."""


def coloured(power: Power) -> range:
    """The seven tiles of a power's colour."""
    return range(power * COLOURED + 1, (power + 1) * COLOURED + 1)


def is_coloured(tile: TileId) -> bool:
    """Whether the tile has a power's colour; then it counts once it is played."""
    return tile not in RANDOM_TILES


def fitting(year: int) -> frozenset[TileId]:
    """The tiles that can be played or discarded in a year."""
    return frozenset(tile.id for tile in TILES.values() if year in tile.years)
