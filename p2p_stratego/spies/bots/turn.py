"""A turn of the agent: police and searches, then the spies by what their plans gain, then talks."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from p2p_stratego.core.game import Move
from p2p_stratego.core.view import Chance, View
from p2p_stratego.spies.bots.answers import escaping
from p2p_stratego.spies.bots.characters import EVEN, Temper
from p2p_stratego.spies.bots.dangers import Dangers
from p2p_stratego.spies.bots.deals import Trader
from p2p_stratego.spies.bots.guard import Guard
from p2p_stratego.spies.bots.plans import Plan, Planner
from p2p_stratego.spies.bots.targets import Targets
from p2p_stratego.spies.bots.ways import cost
from p2p_stratego.spies.bots.worths import Worths
from p2p_stratego.spies.rules.atlas import CAPITALS, CITY_NAMED, HAVENS, NAMES, POWERS, SEA_NAMES, City, Sea
from p2p_stratego.spies.rules.counters import DROP, ESCAPE, RECRUIT
from p2p_stratego.spies.rules.map_data import DIE
from p2p_stratego.spies.rules.notation import AGAIN, END, NO_ANSWER, POLICE_ANEW, SEARCH, STAY, chit, words
from p2p_stratego.spies.rules.state import SPY_CODED, SpyId, State, spy_code
from p2p_stratego.spies.rules.turn.actions import PROPOSE
from p2p_stratego.spies.rules.turn.movement import landings
from p2p_stratego.spies.rules.turn.tricks import can_drop, fallen, prisoners

BETTER: Final = 0.4
"""How much better than the old one a laying must be."""
IN_DANGER: Final = 0.25
"""The danger from which a secret is hidden."""


class Turn:
    """The choices of one seat in a turn of one of its powers."""

    def __init__(
        self, state: State, view: View[State], temper: Temper = EVEN, chance: Chance | None = None
    ) -> None:
        """`chance`: for the whims of a temper that has any."""
        self.view = view
        self._temper = temper
        self._chance = chance
        self.state = state
        self.power = state.power
        self.worths = Worths(state, view.seat, view.known, temper)
        self.dangers = Dangers(self.worths)
        self.targets = Targets(self.worths, self.dangers)
        self.planner = Planner(self.worths, self.dangers, self.targets)
        self.trader = Trader(self.worths, self.targets)

    def action(self, options: Collection[Move]) -> Move:
        """The next action; the end of the turn if nothing gains."""
        cash = next((move for move in options if move.startswith("cash ")), None)
        if cash is not None:
            return cash
        if POLICE_ANEW in options and self._police_pay():
            return POLICE_ANEW
        return self._search(options) or self._plan(options) or END

    def _police_pay(self) -> bool:
        guard = Guard(self.worths, self.power)
        return guard.total(guard.best()) > guard.total(guard.standing()) + BETTER

    def _search(self, options: Collection[Move]) -> Move | None:
        """The search that gains most, if one is worth its point."""
        cities = [CITY_NAMED[move.split()[1]] for move in options if move.startswith(SEARCH)]
        if not cities:
            return None
        guard = Guard(self.worths, self.power)
        gains = {city: guard.caught(city, self._strength(city)) for city in cities}
        best = max(gains, key=lambda city: gains[city])
        return words(SEARCH, NAMES[best]) if gains[best] > self._temper.a_search else None

    def _strength(self, city: City) -> int:
        return sum(self.worths.known.get(unit.slot, 0) for unit in self.state.police_in(self.power, city))

    def next_searched(self, options: Collection[Move]) -> Move:
        """The spy to search next; none that is surely too strong, if that can be helped."""
        gains: dict[Move, float] = {}
        for move in options:
            if move in SPY_CODED:
                spy = SPY_CODED[move]
                police = self._strength(self.state.spies[spy].city)
                worth = self.worths.capture(spy, self.power) + self.worths.robbed(self.power, spy)
                gains[move] = self.worths.beliefs.caught_by(spy, police) * worth
        best = max(gains, key=lambda move: gains[move])
        return END if gains[best] <= 0 and END in options else best

    def arrival(self) -> Move:
        """Whether police search a spy that arrives.

        A search is free, so only a surely stronger spy is let pass.
        """
        event = next(event for event in reversed(self.state.report) if event.kind == "moves")
        there = self.state.police_of(event.city)
        strength = (
            0
            if there is None
            else sum(self.worths.known.get(unit.slot, 0) for unit in self.state.police_in(there, event.city))
        )
        return SEARCH if self.worths.beliefs.caught_by(event.spy, strength) > 0 else NO_ANSWER

    # Spies

    def _plan(self, options: Collection[Move]) -> Move | None:
        """The plan of the spy on the move, as long as it gains; else the best one of all."""
        offered = set(options)
        mover = self.state.mover
        if mover >= 0 and self.state.spies[mover].where == "map" and self.state.spaces(mover):
            going_on = self._best(mover, offered)
            if going_on is not None:
                return going_on.move
        plans = [self._best(spy, offered) for spy, _ in self.state.own(self.power)]
        tricks = (
            plan for plan in self._tricks() if plan.gain > self._temper.worth_it and plan.move in offered
        )
        best = max([*filter(None, plans), *tricks], key=lambda plan: plan.rate, default=None)
        return self._talk(offered) if best is None else best.move

    def _best(self, spy: SpyId, offered: set[Move]) -> Plan | None:
        """The plan by which a spy gains most."""
        plans = (self._felt(plan) for plan in self.planner.plans(spy) if plan.move in offered)
        good = [plan for plan in plans if plan.gain > self._temper.worth_it]
        return max(good, key=lambda plan: plan.gain, default=None)

    def _felt(self, plan: Plan) -> Plan:
        """A plan as it seems to the bot."""
        if self._chance is None or not self._temper.whim:
            return plan
        return plan._replace(gain=plan.gain + self._temper.whim * self._chance.random())

    def _talk(self, offered: set[Move]) -> Move | None:
        before = self.state.proposals
        for other in self.state.talks:
            move = words(PROPOSE, POWERS[other])
            if move in offered and self.trader.best(self.power, other, before):
                return move
        if self.state.ap < 1 or self.state.bound(self.power):
            return None
        offer = self.trader.talk(self.power)
        if offer is None:
            return None
        move = words("diplomacy", POWERS[offer[1]])
        return move if move in offered else None

    def _tricks(self) -> Iterator[Plan]:
        """Chits that are played without a way to go."""
        state, power, worths = self.state, self.power, self.worths
        slot = worths.slot(power, ESCAPE)
        if slot is not None:
            haven = min(HAVENS, key=lambda city: cost(city, CAPITALS[power]))
            for spy in prisoners(state, power):
                gain = escaping(worths, spy) * 0.9 - worths.price(power, ESCAPE)
                yield Plan(gain, 1, chit(ESCAPE, slot, spy_code(spy), NAMES[haven]))
        slot = worths.slot(power, RECRUIT)
        if slot is not None:
            for spy in fallen(state, power):
                life = 0.4 + 0.4 * min(5, worths.turns_left(power))
                gain = worths.share(power) * 2.0 * life - worths.price(power, RECRUIT)
                yield Plan(gain, 2, chit(RECRUIT, slot, spy_code(spy), NAMES[CAPITALS[power]]))
        slot = worths.slot(power, DROP)
        if slot is not None:
            yield from self._drops(slot)

    def _drops(self, slot: int) -> Iterator[Plan]:
        """Secrets that a spy in danger hides where its way ends."""
        state, power = self.state, self.power
        for spy, piece in state.own(power):
            secret = self.worths.carried(spy)
            if secret is None or not can_drop(state, spy) or (state.spaces(spy) and state.ap > 1):
                continue
            danger = self.dangers.night(spy, loaded=True)[piece.city]
            if danger > IN_DANGER:
                load = self.targets.brought(power, secret, piece.city)
                gain = danger * 0.5 * load - self.worths.price(power, DROP)
                yield Plan(gain, 1, chit(DROP, slot, spy_code(spy)))

    # At sea

    def landed(self, options: Collection[Move], sailed: Move) -> Move:
        """Where to land after a roll, or to roll again, or to stay."""
        spy, state = self.state.mover, self.state
        sea: Sea = SEA_NAMES.index(sailed.split()[2])
        reach = dict(landings(state, spy, sea, max(DIE)))
        spaces, points = state.spaces(spy), state.ap
        worth = {
            move: self._landing(spy, CITY_NAMED[move.split()[1]], reach, 0)
            for move in options
            if move.startswith("land ")
        }
        stays = self.planner.landed(spy, state.spies[spy].city, 0, points)
        worth[STAY] = stays
        if AGAIN in options and spaces > 1:
            rolls = 0.0
            for rolled in DIE:
                ports = [
                    self._landing(spy, port, reach, 1)
                    for port, spent in reach.items()
                    if spent <= min(rolled - 1, spaces - 1, points - 1)
                ]
                rolls += max([stays, *ports]) / len(DIE)
            worth[AGAIN] = rolls - 0.1
        return max(worth, key=lambda move: worth[move])

    def _landing(self, spy: SpyId, port: City, reach: dict[City, int], more: int) -> float:
        spent = reach[port] + more
        return self.planner.landed(spy, port, self.state.spaces(spy) - spent, self.state.ap - spent)
