"""Russia changes hands: bidding, ties, the pact, and two players who take it in turns."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers.spies.examples import DISCARDS
from tests.helpers.spies.scenes import REFUSED, Line, lines, start, turn

PLAYED = {
    "power": "russia",
    "bids": [[1, 0, 0, 0]],
    "do": [{"tile": "play", "id": 16}],
    "draws": ["discovery"] * 9,
}


def year(at: int, **russia: Any) -> list[dict[str, Any]]:
    """The turns of a year of discards; `russia`: what its turn has besides."""
    return [turn(power, year=at, **(russia if power == "russia" else {})) for power in DISCARDS]


def four(bids: list[list[int]], turns: list[dict[str, Any]], **options: Any) -> list[Line]:
    """A game of four with bidding."""
    begun = start(lambda s: s["setup"].update(bids=bids), players=4, allocation="bid", **options)
    return lines(begun, *turns)


@pytest.mark.parametrize(
    ("bids", "money"),
    [
        ([[0, 0, 0, 0]], (20, 20, 20, 20)),
        ([[0, 3, 1, 0]], (20, 17, 20, 20)),
        ([[3, 3, 1, 0], [4, 5]], (20, 15, 20, 20)),
        ([[3, 3, 1, 0], [4, 4], [5, 6]], (20, 14, 20, 20)),
        ([[20, 20, 1, 0]], (20, 20, 20, 20)),
    ],
)
def test_the_first_bidding(bids: list[list[int]], money: tuple[int, ...]) -> None:
    (row,) = four(bids, [])
    assert row["reason"] == "unfinished"
    assert tuple(pounds for power, pounds in row["money"].items() if power != "russia") == money


@pytest.mark.parametrize(
    "bids", [[], [[0, 0, 0]], [[3, 3, 0, 0]], [[3, 3, 0, 0], [3, 4]], [[21, 0, 0, 0]], [[1, 0, 0, 0], [2]]]
)
def test_bids_that_are_not_asked_for_are_refused(bids: list[list[int]]) -> None:
    assert four(bids, []) == [REFUSED]


def test_bids_of_a_secret_purse_are_overdrawn() -> None:
    (row,) = four([[21, 0, 0, 0]], [], purse="secret")
    assert (row["by"], row["rule"], row["winners"]) == ("germany", "overdrawn", [1, 2, 3])


def test_the_bidding_of_a_later_year_heads_russias_turn() -> None:
    rows = four([[0, 0, 0, 1]], [*year(1933), *year(1934, bids=[[2, 1, 0, 0]])])
    assert rows[7]["log"] == ["russia to seat 0 for 2", "discards a tile"]
    assert rows[7]["money"] == {"germany": 18, "italy": 20, "russia": 20, "france": 20, "britain": 19}
    assert four([[0, 0, 0, 1]], [*year(1933), *year(1934)])[-1] == REFUSED


def test_the_pact_binds_russia_to_germanys_player() -> None:
    before = [course for at in range(1934, 1938) for course in year(at, bids=[[0, 0, 0, 0]])]
    year_1938 = [PLAYED if course["power"] == "russia" else course for course in year(1938)]
    played = [*year(1933), *before, *year_1938]
    won = {"bids": [[0, 1, 0, 0]]}
    rows = four([[1, 0, 0, 0]], [*played, *year(1939, **won)])
    assert rows[-1] == REFUSED  # bound: no tile
    bound = [
        {"power": "russia", "do": [], **won} if course["power"] == "russia" else course
        for course in year(1939)
    ]
    rows = four([[1, 0, 0, 0]], [*played, *bound])
    assert rows[32]["log"] == ["russia to seat 1 for 1"]
    assert rows[32]["ap"] == 12
    assert rows[-1]["reason"] == "points"
    search = {"search": "moscow", "spies": ["ge1"]}
    moved = [{**course, "do": [search]} if course["power"] == "russia" else course for course in bound]
    assert four([[1, 0, 0, 0]], [*played, *moved])[-1] == REFUSED  # nobody is there
    free = year(1939, bids=[[0, 0, 0, 0]])
    assert four([[1, 0, 0, 0]], [*played, *free])[-1]["reason"] == "points"


def test_two_players_run_russia_in_turns() -> None:
    """Seat 1 is the stranger of germany in 1933, seat 0 in 1934: diplomacy says who."""
    two = start(players=2)
    with_russia = turn("germany", {"diplomacy": "russia"})
    assert lines(two, with_russia) == [REFUSED]
    later = turn("germany", {"diplomacy": "russia"}, year=1934)
    (line, _) = lines(two, *year(1933), later)[5:]
    assert line["ap"] == 11


@pytest.mark.parametrize(
    ("options", "scores"),
    [
        ({"players": 4}, [15, 29, 30, 41]),
        ({"players": 4, "allocation": "alternate"}, [32, 24, 11, 41]),
        ({"players": 3}, [15, 29, 24]),
        ({"players": 3, "allocation": "alternate"}, [14, 12, 41]),
        ({"players": 2}, [32, 41]),
        ({"players": 3, "handicap": "none"}, [32, 29, 41]),
        ({"players": 3, "handicap": "lower"}, [24, 29, 30]),
        ({"players": 3, "handicap": "sum"}, [56, 29, 71]),
        ({"alliances": True}, [12, 24, 29, 30, 41]),
    ],
)
def test_the_scores_of_a_quiet_game(options: dict[str, Any], scores: list[int]) -> None:
    """Points are 32, 24, 29, 30, 41: italy is behind both france and britain, so germany loses 20."""
    turns = [course for at in range(1933, 1940) for course in year(at)]
    line = lines(start(**options), *turns)[-1]
    assert line["scores"] == scores
    assert line["winners"] == [scores.index(max(scores))]
