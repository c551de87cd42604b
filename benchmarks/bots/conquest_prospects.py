"""Fits the chance to win at Conquest Stratego to games of bots, and says how it fares in other games.

    python -m benchmarks.bots.conquest_prospects [--games 300] [--check]

It writes p2p_stratego/conquest/bots/prospects.json, unless it is only to check the weights there, and
prints the tables of docs/analysis.md.  Agents play, some of which err: every tenth or third choice is any
that the rules allow.  Games for the test have seeds of their own.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.bots.fitting import LEVELS, SAMPLED, Fit, calibration, logit, score, shares
from p2p_stratego.conquest.bots import prospects
from p2p_stratego.conquest.bots.agent import Agent
from p2p_stratego.conquest.bots.prospects import MEASURES, STRENGTH, Weights
from p2p_stratego.conquest.bots.recruit import Recruit
from p2p_stratego.conquest.rules.game import GAME
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.core.game import Face, Move, Seat
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View

SEATS: Final = (2, 3, 4)


class Sample(NamedTuple):
    """One position: the measures of the seats still in, and their shares of the win."""

    seats: int
    rows: dict[Seat, list[float]]
    ended: dict[Seat, float]


@dataclass(slots=True)
class _Erring:
    """An agent that errs now and then, and every position in which it chose."""

    agent: Agent
    recruit: Recruit
    errs: float
    chance: random.Random
    seen: list[State]

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        if view.state.turn:
            self.seen.append(view.state)
        err = view.state.turn and self.chance.random() < self.errs
        return self.recruit.decide(view) if err else self.agent.decide(view)


def samples(seats: int, seed: int) -> list[Sample]:
    """Positions of one game."""
    chance, seen = random.Random(f"conquest/{seats}/{seed}"), list[State]()
    bots = [
        _Erring(Agent(chance), Recruit(chance), LEVELS[chance.randrange(len(LEVELS))], chance, seen)
        for _ in range(seats)
    ]
    played = play(GAME, bots, {}, chance)
    winners = played.outcome.winners or frozenset(range(seats))
    positions = []
    for state in chance.sample(seen, min(SAMPLED, len(seen))):
        rows = prospects.measures(state)
        still = state.still_in
        ended = {seat: (seat in winners) / len(winners) for seat in still}
        if sum(ended.values()) > 0:
            positions.append(Sample(seats, {seat: rows[seat] for seat in still}, ended))
    return positions


def fitted(samples: Sequence[Sample], places: Sequence[int]) -> list[float]:
    """The weights of these measures."""
    positions = [
        ({seat: [row[place] for place in places] for seat, row in sample.rows.items()}, sample.ended)
        for sample in samples
    ]
    return logit(positions, len(places))


def fit(samples: Sequence[Sample]) -> Weights:
    """The weights for these positions."""
    by = {seats: [sample for sample in samples if sample.seats == seats] for seats in SEATS}
    return Weights(
        {seats: fitted(part, range(len(MEASURES))) for seats, part in by.items()},
        {seats: fitted(part, [STRENGTH])[0] for seats, part in by.items()},
    )


def written(weights: Weights) -> Mapping[str, object]:
    """The weights as `prospects.fitted` reads them."""
    return {
        "weights": {
            seats: {name: round(weight, 3) for name, weight in zip(MEASURES, of_measures, strict=True)}
            for seats, of_measures in weights.by.items()
        },
        "steepness": {seats: round(value, 3) for seats, value in weights.steepness.items()},
    }


def tables(samples: Sequence[Sample], weights: Weights) -> Iterator[str]:
    """The tables for docs/analysis.md."""
    yield "| seats | positions | all alike | by the measures |"
    yield "|---|---|---|---|"
    every = []
    for seats in SEATS:
        part = [sample for sample in samples if sample.seats == seats]
        alike = [(1 / len(sample.rows), ended) for sample in part for ended in sample.ended.values()]
        forecasts = [
            (odds, sample.ended[seat])
            for sample in part
            for seat, odds in shares(sample.rows, weights.by[seats]).items()
        ]
        every += forecasts
        yield f"| {seats} | {len(part)} | {score(alike)} | {score(forecasts)} |"
    yield from ("", "| forecast | by the measures |", "|---|---|", *calibration([every]))


FIT: Final = Fit(
    samples,
    dict.fromkeys(SEATS, 1.0),
    fit,
    prospects.fitted,
    Path(prospects.__file__).with_suffix(".json"),
    written,
    tables,
)

if __name__ == "__main__":
    FIT.run(__doc__, games=300, tests=120)
