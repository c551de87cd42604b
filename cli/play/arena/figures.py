"""What the results of many games say about two players: shares, Elo, and a test that may stop early."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import copysign, log, log10, sqrt
from typing import Final, Literal, TypeAlias

NORMAL_95: Final = 1.959964
"""The quantile of the normal distribution for two-sided 95 %."""
_EDGE: Final = 1e-9
"""A score that differs by less from 0 or 1 is 0 or 1, but for rounding."""
_TRACE: Final = 1e-3
"""What is added to each count of results: one that did not come yet is rare, and not impossible."""
ERROR: Final = 0.05
"""The share of wrong verdicts, of either kind, that a test allows."""

Accepted: TypeAlias = Literal["higher", "lower"]
"""The difference that a test has come to: that of the higher bound, or of the lower one."""


@dataclass(frozen=True, slots=True)
class Results:
    """Counts of games, as the first player sees them."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def after(self, score: float) -> Results:
        """With one more game, of a score of 1, ½ or 0."""
        return Results(self.won + (score == 1), self.drawn + (score == 0.5), self.lost + (score == 0))

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def score(self) -> float:
        """Wins, and draws as halves, in games; at least one game was played."""
        return (self.won + self.drawn / 2) / self.games


def wilson(won: float, games: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share of wins (Wilson, 1927); good near 0 and 1 too.

    With draws as halves it is too wide rather than too narrow: no other results vary as much as wins and
    losses do.
    """
    share, square = won / games, NORMAL_95**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = NORMAL_95 / (1 + square / games) * sqrt(share * (1 - share) / games + square / (4 * games**2))
    return max(middle - half, 0.0), min(middle + half, 1.0)  # but for rounding it stays within


def elo(score: float) -> float | None:
    """The difference in Elo that goes with a score (Elo, 1978, section 1.4); None at 0 and 1: no bound."""
    return 400 * log10(score / (1 - score)) if _EDGE < score < 1 - _EDGE else None


def elo_interval(results: Results) -> tuple[float | None, float | None]:
    """The 95 % confidence interval of the difference in Elo."""
    low, high = wilson(results.score * results.games, results.games)
    return elo(low), elo(high)


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of "Elo difference `higher`" against "`lower`" (Wald, 1945)."""

    lower: float
    higher: float

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test ends."""
        return log(ERROR / (1 - ERROR)), log((1 - ERROR) / ERROR)

    def ratio(self, results: Results) -> float:
        """The log-likelihood ratio of the likeliest chances to win, draw and lose with one difference and the
        other (Van den Bergh, "The generalized sequential probability ratio test", 2020).

        Without draws it is that of Wald: games far from the bounds weigh what they are worth, and no more.
        """
        low, high = (1 / (1 + 10 ** (-bound / 400)) for bound in (self.lower, self.higher))
        counts = {1.0: results.won + _TRACE, 0.5: results.drawn + _TRACE, 0.0: results.lost + _TRACE}
        tilts = _tilt(counts, low), _tilt(counts, high)
        return sum(
            count * log((1 + tilts[0] * (value - low)) / (1 + tilts[1] * (value - high)))
            for value, count in counts.items()
        )

    def accepted(self, results: Results) -> Accepted | None:
        """What the test has come to; None: it goes on."""
        low, high = self.bounds
        ratio = self.ratio(results)
        return "higher" if ratio >= high else "lower" if ratio <= low else None


def _tilt(counts: Mapping[float, float], score: float) -> float:
    """What makes the shares of results, each divided by 1 + tilt · (value − score), have the mean `score`:
    among all chances with that mean these give the counts the highest likelihood (Lagrange).

    For three results that is a root of a square equation: the one at which no chance is negative.
    """
    lost, drawn, won = (counts[value] for value in (0.0, 0.5, 1.0))
    x, y, z = -score, 0.5 - score, 1 - score
    square = x * y * z * (lost + drawn + won)
    line = lost * x * (y + z) + drawn * y * (x + z) + won * z * (x + y)
    rest = lost * x + drawn * y + won * z
    half = -(line + copysign(sqrt(line**2 - 4 * square * rest), line)) / 2  # no digits cancel
    roots = [rest / half] + ([half / square] if square else [])
    return next(root for root in roots if -1 / z < root < -1 / x)
