"""Where police stand: beside enemies to be caught now, and where own secrets need them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from p2p_stratego.spies.bots.ways import cost
from p2p_stratego.spies.bots.worths import Worths
from p2p_stratego.spies.rules.atlas import CAPITALS, SIGN, SIGNED, City, Power
from p2p_stratego.spies.rules.counters import A_CITY, COUNTERSPIES, MEANS, SPACES, value
from p2p_stratego.spies.rules.points import at_home

ANSWERED: Final = 0.75
"""How likely a search is not answered."""
VISITED: Final = 0.12
"""How likely an enemy within a turn comes to a city before the next laying."""
CAPITAL: Final = 0.4
"""The worth of guarding the capital, as spies pass there."""
TYPICAL: Final = tuple(min(1.0, strength / 6) for strength in range(20))
"""By the strength of police together: how likely it beats a spy that comes."""


class Post(NamedTuple):
    """A unit and its city."""

    city: City
    strength: int


class Guard:
    """The police of one own power."""

    def __init__(self, worths: Worths, power: Power) -> None:
        self.worths = worths
        self.state = worths.state
        self.power = power
        self._enemies = [
            (spy, piece.city)
            for spy, piece in enumerate(self.state.spies)
            if piece.where == "map" and not worths.mine(piece.power)
        ]
        self.cities = tuple(city for city, owner in enumerate(self.state.territory) if owner == power)
        self._passing = {city: self._visits(city) for city in self.cities}
        self._stakes = {city: self._stake(city) for city in self.cities}

    def _visits(self, city: City) -> float:
        near = sum(0 < cost(there, city) <= SPACES for _, there in self._enemies)
        return min(1.0, VISITED * near) if self._enemies else 2 * VISITED

    def _stake(self, city: City) -> float:
        """The stake of the power in a city: the secrets there, and the spies that may come for them."""
        worths, power = self.worths, self.power
        stake = CAPITAL if city == CAPITALS[power] else 0.1
        stake += 0.5 * worths.multiple(power) * worths.counts(power)
        for secret, lying in enumerate(self.state.secrets):
            if lying.where == "map" and lying.city == city and lying.by in (None, power):
                face = worths.beliefs.face(secret)
                if lying.owner != power:
                    stake += 1.0
                elif face in COUNTERSPIES:
                    stake += 1.0  # police on it let it act
                elif at_home(lying):
                    stake += worths.at_end(power, secret) + worths.rival * 3.0 * value(face or 2)
        return stake

    def caught(self, city: City, police: int) -> float:
        """The gain of a search of a city by so much police now."""
        gain = 0.0
        for spy, there in self._enemies:
            if there == city:
                chance = ANSWERED * self.worths.beliefs.caught_by(spy, police)
                worth = self.worths.capture(spy, self.power) + self.worths.robbed(self.power, spy)
                gain += chance * worth
        return gain

    def worth(self, city: City, police: int) -> float:
        """The worth of so much police in a city until the next laying."""
        if not police:
            return 0.0
        return self.caught(city, police) + self._passing[city] * self._stakes[city] * TYPICAL[police]

    def posts(self, units: Sequence[int]) -> list[Post]:
        """A city for each unit, by their strengths; in the order in which they are laid."""
        left = sorted(units, reverse=True)
        standing: dict[City, list[int]] = {city: [] for city in self.cities}
        while left:
            unit = left.pop(0)
            following = left[0] if left else 0
            best = max(
                (city for city in self.cities if self._may(standing, city)),
                key=lambda city: (self._marginal(standing[city], city, unit, following), -city),
            )
            standing[best].append(unit)
        signed = [Post(city, unit) for city in SIGNED[self.power] for unit in standing[city]]
        return signed + [
            Post(city, unit) for city in self.cities if city not in SIGN for unit in standing[city]
        ]

    def _may(self, standing: dict[City, list[int]], city: City) -> bool:
        if city in SIGN:
            return len(standing[city]) < A_CITY
        return not any(units for other, units in standing.items() if other not in SIGN)

    def _marginal(self, there: list[int], city: City, unit: int, following: int) -> float:
        """The gain from one unit; of two that only together are strong enough each adds half."""
        has = sum(there)
        alone = self.worth(city, has + unit) - self.worth(city, has)
        if there:
            return alone
        both = self.worth(city, unit + following) - self.worth(city, 0)
        return max(alone, both / 2)

    def total(self, posts: Sequence[Post]) -> float:
        """The worth of a laying."""
        strengths: dict[City, int] = {}
        for post in posts:
            strengths[post.city] = strengths.get(post.city, 0) + post.strength
        return sum(self.worth(city, police) for city, police in strengths.items())

    def standing(self) -> list[Post]:
        """The laying as it is."""
        known = self.worths.known
        return [Post(unit.city, known.get(unit.slot, 0)) for unit in self.state.police[self.power]]

    def best(self) -> list[Post]:
        """The best laying of all units."""
        return self.posts(MEANS[self.power].police)
