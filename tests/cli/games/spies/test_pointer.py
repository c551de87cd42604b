"""Pointing at the map of SPIES!."""

from __future__ import annotations

from functools import cache

from cli.games.interface import PlannedAnswers
from cli.games.spies import reach
from cli.games.spies.answers import offered, read
from cli.games.spies.map.pointer import MapPointer
from p2p_stratego.core.view import View
from p2p_stratego.spies.rules.atlas import CITY_NAMED, NAMES
from p2p_stratego.spies.rules.state import SPY_CODED, State, spy_code
from p2p_stratego.spies.rules.underway import now
from tests.helpers.spies.moments import asked, context, moments, options

POINTER = MapPointer()


@cache
def turn() -> View[State]:
    return asked(moments(3), "turn", lambda view: any(word.startswith("move") for word in options(view)))


def test_the_cursor_reaches_every_city_by_arrows() -> None:
    reached, left = {"vienna"}, ["vienna"]
    while left:
        at = left.pop()
        for direction in ("up", "down", "left", "right"):
            to = POINTER.step(context(turn(), cursor=at), direction)
            assert to in NAMES
            if to not in reached:
                reached.add(to)
                left.append(to)
    assert reached == set(NAMES)


def test_it_appears_on_the_map() -> None:
    for what in ("secret", "police", "place", "turn"):
        assert POINTER.step(context(asked(moments(3), what)), "up") in CITY_NAMED


def test_arrows_are_left_to_answers_that_are_no_cities() -> None:
    for what in ("tile", "answer", "spies"):
        assert POINTER.step(context(asked(moments(3), what), cursor="vienna"), "up") == ""


def test_a_spy_is_picked_then_sent() -> None:
    _, code, goal = next(word for word in options(turn()) if word.startswith("move")).split(" ")
    home = NAMES[turn().state.spies[SPY_CODED[code]].city]
    typed = ""
    for _ in range(5):
        typed, whole = POINTER.point(context(turn(), typed=typed), home)
        assert not whole
        if typed == code or typed.startswith("search"):
            break
    if typed == code:
        assert POINTER.point(context(turn(), typed=code), goal) == (f"move {code} {goal}", True)


def test_a_city_that_is_asked_for_is_named_and_confirmed() -> None:
    view = asked(moments(3), "secret")
    place = next(word for word in options(view)).split(" ")[1]
    assert POINTER.point(context(view), place) == (place, False)
    assert POINTER.point(context(view, typed=place), place) == (place, True)
    assert POINTER.point(context(view), "atlantis") == ("", False)


def test_police_are_laid_by_pointing_once_a_unit() -> None:
    view = asked(moments(3), "lay")
    assert POINTER.point(context(view, typed="berlin"), "berlin") == ("berlin berlin", False)


def test_secrets_to_stand_on_are_named_by_pointing_and_sent_by_the_last_one_again() -> None:
    view = asked(moments(3), "stand", lambda view: any(len(word.split()) > 2 for word in offered(view)))
    line, state = "", now(view)
    names = max(offered(view), key=len).split(" ")
    for name in names:
        city = next(secret.city for secret in state.secrets if secret.origin == CITY_NAMED[name])
        line, whole = POINTER.point(context(view, typed=line), NAMES[city])
        assert not whole
    assert sorted(line.split()) == sorted(names)
    assert POINTER.point(context(view, typed=line, cursor=NAMES[city]), NAMES[city]) == (line, True)
    assert read(view, line) in options(view)


def test_a_city_further_away_shows_its_way_and_is_gone_to_when_it_is_pointed_at_again() -> None:
    view = asked(moments(3), "turn", lambda view: bool(far(view)))
    (code, goal), way = next(iter(far(view).items()))
    line = f"{code} {' '.join(NAMES[city] for city in way)}"
    assert POINTER.point(context(view, typed=code), NAMES[goal]) == (line, False)
    assert POINTER.point(context(view, typed=line), NAMES[goal]) == (line, True)
    planned = read(view, line)
    assert isinstance(planned, PlannedAnswers)
    assert len(planned.then) == len(way) - 1


def far(view: View[State]) -> dict[tuple[str, int], tuple[int, ...]]:
    """By spy and goal, the ways of more than one link."""
    spies = (spy for spy, _piece in view.state.own(view.state.power))
    ways = ((spy, goal, way) for spy in spies for goal, way in reach.ways(view, spy).items())
    return {(spy_code(spy), goal): way for spy, goal, way in ways if len(way) > 1}
