"""Ways to play that can be recognised: the lines, marks, tokens and guesses of known players.

A style has the form of a solution of half a day, so that the same functions read a player of any style and
find the best answer to it.  It speaks of public information only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from p2p_stratego.core.game import Move
from p2p_stratego.spies_and_lies.bots.agent import mark_weights, named_by_a_good_guesser, token_pays
from p2p_stratego.spies_and_lies.bots.deployment import (
    expected_lines,
    guess_weights,
    line_stakes,
    line_weights,
)
from p2p_stratego.spies_and_lies.bots.solving import (
    Moment,
    Solution,
    game_of,
)
from p2p_stratego.spies_and_lies.rules.components import RANKS, Rank, Side
from p2p_stratego.spies_and_lies.rules.state import State


@dataclass(frozen=True, slots=True)
class Style:
    """A known way to play."""

    half_day: Callable[[State, Side], Solution]
    """How an owner with this style lays and marks on such a morning, and a guesser names; without tokens."""
    names: Callable[[State, tuple[Move, ...]], Mapping[Rank, float]]
    """How often the guesser of the coming turn names each rank, after the turn's answers so far; sum 1."""
    lays: Callable[[State, Rank], float]
    """How often the owner of the coming card, if it has this rank, lays a token on it."""


def _without_tokens(
    morning: State,
    owner: Side,
    lines: Sequence[float],
    marks: Sequence[float],
    named: Sequence[Sequence[float]],
) -> Solution:
    """`named`: by mission and cell."""
    game = game_of(morning, owner)
    moments = [Moment(at, 0, laid=False) for at in range(len(named))]
    worth = {moment: game.worth(moment) for moment in moments}
    return Solution(
        game.tree, 0, lines, marks, {}, dict(zip(moments, named, strict=True)), worth, 0.0, 0.0, 0
    )


@lru_cache(maxsize=8)
def _agents_half_day(morning: State, owner: Side) -> Solution:
    game = game_of(morning, owner)
    weights, expected = line_weights(morning, owner), expected_lines(morning, owner)
    total = sum(weights.values())
    named = []
    for at, column in enumerate(game.tree.columns):
        shares, odds = [0.0] * len(column.ranks), [1.0] * len(column.ranks)
        for entry, row in enumerate(game.tree.rows):
            shares[column.cell_of[entry]] += expected[game.tree.lines[row.laid]]
        for cells in game.tree.cells[at].values():
            likely = {column.ranks[cell]: shares[cell] for cell in cells}
            for cell, share in zip(
                cells, guess_weights(likely, game.payoffs[at, False]).values(), strict=True
            ):
                odds[cell] = share
        named.append(odds)
    stake, marks = line_stakes(morning, owner), [1.0] * len(game.tree.rows)
    for _, intel, *both in game.tree.pairs:
        rows = [game.tree.rows[entry] for entry in both]
        options = mark_weights(
            stake, rows[0].line, morning.exhausted[owner], intel, [row.marks for row in rows]
        )
        for entry, share in zip(both, options, strict=True):
            marks[entry] = share / sum(options)
    lines = [weights[line] / total for line in game.tree.lines]
    return _without_tokens(morning, owner, lines, marks, named)


@lru_cache(maxsize=8)
def _recruits_half_day(morning: State, owner: Side) -> Solution:
    shape = game_of(morning, owner).tree
    marks = [1.0] * len(shape.rows)
    for _, _, first, other in shape.pairs:
        marks[first] = marks[other] = 0.5
    named = [[1 / len(RANKS)] * len(column.ranks) for column in shape.columns]
    return _without_tokens(morning, owner, [1 / len(shape.lines)] * len(shape.lines), marks, named)


STYLES: Final[Mapping[str, Style]] = {
    "agent": Style(
        _agents_half_day, named_by_a_good_guesser, lambda state, rank: float(token_pays(state, rank))
    ),
    "recruit": Style(
        _recruits_half_day,
        lambda _state, _answers: dict.fromkeys(RANKS, 1 / len(RANKS)),
        lambda _state, _rank: 0.5,
    ),
}
"""By the bot that plays so.  People are between: their choices tell of which one they have more."""
