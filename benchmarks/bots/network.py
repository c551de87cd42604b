"""Fits the network of `evidence` to pieces of which all is known: Adam on the logarithmic loss, in numpy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from p2p_stratego.stratego.bots.evidence import BLOCKS, EVENTS, LAID, ROWS, Network
from p2p_stratego.stratego.bots.opponent_model import TRUST
from p2p_stratego.stratego.rules.pieces import FACES

Floats: TypeAlias = NDArray[np.float32]
Weights: TypeAlias = dict[str, Floats]

HIDDEN: Final = 32
EPOCHS: Final = 8
BATCH: Final = 512
PACE: Final = 0.003
WARMING: Final = 200
"""Steps until the pace is reached; it falls to 0 by the last one."""
DECAY: Final = 3e-4
"""How strongly weights are drawn to where they start from."""
FADING: Final = (0.9, 0.999)
"""Of Adam's two means."""
SCALES: Final = (0.5, 0.25)
"""Of rows and measures, for the hidden units: so all facts are of about the same size."""
DIGITS: Final = 3
_FACES: Final = len(FACES)
ALL_ROWS: Final = len(ROWS) + len(EVENTS) * _FACES


@dataclass(frozen=True)
class Pieces:
    """Closed pieces in positions: of each n, by rows of arrays."""

    rows: NDArray[np.uint8]
    """n × rows: how often each holds."""
    measures: Floats
    """n × 96."""
    scene: Floats
    """n × 36."""
    moved: NDArray[np.intp]
    """n: 0 or 1."""
    even: Floats
    """n × 12: `beliefs.even_chances`."""
    faces: NDArray[np.intp]
    """n: the truth."""


def fit(pieces: Pieces) -> Network:
    """The network fitted to these pieces; always the same."""
    chance = np.random.default_rng(1)
    count = len(pieces.faces)
    batches = max(1, count // BATCH)
    start = _start(pieces, chance)
    weights = {name: values.copy() for name, values in start.items()}
    means = {name: (np.zeros_like(values), np.zeros_like(values)) for name, values in start.items()}
    steps = EPOCHS * batches
    for step in range(steps):
        if not step % batches:
            order = np.array_split(chance.permutation(count), batches)
        pace = PACE * min(1.0, (step + 1) / WARMING) * (1 - step / steps)
        for name, slope in list(_slopes(pieces, order[step % batches], weights)):
            pulled = slope + DECAY * (weights[name] - start[name])
            first, second = means[name]
            first += (1 - FADING[0]) * (pulled - first)
            second += (1 - FADING[1]) * (pulled * pulled - second)
            unbiased = (1 - FADING[1] ** (step + 1)) ** 0.5 / (1 - FADING[0] ** (step + 1))
            weights[name] -= pace * unbiased * first / (np.sqrt(second) + 1e-8)
    return _network(weights)


def _start(pieces: Pieces, chance: np.random.Generator) -> Weights:
    facts = ALL_ROWS + pieces.measures.shape[1] + pieces.scene.shape[1]
    straight = np.zeros((2, len(BLOCKS), _FACES))
    straight[:, LAID] = TRUST
    start = {
        "rows": np.zeros((ALL_ROWS, _FACES)),
        "scene": np.zeros((pieces.scene.shape[1], _FACES)),
        "bias": np.zeros(_FACES),
        "straight": straight.reshape(2, -1),
        "mixed": chance.normal(0, 0.1, (facts, HIDDEN)),
        "threshold": np.zeros(HIDDEN),
        "out": chance.normal(0, 0.1, (HIDDEN, _FACES)),
    }
    return {name: values.astype(np.float32) for name, values in start.items()}


def _slopes(pieces: Pieces, batch: NDArray[np.intp], weights: Weights) -> Iterator[tuple[str, Floats]]:
    """The slope of the loss in each weight."""
    rows = pieces.rows[batch].astype(np.float32)
    measures, scene, even = pieces.measures[batch], pieces.scene[batch], pieces.even[batch]
    moved = pieces.moved[batch]
    facts = np.concatenate([rows * SCALES[0], measures * SCALES[1], scene], axis=1)
    hidden = np.maximum(facts @ weights["mixed"] + weights["threshold"], 0)
    counted = (measures * weights["straight"][moved]).reshape(len(batch), -1, _FACES).sum(axis=1)
    sums = (
        rows @ weights["rows"]
        + counted
        + scene @ weights["scene"]
        + weights["bias"]
        + hidden @ weights["out"]
    )
    sums = np.where(even > 0, sums + np.log(np.maximum(even, 1e-30)), -1e9)
    shares = np.exp(sums - sums.max(axis=1, keepdims=True))
    errors = shares / shares.sum(axis=1, keepdims=True)
    errors[np.arange(len(batch)), pieces.faces[batch]] -= 1
    errors /= len(batch)
    behind = (errors @ weights["out"].T) * (hidden > 0)
    straight = np.zeros_like(weights["straight"])
    np.add.at(straight, moved, measures * np.tile(errors, len(BLOCKS)))
    yield "rows", rows.T @ errors
    yield "scene", scene.T @ errors
    yield "bias", errors.sum(axis=0)
    yield "straight", straight
    yield "out", hidden.T @ errors
    yield "mixed", facts.T @ behind
    yield "threshold", behind.sum(axis=0)


def _network(weights: Weights) -> Network:
    wide = ALL_ROWS + weights["straight"].shape[1]
    mixed = weights["mixed"]
    parts = {
        "rows": np.concatenate([weights["rows"], mixed[:ALL_ROWS] * SCALES[0]], axis=1),
        "scene": np.concatenate([weights["scene"], mixed[wide:]], axis=1),
        "bias": np.concatenate([weights["bias"], weights["threshold"]]),
        "straight": weights["straight"],
        "mixed": (mixed[ALL_ROWS:wide] * SCALES[1]).T,
        "out": weights["out"].T,
    }
    return Network(**{name: np.round(part.astype(float), DIGITS).tolist() for name, part in parts.items()})


def written(networks: Mapping[int, Network]) -> dict[str, object]:
    """As `evidence` reads them."""
    return {"networks": {str(size): network._asdict() for size, network in networks.items()}}
