"""The chance that an own spy is lost: searched as it arrives, or caught where its turn ends.

A power may lay its police anew before it searches, so no city with a police sign is safe for a spy.
"""

from __future__ import annotations

from typing import Final

from p2p_stratego.spies.bots.worths import Worths
from p2p_stratego.spies.rules.atlas import HAVENS, NAMES, POWERS, SIGN, Power
from p2p_stratego.spies.rules.counters import MEANS, PAPERS
from p2p_stratego.spies.rules.state import SpyId

SOUGHT: Final = 0.8
"""How likely a power brings its strongest police to a spy that it finds at home."""
SOUGHT_OVERSEAS: Final = 0.35
"""The same in its cities without a sign: only one unit in all may stand there."""
CROWD: Final = 0.12
"""How much less likely for each further spy in the territory."""
WITH_PAPERS: Final = 0.35
"""The share left of a danger with Papers at hand."""
STALKED: Final = 0.02
"""How likely an enemy spy in the same city does harm; more to a spy with a secret."""
STALKED_LOADED: Final = 0.07


class Dangers:
    """The dangers of one moment to the spies of one seat."""

    def __init__(self, worths: Worths) -> None:
        self.worths = worths
        self.state = worths.state
        self._arrivals: dict[SpyId, tuple[float, ...]] = {}
        self._nights: dict[tuple[SpyId, bool], list[float]] = {}

    def _papers(self, power: Power) -> float:
        return WITH_PAPERS if self.worths.holds(power, PAPERS) else 1.0

    def arrival(self, spy: SpyId) -> tuple[float, ...]:
        """By city: how likely a search on arrival captures a spy."""
        if spy not in self._arrivals:
            papers = self._papers(self.state.spies[spy].power)
            dangers = [0.0] * len(NAMES)
            for power in range(len(POWERS)):
                if self.worths.hostile(power):
                    for city in {unit.city for unit in self.state.police[power]}:
                        dangers[city] = papers * self.worths.beliefs.search(spy, power, city)
            self._arrivals[spy] = tuple(dangers)
        return self._arrivals[spy]

    def night(self, spy: SpyId, *, loaded: bool) -> list[float]:
        """By city: how likely a spy that ends its turn there is lost before its next one."""
        if (spy, loaded) not in self._nights:
            self._nights[spy, loaded] = self._night(spy, loaded=loaded)
        return self._nights[spy, loaded]

    def _night(self, spy: SpyId, *, loaded: bool) -> list[float]:
        own = self.state.spies[spy].power
        papers = self._papers(own)
        by_power = [self._hunted(spy, power) for power in range(len(POWERS))]
        dangers = []
        for city, owner in enumerate(self.state.territory):
            danger = 0.0
            if owner is not None and self._comes(owner, own):
                danger = papers * by_power[owner][city in SIGN]
            dangers.append(danger)
        for piece in self.state.spies:
            if piece.where == "map" and piece.city not in HAVENS and self.worths.hostile(piece.power):
                dangers[piece.city] += STALKED_LOADED if loaded else STALKED
        return dangers

    def _comes(self, power: Power, own: Power) -> bool:
        """Whether a hostile power has a turn before the own one comes again."""
        if not self.worths.hostile(power):
            return False
        return self.state.phase != "spies" or power < own

    def _hunted(self, spy: SpyId, power: Power) -> tuple[float, float]:
        """How likely a power captures a spy in its cities without a sign, and in those with one."""
        if not self.worths.hostile(power):
            return 0.0, 0.0
        police = sorted((unit for unit in MEANS[power].police), reverse=True)
        crowd = sum(
            piece.where == "map" and piece.power != power and self.state.territory[piece.city] == power
            for piece in self.state.spies
        )
        sought = max(0.4, SOUGHT - CROWD * max(0, crowd - 2))
        beliefs = self.worths.beliefs
        overseas = SOUGHT_OVERSEAS * beliefs.caught_by(spy, police[0])
        return overseas, sought * beliefs.caught_by(spy, police[0] + police[1])
