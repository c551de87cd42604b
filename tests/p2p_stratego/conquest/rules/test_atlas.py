"""The map: everything that the rule page promises of it, read from the page's own table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from typing import Final

import pytest

from p2p_stratego.conquest.rules.atlas import (
    ALL,
    BORDERS,
    CITIES,
    COLUMNS,
    LETTERS,
    MOUNTAINS,
    NAMES,
    NEAR,
    NEIGHBOURS,
    ROWS,
    TERRITORIES,
    TERRITORY_OF,
    ZONE_NAMED,
    ZONES,
    around,
    beside,
    field,
    flood,
    zones_of,
)

MOUNTAIN_PAIRS: Final = (
    "c1|c2 c3|c4 c5|c6 d2|e2 d3|d4 d5|e5 f1|g1 f2|g2 f5|g5 f6|g6 h2|i2 h5|i5 i3|i4 j1|j2 j3|j4 j5|j6"
)
TABLE: Final = """\
A | Gullstrand | a4 a5 a6 | B G M
B | North Hold, city | b6 c6 d6 | A C G H
C | Frostgate | e5 e6 f6 | B I
D | Highmeadow | g6 h5 h6 | E J
E | Rocky Wild, city | i6 j6 k6 | D F K L
F | Amberquay | l4 l5 l6 | E L T
G | Thornmoor | b4 b5 c5 | A B H N
H | Ironbrow | c4 d4 d5 | B G I
I | Lookout Ledge, city | e4 f4 f5 | C H J P
J | Keyfort, city | g4 g5 h4 | D I K Q
K | Cinderscar | i4 i5 j4 | E J L
L | Wolfheath | j5 k4 k5 | E F K S
M | Reedhaven | a1 a2 a3 | A N W
N | Oxenfield | b2 b3 c2 | G M O W
O | Stonecradle | c3 d2 d3 | N P W
P | Castleburg, city | e3 f2 f3 | I O Q U
Q | Ravenfall, city | g2 g3 h3 | J P R V
R | Wyrmback | i2 i3 j3 | Q S X
S | Larkwood | j2 k2 k3 | L R T X
T | Saltspur | l1 l2 l3 | F S X
U | Willowford | e1 e2 f1 | P W
V | Millbrook | g1 h1 h2 | Q X
W | Mammoth Bay, city | b1 c1 d1 | M N O U
X | Tidewatch, city | i1 j1 k1 | R S T V
"""


def test_zones_are_ordered_a1_to_a6_then_b1() -> None:
    assert [NAMES[zone] for zone in (0, 1, 5, 6, 71)] == ["a1", "a2", "a6", "b1", "l6"]
    assert all(ZONE_NAMED[NAMES[zone]] == zone for zone in ZONES)


def test_the_mountains_are_those_of_the_page() -> None:
    assert " ".join(sorted(f"{NAMES[a]}|{NAMES[b]}" for a, b in MOUNTAINS)) == MOUNTAIN_PAIRS


@pytest.mark.parametrize("row", TABLE.splitlines())
def test_every_row_of_the_table_of_territories(row: str) -> None:
    letter, called, zones, borders = (cell.strip() for cell in row.split("|"))
    name, _, city = called.partition(", ")
    place = LETTERS.index(letter)
    assert TERRITORIES[place] == (letter, name, city == "city", tuple(ZONE_NAMED[z] for z in zones.split()))
    assert [LETTERS[other] for other in BORDERS[place]] == borders.split()


def test_24_territories_of_three_zones_and_110_pairs_of_neighbours() -> None:
    assert len(TERRITORIES) == 24
    assert len(ZONES) == 72
    assert sorted(zone for territory in TERRITORIES for zone in territory.zones) == list(ZONES)
    assert sum(map(len, NEIGHBOURS)) == 2 * 110
    assert len(CITIES) == 8
    assert all(TERRITORY_OF[zone] == place for place, t in enumerate(TERRITORIES) for zone in t.zones)


def test_neighbours_lie_side_by_side_without_a_mountain_and_are_mutual() -> None:
    for a, b in combinations(ZONES, 2):
        (column, row), (other, line) = divmod(a, ROWS), divmod(b, ROWS)
        side_by_side = abs(column - other) + abs(row - line) == 1
        assert (b in beside(a)) == (a in beside(b)) == side_by_side
        assert (b in NEIGHBOURS[a]) == (a in NEIGHBOURS[b]) == (side_by_side and (a, b) not in MOUNTAINS)


def test_a_zone_has_2_to_4_neighbours_and_a_territory_borders_on_2_to_4() -> None:
    assert {len(neighbour) for neighbour in NEIGHBOURS} == {2, 3, 4}
    assert {len(border) for border in BORDERS} == {2, 3, 4}


def connected(nodes: Iterable[int], near: Mapping[int, Iterable[int]]) -> bool:
    left = set(nodes)
    frontier = {left.pop()}
    while frontier:
        frontier = {other for node in frontier for other in near[node]} & left
        left -= frontier
    return not left


def test_connected_and_no_zone_or_territory_whose_loss_would_cut_the_map() -> None:
    near = dict(enumerate(NEIGHBOURS))
    assert connected(ZONES, near)
    for zone in ZONES:
        assert connected(set(ZONES) - {zone}, near)
    for territory in TERRITORIES:
        assert connected(set(ZONES) - set(territory.zones), near)
    borders = dict(enumerate(BORDERS))
    for place in range(24):
        assert connected(set(range(24)) - {place}, borders)


def test_every_territory_and_every_land_in_one_piece() -> None:
    near = dict(enumerate(NEIGHBOURS))
    for territory in TERRITORIES:
        assert connected(territory.zones, near)
    for columns in ("abcd", "efgh", "ijkl"):
        land = {zone for zone in ZONES if NAMES[zone][0] in columns}
        assert connected(land, near)
        whole = [place for place, t in enumerate(TERRITORIES) if land.issuperset(t.zones)]
        assert len(whole) == 8


MIRRORS: Final[dict[str, Callable[[int], int]]] = {
    "left and right": lambda zone: (len(COLUMNS) - 1 - zone // ROWS) * ROWS + zone % ROWS,
    "north and south": lambda zone: zone // ROWS * ROWS + ROWS - 1 - zone % ROWS,
}


@pytest.mark.parametrize("mirror", MIRRORS)
def test_the_mirror_images_are_alike(mirror: str) -> None:
    image = MIRRORS[mirror]
    for zone in ZONES:
        assert {image(other) for other in NEIGHBOURS[zone]} == set(NEIGHBOURS[image(zone)])
    shapes = {frozenset(territory.zones) for territory in TERRITORIES}
    assert {frozenset(map(image, shape)) for shape in shapes} == shapes
    assert {TERRITORY_OF[image(TERRITORIES[place].zones[0])] for place in CITIES} == CITIES


def walked(start: int, free: set[int]) -> set[int]:
    """The zones that a walk over free ones comes to, one step at a time."""
    numbers: set[int] = set()
    frontier = {start}
    while frontier:
        frontier = {other for zone in frontier for other in NEIGHBOURS[zone] if other in free} - numbers
        numbers |= frontier
    return numbers - {start}


@pytest.mark.parametrize("step", [1, 2, 3, 5, 7])
def test_a_flood_comes_as_far_as_a_walk(step: int) -> None:
    free = {zone for zone in ZONES if zone * 37 % 101 % (step + 1)}
    for start in ZONES:
        assert set(zones_of(flood(start, field(tuple(free))))) == walked(start, free)


def test_around_a_set_are_the_neighbours_of_its_zones() -> None:
    for zone in ZONES:
        assert around(1 << zone) == NEAR[zone] == field(NEIGHBOURS[zone])
    assert around(ALL) == ALL
