"""Police: where they stand and what they guard, at the start and laid anew in a turn."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import Final

from p2p_stratego.core.game import Commit, Mix, Move, Slot, Turn
from p2p_stratego.spies.rules.act import WRONG_POLICE, Act, chosen, put
from p2p_stratego.spies.rules.atlas import CITY_NAMED, SIGN, SIGNED, City, Power
from p2p_stratego.spies.rules.counters import A_CITY, MEANS
from p2p_stratego.spies.rules.notation import lay, stand
from p2p_stratego.spies.rules.state import POLICE, POLICE_STAGE, Police, Secret, SecretId, State

_MOST_GUARDED: Final = max(len(means.police) for means in MEANS)


@dataclass(frozen=True, slots=True)
class Layings(Collection[Move]):
    """Every way to spread a power's police: two in a city with a sign, one in all in its other cities."""

    power: Power
    units: int
    unsigned: tuple[City, ...]

    def __contains__(self, move: object) -> bool:
        # Written again from its parts, so that each laying has one spelling; a list of all would be too long.
        return isinstance(move, str) and move in self._like(move)

    def _like(self, move: str) -> Iterator[Move]:
        """The laying that is spelt like `move`, if it is one."""
        word, digits, *_ = (*move.split(" "), "", "")
        if word == "lay" and len(digits) == len(SIGNED[self.power]) and set(digits) <= set("012"):
            counts = tuple(map(int, digits))
            yield from (lay(self.power, cities) for cities in self._spread(counts))

    def _spread(self, counts: tuple[int, ...]) -> Iterator[tuple[City, ...]]:
        signed = tuple(
            city for city, count in zip(SIGNED[self.power], counts, strict=True) for _ in range(count)
        )
        if len(signed) == self.units:
            yield signed
        elif len(signed) == self.units - 1:
            yield from ((*signed, city) for city in self.unsigned)

    def __iter__(self) -> Iterator[Move]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    @lru_cache(32)  # noqa: B019 - a value, of which few differ: up to 2,300 ways each, gone through again and again
    def _all(self) -> tuple[Move, ...]:
        every = product(range(A_CITY + 1), repeat=len(SIGNED[self.power]))
        return tuple(lay(self.power, cities) for counts in every for cities in self._spread(counts))


def layings(state: State, power: Power) -> Layings:
    """The ways to spread the police of a power now."""
    unsigned = tuple(
        city for city, owner in enumerate(state.territory) if owner == power and city not in SIGN
    )
    return Layings(power, len(state.police[power]), unsigned)


def cities_of(power: Power, move: Move) -> tuple[City, ...]:
    """Where each unit stands, by a laying."""
    _, digits, *unsigned = move.split(" ")
    signed = [city for city, count in zip(SIGNED[power], digits, strict=True) for _ in range(int(count))]
    return (*signed, *(CITY_NAMED[name] for name in unsigned))


def guarded(lying: Secret, power: Power) -> bool:
    """Whether police of a power stand on a secret."""
    return lying.by == power and lying.on == POLICE


def guards(state: State, power: Power) -> list[SecretId]:
    """The secrets that police of a power, as they stand, may stand on."""
    return [
        secret
        for secret, lying in enumerate(state.secrets)
        if lying.where == "map"
        and state.police_in(power, lying.city)
        and (guarded(lying, power) or (lying.owner == power and lying.by is None))
    ]


def standings(state: State, power: Power) -> list[Move]:
    """Every set of secrets that the police may stand on: of the units in a city each on one."""
    candidates = guards(state, power)
    moves = []
    for number in range(min(len(candidates), _MOST_GUARDED) + 1):
        for chosen_ones in combinations(candidates, number):
            cities = [state.secrets[secret].city for secret in chosen_ones]
            if all(cities.count(city) <= len(state.police_in(power, city)) for city in set(cities)):
                moves.append(stand(chosen_ones))
    return moves


def first_police(act: Act) -> Turn[None]:
    """The power whose step it is lays its police for the first time."""
    power = act.state.power
    strengths = MEANS[power].police
    slots = _new(act, len(strengths))
    yield Commit(act.state.seat(power), slots, tuple(sorted(strengths)), exactly=True)
    yield from _spread(act, power, slots, SIGNED[power] * A_CITY)


def police_anew(act: Act, power: Power) -> Turn[None]:
    """All police of a power are mixed and laid anew."""
    old = act.state.police[power]
    slots = _new(act, len(old))
    yield Mix(act.state.seat(power), tuple(unit.slot for unit in old), slots, WRONG_POLICE, chosen=True)
    act.set(stage=POLICE_STAGE)
    yield from _spread(act, power, slots, tuple(unit.city for unit in old))
    act.tell("police", power)


def _new(act: Act, number: int) -> tuple[Slot, ...]:
    first = act.state.next_police
    act.set(next_police=first + number)
    return tuple(range(first, first + number))


def _stand(act: Act, power: Power, slots: tuple[Slot, ...], cities: tuple[City, ...]) -> None:
    units = tuple(Police(slot, city) for slot, city in zip(slots, cities, strict=False))
    act.set(police=put(act.state.police, power, units))


def _spread(act: Act, power: Power, slots: tuple[Slot, ...], else_at: tuple[City, ...]) -> Turn[None]:
    """The cities, and the secrets stood on; `else_at`: where the units stand if the player has left."""
    _stand(act, power, slots, else_at)
    answer = yield from chosen(act, power, layings(act.state, power))
    if answer is not None:
        _stand(act, power, slots, cities_of(power, answer))
    before = [secret for secret, lying in enumerate(act.state.secrets) if guarded(lying, power)]
    options = standings(act.state, power)
    standing = (yield from chosen(act, power, options)) if len(options) > 1 else options[0]
    after = set() if standing is None else {int(word) for word in standing.split()[1:]}
    for secret in before:
        if secret not in after:
            act.release(secret)
    for secret in sorted(after.difference(before)):
        act.control(secret, power, POLICE)
