"""The worth of every action of a turn: its own gain, and the best that the rest of the turn can still bring.

A plan first or second is worth the same, as long as the points allow both: so a choice is compared by the
whole turn that it leaves, and not by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from p2p_stratego.core.game import Move
from p2p_stratego.spies.bots.guard import Guard
from p2p_stratego.spies.bots.plans import A_POINT, Plan
from p2p_stratego.spies.bots.turn import BETTER, Turn
from p2p_stratego.spies.rules.atlas import CITY_NAMED, POWERS, City
from p2p_stratego.spies.rules.counters import CHIT_NAMES, DISCOVERY, SANCTION
from p2p_stratego.spies.rules.notation import END, POLICE_ANEW, SEARCH
from p2p_stratego.spies.rules.state import SPY_CODED, SpyId
from p2p_stratego.spies.rules.turn.actions import PROPOSE, TALK

_JOURNEYS: Final = ("move", "sail")
_BY_SPIES: Final = (*_JOURNEYS, "take", CHIT_NAMES[DISCOVERY], CHIT_NAMES[SANCTION])


class TurnWorths:
    """The actions that a power can take now, by the agent's evaluation."""

    def __init__(self, turn: Turn, options: Collection[Move], a_search: float) -> None:
        """`a_search`: what a search costs (see `Temper`)."""
        self.turn = turn
        self._state = turn.state
        offered = set(options)
        self._plans = {
            spy: [plan for plan in turn.planner.plans(spy) if plan.move in offered]
            for spy, _piece in self._state.own(turn.power)
        }
        self._guard = Guard(turn.worths, turn.power)
        self._searches = {
            city: self._guard.caught(city, self._strength(city)) - a_search
            for city in (CITY_NAMED[move.split()[1]] for move in options if move.startswith(SEARCH))
        }

    def worth(self, move: Move) -> float | None:
        """The worth of an action to its seat, in points; to end the turn is worth 0.  None: not known."""
        word, *parts = move.split(" ")
        ap = self._state.ap
        if word == END:
            return 0.0
        if word == POLICE_ANEW:
            better = self._guard.total(self._guard.best()) - self._guard.total(self._guard.standing())
            return better - BETTER + self._rest(ap, self._searches, self._all)
        if word == SEARCH:
            city = CITY_NAMED[parts[0]]
            others = [other for other in self._searches if other != city]
            return self._searches[city] + self._rest(ap - 1, others, self._all)
        if word in (TALK, PROPOSE):
            return self._talk(word, parts[0]) + self._rest(ap - (word == TALK), self._searches, self._all)
        if word == "cash":
            return self._cashed(SPY_CODED[parts[0]]) + self._rest(ap, (), self._all)
        return self._by_spy(move) if word in _BY_SPIES else None

    def _strength(self, city: City) -> int:
        turn = self.turn
        return sum(turn.worths.known.get(unit.slot, 0) for unit in self._state.police_in(turn.power, city))

    @property
    def _all(self) -> list[list[Plan]]:
        return list(self._plans.values())

    def _rest(self, ap: int, searches: Iterable[City], plans: Iterable[Sequence[Plan]]) -> float:
        """The most that searches, and a plan for each spy, gain with so many points."""
        best = [0.0] * (ap + 1)
        items = [*([(1, self._searches[city])] for city in searches)]
        items += [[(plan.points, plan.gain) for plan in of_spy] for of_spy in plans]
        for item in items:
            best = [
                max([most, *(best[has - points] + gain for points, gain in item if points <= has)])
                for has, most in enumerate(best)
            ]
        return best[ap]

    def _talk(self, word: Move, with_whom: str) -> float:
        state, other = self._state, POWERS.index(with_whom)
        best = self.turn.trader.best(state.power, other, state.proposals)
        return (0.0 if best is None else best[0]) - A_POINT * (word == TALK)

    def _cashed(self, spy: SpyId) -> float:
        """A secret at home counts as good as cashed, until there is no later turn to do it."""
        worths = self.turn.worths
        secret = worths.carried(spy)
        if secret is None or worths.turns_left(self.turn.power):
            return 0.0
        return worths.load(self.turn.power, secret)

    def _by_spy(self, move: Move) -> float | None:
        """A step of a spy: the best plan that begins so, beside the best plans of the others."""
        word, *parts = move.split(" ")
        spy = SPY_CODED[next(part for part in parts if part in SPY_CODED)]
        others = [self._still(other, spy, word) for other in self._plans if other != spy]
        begun = [
            plan.gain + self._rest(self._state.ap - plan.points, (), others)
            for plan in self._plans.get(spy, ())
            if plan.move == move
        ]
        if begun or word != "move":
            return max(begun, default=None)
        return self._into_danger(spy, CITY_NAMED[parts[1]]) + self._rest(self._state.ap - 1, (), others)

    def _still(self, other: SpyId, spy: SpyId, word: str) -> list[Plan]:
        """The plans of another spy, once a spy moves: who was on the way before goes no further."""
        stops = other == self._state.mover and spy != other and word in _JOURNEYS
        return [plan for plan in self._plans[other] if not (stops and plan.move.split(" ")[0] in _JOURNEYS)]

    def _into_danger(self, spy: SpyId, city: City) -> float:
        """The gain of a step that no plan begins with, since police there would surely catch the spy."""
        planner, worths, state = self.turn.planner, self.turn.worths, self._state
        here, secret = state.spies[spy].city, worths.carried(spy)
        if secret is None:
            stays = planner.rest(spy, here)
        else:
            stays = planner.loaded(spy, secret, worths.load(self.turn.power, secret))(here)
        left = min(state.spaces(spy), state.ap) - 1
        return planner.landed(spy, city, left, state.ap - 1) - stays - A_POINT
