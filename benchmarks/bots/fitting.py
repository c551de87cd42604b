"""What the fits of chances to win share: games of bots for the fit and for the test, scores, and the command.

The games for the test have seeds of their own.  Bots that play err now and then, so that the positions differ
more than those of good games alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import exp, log
from pathlib import Path
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

LEVELS: Final = (0.0, 0.1, 0.33)
"""The share of choices that are any that the rules allow."""
SAMPLED: Final = 16
"""Positions of each game."""
TEST: Final = 10_000_000
"""The first seed of a game for the test."""
PULL: Final = 3.0
"""How strongly weights are drawn to where they start from: the precision of a normal prior."""
ROUNDS: Final = 12
BINS: Final = 10
Forecast: TypeAlias = tuple[float, float]
"""A chance, and how it ended."""
Kind = TypeVar("Kind")
Sample = TypeVar("Sample")
Weights = TypeVar("Weights")


@dataclass(frozen=True)
class Fit(Generic[Kind, Sample, Weights]):
    """One game's fit."""

    samples: Callable[[Kind, int], list[Sample]]
    """Positions of the game of a kind that has this seed."""
    shares: Mapping[Kind, float]
    """By kind: how many games of it are played, for each that is asked for."""
    fit: Callable[[Sequence[Sample]], Weights]
    there: Callable[[], Weights]
    """Reads those that are written now."""
    file: Path
    written: Callable[[Weights], Mapping[str, object]]
    """The weights as the game reads them, each under the name of its measure."""
    tables: Callable[[Sequence[Sample], Weights], Iterable[str]]
    """The tables for docs/analysis.md."""
    indent: int | None = 1
    """Of the file; None: all in one line."""

    def run(self, about: str | None, games: int, tests: int) -> None:
        """Fit, write and test; or test alone; `games`, `tests`: how many, unless the command says it."""
        parser = argparse.ArgumentParser(description=about)
        parser.add_argument("--games", type=int, default=games, help="games to fit to, of each kind")
        parser.add_argument("--tests", type=int, default=tests, help="games for the test, of each kind")
        parser.add_argument("--check", action="store_true", help="only test the weights that are there")
        arguments = parser.parse_args()
        if arguments.check:
            weights = self.there()
        else:
            weights = self.fit(self.play(0, arguments.games))
            content = {"games": arguments.games, **self.written(weights)}
            self.file.write_text(json.dumps(content, indent=self.indent) + "\n", encoding="utf-8")
        print("\n".join(self.tables(self.play(TEST, arguments.tests), weights)))

    def play(self, first: int, count: int) -> list[Sample]:
        """Positions of so many games of each kind, from the seed `first` on."""
        positions = list[Sample]()
        with ProcessPoolExecutor() as pool:
            for kind, share in self.shares.items():
                seeds = range(first, first + round(count * share))
                for part in pool.map(partial(self.samples, kind), seeds, chunksize=5):
                    positions += part
                print(f"played: {kind}", file=sys.stderr)
        return positions


Rows: TypeAlias = Mapping[int, Sequence[float]]
"""By seat: its measures."""


def logit(positions: Sequence[tuple[Rows, Mapping[int, float]]], wide: int) -> list[float]:
    """The weights of `wide` measures in a conditional logit with a normal prior around 0, by Newton.

    `positions`: the measures of the seats still in, and their shares of the win.
    """
    weights = [0.0] * wide
    for _ in range(ROUNDS):
        slope = [-PULL * weight for weight in weights]
        curve = [[PULL * (i == j) for j in range(wide)] for i in range(wide)]
        for rows, ended in positions:
            odds = shares(rows, weights)
            mean = [sum(odds[seat] * row[i] for seat, row in rows.items()) for i in range(wide)]
            for seat, row in rows.items():
                apart = [value - middle for value, middle in zip(row, mean, strict=True)]
                for i in range(wide):
                    slope[i] += (ended[seat] - odds[seat]) * row[i]
                    scaled = odds[seat] * apart[i]
                    for j in range(i, wide):
                        curve[i][j] += scaled * apart[j]
        step = solved(curve, slope)
        weights = [weight + change for weight, change in zip(weights, step, strict=True)]
        if max(map(abs, step)) < 1e-4:
            break
    return weights


def shares(rows: Rows, weights: Sequence[float]) -> dict[int, float]:
    """The chance of each seat, in proportion to the exponential of its weighed sum."""
    sums = {
        seat: exp(sum(weight * value for weight, value in zip(weights, row, strict=True)))
        for seat, row in rows.items()
    }
    return {seat: weight / sum(sums.values()) for seat, weight in sums.items()}


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a positive definite system, by Gauss's elimination; both are used up.

    Of the matrix, which is symmetric, only the upper half is read.
    """
    wide = len(right)
    for i in range(wide):
        for j in range(i):
            matrix[i][j] = matrix[j][i]
    for i in range(wide):
        for j in range(i + 1, wide):
            factor = matrix[j][i] / matrix[i][i]
            if factor:
                for k in range(i, wide):
                    matrix[j][k] -= factor * matrix[i][k]
                right[j] -= factor * right[i]
    for i in reversed(range(wide)):
        right[i] = (right[i] - sum(matrix[i][k] * right[k] for k in range(i + 1, wide))) / matrix[i][i]
    return right


# How it fares


class Score(NamedTuple):
    """How forecasts fared: the mean square error, and the mean logarithmic loss in nats."""

    brier: float
    loss: float

    def __str__(self) -> str:
        return f"{self.brier:.3f}, {self.loss:.3f}"


def score(forecasts: Sequence[Forecast]) -> Score:
    """The score of chances and ends."""
    count = len(forecasts)
    brier = sum((odds - ended) ** 2 for odds, ended in forecasts) / count
    loss = -sum(
        ended * log(max(odds, 1e-9)) + (1 - ended) * log(max(1 - odds, 1e-9)) for odds, ended in forecasts
    )
    return Score(brier, loss / count)


def calibration(shown_in: Sequence[Sequence[Forecast]]) -> Iterator[str]:
    """Rows of a table: of each tenth of the forecasts, in each column, how often they came true."""
    for tenth in range(BINS):
        shown = " | ".join(
            _came([forecast for forecast in column if min(int(forecast[0] * BINS), BINS - 1) == tenth])
            for column in shown_in
        )
        yield f"| {100 * tenth // BINS} to {100 * (tenth + 1) // BINS} % | {shown} |"


def _came(part: Sequence[Forecast]) -> str:
    """How likely it was said to be, and how often it came true."""
    if not part:
        return "-"
    expected, came = (sum(forecast[at] for forecast in part) / len(part) for at in (0, 1))
    return f"{100 * expected:.0f} %: {100 * came:.0f} % of {len(part)}"
