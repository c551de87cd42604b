"""How likely a player would have made a move, by the face of each of its closed pieces: for Bayes' rule.

A player is taken to choose among the steps of all its pieces by softmax of what each is worth to it, or to
slip now and then.  Of one piece at a time the face is supposed; of the others, all faces count by their odds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp, log
from typing import Final, NamedTuple

from p2p_stratego.core.game import Face, Slot
from p2p_stratego.stratego.bots.evaluation import Weigher
from p2p_stratego.stratego.bots.position import HAS_MOVED, IS_OPEN
from p2p_stratego.stratego.rules.board import Square
from p2p_stratego.stratego.rules.pieces import MOBILE

SLIP: Final = 0.1
"""How often a player moves anyhow."""
MOST_WORTH: Final = 12.0
"""A step worth more is as sure to be taken as one worth this."""


class Choice(NamedTuple):
    """One piece before a move: what it can do, and what that is worth."""

    slot: Slot | None
    """Of a closed piece."""
    odds: Mapping[Face, float]
    """How likely it has each face that it can have; sum 1."""
    steps: Sequence[Square]
    worth: Mapping[Face, Sequence[float]]
    """By face, by step; a face that cannot move is missing."""


def worth(
    weigher: Weigher, pulls: Mapping[Face, Sequence[float]], square: Square, choice: Choice
) -> dict[Face, list[float]]:
    """By each face of a choice, which stands on `square`, by step: the gain that its owner would expect.

    `weigher`: of the owner, as far as all can see; `pulls`: by face its goals.
    """
    closed = choice.slot is not None
    shown = HAS_MOVED if closed else IS_OPEN
    gains = {}
    for face in choice.odds:
        if face in MOBILE:
            pull, here = pulls[face], weigher.risk(face, square, shown)
            gains[face] = [
                here + weigher.gain(face, step, closed=closed)
                if weigher.attacks(step)
                else here + pull[step] - pull[square] - weigher.risk(face, step, shown)
                for step in choice.steps
            ]
    return gains


def judged(
    choices: Mapping[Square, Choice], source: Square, target: Square, sharpness: float
) -> Iterator[tuple[Square, dict[Face, float]]]:
    """Of each closed piece that could move, by face: how much likelier than usual the move was, in nats.

    `choices`: by square; the piece on `source` took the step to `target`; `sharpness`: ≥ 0, how surely a
    player takes the best step, the factor on worth.
    """
    weights = {
        square: {
            face: [exp(sharpness * min(MOST_WORTH, gain)) for gain in of_steps]
            for face, of_steps in choice.worth.items()
        }
        for square, choice in choices.items()
    }
    sums = {square: {face: sum(of_steps) for face, of_steps in of.items()} for square, of in weights.items()}
    means = {
        square: sum(choices[square].odds[face] * weight for face, weight in of.items())
        for square, of in sums.items()
    }
    whole = sum(means.values())
    slip = SLIP / sum(len(choice.steps) for choice in choices.values())
    for square, choice in choices.items():
        if choice.slot is None or not choice.steps:
            continue
        others = max(0.0, whole - means[square])
        if square == source:
            step = choice.steps.index(target)
            chances = {
                face: slip + (1 - SLIP) * of_steps[step] / (others + sums[square][face])
                for face, of_steps in weights[square].items()
            }
        else:
            idle = len(choice.steps) * slip
            chances = {
                face: 1 - idle - (1 - SLIP) * weight / (others + weight)
                for face, weight in sums[square].items()
            }
            chances = {face: chances.get(face, 1.0) for face in choice.odds}
        yield square, _centred(chances, choice.odds)


def _centred(chances: Mapping[Face, float], odds: Mapping[Face, float]) -> dict[Face, float]:
    """Logarithms of chances beside their mean by these odds."""
    known = sum(odds[face] for face in chances)
    mean = sum(odds[face] * chance for face, chance in chances.items()) / known if known else 0.0
    return {face: log(max(chance, 1e-9) / mean) for face, chance in chances.items()} if mean > 0 else {}
