"""Fits the chance to win at SPIES! to games of bots, and says how it fares in other games.

    python -m benchmarks.bots.spies_prospects [--games 100] [--tests 40] [--check]

It writes p2p_stratego/spies/bots/prospects.json, unless it is only to check the weights there, and
prints the tables of docs/analysis.md.  Agents play, some of which err: every tenth or third choice is any
that the rules allow.  Games for the test have seeds of their own.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from benchmarks.bots.fitting import LEVELS, SAMPLED, Fit, Forecast, calibration, logit, score
from p2p_stratego.core.game import Choose, Face, Move, Seat
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from p2p_stratego.spies.bots import analysis, prospects
from p2p_stratego.spies.bots.agent import Agent
from p2p_stratego.spies.bots.prospects import (
    ATTEMPTED,
    HOME,
    KNOWING,
    MEASURES,
    RECORD,
    Attempted,
    Knowing,
    Weights,
)
from p2p_stratego.spies.bots.recruit import Recruit
from p2p_stratego.spies.bots.turn import Turn
from p2p_stratego.spies.rules.game import GAME
from p2p_stratego.spies.rules.notation import END
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.underway import now

SEATS: Final = (2, 3, 4, 5)
_LEAST: Final = 1.0
"""The least score that a share is taken of."""


class Position(NamedTuple):
    """The measures by knowledge and by seat, whose own knowledge it is, and the shares of the win."""

    seats: int
    knower: Seat
    rows: dict[Knowing, list[list[float]]]
    ended: tuple[float, ...]


class Trial(NamedTuple):
    """An attempt: its odds without answers, the chits of who may answer, and whether it came right."""

    kind: Attempted
    odds: float
    chits: int
    came: bool


Sample: TypeAlias = Position | Trial


class _Noted(NamedTuple):
    """A decision."""

    view: View[State]
    state: State
    answer: Move


@dataclass(slots=True)
class _Erring:
    """An agent that errs now and then, and all its choices."""

    agent: Agent
    recruit: Recruit
    errs: float
    chance: random.Random
    noted: list[_Noted]

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        begun = prospects.begun(view.state)
        err = begun and self.chance.random() < self.errs
        answer = self.recruit.decide(view) if err else self.agent.decide(view)
        if begun and isinstance(answer, str):
            self.noted.append(_Noted(replace(view, known=dict(view.known)), now(view), answer))
        return answer


def samples(seats: int, seed: int) -> list[Sample]:
    """Positions and attempts of one game."""
    chance, noted = random.Random(f"spies/{seats}/{seed}"), list[_Noted]()
    bots = [
        _Erring(Agent(chance), Recruit(chance), LEVELS[chance.randrange(len(LEVELS))], chance, noted)
        for _ in range(seats)
    ]
    played = play(GAME, bots, {}, chance)
    winners = played.outcome.winners or frozenset(range(seats))
    ended = tuple((seat in winners) / len(winners) for seat in range(seats))
    trials = (_trial(decision, after) for decision, after in _with_ends(noted, played.states))
    return [
        *(_position(decision, ended) for decision in chance.sample(noted, min(SAMPLED, len(noted)))),
        *(trial for trial in trials if trial is not None),
    ]


def _position(decision: _Noted, ended: tuple[float, ...]) -> Position:
    rows: dict[Knowing, list[list[float]]] = {
        "seen": prospects.measures(decision.state, {}),
        "own": prospects.measures(decision.state, decision.view.known),
    }
    return Position(len(ended), decision.view.seat, rows, ended)


def _with_ends(noted: Sequence[_Noted], states: Sequence[State]) -> Iterator[tuple[_Noted, State]]:
    """Each decision with the state at the end of its step."""
    after = {id(before): state for before, state in pairwise(states)}
    return ((decision, after[id(decision.view.state)]) for decision in noted)


def _trial(decision: _Noted, after: State) -> Trial | None:
    options = decision.view.decision.options if isinstance(decision.view.decision, Choose) else ()
    tried = analysis.attempt(Turn(decision.state, decision.view), decision.answer, acts=END in options)
    return (
        None
        if tried is None
        else Trial(tried.kind, tried.odds, tried.chits, any(map(tried.came, after.report)))
    )


def _trials(samples: Sequence[Sample], kind: Attempted) -> list[Trial]:
    return [sample for sample in samples if isinstance(sample, Trial) and sample.kind == kind]


def fitted(positions: Sequence[Position], knowing: Knowing) -> list[float]:
    """The weights of the measures to somebody with this knowledge."""
    return logit(
        [
            (dict(enumerate(position.rows[knowing])), dict(enumerate(position.ended)))
            for position in positions
        ],
        len(MEASURES),
    )


def fit(samples: Sequence[Sample]) -> Weights:
    """The weights for these positions, and how often attempts are answered."""
    positions = [sample for sample in samples if isinstance(sample, Position)]
    by = {seats: [position for position in positions if position.seats == seats] for seats in SEATS}
    return Weights(
        {(knowing, seats): fitted(part, knowing) for knowing in KNOWING for seats, part in by.items()},
        {
            kind: _answered(
                [sample for sample in samples if isinstance(sample, Trial) and sample.kind == kind]
            )
            for kind in ATTEMPTED
        },
    )


def _answered(trials: Sequence[Trial]) -> float:
    """How much likelier each chit makes an answer: so that as many come right as are to be expected."""
    held = sum(trial.odds * trial.chits for trial in trials)
    return sum(trial.odds - trial.came for trial in trials) / held


def written(weights: Weights) -> Mapping[str, object]:
    """The weights as `prospects.fitted` reads them."""
    return {
        "weights": {
            knowing: {
                seats: {
                    name: round(weight, 3)
                    for name, weight in zip(MEASURES, weights.by[knowing, seats], strict=True)
                }
                for seats in SEATS
            }
            for knowing in KNOWING
        },
        "answered": {kind: round(rate, 4) for kind, rate in weights.answered.items()},
    }


def _forecasts(sample: Position, weights: Weights) -> Mapping[str, list[Forecast]]:
    """What each way says of each seat, and how it ended; its own knowledge speaks of the knower alone."""
    seats = sample.seats
    rows = sample.rows["seen"]
    scores = [max((row[RECORD] + row[HOME]) * prospects.UNIT, _LEAST) for row in rows]
    odds = {
        knowing: prospects.chances(dict(enumerate(sample.rows[knowing])), weights.by[knowing, seats], seats)
        for knowing in KNOWING
    }
    pairs = list(enumerate(sample.ended))
    return {
        "alike": [(1 / seats, ended) for _seat, ended in pairs],
        "share": [(scores[seat] / sum(scores), ended) for seat, ended in pairs],
        "seen": [(odds["seen"][seat], ended) for seat, ended in pairs],
        "own": [(odds["own"][sample.knower], sample.ended[sample.knower])],
        "seen of own": [(odds["seen"][sample.knower], sample.ended[sample.knower])],
    }


def tables(samples: Sequence[Sample], weights: Weights) -> Iterator[str]:
    """The tables for docs/analysis.md."""
    heads = ("all alike", "share of the points", "seen by all", "one seat: seen by all", "by what it knows")
    yield f"| seats | positions | {' | '.join(heads)} |"
    yield "|---|---|---|---|---|---|---|"
    every: dict[str, list[Forecast]] = {"seen": [], "own": []}
    positions = [sample for sample in samples if isinstance(sample, Position)]
    for seats in SEATS:
        part = [_forecasts(position, weights) for position in positions if position.seats == seats]
        by = {way: [forecast for forecasts in part for forecast in forecasts[way]] for way in part[0]}
        for way in every:
            every[way] += by[way]
        shown = " | ".join(str(score(by[way])) for way in ("alike", "share", "seen", "seen of own", "own"))
        yield f"| {seats} | {len(part)} | {shown} |"
    yield from ("", "| forecast | seen by all | by what it knows |", "|---|---|---|")
    yield from calibration([every["seen"], every["own"]])
    yield from ("", "| odds | searches | Discoveries | Sanctions |", "|---|---|---|---|")
    attempts = [[_odds(trial, weights) for trial in _trials(samples, kind)] for kind in ATTEMPTED]
    yield from calibration(attempts)


def _odds(trial: Trial, weights: Weights) -> Forecast:
    stands = max(0.0, 1 - weights.answered[trial.kind] * trial.chits)
    return trial.odds * stands, float(trial.came)


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
    FIT.run(__doc__, games=100, tests=40)
