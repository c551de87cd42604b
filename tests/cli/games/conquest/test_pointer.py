"""Pointing at the map of Conquest: the cursor, what a click writes, and when it is said at once."""

from __future__ import annotations

import pytest

from cli.games.conquest.map.pointer import MapPointer
from cli.games.conquest.snapshot import kind, own_moves
from cli.games.conquest.terminal import TERMINAL
from p2p_stratego.conquest.rules.atlas import NAMES, TERRITORIES
from p2p_stratego.conquest.rules.choices import own_zones
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.self_play import allowed
from tests.helpers.conquest.moments import asked, context, views

POINTER = MapPointer()
FOUR = views(4, 3, 40)


@pytest.mark.parametrize(
    ("at", "direction", "to"),
    [
        ("c3", "up", "c4"),
        ("c3", "down", "c2"),
        ("c3", "left", "b3"),
        ("c3", "right", "d3"),
        ("a1", "left", "a1"),
        ("a1", "down", "a1"),
        ("l6", "right", "l6"),
        ("l6", "up", "l6"),
        ("d2", "right", "e2"),
    ],
)
def test_the_cursor_moves_as_the_map_lies_and_stays_on_it(at: str, direction: str, to: str) -> None:
    assert POINTER.step(context(asked(FOUR, "move"), cursor=at), direction) == to


def test_it_appears_somewhere_on_the_map() -> None:
    for view in FOUR[::25]:
        assert POINTER.step(context(view), "up") in NAMES


def test_a_move_is_pointed_at_in_two_strokes() -> None:
    view = asked(FOUR, "move", 40)
    move = next(move for move in own_moves(view) if len(move) == 4)
    assert POINTER.point(context(view), move[:2]) == (move[:2], False)
    assert POINTER.point(context(view, typed=move[:2]), move[2:]) == (move, True)
    assert POINTER.point(context(view, typed=move[:2]), move[:2]) == ("", False)


def test_a_territory_is_written_first_and_taken_when_it_is_pointed_at_again() -> None:
    view = FOUR[0]
    for place in TERRITORIES[:3]:
        zone = NAMES[place.zones[0]]
        text, whole = POINTER.point(context(view), zone)
        assert (text, whole) == (f"take {place.letter}", False)
        assert POINTER.point(context(view, typed=text), zone) == (text, True)


def test_a_territory_that_is_taken_is_not_pointed_at() -> None:
    """The cursor stays on it, and Enter wrote its name again, which is refused."""
    view = FOUR[5]
    taken = next(place for place, owner in enumerate(view.state.taken) if owner is not None)
    assert POINTER.point(context(view), NAMES[TERRITORIES[taken].zones[0]]) == ("", False)


def test_a_zone_for_a_piece_likewise() -> None:
    view = asked(FOUR, "place")
    zone = TERMINAL.questions.choices(context(view))[0].word
    assert POINTER.point(context(view), zone) == (zone, False)
    assert POINTER.point(context(view, typed=zone), zone) == (zone, True)


def test_three_pieces_are_named_one_after_the_other_and_taken_back() -> None:
    view = asked(FOUR, "regroup")
    first, second, third = (NAMES[zone] for zone in now(view).zones_held(view.seat)[:3])
    assert POINTER.point(context(view), first) == (first, False)
    assert POINTER.point(context(view, typed=first), second) == (f"{first} {second}", False)
    assert POINTER.point(context(view, typed=f"{first} {second}"), first) == (second, False)
    text, whole = POINTER.point(context(view, typed=f"{first} {second}"), third)
    assert whole
    assert view.decision is not None
    assert allowed(view.decision, TERMINAL.questions.read(view, text))


def test_an_accused_piece_is_written_and_its_kind_typed_behind_it() -> None:
    games = (views(2, seed, 20) for seed in range(1, 9))
    view = next(view for game in games for view in game if kind(view) == "accuse")
    state = now(view)
    enemy = next(NAMES[z] for z, piece in enumerate(state.board) if piece and piece.seat != view.seat)
    text, whole = POINTER.point(context(view), enemy)
    assert (text, whole) == (f"{enemy} ", False)
    assert POINTER.goes_on(context(view, typed=text), "king")
    assert not POINTER.goes_on(context(view, typed=text), "resign")


def test_while_placing_keys_name_pieces_and_the_cursor_goes_on() -> None:
    view = asked(FOUR, "army")
    own = own_zones(view.state, view.seat)
    of = context(view, cursor=NAMES[own[0]])
    assert POINTER.stroke(of, "*") == f"{NAMES[own[0]]} cursed"
    assert POINTER.stroke(of, "0") == f"{NAMES[own[0]]} king"
    assert POINTER.stroke(of, "x") is None
    assert POINTER.stroke(context(view), "5") is None
    assert POINTER.stroke(context(asked(FOUR, "move"), cursor="a1"), "5") is None
    seen, at = set(), POINTER.onward(of)
    for _ in own:
        seen.add(at)
        at = POINTER.onward(context(view, cursor=at))
    assert seen <= {NAMES[zone] for zone in own}


def test_pointing_exchanges_two_zones_of_a_draft() -> None:
    view = asked(views(2), "army")
    of = context(view)
    filled = sorted(of.draft.places)
    first, second = NAMES[filled[0]], NAMES[filled[1]]
    assert POINTER.point(of, first) == (first, False)
    assert POINTER.point(context(view, typed=first), second) == (f"{first} {second}", True)
    foreign = next(NAMES[zone] for zone in range(72) if zone not in own_zones(view.state, view.seat))
    assert POINTER.point(of, foreign) == ("", False)


def test_what_can_follow_a_zone() -> None:
    view = asked(FOUR, "move", 40)
    of = context(view, typed="a1")
    assert POINTER.goes_on(of, "b")
    assert POINTER.goes_on(of, " to b1")
    assert not POINTER.goes_on(of, "resign")
