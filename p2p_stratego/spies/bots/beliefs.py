"""The beliefs of a seat about hidden things: chances by exact counts of the faces that it has not seen.

The lists of secrets, spies and police are public; the faces that this seat has seen are crossed off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from p2p_stratego.core.game import Face, Seat, Slot
from p2p_stratego.spies.bots.hides import odds, shelter
from p2p_stratego.spies.rules.atlas import City, Power
from p2p_stratego.spies.rules.counters import (
    ALL_SECRETS,
    COUNTERSPIES,
    COUSIN,
    MEANS,
    SPY_FACES,
    STRENGTHS,
    value,
)
from p2p_stratego.spies.rules.observation import secret_face, spy_face
from p2p_stratego.spies.rules.police import guarded
from p2p_stratego.spies.rules.state import NOWHERE, Secret, SecretId, SpyId, State

GUARDED: Final = 3.0
"""How much likelier than others a secret under police is a counterspy: only there it acts at home."""

COPIES: Final = Counter(ALL_SECRETS)
"""By face: how often it is in the list."""

Chances: TypeAlias = Mapping[Face, float]
"""By face, together 1."""


class Promise(NamedTuple):
    """The estimate of a secret."""

    genuine: float
    """How likely it is no counterspy."""
    value: float
    """Its value on average, if it is genuine."""
    strengths: tuple[tuple[int, float], ...]
    """The strengths that it may have as a counterspy, with their chances; empty if it is none."""


class Beliefs:
    """The knowledge of one seat at one moment."""

    def __init__(self, state: State, seat: Seat, known: Mapping[Slot, Face], insight: float = 0.0) -> None:
        """`insight`: how surely others are taken to hide what is dear where it is sheltered, 0 to 1."""
        self.state = state
        self._insight = insight
        self.seat = seat
        self.known = known
        self._promises: dict[SecretId, Promise] = {}
        self._spies: dict[Power, dict[Face, float]] = {}
        self._units: dict[tuple[Power, City], tuple[tuple[int, float], ...]] = {}
        self._left = self._unseen_secrets()

    def _unseen_secrets(self) -> Promise:
        """The estimate of a secret not seen, by nothing but the list."""
        heap = self._heap = Counter(ALL_SECRETS)
        sure = 0
        for secret, lying in enumerate(self.state.secrets):
            face = secret_face(self.state, secret, self.known)
            if face is not None:
                heap[face] -= 1
            elif lying.where == "cashed" or lying.by not in (None, lying.owner):
                sure += 1  # its power called it genuine, and proved it
        return _estimate({face: float(count) for face, count in heap.items()}, sure)

    def face(self, secret: SecretId) -> Face | None:
        """The face of a secret, if this seat knows it."""
        return secret_face(self.state, secret, self.known)

    def promise(self, secret: SecretId) -> Promise:
        """The estimate of a secret on the map."""
        if secret not in self._promises:
            self._promises[secret] = self._promise(secret)
        return self._promises[secret]

    def _promise(self, secret: SecretId) -> Promise:
        face, lying = self.face(secret), self.state.secrets[secret]
        if face is not None:
            false = face in COUNTERSPIES
            return Promise(float(not false), value(face), ((value(face), 1.0),) if false else ())
        by_place = self._insight and lying.owner is not None and lying.origin != NOWHERE
        promise = self._hidden(lying) if by_place else self._left
        if lying.by not in (None, lying.owner):
            return Promise(1.0, promise.value, ())
        if lying.owner is not None and guarded(lying, lying.owner):
            chance = 1 - promise.genuine
            return promise._replace(genuine=1 - GUARDED * chance / (1 + (GUARDED - 1) * chance))
        return promise

    def _hidden(self, lying: Secret) -> Promise:
        """The estimate of another's secret not seen, by the city where its power hid it, too."""
        origins = sorted(
            (other.origin for other in self.state.secrets if other.owner == lying.owner),
            key=lambda city: (shelter(city, lying.owner), city),
        )
        there = odds(len(origins))[origins.index(lying.origin)]
        anywhere = (1 - self._insight) / len(ALL_SECRETS)
        return _estimate(
            {
                face: left * (anywhere + self._insight * there[face] / COPIES[face])
                for face, left in self._heap.items()
            }
        )

    def spy(self, spy: SpyId) -> Chances:
        """How likely each face is on a spy."""
        face = spy_face(self.state, spy, self.known)
        if face is not None:
            return {face: 1.0}
        power = self.state.spies[spy].power
        if power not in self._spies:
            seen = {
                spy_face(self.state, other, self.known)
                for other in range(power * len(SPY_FACES), (power + 1) * len(SPY_FACES))
            }
            left = [unseen for unseen in SPY_FACES if unseen not in seen] or list(SPY_FACES)
            self._spies[power] = {unseen: 1 / len(left) for unseen in left}
        return self._spies[power]

    def strength(self, spy: SpyId) -> float:
        """The strength of a spy, on average."""
        return sum(STRENGTHS[face] * chance for face, chance in self.spy(spy).items())

    def cousin(self, spy: SpyId) -> float:
        """How likely a spy is its power's cousin."""
        return self.spy(spy).get(COUSIN, 0.0)

    def beaten(self, spy: SpyId, secret: SecretId) -> float:
        """How likely a counterspy there captures a spy."""
        mine = self.spy(spy)
        return sum(
            chance * share
            for strength, chance in self.promise(secret).strengths
            for face, share in mine.items()
            if face != COUSIN and STRENGTHS[face] < strength
        )

    def caught_by(self, spy: SpyId, police: int) -> float:
        """How likely police of this strength together beat a spy."""
        return sum(chance for face, chance in self.spy(spy).items() if STRENGTHS[face] < police)

    def police(self, power: Power, city: City) -> tuple[tuple[int, float], ...]:
        """The sums that a power's police in a city may have, with their chances; () for no police."""
        if (power, city) not in self._units:
            self._units[power, city] = self._police(power, city)
        return self._units[power, city]

    def _police(self, power: Power, city: City) -> tuple[tuple[int, float], ...]:
        heap = Counter(MEANS[power].police)
        sure, closed = 0, 0
        for unit in self.state.police[power]:
            face = unit.face if unit.face is not None else self.known.get(unit.slot)
            if face is not None:
                heap[face] -= 1
            if unit.city == city:
                sure += face or 0
                closed += face is None
        if not sure and not closed:
            return ()
        return spread(tuple(sorted(heap.elements())), closed, sure)

    def search(self, spy: SpyId, power: Power, city: City) -> float:
        """How likely a search by a power's police in a city captures a spy."""
        return sum(chance * self.caught_by(spy, police) for police, chance in self.police(power, city))


def _estimate(weights: Mapping[Face, float], sure: int = 0) -> Promise:
    """Of a secret with one of these faces, each as likely as its weight; `sure`: so many are genuine."""
    false = {face: weight for face, weight in weights.items() if weight > 0 and face in COUNTERSPIES}
    true = {face: weight for face, weight in weights.items() if weight > 0 and face not in COUNTERSPIES}
    suspect, sound = sum(false.values()), sum(true.values())
    open_ones = suspect + sound - sure
    chance = min(1.0, suspect / open_ones) if open_ones > 0 else 0.0
    mean = sum(value(face) * weight for face, weight in true.items()) / sound if sound else 0.0
    return Promise(1 - chance, mean, tuple((value(face), weight / suspect) for face, weight in false.items()))


def spread(heap: tuple[int, ...], closed: int, sure: int = 0) -> tuple[tuple[int, float], ...]:
    """The sums that `closed` of the numbers in `heap` may have, on top of `sure`, with their chances."""
    sums = Counter(sure + sum(drawn) for drawn in combinations(heap, min(closed, len(heap))))
    total = sum(sums.values())
    return tuple((amount, count / total) for amount, count in sorted(sums.items()))
