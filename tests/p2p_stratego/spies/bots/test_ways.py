"""Ways by rail, air and sea."""

from __future__ import annotations

import pytest

from p2p_stratego.spies.bots.ways import FAR, LEGS, cost, costs
from p2p_stratego.spies.rules.atlas import CITY_NAMED, LINKS, NAMES, SEA_NAMES, SEAS_AT, voyage
from p2p_stratego.spies.rules.map_data import DIE


def way(start: str, other: str) -> float:
    return cost(CITY_NAMED[start], CITY_NAMED[other])


@pytest.mark.parametrize(
    ("start", "other", "points"),
    [
        ("berlin", "berlin", 0),
        ("berlin", "leipzig", 1),
        ("london", "hamburg", 2),  # one sea: no roll is too low
        ("london", "amsterdam", 1),  # by air
        ("rhodes", "athens", 2),
        ("london", "copenhagen", 2),
    ],
)
def test_a_way_costs_what_its_links_and_voyages_take(start: str, other: str, points: float) -> None:
    assert way(start, other) == points


def test_each_city_can_be_reached_from_each_other_one() -> None:
    assert all(max(costs(city)) < FAR for city in range(len(NAMES)))


def test_no_detour_is_cheaper_than_a_way() -> None:
    for start in range(len(NAMES)):
        ways = costs(start)
        for city in range(len(NAMES)):
            assert all(ways[leg.to] <= ways[city] + leg.cost + 1e-9 for leg in LEGS[city])


def test_each_leg_is_one_that_the_rules_offer() -> None:
    for city, legs in enumerate(LEGS):
        for leg in legs:
            word, goal = leg.words
            if word == "move":
                assert leg.to in LINKS[city]
                assert (leg.spaces, leg.luck, goal) == (1, 1.0, NAMES[leg.to])
                continue
            sea = SEA_NAMES.index(goal)
            assert sea in SEAS_AT[city]
            assert voyage(sea, leg.to) == leg.spaces
            first_roll = sum(rolled >= leg.spaces for rolled in DIE) / len(DIE)
            assert first_roll <= leg.luck <= 1.0
            assert leg.cost >= leg.spaces
