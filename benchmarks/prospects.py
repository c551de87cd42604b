"""Fits the chance to win at Stratego to games of bots, and says how it fares in other games.

    python -m benchmarks.prospects [--games 500] [--check]

It writes p2p_stratego/stratego/bots/prospects_data.py, unless it is only to check the weights there, and
prints the tables of docs/analysis.md.  The bots play at three levels, alike and apart: the agent, and agents
whose every tenth or third move is any that the rules allow.  Games for the test have seeds of their own.
Of quickplay there are half as many games as of smaller armies, of classic a quarter: they are longer.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import exp, log
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from p2p_stratego.core.self_play import Decided, play
from p2p_stratego.core.view import View
from p2p_stratego.registry import GAMES
from p2p_stratego.stratego.bots import prospects, prospects_data
from p2p_stratego.stratego.bots.agent import Agent
from p2p_stratego.stratego.bots.opponent_model import Conduct
from p2p_stratego.stratego.bots.prospects import MEASURES
from p2p_stratego.stratego.bots.prospects_data import Knowing
from p2p_stratego.stratego.bots.recruit import Recruit
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.pieces import SEATS
from p2p_stratego.stratego.rules.state import State

WRITTEN: Final = Path(prospects_data.__file__)
LEVELS: Final = (0.0, 0.1, 0.33)
"""The share of moves that are any that the rules allow."""
PAIRS: Final = ((0, 0), (0, 0), (1, 1), (2, 2), (0, 1), (1, 0), (0, 2), (2, 0))
"""Which levels play each other, in turns."""
SHARES: Final = {"quickplay": 0.5, "classic": 0.25}
"""How many games of the long ones, for each of the others."""
SAMPLED: Final = 16
"""Positions of each game."""
TEST: Final = 10_000_000
"""The first seed of a game for the test."""
PULL: Final = 3.0
"""How strongly weights are drawn to those of all armies, and those to 0: the precision of a normal prior."""
ROUNDS: Final = 12
KNOWING: Final[tuple[Knowing, ...]] = ("open", "own", "all")
BINS: Final = 10
Row: TypeAlias = tuple[list[float], float]
"""Measures, and how it ended: 1, 1/2 or 0."""
Forecast: TypeAlias = tuple[float, float]
"""A chance, and how it ended."""


class Weights(NamedTuple):
    """What is fitted: weights by knowledge and size, and by size how much the share alone counts."""

    by: Mapping[Knowing, Mapping[int, Sequence[float]]]
    steepness: Mapping[int, float]


class Sample(NamedTuple):
    """One position of a game, as the measures see it."""

    size: int
    rows: dict[Knowing, list[Row]]
    lead: float
    """Red's share of all pieces by worth, less blue's: -1 to 1."""
    ended: float


@dataclass(slots=True)
class _Erring:
    """An agent that errs now and then, and every position in which a move was made."""

    agent: Agent
    recruit: Recruit
    errs: float
    chance: random.Random
    seen: list[State]

    def decide(self, view: View[State]) -> Decided:
        decided = self.agent.decide(view)
        if view.state.phase != "play":
            return decided
        self.seen.append(view.state)
        return self.recruit.decide(view) if self.chance.random() < self.errs else decided


def samples(army: str, seed: int) -> list[Sample]:
    """Positions of one game."""
    chance, seen = random.Random(f"{army}/{seed}"), list[State]()
    bots = [
        _Erring(Agent(chance), Recruit(chance), LEVELS[level], chance, seen)
        for level in PAIRS[seed % len(PAIRS)]
    ]
    played = play(GAMES["stratego"], bots, {"army": army}, chance)
    red = 0.5 if not played.outcome.winners else float(0 in played.outcome.winners)
    kept = set(chance.sample(range(len(seen)), min(SAMPLED, len(seen))))
    conducts, found = (Conduct(0), Conduct(1)), list[Sample]()
    for at, state in enumerate(seen):
        for conduct in conducts:
            conduct.watch(state)
        if at in kept:
            found.append(_sample(state, played.faces, (conducts[0].leanings, conducts[1].leanings), red))
    return found


def _sample(state: State, faces: dict[int, int], leanings: prospects.Leaningses, red: float) -> Sample:
    rows: dict[Knowing, list[Row]] = {}
    for knowing in KNOWING:
        knowers = SEATS if knowing == "own" else SEATS[:1]
        rows[knowing] = []
        for seat in knowers:
            known = prospects.known_to(seat, faces, knowing)
            scene = prospects.scene(state, prospects.believed(state, known, leanings))
            rows[knowing].append((prospects.measures(scene, knowing, seat), red if seat == 0 else 1 - red))
    return Sample(state.army.size, rows, rows["open"][0][0][0], red)


# The fit


def fitted(rows: Sequence[Row], towards: Sequence[float]) -> list[float]:
    """The weights of a logistic regression with a normal prior around `towards`, by Newton's method."""
    found, wide = list(towards), len(towards)
    for _ in range(ROUNDS):
        slope = [PULL * (goal - weight) for goal, weight in zip(towards, found, strict=True)]
        curve = [[0.0] * wide for _ in range(wide)]
        for i in range(wide):
            curve[i][i] = PULL
        for measured, ended in rows:
            at = [(i, value) for i, value in enumerate(measured) if value]
            odds = 1 / (1 + exp(-sum(found[i] * value for i, value in at)))
            weight = odds * (1 - odds)
            for i, value in at:
                slope[i] += (ended - odds) * value
                row, scaled = curve[i], weight * value
                for j, other in at:
                    if j >= i:
                        row[j] += scaled * other
        step = solved(curve, slope)
        found = [weight + each for weight, each in zip(found, step, strict=True)]
        if max(map(abs, step)) < 1e-4:
            break
    return found


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


def fit(found: Sequence[Sample]) -> Weights:
    """The weights for these positions."""
    sizes = sorted({one.size for one in found})
    by: dict[Knowing, dict[int, list[float]]] = {}
    for knowing in KNOWING:
        everywhere = fitted(_rows(found, knowing)[:: len(sizes)], [0.0] * len(MEASURES[knowing]))
        by[knowing] = {
            size: fitted(_rows([one for one in found if one.size == size], knowing), everywhere)
            for size in sizes
        }
        print(f"fitted: {knowing}", file=sys.stderr)
    steep = {
        size: fitted([([one.lead], one.ended) for one in found if one.size == size], [0.0])[0]
        for size in sizes
    }
    return Weights(by, steep)


def _rows(found: Iterable[Sample], knowing: Knowing) -> list[Row]:
    return [row for one in found for row in one.rows[knowing]]


def written(weights: Weights, games: int) -> str:
    """The module with the weights."""
    lines = [
        '"""The weights of the measures of `prospects`, by knowledge and by the size of the army.',
        "",
        "Written by `make prospects` (benchmarks/prospects.py), fitted to"
        f" {games} games of bots of each small army.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Mapping",
        "from typing import Final, Literal, TypeAlias",
        "",
        'Knowing: TypeAlias = Literal["open", "own", "all"]',
        '"""Of which closed pieces the faces are known: of none, of those of one side, of all."""',
        "WEIGHTS: Final[Mapping[Knowing, Mapping[int, tuple[float, ...]]]] = {",
    ]
    for knowing, sizes in weights.by.items():
        lines.append(f'    "{knowing}": {{')
        for size, found in sizes.items():
            named = zip(found, MEASURES[knowing], strict=True)
            lines.append(f"        {size}: (")
            lines += [f"            {weight:.3f},  # {name}" for weight, name in named]
            lines.append("        ),")
        lines.append("    },")
    lines += ["}", "STEEPNESS: Final[Mapping[int, float]] = {"]
    lines += [f"    {size}: {value:.3f}," for size, value in weights.steepness.items()]
    lines += [
        "}",
        '"""By size: how much the logarithm of the odds grows with the lead in worth, which is -1 to 1."""',
    ]
    return "\n".join(lines) + "\n"


# How it fares


class Score(NamedTuple):
    """How forecasts fared: the mean square error, and the mean logarithmic loss in nats."""

    brier: float
    loss: float


def score(forecasts: Sequence[Forecast]) -> Score:
    """The score of chances and ends."""
    count = len(forecasts)
    brier = sum((odds - ended) ** 2 for odds, ended in forecasts) / count
    loss = -sum(
        ended * log(max(odds, 1e-9)) + (1 - ended) * log(max(1 - odds, 1e-9)) for odds, ended in forecasts
    )
    return Score(brier, loss / count)


def _by_pieces(found: Iterable[Sample], weights: Weights) -> list[Forecast]:
    """By the share of all pieces alone."""
    return [(1 / (1 + exp(-weights.steepness[one.size] * one.lead)), one.ended) for one in found]


def _forecasts(found: Iterable[Sample], knowing: Knowing, weights: Weights) -> list[Forecast]:
    return [
        (prospects.of_measures(measured, weights.by[knowing][one.size], 0)[0], ended)
        for one in found
        for measured, ended in one.rows[knowing]
    ]


def told(found: Sequence[Sample], weights: Weights) -> Iterator[str]:
    """The tables for docs/analysis.md: Brier score and loss by army, and whether forecasts come true."""
    yield "| army | positions | pieces alone | nothing closed known | own known | all known |"
    yield "|---|---|---|---|---|---|"
    for name, army in ARMIES.items():
        part = [one for one in found if one.size == army.size]
        if part:
            scores = [score(column) for column in columns(part, weights)]
            shown = " | ".join(f"{each.brier:.3f}, {each.loss:.3f}" for each in scores)
            yield f"| {name} | {len(part)} | {shown} |"
    yield ""
    yield "| forecast | pieces alone | nothing closed known | own known | all known |"
    yield "|---|---|---|---|---|"
    yield from calibration(columns(found, weights))


def calibration(shown_in: Sequence[Sequence[Forecast]]) -> Iterator[str]:
    """Rows of a table: of each tenth of the forecasts, in each column, how often they came true."""
    for tenth in range(BINS):
        shown = " | ".join(
            _came([each for each in column if min(int(each[0] * BINS), BINS - 1) == tenth])
            for column in shown_in
        )
        yield f"| {100 * tenth // BINS} to {100 * (tenth + 1) // BINS} % | {shown} |"


def columns(found: Sequence[Sample], weights: Weights) -> list[list[Forecast]]:
    return [_by_pieces(found, weights), *(_forecasts(found, knowing, weights) for knowing in KNOWING)]


def _came(part: Sequence[Forecast]) -> str:
    """How likely it was said to be, and how often it came true."""
    if not part:
        return "-"
    said, came = (sum(each[at] for each in part) / len(part) for at in (0, 1))
    return f"{100 * said:.0f} %: {100 * came:.0f} % of {len(part)}"


def games(first: int, count: int) -> list[Sample]:
    """Positions of so many games of each small army, from the seed `first` on."""
    found = list[Sample]()
    with ProcessPoolExecutor() as pool:
        for army in ARMIES:
            last = first + round(count * SHARES.get(army, 1))
            for part in pool.map(partial(samples, army), range(first, last), chunksize=5):
                found += part
            print(f"played: {army}", file=sys.stderr)
    return found


def main() -> None:
    """Fit, write and test; or test alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500, help="games to fit to of each small army")
    parser.add_argument("--tests", type=int, default=200, help="games for the test of each small army")
    parser.add_argument("--check", action="store_true", help="only test the weights that are there")
    arguments = parser.parse_args()
    weights = Weights(prospects_data.WEIGHTS, prospects_data.STEEPNESS)
    if not arguments.check:
        weights = fit(games(0, arguments.games))
        WRITTEN.write_text(written(weights, arguments.games), encoding="utf-8")
    print("\n".join(told(games(TEST, arguments.tests), weights)))


if __name__ == "__main__":
    main()
