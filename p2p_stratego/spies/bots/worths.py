"""The worth of things to a seat, in victory points: secrets, spies, pounds, chits, and gains of rivals."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import Final

from p2p_stratego.core.game import Face, Seat, Slot
from p2p_stratego.spies.bots.beliefs import Beliefs
from p2p_stratego.spies.bots.characters import EVEN, Temper
from p2p_stratego.spies.rules.atlas import Power
from p2p_stratego.spies.rules.bids import powers_of
from p2p_stratego.spies.rules.counters import (
    CASH,
    COUNTERSPIES,
    COVER,
    DISCOVERY,
    DOUBLE_CROSS,
    DROP,
    ESCAPE,
    FIRST_YEAR,
    HAND,
    INTERCEPT,
    KINDS,
    LAST_YEAR,
    MARKER,
    MEANS,
    PAPERS,
    RECRUIT,
    REWARD,
    SANCTION,
    Chit,
)
from p2p_stratego.spies.rules.observation import funds, hand
from p2p_stratego.spies.rules.points import at_home, captive, multiple, worth
from p2p_stratego.spies.rules.state import SecretId, SpyId, State
from p2p_stratego.spies.rules.tiles import is_coloured

RIVAL: Final = {2: 0.7, 3: 0.3, 4: 0.25, 5: 0.2}
"""By number of seats: the worth of a point less for one rival, in points of one's own."""
BORROWED: Final = 0.35
"""The worth of the means of russia while it counts for nobody."""
LEAN: Final = 7.0
RICH: Final = 16.0
EVER: Final = 0.03
"""Pounds are worth much to the poor: LEAN × (1 − e^(−pounds / RICH)) + EVER × pounds."""
KEEP: Final[dict[Chit, tuple[float, ...]]] = {
    DISCOVERY: (2.2, 1.4, 0.9, 0.5, 0.3),
    PAPERS: (1.8, 1.2, 0.8, 0.5),
    ESCAPE: (1.8, 1.0, 0.5),
    COVER: (1.2, 0.9, 0.5),
    DOUBLE_CROSS: (1.4, 1.0, 0.6),
    SANCTION: (2.4, 1.4, 0.6),
    RECRUIT: (0.4, 0.1),
    DROP: (0.6, 0.2),
    INTERCEPT: (0.4, 0.1),
}
"""By chit: the worth of the first, the second … in a hand; each further one as much as the last."""
ABUNDANT: Final = (1.2, 1.2, 1.1, 1.1, 1.0, 1.0, 0.9, 0.8, 0.6, 0.5, 0.4)
"""By the number of chits in a hand: the worth that each keeps, as full hands return chits."""
BY_HAND: Final = (1.6, 1.5, 1.5, 1.4, 1.3, 1.2, 1.0, 0.8, 0.5, 0.2, 0.1)
"""By the number of chits in a hand: the worth of one more, unseen."""


def utility(pounds: float) -> float:
    """The worth of so many pounds."""
    return LEAN * (1 - exp(-max(pounds, 0.0) / RICH)) + EVER * pounds


class Worths:
    """The values of one seat at one moment."""

    def __init__(self, state: State, seat: Seat, known: Mapping[Slot, Face], temper: Temper = EVEN) -> None:
        self.temper = temper
        self.state = state
        self.seat = seat
        self.known = known
        self.beliefs = Beliefs(state, seat, known, temper.insight)
        self.rival = RIVAL[state.seats]
        self.last_year = 1938 if state.crisis else LAST_YEAR
        self._pounds: dict[Power, int] = {}
        self._changes: dict[tuple[Power, float], float] = {}
        self._weights = self._weighed()
        self._hands: dict[Power, tuple[Face | None, ...]] = {}
        self._carried = {lying.on: secret for secret, lying in enumerate(state.secrets)}

    # Powers

    def mine(self, power: Power) -> bool:
        """Whether this seat runs a power now."""
        return self.state.runs[power] == self.seat

    def hostile(self, power: Power) -> bool:
        """Whether another player acts for a power."""
        return not self.mine(power) and not self.state.idle(power) and self.state.runs[power] is not None

    def counts(self, power: Power) -> bool:
        """Whether a power's points count for anybody."""
        return not self.state.borrowed(power)

    def weight(self, power: Power) -> float:
        """The worth of a point of a power to this seat; of rivals less than 0."""
        return self._weights[power]

    def _weighed(self) -> list[float]:
        weights = [-self.rival * self.counts(power) for power in range(len(MEANS))]
        own = powers_of(self.state, self.seat)
        for power in own:
            weights[power] = 1.0
        if len(own) == 2 and self.state.handicap != "sum":
            ahead, behind = sorted(own, key=self.so_far, reverse=True)
            gap = self.so_far(ahead) - self.so_far(behind)
            share = max(0.35, 0.9 - 0.02 * gap)
            weights[behind if self.state.handicap != "lower" else ahead] = share
        return weights

    def so_far(self, power: Power) -> float:
        """The points of a power on its record, as far as this seat can tell."""
        state = self.state
        points = sum(2.0 for play in state.played if play.power == power and is_coloured(play.tile))
        points += sum(
            MARKER * multiple(power, marker.year) for marker in state.markers if marker.power == power
        )
        for spy in state.spies:
            if spy.where == "captured" and spy.captor == power and spy.face is not None:
                points += captive(state, spy, spy.face)
        for secret, lying in enumerate(state.secrets):
            if lying.where == "cashed" and lying.by == power:
                points += self.on_record(power, secret)
            elif lying.owner == power and at_home(lying):
                points += self.at_end(power, secret)
        return points

    def on_record(self, power: Power, secret: SecretId) -> float:
        """The points of a secret that a power has cashed."""
        times, face = multiple(power, self.state.secrets[secret].lost), self.beliefs.face(secret)
        return self.beliefs.promise(secret).value * times if face is None else worth(face, times)

    def at_end(self, power: Power, secret: SecretId) -> float:
        """The points of an original secret at home for its owner."""
        promise, last = self.beliefs.promise(secret), multiple(power, self.last_year)
        face = self.beliefs.face(secret)
        if face in COUNTERSPIES:
            return worth(face, last)
        return promise.genuine * promise.value * last

    def turns_left(self, power: Power) -> int:
        """The turns of a power after the one that is under way, or due."""
        left = self.last_year - self.state.year
        return left + (self.state.power < power)

    def multiple(self, power: Power, year: int | None = None) -> int:
        """The points of a value of a year on a power's record; this year, and no later one than the last."""
        return MEANS[power].multiples[min(year or self.state.year, LAST_YEAR) - FIRST_YEAR]

    # Means

    def share(self, power: Power) -> float:
        """The weight of the means of an own power."""
        return 1.0 if power in powers_of(self.state, self.seat) else BORROWED

    def pounds(self, power: Power) -> int:
        """The pounds of a power; with a closed purse the pounds that it surely has."""
        if power not in self._pounds:
            money = funds(self.state, power, self.known)
            self._pounds[power] = self.state.least[power] if money is None else money
        return self._pounds[power]

    def change(self, power: Power, pounds: float) -> float:
        """The worth to a power of gaining, or losing, so many pounds."""
        key = (power, pounds)
        if key not in self._changes:
            self._changes[key] = self._change(power, pounds)
        return self._changes[key]

    def _change(self, power: Power, pounds: float) -> float:
        has = self.pounds(power)
        late = 0.4 + 0.6 * min(1.0, self.turns_left(power) / 3)
        return late * (utility(has + pounds) - utility(has))

    def hand(self, power: Power) -> tuple[Face | None, ...]:
        """The chits of a power; None for a chit that this seat cannot read."""
        if power not in self._hands:
            self._hands[power] = hand(self.state, power, self.known)
        return self._hands[power]

    def holds(self, power: Power, kind: Chit) -> bool:
        """Whether an own power has a chit of a kind and can pay for it."""
        return kind in self.hand(power) and self.pounds(power) >= KINDS[kind].pounds

    def slot(self, power: Power, kind: Chit) -> Slot | None:
        """A chit of a kind that an own power can pay for now, in pounds and in points."""
        if not self.holds(power, kind) or self.state.ap < KINDS[kind].points:
            return None
        return self.state.hands[power][self.hand(power).index(kind)]

    def carried(self, spy: SpyId) -> SecretId | None:
        """The secret that a spy controls."""
        return self._carried.get(spy)

    def chit(self, power: Power, number: float = 1.0) -> float:
        """The worth to a power of drawing a chit, or a few."""
        has = min(HAND, len(self.state.hands[power]))
        late = min(1.0, (self.turns_left(power) + 0.2) / 2)
        return late * number * BY_HAND[min(HAND, has + int(number > 1.5))]

    def keep(self, power: Power, kind: Chit) -> float:
        """The worth of a chit in an own hand: the last one of its kind."""
        plenty = ABUNDANT[min(HAND, len(self.state.hands[power]))]
        same = max(1, self.hand(power).count(kind))
        worths = KEEP[kind]
        late = min(1.0, (self.turns_left(power) + 0.3) / 2)
        wanted = 2.5 if kind == RECRUIT and self._fallen(power) else 0.0
        return self.temper.hand * late * plenty * (wanted + worths[min(same, len(worths)) - 1])

    def _fallen(self, power: Power) -> bool:
        return any(spy.power == power and spy.where == "killed" for spy in self.state.spies)

    def price(self, power: Power, kind: Chit) -> float:
        """The cost to an own power of playing a chit."""
        return self.keep(power, kind) - self.change(power, -KINDS[kind].pounds)

    # Pieces

    def marker(self, power: Power, victim: SpyId) -> float:
        """The worth to this seat of the marker for a spy killed now; a cost if a rival gets it."""
        counts = self.counts(power) and self.counts(self.state.spies[victim].power)
        return abs(self.weight(power)) * counts * MARKER * self.multiple(power)

    def spy_life(self, spy: SpyId) -> float:
        """The worth of a spy on the map to its power."""
        power = self.state.spies[spy].power
        return 0.6 + 0.4 * min(self.turns_left(power), 5)

    def capture(self, spy: SpyId, captor: Power) -> float:
        """The gain of a power by capturing a spy, without the secret that the spy controls."""
        if self.state.borrowed(self.state.spies[spy].power):
            return 0.0
        reward = self.change(captor, REWARD) + self.chit(captor)
        if not self.counts(captor):
            return BORROWED * reward
        return self.beliefs.strength(spy) * self.multiple(captor) + reward

    def captured(self, spy: SpyId, captor: Power | None) -> float:
        """The loss of this seat by capture of an own spy, without the secret that the spy controls."""
        life = self.temper.caution * self.share(self.state.spies[spy].power) * self.spy_life(spy)
        if captor is None or not self.hostile(captor):
            return life
        return life + self.rival * self.capture(spy, captor)

    def robbed(self, power: Power, spy: SpyId) -> float:
        """The gain of this seat by an enemy's spy captured or killed: its life, and its secret."""
        owner = self.state.spies[spy].power
        gain = self.rival * self.spy_life(spy) * 0.6 * self.counts(owner)
        secret = self.carried(spy)
        if secret is not None:
            gain += 0.7 * self.denial(secret, owner)
            lying = self.state.secrets[secret]
            if lying.owner == power and lying.city == lying.origin:
                gain += self.at_end(power, secret)
        return gain

    def denial(self, secret: SecretId, holder: Power) -> float:
        """The worth to this seat of keeping a rival from cashing a secret that it controls."""
        lying = self.state.secrets[secret]
        if not self.counts(holder) or lying.owner == holder:
            return 0.0
        year = lying.lost or self.state.year
        return self.rival * self.beliefs.promise(secret).value * self.multiple(holder, year)

    def load(self, power: Power, secret: SecretId, year: int | None = None) -> float:
        """The worth of a genuine secret, cashed by an own power that gets it in `year` (None: in this)."""
        lying, valued = self.state.secrets[secret], self.beliefs.promise(secret).value
        if lying.owner == power:
            return self.at_end(power, secret)
        held_in = lying.lost or year or self.state.year
        worth = self.share(power) * (self.change(power, CASH) + self.chit(power))
        if self.counts(power):
            worth += self.weight(power) * valued * self.multiple(power, held_in)
        if lying.owner is not None and self._weights[lying.owner] < 0:
            worth += self.rival * valued * self.multiple(lying.owner, self.last_year)
        if lying.owner is None and not self.counts(power):
            worth += self.rival * valued  # nobody else can have it
        return worth
