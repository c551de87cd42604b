"""Moments of a game of three or four in one seat's view, for tests of screens.

Red are Anna and Cleo, blue are Boris and Dora, or Boris alone.
"""

from __future__ import annotations

from typing import Any

from cli.games.interface import Players, ViewContext
from p2p_stratego.core.game import Choose, Commit, Seat
from p2p_stratego.core.values import replace
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.rules.asks import (
    GUESS_ASKS,
    INTEL_ASKS,
    OPEN_ASKS,
    TOKEN_ASKS,
    commit_ask,
    first_deploy_ask,
    mark_ask,
)
from p2p_stratego.spies_and_lies.rules.components import BLUE, MISSIONS, RED
from p2p_stratego.spies_and_lies.rules.seating import Seating
from p2p_stratego.spies_and_lies.rules.state import NONE_CLOSED, State, slot
from tests.helpers.spies_and_lies.moments import DEPLOY, MIDDLE

NAMES = ("Anna", "Boris", "Cleo", "Dora")
FACES = {slot(1, RED, mission): rank for mission, rank in zip(MISSIONS, (1, 4, 8, 10), strict=True)}
FIRST = {name: rank for name, rank in FACES.items() if rank in (1, 4)}
SECOND = {name: rank for name, rank in FACES.items() if rank in (8, 10)}

MORNING = replace(DEPLOY, seating=Seating(4))
LOOK = replace(MORNING, phase="look")
DEPLOYED = replace(MORNING, phase="intel")
MISSION = replace(MIDDLE, seating=Seating(4))
GONE = replace(MISSION, seating=Seating(4, frozenset({3})), closed=(frozenset(), frozenset({3, 4})))


def view(
    state: State,
    seat: Seat,
    known: dict[int, int] | None = None,
    decision: Choose | Commit | None = None,
    since: tuple[Any, ...] = (),
) -> View[State]:
    return View(seat, state, known or {}, decision, since)


def first_laying(seats: int = 4) -> View[State]:
    """Anna is asked for two soldiers."""
    ask = first_deploy_ask(1, Seating(seats)).asks[0]
    return view(replace(MORNING, seating=Seating(seats)), 0, {}, ask)


def alone_laying() -> View[State]:
    """Boris, who plays alone against two, is asked for four soldiers."""
    ask = first_deploy_ask(1, Seating(3)).asks[1]
    return view(replace(MORNING, seating=Seating(3)), 1, {}, ask)


def second_laying(seen: tuple[int, int] = (1, 4)) -> View[State]:
    """Cleo has looked at Anna's soldiers, and is asked for hers."""
    known = {slot(1, RED, mission): rank for mission, rank in enumerate(seen, 1)}
    return view(LOOK, 2, known, commit_ask(1, RED, (3, 4), 2))


def second_marking() -> View[State]:
    """Cleo is asked for her marks; intel 7 to 10 was turned up in this very step."""
    ask = mark_ask(Seating(4), NONE_CLOSED).asks[2]
    assert isinstance(ask, Choose)
    return view(DEPLOYED, 2, {**FIRST, **SECOND}, ask, ((INTEL_ASKS[5], 4),))


def second_guessing() -> View[State]:
    """Cleo is asked for a guess at Dora's mission 3, on which a token lies."""
    return view(MISSION, 2, {**FIRST, **SECOND}, GUESS_ASKS[2], ((TOKEN_ASKS[3], "token"),))


def first_watching() -> View[State]:
    """Anna watches Cleo guess."""
    return view(MISSION, 0, FIRST)


def second_laying_a_token() -> View[State]:
    """Cleo is asked whether to lay a token on her mission 3, which Dora guesses."""
    state = replace(MISSION, turn=5, tokens=(1, 2))
    return view(state, 2, {**FIRST, **SECOND}, TOKEN_ASKS[2])


def first_using_a_captain() -> View[State]:
    """Boris has missed Anna's Captain under mission 2; the agent stands at blue's wall."""
    known = {slot(1, RED, 1): 1, slot(1, RED, 2): 6}
    cards = ((MISSION.cards[RED][0], None, None, None), MISSION.cards[BLUE])
    state = replace(
        MISSION,
        turn=3,
        cards=cards,
        blast=(False, False),
        exhausted=((5,), (2,)),
        agent=4,
        active=MISSION.active,
    )
    since = ((GUESS_ASKS[1], "guess 8"), (OPEN_ASKS[slot(1, RED, 2)], 6))
    return view(state, 0, known, Choose(0, ("captain points", "captain 5")), since)


def with_a_seat_gone() -> View[State]:
    """Dora is gone; Boris guesses at Cleo's mission 3, and Cleo waits."""
    return view(replace(GONE, turn=5), 2, {**FIRST, **SECOND})


MOMENTS = {
    "first laying": first_laying(),
    "first of three laying": first_laying(3),
    "alone laying": alone_laying(),
    "second laying": second_laying(),
    "second stuck": second_laying((9, 10)),
    "second marking": second_marking(),
    "second guessing": second_guessing(),
    "first watching": first_watching(),
    "laying a token": second_laying_a_token(),
    "captain": first_using_a_captain(),
    "one gone": with_a_seat_gone(),
}


def players(of: View[State]) -> Players:
    return Players(NAMES[: of.state.seating.seats], of.seat)


def context(of: View[State], typed: str = "", *, notes: bool = True) -> ViewContext:
    """`of` as its own player sees it."""
    return ViewContext(of, players(of), typed, notes)
