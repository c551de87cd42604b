"""Positions of SPIES! for tests of the agent: a real opening, changed where a test needs it."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

from p2p_stratego.core.game import Choose, Face, Move
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from p2p_stratego.spies.bots.agent import Agent
from p2p_stratego.spies.bots.recruit import Recruit
from p2p_stratego.spies.rules.act import put
from p2p_stratego.spies.rules.atlas import CITY_NAMED, Power
from p2p_stratego.spies.rules.counters import Chit
from p2p_stratego.spies.rules.game import GAME
from p2p_stratego.spies.rules.notation import END
from p2p_stratego.spies.rules.state import SPY_CODED, State
from p2p_stratego.spies.rules.turn.actions import Choices


class Reached(Exception):
    """The position that a test begins with."""

    def __init__(self, view: View[State]) -> None:
        super().__init__("reached")
        self.view = view


class Stops:
    """A recruit, until it is asked for an action in a turn of this power."""

    def __init__(self, power: Power, chance: Random) -> None:
        self._power, self._plain = power, Recruit(chance)

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        state = view.state
        if state.phase == "turn" and state.power == self._power and not view.since:
            raise Reached(View(view.seat, state, dict(view.known), view.decision))
        return self._plain.decide(view)


@lru_cache(maxsize=8)
def opening(power: Power = 0, seats: int = 5, **options: Any) -> View[State]:
    """The first action of a power in its first turn."""
    try:
        play(GAME, [Stops(power, Random(seat)) for seat in range(seats)], options, Random(1))
    except Reached as reached:
        return reached.view
    raise AssertionError("the game ended before that turn")


def changed(view: View[State], **changes: Any) -> View[State]:
    """The same question with other fields of the state."""
    state = view.state._replace(**changes)
    return View(view.seat, state, view.known, Choose(view.seat, Choices(state)))


def standing(view: View[State], **places: str) -> View[State]:
    """Spies stand elsewhere: ge1="paris"."""
    spies = view.state.spies
    for code, city in places.items():
        spy = SPY_CODED[code]
        spies = put(spies, spy, spies[spy]._replace(where="map", city=CITY_NAMED[city]))
    return changed(view, spies=spies)


def holding(view: View[State], power: Power, *chits: Chit) -> View[State]:
    """A hand of an own power: these chits."""
    slots = tuple(range(60_000, 60_000 + len(chits)))
    known = {**view.known, **dict(zip(slots, chits, strict=True))}
    return changed(
        View(view.seat, view.state, known, view.decision), hands=put(view.state.hands, power, slots)
    )


def carrying(view: View[State], code: str, origin: str, face: Face) -> View[State]:
    """A spy controls the secret that began in a city, and has seen its face."""
    state, spy = view.state, SPY_CODED[code]
    secret = state.named(CITY_NAMED[origin])
    assert secret is not None
    lying = state.secrets[secret]._replace(
        by=state.spies[spy].power, on=spy, city=state.spies[spy].city, lost=state.year, away=True
    )
    known = {**view.known, lying.slot: face}
    return changed(View(view.seat, state, known, view.decision), secrets=put(state.secrets, secret, lying))


def decision_of(view: View[State]) -> Move | tuple[Face, ...]:
    """What the agent decides."""
    return Agent(Random(1)).decide(view)


def ends(view: View[State]) -> bool:
    """Whether the agent ends its turn."""
    return decision_of(view) == END
