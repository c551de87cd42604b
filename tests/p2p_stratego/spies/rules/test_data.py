"""The data of SPIES!: all that its tables promise together."""

from __future__ import annotations

from collections import Counter

import pytest

from p2p_stratego.core.game import OptionError
from p2p_stratego.spies.rules import counters
from p2p_stratego.spies.rules.allocation import SEATS, check, seat_of
from p2p_stratego.spies.rules.atlas import (
    BORDERS,
    BY_AIR,
    BY_RAIL,
    CAPITALS,
    CITY_NAMED,
    HAVENS,
    LINKS,
    NAMES,
    NEUTRAL,
    PORTS,
    POWERS,
    SEA_LINKS,
    SEA_NAMES,
    SEAS_AT,
    SIGN,
    SIGNED,
    TERRITORY,
    voyage,
)
from p2p_stratego.spies.rules.game import GAME
from p2p_stratego.spies.rules.map_data import DIE
from p2p_stratego.spies.rules.options import LESSON, OPTIONS
from p2p_stratego.spies.rules.tiles import ANNEXED, RANDOM_TILES, TILES, coloured, fitting


def test_there_are_61_cities_with_names_of_their_own() -> None:
    assert len(NAMES) == len(set(NAMES)) == 61
    assert Counter(TERRITORY) == {0: 8, 1: 7, 2: 7, 3: 8, 4: 8, None: 23}
    assert [NAMES[city] for city in CAPITALS] == ["berlin", "rome", "moscow", "paris", "london"]
    assert len(NEUTRAL) == 8
    assert [NAMES[city] for city in HAVENS] == ["geneva", "istanbul", "tangiers"]
    assert [len(cities) for cities in SIGNED] == [8, 5, 7, 6, 4]
    unsigned = {NAMES[city] for city, power in enumerate(TERRITORY) if power is not None} - {
        NAMES[city] for city in SIGN
    }
    assert unsigned == {
        "tripoli", "rhodes", "algiers", "beirut", "gibraltar", "malta", "alexandria", "haifa",
    }  # fmt: skip
    assert all(TERRITORY[city] is None for city in (*NEUTRAL, *HAVENS))


def test_links_go_both_ways_and_reach_every_city() -> None:
    for city, near in enumerate(LINKS):
        assert city not in near
        assert all(city in LINKS[other] for other in near)
    seen, frontier = {0}, [0]
    while frontier:
        frontier = [other for city in frontier for other in LINKS[city] if other not in seen]
        seen.update(frontier)
    # malta, rhodes and tripoli or birmingham are reached by air or sea as the tables say
    by_sea_only = {city for city in range(61) if city not in seen}
    assert all(SEAS_AT[city] for city in by_sea_only)
    assert not BY_RAIL & BY_AIR


@pytest.mark.parametrize(
    ("start", "other"),
    [("london", "paris"), ("berlin", "moscow"), ("paris", "prague"), ("gibraltar", "madrid"),
     ("algiers", "tangiers"), ("istanbul", "bucharest"), ("rome", "tripoli")],
)  # fmt: skip
def test_some_links(start: str, other: str) -> None:
    assert CITY_NAMED[other] in LINKS[CITY_NAMED[start]]


def test_seas_have_ports_and_neighbours_both_ways() -> None:
    assert SEA_NAMES == ("baltic", "north", "atlantic", "west", "adriatic", "east", "black")
    assert [len(ports) for ports in PORTS] == [7, 6, 6, 8, 2, 9, 2]
    for sea, near in enumerate(SEA_LINKS):
        assert all(sea in SEA_LINKS[other] for other in near)
    assert not SEAS_AT[CITY_NAMED["rome"]]
    assert SEAS_AT[CITY_NAMED["london"]]
    assert max(max(row) for row in BORDERS) == 5
    assert tuple(DIE) == (2, 3, 3, 4, 4, 5)


@pytest.mark.parametrize(
    ("sea", "port", "length"),
    [("north", "oslo", 2), ("north", "danzig", 3), ("baltic", "london", 3), ("west", "odessa", 4),
     ("atlantic", "malta", 3), ("west", "gibraltar", 2), ("east", "venice", 3), ("baltic", "rome", None)],
)  # fmt: skip
def test_the_length_of_a_voyage(sea: str, port: str, length: int | None) -> None:
    assert voyage(SEA_NAMES.index(sea), CITY_NAMED[port]) == length


def test_the_50_tiles() -> None:
    assert list(TILES) == list(range(1, 51))
    assert tuple(range(36, 51)) == RANDOM_TILES
    assert [coloured(power) for power in range(5)] == [range(1 + 7 * p, 8 + 7 * p) for p in range(5)]
    assert len({tile.name for tile in TILES.values()}) == 50
    for tile in TILES.values():
        cities = [award.city for award in tile.awards]
        assert len(cities) == len(set(cities))
        assert all((award.chits == 0) != (award.pounds == 0) for award in tile.awards)
        assert all(max(award.chits, award.pounds) <= 4 for award in tile.awards)
    assert {NAMES[city]: POWERS[power] for city, power in ANNEXED.values()} == {
        "prague": "germany",
        "vienna": "germany",
        "tirana": "italy",
    }
    for year in range(1933, 1940):
        for power in range(5):
            assert fitting(year) & set(coloured(power))
    assert {36, 37, 38, 39} <= fitting(1933) & fitting(1939)
    assert [(award.chits, award.pounds, NAMES[award.city]) for award in TILES[2].awards] == [
        (3, 0, "berlin"), (2, 0, "vienna"), (2, 0, "warsaw"), (1, 0, "rome"), (0, 3, "geneva"),
        (0, 3, "amsterdam"),
    ]  # fmt: skip


def test_the_counters() -> None:
    assert len(counters.ALL_CHITS) == 80
    assert [kind.copies for kind in counters.KINDS] == [20, 8, 6, 4, 8, 14, 8, 8, 4]
    assert len(counters.ALL_SECRETS) == 40
    assert Counter(counters.ALL_SECRETS) == {
        1: 8, 2: 8, 3: 8, 4: 5, 5: 3, 12: 2, 13: 2, 14: 2, 15: 1, 16: 1,
    }  # fmt: skip
    assert sum(means.secrets for means in counters.MEANS) == 32
    assert [len(means.police) for means in counters.MEANS] == [6, 5, 6, 5, 5]
    assert all(len(means.multiples) == 7 and means.money == 20 for means in counters.MEANS)
    names = [name for power in range(5) for name in counters.spy_names(power)[:4]]
    assert len(set(names)) == 20
    assert all(max(means.police) < 9 for means in counters.MEANS)


def test_the_allocations_share_out_the_powers() -> None:
    for (seats, allocation), powers in SEATS.items():
        own = [power for of_seat in powers for power in of_seat]
        assert len(powers) == seats
        assert len(set(own)) == len(own)
        if allocation == LESSON:
            assert seat_of(seats, allocation) == (0, None, None, 1, None)
            continue
        assert set(range(5)) - set(own) == ({2} if allocation == "bid" or seats == 2 else set())
        assert seat_of(seats, allocation)[2] == (
            None if allocation == "bid" else 0 if seats == 2 else seat_of(seats, allocation)[2]
        )
        check(seats, GAME.options({"allocation": allocation}))


@pytest.mark.parametrize(
    ("seats", "wanted"),
    [(5, {"allocation": "bid"}), (5, {"allocation": "alternate"}), (3, {"allocation": "bid"}),
     (2, {"allocation": "alternate"}), (3, {"allocation": "alternate", "alliances": "yes"}),
     (5, {"alliances": "yes", "handicap": "sum"}), (5, {"alliances": "yes", "handicap": "lower"}),
     (6, {}), (1, {}), (5, {"purse": "closed"}), (5, {"rounds": 3})],
)  # fmt: skip
def test_options_that_do_not_go_together_are_refused(seats: int, wanted: dict[str, str | int]) -> None:
    with pytest.raises(OptionError):
        check(seats, GAME.options(wanted))


def test_the_defaults_stand_first() -> None:
    assert GAME.options({}) == {
        **{field.name: field.values.usual for field in OPTIONS},
    }
