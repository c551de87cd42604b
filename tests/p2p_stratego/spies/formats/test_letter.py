"""The letter of the rule text, in scenarios: powers of one seat, russia, talks, police, counterspies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.helpers.spies.examples import DISCARDS
from tests.helpers.spies.scenes import REFUSED, lines, log, start, turn

FIND_PRAGUE = {"chit": "discovery", "spy": "ge1", "secret": "prague"}
SEARCH_RU2 = {"search": "berlin", "spies": ["ru2"]}
QUIET = {"germany": 32, "italy": 24, "russia": 29, "france": 30, "britain": 41}
"""The points of a game in which nothing happens."""


def until(year: int) -> list[dict[str, Any]]:
    """Turns of one discard each, to the end of a year."""
    return [turn(power, year=at) for at in range(1933, year + 1) for power in DISCARDS]


def ended(
    first: list[dict[str, Any]], change: Callable[[dict[str, Any]], object] | None = None, **options: Any
) -> dict[str, Any]:
    """The outcome of a game that begins with these turns, and is quiet from then on."""
    turns, powers = list(first), list(DISCARDS)
    turns += [turn(powers[number % 5], year=1933 + number // 5) for number in range(len(turns), 35)]
    return lines(start(change, **options), *turns)[-1]


# 7.0: the powers of one seat


def test_a_power_does_not_search_the_spies_of_its_own_seat() -> None:
    """It captured them for points, pounds and chits: 42 points in the first turn."""
    assert lines(start(players=2), turn("germany", SEARCH_RU2)) == [REFUSED]
    search = turn("italy", {"search": "rome", "spies": ["ge4"]}, draws=["papers"])
    assert "ge4 linde captured by italy" in log(start(), turn("germany"), search)
    assert lines(start(players=4), turn("germany"), search)[1:] == [REFUSED]


def test_police_do_not_search_a_spy_of_their_own_seat_that_arrives() -> None:
    def beside_berlin(scenario: dict[str, Any]) -> None:
        scenario["setup"]["spies"]["italy"][1] = ["brio", "leipzig"]

    comes = turn("italy", {"move": ["it2", "berlin"]}, {"by": "germany", "search": True}, draws=["papers"])
    assert "it2 brio captured by germany" in log(start(beside_berlin), turn("germany"), comes)
    assert lines(start(beside_berlin, players=4), turn("germany"), comes)[1:] == [REFUSED]


def test_no_secret_is_discovered_from_the_other_power_of_a_seat() -> None:
    """Also not where it was left, or lost, for the other one."""
    comes: list[dict[str, Any]] = [
        {"move": ["it1", "prague"]},
        {"chit": "discovery", "spy": "it1", "secret": "prague"},
    ]
    nothing: tuple[dict[str, Any], ...] = ()
    for left in (nothing, ({"leave": "ge1"},)):
        turns = turn("germany", FIND_PRAGUE, *left), turn("italy", *comes)
        assert log(start(), *turns)[-1] == "it1 controls prague"
        assert lines(start(players=4), *turns)[1:] == [REFUSED]


def test_what_another_seat_controlled_in_between_may_be_discovered() -> None:
    def france_finds(scenario: dict[str, Any]) -> None:
        scenario["deal"]["chits"]["italy"][1] = "discovery"

    taken = [
        turn("germany", FIND_PRAGUE, {"leave": "ge1"}),
        turn("italy"),
        turn("russia"),
        turn("france", {"chit": "discovery", "spy": "fr2", "secret": "prague"}, {"leave": "fr2"}),
        turn("britain"),
        turn("germany", year=1934),
        turn(
            "italy",
            {"move": ["it1", "prague"]},
            {"chit": "discovery", "spy": "it1", "secret": "prague"},
            year=1934,
        ),
    ]
    assert log(start(france_finds, players=4), *taken)[-1] == "it1 controls prague"


def test_nobody_intercepts_a_drop_of_its_own_seat() -> None:
    def both_in_prague(scenario: dict[str, Any]) -> None:
        scenario["setup"]["spies"]["italy"][0] = ["aquila", "prague"]

    drop = turn(
        "germany",
        FIND_PRAGUE,
        {"chit": "drop", "spy": "ge1"},
        {"by": "italy", "chit": "intercept", "with": "it1"},
    )
    assert log(start(both_in_prague), drop)[-1] == "italy intercepts prague"
    assert lines(start(both_in_prague, players=4), drop) == [REFUSED]


# 8.5: russia, where it changes hands


def test_a_captured_spy_of_a_russia_that_changes_hands_gives_nothing() -> None:
    """Laid before one's own police in one year, it was captured by them in the next."""
    caught = turn("germany", SEARCH_RU2, year=1934)
    line = lines(start(players=2), *until(1933), caught)[-2]
    assert line["log"][1:] == ["germany searches ru2 in berlin", "ru2 iskra captured by germany"]
    assert (line["money"]["germany"], line["chits"]["germany"]) == (20, 5)
    assert ended([*until(1933), caught], players=2)["points"] == QUIET
    rewarded = turn("germany", SEARCH_RU2, year=1934, draws=["papers"])
    assert ended([*until(1933), rewarded], players=3)["points"] == QUIET | {"germany": 32 + 4 * 2}


def test_a_killed_spy_of_a_russia_that_changes_hands_gives_nothing() -> None:
    killed = turn("germany", {"chit": "sanction", "spy": "ge3", "victim": "ru1"}, year=1934)
    assert log(start(players=2), *until(1933), killed)[-1] == "ru1 volk killed by germany"
    assert ended([*until(1933), killed], players=2)["points"] == QUIET
    assert ended([*until(1933), killed], players=3)["points"] == QUIET | {"germany": 32 + 2 * 2}


def test_russia_fetches_no_secrets_for_the_player_who_ran_it() -> None:
    """Left where the other power comes in the next year, when somebody else runs russia."""
    left = turn("russia", {"chit": "discovery", "spy": "ru4", "secret": "bucharest"}, {"leave": "ru4"})
    turns = [left if course["power"] == "russia" else course for course in until(1933)]
    way = [{"move": ["ge1", city]} for city in ("vienna", "budapest", "bucharest")]
    find = {"chit": "discovery", "spy": "ge1", "secret": "bucharest"}
    turns.append(turn("germany", *way, find, year=1934))
    assert log(start(players=3), *turns)[-1] == "ge1 controls bucharest"
    assert lines(start(players=2), *turns)[5:] == [REFUSED]


def test_nobody_seizes_what_russia_fetched_for_the_same_player() -> None:
    """Its spy is killed for the secret in the next year, when somebody else runs russia."""

    def beside_it(scenario: dict[str, Any]) -> None:
        scenario["setup"]["spies"]["germany"][2] = ["kessel", "bucharest"]

    search = turn("russia", {"chit": "discovery", "spy": "ru4", "secret": "bucharest"})
    turns = [search if course["power"] == "russia" else course for course in until(1933)]
    kill = {"chit": "sanction", "spy": "ge3", "victim": "ru4", "seize": True}
    turns.append(turn("germany", kill, year=1934))
    assert log(start(beside_it, players=3), *turns)[-1] == "ge3 controls bucharest"
    assert log(start(beside_it, players=2), *turns)[-1] == "ru4 sova killed by germany"


def test_an_own_secret_of_russia_may_be_discovered_once_another_seat_runs_it() -> None:
    """Also one that its police guard since the other player ran it."""

    def guarded(scenario: dict[str, Any]) -> None:
        scenario["setup"]["guard"]["russia"] = ["leningrad"]
        scenario["setup"]["spies"]["germany"][2] = ["kessel", "leningrad"]

    find = {"chit": "discovery", "spy": "ge3", "secret": "leningrad"}
    assert lines(start(guarded, players=2), turn("germany", find)) == [REFUSED]
    entries = log(start(guarded, players=2), *until(1933), turn("germany", find, year=1934))
    assert entries[-1] == "ge3 controls leningrad"


# 3.9: talks


def test_talks_that_are_paid_for_stay_open_until_another_action() -> None:
    def deal(other: str) -> tuple[dict[str, Any], ...]:
        return {"trade": other, "offer": {"money": 2}}, {"by": other, "accept": True}

    paid = {"diplomacy": "france"}, {"diplomacy": "britain"}
    both = *paid, *deal("france"), *deal("britain"), *deal("france")
    (line, _) = lines(start(), turn("germany", *both))
    assert (line["ap"], line["money"]["france"], line["money"]["britain"]) == (10, 24, 22)
    away = {"move": ["ge1", "leipzig"]}
    assert lines(start(), turn("germany", *paid, away, *deal("france"))) == [REFUSED]
    (line, _) = lines(start(), turn("germany", *paid, away, *paid, *deal("france")))
    assert line["ap"] == 7


# 3.7: police and secrets


def test_police_stand_on_an_own_original_that_lies_anywhere_at_home() -> None:
    """Britain carries hamburg's secret to berlin, and is captured there."""
    stolen = turn(
        "britain",
        {"chit": "discovery", "spy": "br4", "secret": "hamburg"},
        {"move": ["br4", "berlin"]},
        {"by": "germany", "search": True},
        draws=["papers"],
    )
    laid = {
        "police": {"berlin": [4, 1], "hamburg": [3], "munich": [3], "cologne": [2], "breslau": [2]},
        "guard": ["munich", "hamburg"],
    }
    back = {"take": ["ge5", "hamburg"]}, {"move": ["ge5", "hamburg"]}, {"leave": "ge5"}
    entries = log(start(), *until(1933)[:-1], stolen, turn("germany", laid, *back, year=1934))
    assert entries == ["police", "ge5 takes hamburg", "ge5 to hamburg", "ge5 leaves hamburg"]


# 6.0: counterspies


@pytest.mark.parametrize(("year", "points"), [(1933, 4 * 1 + 2 * 3), (1934, 4 * 2 + 2 * 4)])
def test_a_counterspy_that_was_seized_and_cashed_counts_half(year: int, points: int) -> None:
    """Italy kills the spy on munich's counterspy of 4, and brings it to rome; multiples 3 and 4."""

    def on_it(scenario: dict[str, Any]) -> None:
        scenario["setup"]["guard"]["germany"] = []
        scenario["setup"]["spies"]["germany"][3] = ["linde", "munich"]
        scenario["deal"]["chits"]["italy"][0] = "sanction"

    home = [{"move": ["it2", city]} for city in ("venice", "milan", "rome")]
    kill = {"chit": "sanction", "spy": "it2", "victim": "ge4", "seize": True}
    turns = [
        *until(year - 1),
        turn("germany", {"take": ["ge4", "munich"]}, year=year),
        turn("italy", kill, *home, {"cash": "it2"}, year=year, draws=["papers"]),
    ]
    assert ended(turns, on_it)["points"] == QUIET | {"germany": 32 - 4, "italy": 24 + points}
