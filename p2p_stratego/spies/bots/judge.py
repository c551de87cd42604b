"""The worth of a choice to the agent: what secrets promise, what ways cost, what chits are kept for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final

from p2p_stratego.core.game import Move
from p2p_stratego.core.view import View
from p2p_stratego.spies.bots.distances import distance
from p2p_stratego.spies.rules.atlas import CAPITALS, CITY_NAMED, City, Power
from p2p_stratego.spies.rules.counters import (
    CHIT_NAMES,
    COUNTERSPIES,
    COUSIN,
    FIRST_YEAR,
    MEANS,
    PAPERS,
    STRENGTHS,
    value,
)
from p2p_stratego.spies.rules.notation import NO_ANSWER
from p2p_stratego.spies.rules.observation import hand, secret_face, spy_face
from p2p_stratego.spies.rules.state import DROP, SPY_CODED, SecretId, SpyId, State
from p2p_stratego.spies.rules.tiles import TILES, is_coloured

_KEEP: Final = {
    "papers": 5.0,
    "discovery": 9.0,
    "escape": 6.0,
    "cover": 4.0,
    "double-cross": 5.0,
    "sanction": 3.0,
    "recruit": 1.0,
    "drop": 0.5,
    "intercept": 0.5,
}
"""What a chit in hand is worth."""


class Judge:
    """Weighs the options of one question."""

    def __init__(self, state: State, view: View[State], offered: Collection[Move]) -> None:
        self.state = state
        self.view = view
        self.seat = view.seat
        self.power: Power = state.power
        self.offered = offered
        self._goals: dict[SpyId, tuple[float, City | None]] = {}

    def worth(self, said: Move) -> float:
        """The worth of a choice; to do nothing more is worth 0."""
        if said in SPY_CODED:
            return 1.0
        word, *parts = said.split(" ")
        weigh = _WEIGHED.get(word)
        return _PLAIN.get(word, 0.0) if weigh is None else weigh(self, parts)

    # The turn

    def multiple(self, power: Power, year: int | None = None) -> int:
        return MEANS[power].multiples[(year or self.state.year) - FIRST_YEAR]

    def tile(self, parts: list[str]) -> float:
        tile = TILES[self.view.known[int(parts[0])]]
        worth = 4.0 * is_coloured(tile.id)
        for award in tile.awards:
            for power in range(5):
                if self.state.territory[award.city] == power:
                    continue
                if any(piece.city == award.city for _, piece in self.state.own(power)):
                    sign = 1.0 if self.state.runs[power] == self.seat else -0.3
                    worth += sign * (award.chits * 1.6 + award.pounds * 0.8)
        return worth - 1.0

    def discard(self, parts: list[str]) -> float:
        tile = TILES[self.view.known[int(parts[0])]]
        return -1.5 * is_coloured(tile.id)

    def police(self, _: list[str]) -> float:
        threat = sum(
            not self.state.police_in(self.power, piece.city)
            for piece in self.state.spies
            if piece.where == "map"
            and piece.power != self.power
            and self.state.territory[piece.city] == self.power
        )
        return 2.0 * threat

    def search(self, parts: list[str]) -> float:
        if not parts:  # of one that arrives
            return 2.0
        city = CITY_NAMED[parts[0]]
        return 6.0 + sum(4.0 for spy in self.state.spies_in(city) if self.state.carried(spy) is not None)

    def discovery(self, parts: list[str]) -> float:
        spy = SPY_CODED[parts[1]]
        secret = self.state.named(CITY_NAMED[parts[2]])
        prize = -1.0 if secret is None else self._prize(spy, secret)
        return 50.0 + prize if prize > 0 else -1.0

    def _prize(self, spy: SpyId, secret: SecretId) -> float:
        """What a secret promises to a spy."""
        lying, power = self.state.secrets[secret], self.state.spies[spy].power
        face = secret_face(self.state, secret, self.view.known)
        if lying.owner is not None and self.state.runs[lying.owner] == self.seat and lying.owner != power:
            return -1.0
        if face in COUNTERSPIES:
            return -1.0
        worth = 4.0 + (value(face) if face is not None else 2.4) * self.multiple(power)
        if face is None and (lying.by is not None or lying.owner is None):
            mine = spy_face(self.state, spy, self.view.known) or 0
            worth -= 1.5 * (5 - STRENGTHS[mine]) * (mine != COUSIN)
        if lying.by is not None and lying.on >= 0:
            worth += 1.0
        return worth

    def sanction(self, parts: list[str]) -> float:
        spy, victim = SPY_CODED[parts[1]], SPY_CODED[parts[2]]
        secret = self.state.carried(victim)
        power = self.state.spies[spy].power
        if secret is None or self.state.carried(spy) is not None:
            return 1.5 * self.multiple(power) - 5.0
        return 20.0 + 2.0 * self.multiple(power)

    def escape(self, parts: list[str]) -> float:
        if self.view.asked and NO_ANSWER in self.offered:
            return self._saved(parts) - 3.0
        return 12.0 - 0.01 * distance(CITY_NAMED[parts[2]], CAPITALS[self.power])

    def recruit(self, parts: list[str]) -> float:
        return 10.0 + (CITY_NAMED[parts[2]] == CAPITALS[self.power])

    def move(self, parts: list[str]) -> float:
        spy = SPY_CODED[parts[0]]
        return self._progress(spy, CITY_NAMED[parts[1]])

    def _progress(self, spy: SpyId, city: City) -> float:
        """How far a step leads to what the spy is after."""
        worth, goal = self.goal(spy)
        here = self.state.spies[spy].city
        if goal is None or distance(city, goal) >= distance(here, goal):
            return -1.0
        steps = distance(here, goal)
        going_on = 0.6 * (spy == self.state.mover)  # another that begins to move ends its way
        return worth / (steps + 2.0) + going_on + 0.01 * self.state.spaces(spy) - self._danger(spy, city)

    def _danger(self, spy: SpyId, city: City) -> float:
        there = self.state.police_of(city)
        if there is None or self.state.runs[there] == self.seat or self.state.idle(there):
            return 0.0
        strength = 2.4 * len(self.state.police_in(there, city))
        mine = STRENGTHS[spy_face(self.state, spy, self.view.known) or 0]
        papers = PAPERS in hand(self.state, self.state.spies[spy].power, self.view.known)
        stake = 2.0 + 4.0 * (self.state.carried(spy) is not None)
        return stake * max(0.0, min(1.0, (strength - mine + 1.0) / 3.0)) * (0.3 if papers else 1.0)

    def goal(self, spy: SpyId) -> tuple[float, City | None]:
        """What a spy is after: its capital with a foreign secret, else the best secret."""
        if spy not in self._goals:
            self._goals[spy] = self._goal(spy)
        return self._goals[spy]

    def _goal(self, spy: SpyId) -> tuple[float, City | None]:
        piece = self.state.spies[spy]
        carried = self.state.carried(spy)
        if carried is not None and self.state.secrets[carried].owner != piece.power:
            return 60.0, CAPITALS[piece.power]
        best: tuple[float, City | None] = (0.0, None)
        claimed = {goal for other, (_, goal) in self._goals.items() if other != spy and goal is not None}
        for secret, lying in enumerate(self.state.secrets):
            if lying.where != "map" or piece.power in (lying.by, lying.owner):
                continue
            if lying.on == DROP or lying.city in claimed:
                continue
            prize = self._prize(spy, secret)
            way = distance(piece.city, lying.city) + 0.7 * distance(lying.city, CAPITALS[piece.power])
            guarded = len(self.state.police_in(lying.owner, lying.city)) if lying.owner is not None else 0
            score = (prize - 2.0 * guarded) * 4.0 / (way + 4.0)
            if prize > 0 and score > best[0]:
                best = (score, lying.city)
        return best[0] * 3.0, best[1]

    def take(self, parts: list[str]) -> float:
        spy, secret = SPY_CODED[parts[0]], self.state.named(CITY_NAMED[parts[1]])
        if secret is None or self.state.secrets[secret].owner == self.power:
            return -1.0
        lying = self.state.secrets[secret]
        if lying.on >= 0 and self.state.spaces(lying.on) > 0:
            return -1.0
        return 30.0 if self.state.spaces(spy) > 0 else -1.0

    # Answers and the rest

    def _saved(self, _: list[str]) -> float:
        event = self.state.report[-1]
        if event.kind == "searches":
            return 10.0 if self.state.carried(event.spy) is not None else 5.0
        return 8.0

    def papers(self, parts: list[str]) -> float:
        return self._saved(parts)

    def surplus(self, parts: list[str]) -> float:
        return -_KEEP[CHIT_NAMES[self.view.known[int(parts[0])]]]

    def at(self, parts: list[str]) -> float:
        """Where secrets and spies begin."""
        city = CITY_NAMED[parts[0]]
        if self.state.phase == "secrets":
            return distance_from_foes(city, self.power)
        near = [
            4.0 / (1 + distance(city, lying.city))
            for lying in self.state.secrets
            if lying.where == "map" and lying.owner is None
        ]
        own = sum(piece.city == city for _, piece in self.state.own(self.power))
        return max(near) + 3.0 / (2 + distance(city, CAPITALS[self.power])) - 3.0 * own

    def bid(self, parts: list[str]) -> float:
        return -float(parts[0])

    def stand(self, parts: list[str]) -> float:
        """Police stand on counterspies, so that these act."""
        worth = 0.0
        for secret in map(int, parts):
            face = secret_face(self.state, secret, self.view.known)
            worth += 5.0 if face in COUNTERSPIES else 0.2
        return worth


def distance_from_foes(city: City, power: Power) -> float:
    """The mean way from the capitals of the others."""
    ways = [distance(CAPITALS[other], city) for other in range(5) if other != power]
    return sum(ways) / len(ways)


_PLAIN: Final = {
    "no": -5.0,
    "cash": 1000.0,
    "land": 1.0,
    "cover": 5.0,
    "double-cross": 4.0,
    "intercept": 6.0,
    "seize": 10.0,
    "sail": -1.0,
    "give": -1.0,
    "leave": -1.0,
    "drop": -1.0,
    "diplomacy": -1.0,
    "propose": -1.0,
    "accept": -1.0,
}
"""By the first word of a choice: a worth that does not depend on the rest."""
_WEIGHED: Final[Mapping[str, Callable[[Judge, list[str]], float]]] = {
    "tile": Judge.tile,
    "discard": Judge.discard,
    "police": Judge.police,
    "search": Judge.search,
    "discovery": Judge.discovery,
    "sanction": Judge.sanction,
    "escape": Judge.escape,
    "recruit": Judge.recruit,
    "move": Judge.move,
    "take": Judge.take,
    "papers": Judge.papers,
    "return": Judge.surplus,
    "at": Judge.at,
    "bid": Judge.bid,
    "stand": Judge.stand,
}
"""By the first word: how the rest is weighed."""
