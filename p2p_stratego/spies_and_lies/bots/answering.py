"""The best answers to a player whose odds are known, in the form of a solution of half a day.

A best answer is as easy to read as the player that it answers.  So nobody should give it without need: see
`adaptive` for how much of it is played, and against whom.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import exp
from typing import Final, NamedTuple

from p2p_stratego.core.game import Move
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots.evaluation import win_chance
from p2p_stratego.spies_and_lies.bots.lookahead import stakes
from p2p_stratego.spies_and_lies.bots.solving import Game, Moment, Solution, game_of
from p2p_stratego.spies_and_lies.rules.components import Rank, Side
from p2p_stratego.spies_and_lies.rules.notation import KEEP, LAY, MARKS
from p2p_stratego.spies_and_lies.rules.observation import honest_marks, own_line, own_missions, todays_intel
from p2p_stratego.spies_and_lies.rules.state import State

TEMPER: Final = 0.01
"""The chance to win by which a line may be worse than the best one and still be laid 1/e times as often."""

HalfDay = Callable[[State, Side], Solution]
"""How a player as owner lays and marks on such a morning, and as guesser names."""
Naming = Callable[[State, tuple[Move, ...]], Mapping[Rank, float]]
"""How often the guesser of the coming turn names each rank, after the answers of the turn so far."""


class TokenStory(NamedTuple):
    """What an owner did with its tokens on one mission."""

    column: int
    """The mission's place, 0 to 3."""
    held: int
    """Before, 1 or 2."""
    laid: bool


def line_answers(game: Game, solution: Solution) -> Mapping[int, float]:
    """How often to lay each line, by index into DEPLOYMENTS, against a guesser that names by `solution`."""
    values = game.line_values(solution)
    best = max(values)
    return {line: exp((value - best) / TEMPER) for line, value in zip(game.tree.lines, values, strict=True)}


def mark_answer(game: Game, solution: Solution, view: View[State]) -> Move | None:
    """The marks that fare best against such a guesser; None if no line in order has the seat's soldiers."""
    options, intel = honest_marks(view), todays_intel(view)
    own = frozenset(own_missions(view.state, view.seat))
    if intel is None:
        return None
    by_marks = {MARKS[option]: option for option in options}
    values, best = game.entry_values(solution)[solution.tokens], dict.fromkeys(options, -1.0)
    for entry in game.tree.fitting(intel, own_line(view)):
        option = by_marks.get(game.tree.rows[entry].marks & own)
        if option is not None:
            best[option] = max(best[option], values[entry])
    return max(options, key=best.__getitem__) if any(value > -1 for value in best.values()) else None


@lru_cache(maxsize=16)
def answering(morning: State, owner: Side, half_day: HalfDay) -> Solution:
    """How an answer to a player with such half days lays, marks and names on this one; without tokens."""
    game, style = game_of(morning, owner), half_day(morning, owner)
    weights = line_answers(game, style)
    total = sum(weights.values())
    values, marks = game.entry_values(style)[style.tokens], [1.0] * len(game.tree.rows)
    for _, _, first, other in game.tree.pairs:
        marks[first] = float(values[first] > values[other])
        marks[other] = 1 - marks[first]
    named = {}
    for at, column in enumerate(game.tree.columns):
        moment = Moment(at, 0, laid=False)
        come, shares = [0.0] * len(column.ranks), [0.0] * len(column.ranks)
        for entry, cell in enumerate(column.cell_of):
            come[cell] += style.came(entry)
        gain = game.worth(moment).gain
        for cells in game.tree.cells[at].values():
            shares[max(cells, key=lambda cell: come[cell] * gain[cell])] = 1.0
        named[moment] = shares
    lines = [weights[line] / total for line in game.tree.lines]
    return Solution(game.tree, 0, lines, marks, {}, named, style.worth, 0.0, 0.0, 0)


def token_answer(state: State, rank: Rank, names: Naming) -> Move:
    """Whether to lay a token on the coming card, which has this rank, against this guesser."""

    def worth(move: Move) -> float:
        stake = stakes(state, (move,), (rank,), win_chance)[rank]
        named = names(state, (move,)).get(rank, 0.0)
        return -(named * stake.hit + (1 - named) * stake.miss)

    return LAY if worth(LAY) > worth(KEEP) else KEEP


def likely(solution: Solution, state: State, stories: Sequence[TokenStory] = ()) -> Mapping[Rank, float]:
    """How likely each rank is under the coming card if its owner plays by `solution`; empty if none fits.

    `stories`: of the tokens that the owner could lay today, this turn's among them.
    """
    sums = comings(solution, state, stories)
    total = sum(sums.values())
    return {rank: share / total for rank, share in sums.items()} if total else {}


def comings(solution: Solution, state: State, stories: Sequence[TokenStory] = ()) -> Mapping[Rank, float]:
    """How often the owner comes here with each rank under the coming card, given the intel card."""
    owner = 1 - state.guesser
    shown = [None if card is None else card.rank for card in state.cards[owner]]
    sums: dict[Rank, float] = {}
    for entry in solution.tree.fitting(state.intel[-1], shown, state.marks[owner]):
        share = solution.came(entry)
        for story in stories:
            lays = solution.lays.get((story.column, story.held))
            if lays is not None:
                share *= lays[entry] if story.laid else 1 - lays[entry]
        rank = solution.tree.rows[entry].line[state.mission - 1]
        sums[rank] = sums.get(rank, 0.0) + share
    return sums


def rank_answer(odds: Mapping[Rank, float], state: State, answers: tuple[Move, ...]) -> Rank:
    """The rank that it is best to name, with these odds of the card; `answers`: of the turn so far."""
    now = stakes(state, answers, odds, win_chance)
    return max(odds, key=lambda rank: odds[rank] * now[rank].gain)
