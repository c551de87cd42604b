"""Another program can play by the tables: read as a stranger would, they come to what the rules have."""

from __future__ import annotations

import json
from collections import deque
from typing import Any

from p2p_stratego.conquest.rules import atlas as zones
from p2p_stratego.conquest.rules import cards, pieces
from p2p_stratego.spies.rules import atlas, counters, tiles
from tests.helpers.machine.modules import VECTORS

SPIES: dict[str, Any] = json.loads((VECTORS / "tables" / "spies.json").read_text("utf-8"))
CONQUEST: dict[str, Any] = json.loads((VECTORS / "tables" / "conquest.json").read_text("utf-8"))
CITIES = [city["name"] for city in SPIES["cities"]]
SEAS = [sea["name"] for sea in SPIES["seas"]]


def borders(start: str, goal: str) -> int:
    """How many borders lie between two seas."""
    near = {sea["name"]: sea["next to"] for sea in SPIES["seas"]}
    far, waiting = {start: 0}, deque([start])
    while waiting:
        sea = waiting.popleft()
        for other in near[sea]:
            if other not in far:
                far[other] = far[sea] + 1
                waiting.append(other)
    return far[goal]


def test_the_links_of_the_table_are_those_that_spies_may_use() -> None:
    pairs = SPIES["rail"] + SPIES["air"]
    for city, name in enumerate(CITIES):
        near = {other for pair in pairs for other in pair if name in pair} - {name}
        assert tuple(sorted(map(CITIES.index, near))) == atlas.LINKS[city]


def test_a_voyage_is_two_and_one_for_each_border_to_the_nearest_sea_of_the_port() -> None:
    for sea, name in enumerate(SEAS):
        for city, port in enumerate(CITIES):
            at = [name["name"] for name in SPIES["seas"] if port in name["ports"]]
            assert atlas.voyage(sea, city) == min((2 + borders(name, other) for other in at), default=None)


def test_territories_signs_capitals_and_havens_are_those_of_the_rules() -> None:
    powers = [power["name"] for power in SPIES["powers"]]
    for number, city in enumerate(SPIES["cities"]):
        owner = atlas.TERRITORY[number]
        assert city["power"] == (None if owner is None else powers[owner])
        assert city["police sign"] == (number in atlas.SIGN)
        assert city["capital"] == (number in atlas.CAPITALS)
        assert city["haven"] == (number in atlas.HAVENS)
    assert tuple(n for n, city in enumerate(SPIES["cities"]) if city["neutral secret"]) == atlas.NEUTRAL


def test_the_decks_of_the_table_are_those_that_are_shuffled() -> None:
    def deck(kind: str) -> tuple[int, ...]:
        return tuple(item["face"] for item in SPIES[kind] for _ in range(item["copies"]))

    assert deck("secrets") == counters.ALL_SECRETS
    assert deck("chits") == counters.ALL_CHITS
    assert tuple(t["face"] for t in SPIES["tiles"] if not t["coloured"]) == tiles.RANDOM_TILES
    assert [(k["name"], k["pounds"], k["AP"]) for k in SPIES["chits"]] == [
        (kind.name, kind.pounds, kind.points) for kind in counters.KINDS
    ]


def test_the_tiles_and_means_of_the_table_are_those_of_the_rules() -> None:
    for row in SPIES["tiles"]:
        tile = tiles.TILES[row["face"]]
        assert (row["name"], range(row["years"][0], row["years"][1] + 1)) == (tile.name, tile.years)
        assert [(CITIES.index(c), chits, pounds) for c, chits, pounds in row["awards"]] == list(tile.awards)
    assert [tuple(power["police"]) for power in SPIES["powers"]] == [means.police for means in counters.MEANS]
    assert [tuple(power["multiples"]) for power in SPIES["powers"]] == [
        means.multiples for means in counters.MEANS
    ]


def test_zones_beside_each_other_without_a_mountain_between_are_neighbours() -> None:
    names, mountains = CONQUEST["zones"], [set(pair) for pair in CONQUEST["mountains"]]
    for zone, name in enumerate(names):
        column, row = "abcdefghijkl".index(name[0]), int(name[1])
        near = {
            "abcdefghijkl"[column + right] + str(row + up)
            for right, up in ((-1, 0), (1, 0), (0, -1), (0, 1))
            if 0 <= column + right < 12 and 1 <= row + up <= 6
        }
        open_ways = sorted(names.index(other) for other in near if {name, other} not in mountains)
        assert tuple(open_ways) == zones.NEIGHBOURS[zone]


def test_territories_pieces_and_cards_of_conquest_are_those_of_the_rules() -> None:
    for place, row in enumerate(CONQUEST["territories"]):
        territory = zones.TERRITORIES[place]
        assert (row["letter"], row["name"], row["city"]) == territory[:3]
        assert tuple(map(zones.ZONE_NAMED.__getitem__, row["zones"])) == territory.zones
    army = sorted(p["face"] for p in CONQUEST["pieces"] for _ in range(p["a side"]))
    assert army == sorted(CONQUEST["army"]) == sorted(pieces.ARMY)
    assert {p["face"] for p in CONQUEST["pieces"] if p["fixed"]} == pieces.FIXED
    assert tuple(card["in all"] for card in CONQUEST["cards"]) == cards.IN_ALL
