"""The plan of a spy for this turn: the best way with a secret to pick up on it, and where the spy ends.

A raid counts as a whole: the way in with its searches, the Discovery, the way out or home with what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from p2p_stratego.core.game import Move
from p2p_stratego.spies.bots.dangers import Dangers
from p2p_stratego.spies.bots.targets import Targets
from p2p_stratego.spies.bots.ways import LEGS, Leg
from p2p_stratego.spies.bots.worths import Worths
from p2p_stratego.spies.rules.atlas import CAPITALS, HAVENS, NAMES, City, Power
from p2p_stratego.spies.rules.counters import COUSIN, DISCOVERY, DOUBLE_CROSS, SANCTION, Chit
from p2p_stratego.spies.rules.notation import chit, words
from p2p_stratego.spies.rules.state import NOWHERE, SecretId, SpyId, spy_code
from p2p_stratego.spies.rules.turn.discovery import from_friend

A_POINT: Final = 0.12
"""The worth of an action point of this turn at least."""
START: Final = 2.0
"""Plans are compared by their gain over their points and these: a plan for many points is not put off."""
ANSWERED: Final = 0.06
"""How much likelier each chit in the victim's hand makes an answer to a Sanction."""
TURNED: Final = 0.035
"""The same of a Double Cross, which kills the assassin; half of it against an owner of both chits."""
FREE_AGAIN: Final = 1.5
"""The worth of a spy back home that can go out again, beside the secret that it brought."""
MOST_TARGETS: Final = 8


class Plan(NamedTuple):
    """The doings of a spy in this turn."""

    gain: float
    points: int
    move: Move
    """How it begins."""
    city: City = NOWHERE
    """Where the way ends, or leads to the secret."""
    secret: SecretId | None = None
    """What it is for, if it is for a secret."""

    @property
    def rate(self) -> float:
        """By what plans are compared."""
        return self.gain / (self.points + START)


class Reached(NamedTuple):
    """A city that a spy can come to."""

    city: City
    spaces: int
    free: float
    """How likely no search captures it on the way."""
    luck: float
    """How likely the sea lets it."""
    first: Leg | None


class Catch(NamedTuple):
    """Something to do in a city on the way."""

    points: int
    move: Move
    price: float
    succeeds: float
    """How likely the spy then has the secret."""
    lost: float
    """How likely the spy is lost instead."""
    secret: SecretId | None
    gain: float
    """The gain there and then."""
    before: float
    """The worth of the secret to the seat where it was."""


Value: TypeAlias = Callable[[City], float]


@lru_cache(maxsize=4096)  # the dangers stay the same through most of a turn
def _reach(start: City, spaces: int, danger: tuple[float, ...]) -> tuple[Reached, ...]:
    layers: list[dict[City, Reached]] = [{} for _ in range(spaces + 1)]
    layers[0][start] = Reached(start, 0, 1.0, 1.0, None)
    best: dict[City, float] = {}
    ways = []
    for spent, layer in enumerate(layers):
        for city, at in layer.items():
            chance = at.free * at.luck
            if chance <= best.get(city, 0.0):
                continue
            best[city] = chance
            ways.append(at)
            for leg in LEGS[city]:
                then = spent + leg.spaces
                if then > spaces:
                    continue
                free = at.free * (1.0 - danger[leg.to])
                luck = at.luck * leg.luck
                known = layers[then].get(leg.to)
                if free * luck > best.get(leg.to, 0.0) and (
                    known is None or free * luck > known.free * known.luck
                ):
                    layers[then][leg.to] = Reached(leg.to, then, free, luck, at.first or leg)
    return tuple(ways)


def _by_city(pieces: Iterable[tuple[int, City]]) -> dict[City, list[int]]:
    cities: dict[City, list[int]] = {}
    for piece, city in pieces:
        cities.setdefault(city, []).append(piece)
    return cities


class Planner:
    """Plans for the spies of the power to move."""

    def __init__(self, worths: Worths, dangers: Dangers, targets: Targets) -> None:
        self.worths = worths
        self.dangers = dangers
        self.targets = targets
        self.state = worths.state
        self._rests: dict[tuple[SpyId, City], float] = {}
        self._losses: dict[tuple[SpyId, City], float] = {}
        self._slots: dict[tuple[Power, Chit], int | None] = {}
        self._reaches: dict[tuple[SpyId, City, int], Sequence[Reached]] = {}
        self._aims: dict[SpyId, dict[City, list[SecretId]]] = {}
        # A plan asks every city on the way what lies and stands there, and nearly all are empty.
        self._secrets = _by_city(
            (secret, lying.city) for secret, lying in enumerate(self.state.secrets) if lying.where == "map"
        )
        self._spies = _by_city(
            (spy, piece.city) for spy, piece in enumerate(self.state.spies) if piece.where == "map"
        )

    # Where a spy can come to

    def reach(self, spy: SpyId, start: City, spaces: int) -> Sequence[Reached]:
        """The cities within so many spaces, each by the ways that are not worse than a shorter one."""
        key = (spy, start, spaces)
        if key not in self._reaches:
            self._reaches[key] = _reach(start, spaces, self.dangers.arrival(spy))
        return self._reaches[key]

    # What it is worth to end there

    def lost(self, spy: SpyId, city: City) -> float:
        """The loss of the seat if a spy is captured in a city."""
        key = (spy, city)
        if key not in self._losses:
            self._losses[key] = self.worths.captured(spy, self.state.territory[city])
        return self._losses[key]

    def rest(self, spy: SpyId, city: City) -> float:
        """The worth of a spy without a secret at the end of its turn in a city."""
        key = (spy, city)
        if key not in self._rests:
            danger = min(1.0, self.dangers.night(spy, loaded=False)[city])
            hope = self.targets.seek(spy, city) + self.targets.award(spy, city)
            self._rests[key] = (1 - danger) * hope - danger * self.lost(spy, city)
        return self._rests[key]

    def loaded(self, spy: SpyId, secret: SecretId, load: float) -> Value:
        """The worth of a spy with a secret at the end of its turn in a city."""
        power, lying = self.state.spies[spy].power, self.state.secrets[secret]
        night = self.dangers.night(spy, loaded=True)
        goal = lying.origin if lying.owner == power else CAPITALS[power]
        denied = self.worths.rival * 0.3 * load if lying.owner is not None and lying.owner != power else 0.0

        def value(city: City) -> float:
            if city == goal:
                return load + FREE_AGAIN * min(1.0, 0.5 * self.worths.turns_left(power))
            danger = min(1.0, night[city])
            hope = self.targets.carried(power, secret, city, load) + self.targets.award(spy, city)
            return (1 - danger) * hope - danger * (self.lost(spy, city) + denied)

        return value

    def onward(self, spy: SpyId, city: City, spaces: int, value: Value) -> float:
        """The best that a spy can make of so many spaces from a city."""
        here = best = value(city)
        for at in self.reach(spy, city, max(0, spaces)):
            best = max(best, self._risked(spy, at, value(at.city), here) - A_POINT * at.spaces)
        return best

    def _risked(self, spy: SpyId, at: Reached, there: float, else_here: float) -> float:
        """The worth of a way: at its end, or where the sea leaves the spy, or captured."""
        if at.spaces == 0:
            return there
        captured = (1 - at.free) * self.lost(spy, at.city) if at.free < 1 else 0.0
        return at.free * (at.luck * there + (1 - at.luck) * min(there, else_here)) - captured

    # Plans

    def plans(self, spy: SpyId) -> Iterator[Plan]:
        """All that a spy may do, and what each gains against doing nothing."""
        state = self.state
        here, ap = state.spies[spy].city, state.ap
        secret = self.worths.carried(spy)
        value = self._value(spy, secret)
        base = value(here)
        ways = self.reach(spy, here, min(state.spaces(spy), ap))
        for at in ways:
            if at.first is not None:
                worth = self._risked(spy, at, value(at.city), base)
                gain = worth - base - A_POINT * at.spaces
                yield Plan(gain, at.spaces, self._begin(spy, at.first), at.city)
        for at in ways if secret is None else ways[:1]:
            for catch in self.catches(spy, at.city):
                if at.spaces + catch.points <= ap:
                    yield self._caught(spy, at, catch, base, value)

    def _value(self, spy: SpyId, secret: SecretId | None) -> Value:
        if secret is None:
            return lambda city: self.rest(spy, city)
        return self.loaded(spy, secret, self.worths.load(self.state.spies[spy].power, secret))

    def _begin(self, spy: SpyId, leg: Leg) -> Move:
        word, goal = leg.words
        return words(word, spy_code(spy), goal)

    def _caught(self, spy: SpyId, at: Reached, catch: Catch, base: float, value: Value) -> Plan:
        """A way with something done in a city on it."""
        state = self.state
        points = at.spaces + catch.points
        left = min(state.spaces(spy) - at.spaces, state.ap - points)
        there = self._done(spy, at.city, catch, left, value)
        worth = self._risked(spy, at, there, base) - catch.price - catch.before
        move = catch.move if at.first is None else self._begin(spy, at.first)
        return Plan(worth - base - A_POINT * points, points, move, at.city, catch.secret)

    def _done(self, spy: SpyId, city: City, catch: Catch, left: int, value: Value) -> float:
        """The worth of doing something in a city, and of going on with so many spaces."""
        without = self.onward(spy, city, left, value)
        there = without
        if catch.secret is not None:
            load = self.worths.load(self.state.spies[spy].power, catch.secret)
            with_it = self.onward(spy, city, left, self.loaded(spy, catch.secret, load))
            there = catch.succeeds * with_it + (1 - catch.succeeds) * without
        return (1 - catch.lost) * there + catch.gain - catch.lost * self.lost(spy, city)

    def landed(self, spy: SpyId, city: City, spaces: int, points: int) -> float:
        """The worth of arriving in a city with so many spaces and points left."""
        secret = self.worths.carried(spy)
        value = self._value(spy, secret)
        best = self.onward(spy, city, min(spaces, points), value)
        for catch in self.catches(spy, city) if secret is None else ():
            left = min(spaces, points - catch.points)
            if left >= 0:
                worth = self._done(spy, city, catch, left, value) - catch.price - catch.before
                best = max(best, worth)
        risk = self.dangers.arrival(spy)[city]
        return (1 - risk) * best - risk * self.lost(spy, city)

    # Things to do on the way

    def catches(self, spy: SpyId, city: City) -> Iterator[Catch]:
        """The doings of a spy in a city: discover, take over, kill."""
        if city in HAVENS:
            yield from self._taken(spy, city)
            return
        if self.worths.carried(spy) is None:
            yield from self._taken(spy, city)
            yield from self._discovered(spy, city)
        yield from self._killed(spy, city)

    def _slot(self, spy: SpyId, kind: Chit) -> int | None:
        """A chit of a kind that the spy's power can pay for now."""
        key = (self.state.spies[spy].power, kind)
        if key not in self._slots:
            self._slots[key] = self.worths.slot(*key)
        return self._slots[key]

    def _discovered(self, spy: SpyId, city: City) -> Iterator[Catch]:
        slot = self._slot(spy, DISCOVERY)
        if slot is None:
            return
        state, power = self.state, self.state.spies[spy].power
        price = self.worths.price(power, DISCOVERY)
        for secret in self._aimed(spy).get(city, ()):
            lying = state.secrets[secret]
            promise = self.worths.beliefs.promise(secret)
            keeper = lying.owner if lying.by is None else lying.by
            stands = self.targets.stands(keeper)
            acting = lying.owner is None or lying.by is not None
            lost = stands * (1 - promise.genuine) * self.worths.beliefs.beaten(spy, secret) if acting else 0.0
            gain = self._rescued(secret)
            code = chit(DISCOVERY, slot, spy_code(spy), NAMES[lying.origin])
            yield Catch(2, code, price, stands * promise.genuine, lost, secret, stands * gain, 0.0)

    def _aimed(self, spy: SpyId) -> dict[City, list[SecretId]]:
        """By city, the secrets there that a spy may go for, the best first."""
        if spy not in self._aims:
            best = self.targets.wanted(spy)[:MOST_TARGETS]
            self._aims[spy] = _by_city((secret, self.state.secrets[secret].city) for _, secret in best)
        return self._aims[spy]

    def _rescued(self, secret: SecretId) -> float:
        """The worth of taking a secret from a rival."""
        lying = self.state.secrets[secret]
        if lying.by is None or lying.by == lying.owner or not self.worths.hostile(lying.by):
            return 0.0
        return 0.7 * self.worths.denial(secret, lying.by)

    def _taken(self, spy: SpyId, city: City) -> Iterator[Catch]:
        """Secrets of the own power whose holder goes no further."""
        state, power = self.state, self.state.spies[spy].power
        for secret in self._secrets.get(city, ()):
            lying = state.secrets[secret]
            if lying.by != power or lying.owner == power or city == CAPITALS[power]:
                continue
            if lying.on >= 0 and (state.spaces(lying.on) > 0 and lying.on != state.mover):
                continue
            if lying.on == spy:
                continue
            load = self.worths.load(power, secret)
            holder = lying.on if lying.on >= 0 else spy
            before = self.loaded(holder, secret, load)(city) if lying.on >= 0 else self._hidden(secret, load)
            code = words("take", spy_code(spy), NAMES[lying.origin])
            yield Catch(0, code, 0.0, 1.0, 0.0, secret, 0.0, before)

    def _hidden(self, secret: SecretId, load: float) -> float:
        """The worth of a secret in a drop, or under own police."""
        lying = self.state.secrets[secret]
        power = lying.by if lying.by is not None else 0
        return 0.6 * self.targets.carried(power, secret, lying.city, load)

    def _killed(self, spy: SpyId, city: City) -> Iterator[Catch]:
        slot = self._slot(spy, SANCTION)
        if slot is None:
            return
        state, power = self.state, self.state.spies[spy].power
        mine = self.worths.beliefs.spy(spy)
        for victim in self._spies.get(city, ()):
            owner = state.spies[victim].power
            if state.same_seat(owner, power):
                continue
            secret = self.worths.carried(victim)
            turned = (1 - mine.get(COUSIN, 0.0)) * self.worths.beliefs.cousin(victim)
            hand = len(state.hands[owner]) * self.worths.hostile(owner)
            crossed = TURNED * hand * (0.5 if self.worths.holds(power, DOUBLE_CROSS) else 1.0)
            crossed *= 1 - mine.get(COUSIN, 0.0)
            lost = turned + (1 - turned) * crossed
            stands = (1 - turned) * (1 - ANSWERED * hand)
            gain = stands * (self.worths.marker(power, victim) + self.worths.robbed(power, victim))
            gain -= lost * self.worths.marker(owner, spy)
            free = self.worths.carried(spy) is None
            free &= secret is None or not from_friend(state, power, state.secrets[secret])
            price = self.worths.price(power, SANCTION)
            code = chit(SANCTION, slot, spy_code(spy), spy_code(victim))
            yield Catch(3, code, price, stands, lost, secret if free else None, gain, 0.0)
