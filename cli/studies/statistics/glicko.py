"""Ratings by Glicko-2, from M. E. Glickman, "Example of the Glicko-2 system" (2012): steps and names are his.

No library is used: of those in the package index, `glicko2` (last released in 2024) puts the rating where
step 5 has the deviation, and `glicko2-py` is a first version that brings stores for databases.
The worked example of the paper is a test.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

TAU: Final = 0.5
"""How much the volatility may change (paper: 0.3 to 1.2)."""
SCALE: Final = 173.7178
"""Of a rating to the scale on which the paper calculates."""
MIDDLE: Final = 1500.0
UNSURE: Final = 350.0
"""The deviation of a player of whom nothing is known, and the largest one."""
_CLOSE: Final = 0.000001


class Rating(NamedTuple):
    """A rating, its deviation (with 95 % the strength lies within two of them), and the volatility."""

    rating: float = MIDDLE
    deviation: float = UNSURE
    volatility: float = 0.06


class Played(NamedTuple):
    """Games against a player of this rating, and their score on average: a win 1, a draw ½, a loss 0."""

    against: Rating
    score: float
    games: int = 1


def rated(player: Rating, games: Sequence[Played]) -> Rating:
    """The rating after one period with these games; step 6 alone if there were none."""
    mu, phi = (player.rating - MIDDLE) / SCALE, player.deviation / SCALE
    if not games:
        return player._replace(deviation=min(UNSURE, SCALE * math.hypot(phi, player.volatility)))
    weighed = [_weighed(mu, game) for game in games]
    v = 1 / sum(count * g * g * hoped * (1 - hoped) for g, hoped, _, count in weighed)
    gained = sum(count * g * (score - hoped) for g, hoped, score, count in weighed)
    volatility = _volatility(player.volatility, phi, v, v * gained)
    before = math.hypot(phi, volatility)
    after = 1 / math.sqrt(1 / before**2 + 1 / v)
    return Rating(MIDDLE + SCALE * (mu + after**2 * gained), min(UNSURE, SCALE * after), volatility)


def _weighed(mu: float, game: Played) -> tuple[float, float, float, int]:
    """g, E and s of step 3, and of how many games."""
    other, deviation = (game.against.rating - MIDDLE) / SCALE, game.against.deviation / SCALE
    g = 1 / math.sqrt(1 + 3 * deviation**2 / math.pi**2)
    return g, 1 / (1 + math.exp(-g * (mu - other))), game.score, game.games


def expected(player: Rating, other: Rating) -> float:
    """The score, 0 to 1, that `player` may expect against `other`: E of step 3."""
    return _weighed((player.rating - MIDDLE) / SCALE, Played(other, 0.0))[1]


def _volatility(sigma: float, phi: float, v: float, delta: float) -> float:
    """Step 5: the Illinois form of regula falsi on the paper's f."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        ex = math.exp(x)
        return ex * (delta**2 - phi**2 - v - ex) / (2 * (phi**2 + v + ex) ** 2) - (x - a) / TAU**2

    low = a
    if delta**2 > phi**2 + v:
        high = math.log(delta**2 - phi**2 - v)
    else:
        k = 1
        while f(a - k * TAU) < 0:
            k += 1
        high = a - k * TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _CLOSE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)


class Game(NamedTuple):
    """Games between two players, by key: the `score` of the first, on average."""

    first: str
    second: str
    score: float
    games: int = 1


def over_time(periods: Iterable[tuple[int, Sequence[Game]]]) -> Mapping[str, list[tuple[int, Rating]]]:
    """By player, the rating after each period in which it played; periods are numbered, ascending."""
    history: dict[str, list[tuple[int, Rating]]] = {}
    for key, period, rating in changes(periods):
        history.setdefault(key, []).append((period, rating))
    return history


def changes(periods: Iterable[tuple[int, Sequence[Game]]]) -> Iterator[tuple[str, int, Rating]]:
    """Each new rating, with its player and period; no older one is kept.

    In the periods between two of a player, nobody but time changes its rating (step 6).
    """
    newest: dict[str, tuple[int, Rating]] = {}

    def before(key: str, period: int) -> Rating:
        known = newest.get(key)
        if known is None:
            return Rating()
        last, rating = known
        phi, idle = rating.deviation / SCALE, max(period - last - 1, 0)
        deviation = SCALE * math.sqrt(phi**2 + idle * rating.volatility**2)
        return rating._replace(deviation=min(UNSURE, deviation))

    for period, games in periods:
        then = {key: before(key, period) for game in games for key in (game.first, game.second)}
        played: dict[str, list[Played]] = {key: [] for key in then}
        for first, second, score, count in games:
            played[first].append(Played(then[second], score, count))
            played[second].append(Played(then[first], 1 - score, count))
        for key, rating in then.items():
            newest[key] = period, rated(rating, played[key])
            yield key, *newest[key]
