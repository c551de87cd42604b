"""Fits the chance to win at Stratego to games of bots, and says how it fares in other games.

    python -m benchmarks.bots.prospects [--games 500] [--check]

It writes p2p_stratego/stratego/bots/prospects.json, unless it is only to check the weights there, and
prints the tables of docs/analysis.md.  The bots play at three levels, alike and apart: the agent, and agents
whose every tenth or third move is any that the rules allow.  Games for the test have seeds of their own.
Of quickplay there are half as many games as of smaller armies, of classic a quarter: they are longer.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from benchmarks.bots.fitting import LEVELS, PULL, ROUNDS, SAMPLED, Fit, Forecast, calibration, score, solved
from p2p_stratego.core.self_play import Decided, play
from p2p_stratego.core.view import View
from p2p_stratego.registry import GAMES
from p2p_stratego.stratego.bots import prospects
from p2p_stratego.stratego.bots.agent import Agent
from p2p_stratego.stratego.bots.opponent_model import Conduct
from p2p_stratego.stratego.bots.prospects import MEASURES, Knowing, Weights
from p2p_stratego.stratego.bots.recruit import Recruit
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.pieces import SEATS
from p2p_stratego.stratego.rules.state import State

PAIRS: Final = ((0, 0), (0, 0), (1, 1), (2, 2), (0, 1), (1, 0), (0, 2), (2, 0))
"""Which levels play each other, in turns."""
SHARES: Final = {"quickplay": 0.5, "classic": 0.25}
"""How many games of the long ones, for each of the others."""
KNOWING: Final[tuple[Knowing, ...]] = ("open", "own", "all")
Row: TypeAlias = tuple[list[float], float]
"""Measures, and how it ended: 1, 1/2 or 0."""


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
    conducts, positions = (Conduct(0), Conduct(1)), list[Sample]()
    for at, state in enumerate(seen):
        for conduct in conducts:
            conduct.watch(state)
        if at in kept:
            positions.append(_sample(state, played.faces, (conducts[0].leanings, conducts[1].leanings), red))
    return positions


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
    weights, wide = list(towards), len(towards)
    for _ in range(ROUNDS):
        slope = [PULL * (goal - weight) for goal, weight in zip(towards, weights, strict=True)]
        curve = [[0.0] * wide for _ in range(wide)]
        for i in range(wide):
            curve[i][i] = PULL
        for measured, ended in rows:
            at = [(i, value) for i, value in enumerate(measured) if value]
            odds = 1 / (1 + exp(-sum(weights[i] * value for i, value in at)))
            weight = odds * (1 - odds)
            for i, value in at:
                slope[i] += (ended - odds) * value
                row, scaled = curve[i], weight * value
                for j, other in at:
                    if j >= i:
                        row[j] += scaled * other
        step = solved(curve, slope)
        weights = [weight + change for weight, change in zip(weights, step, strict=True)]
        if max(map(abs, step)) < 1e-4:
            break
    return weights


def fit(samples: Sequence[Sample]) -> Weights:
    """The weights for these positions."""
    sizes = sorted({sample.size for sample in samples})
    by: dict[Knowing, dict[int, list[float]]] = {}
    for knowing in KNOWING:
        everywhere = fitted(_rows(samples[:: len(sizes)], knowing), [0.0] * len(MEASURES[knowing]))
        by[knowing] = {
            size: fitted(_rows([sample for sample in samples if sample.size == size], knowing), everywhere)
            for size in sizes
        }
        print(f"fitted: {knowing}", file=sys.stderr)
    steep = {
        size: fitted([([sample.lead], sample.ended) for sample in samples if sample.size == size], [0.0])[0]
        for size in sizes
    }
    return Weights(by, steep)


def _rows(samples: Iterable[Sample], knowing: Knowing) -> list[Row]:
    return [row for sample in samples for row in sample.rows[knowing]]


def written(weights: Weights) -> Mapping[str, object]:
    """The weights as `prospects.fitted` reads them."""
    return {
        "weights": {
            knowing: {
                size: {
                    name: round(weight, 3)
                    for name, weight in zip(MEASURES[knowing], of_measures, strict=True)
                }
                for size, of_measures in sizes.items()
            }
            for knowing, sizes in weights.by.items()
        },
        "steepness": {size: round(value, 3) for size, value in weights.steepness.items()},
    }


# How it fares


def _by_pieces(samples: Iterable[Sample], weights: Weights) -> list[Forecast]:
    """By the share of all pieces alone."""
    return [
        (1 / (1 + exp(-weights.steepness[sample.size] * sample.lead)), sample.ended) for sample in samples
    ]


def _forecasts(samples: Iterable[Sample], knowing: Knowing, weights: Weights) -> list[Forecast]:
    return [
        (prospects.of_measures(measured, weights.by[knowing][sample.size], 0)[0], ended)
        for sample in samples
        for measured, ended in sample.rows[knowing]
    ]


def tables(samples: Sequence[Sample], weights: Weights) -> Iterator[str]:
    """The tables for docs/analysis.md: Brier score and loss by army, and whether forecasts come true."""
    yield "| army | positions | pieces alone | nothing closed known | own known | all known |"
    yield "|---|---|---|---|---|---|"
    for name, army in ARMIES.items():
        part = [sample for sample in samples if sample.size == army.size]
        if part:
            shown = " | ".join(str(score(column)) for column in columns(part, weights))
            yield f"| {name} | {len(part)} | {shown} |"
    yield ""
    yield "| forecast | pieces alone | nothing closed known | own known | all known |"
    yield "|---|---|---|---|---|"
    yield from calibration(columns(samples, weights))


def columns(samples: Sequence[Sample], weights: Weights) -> list[list[Forecast]]:
    return [_by_pieces(samples, weights), *(_forecasts(samples, knowing, weights) for knowing in KNOWING)]


FIT: Final = Fit(
    samples,
    {army: SHARES.get(army, 1.0) for army in ARMIES},
    fit,
    prospects.fitted,
    Path(prospects.__file__).with_suffix(".json"),
    written,
    tables,
)

if __name__ == "__main__":
    FIT.run(__doc__, games=500, tests=200)
