"""Lookahead: the results of a guess, by the rules themselves.

It runs the real rules with supposed answers instead of repeating the table of results.  The caller supposes
the rank of a card; this module reads no hidden face.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias, cast

from p2p_stratego.core.game import Choose, Move, Open, Outcome
from p2p_stratego.core.values import replace
from p2p_stratego.spies_and_lies.rules.components import RANKS, Rank, Side
from p2p_stratego.spies_and_lies.rules.mission import mission
from p2p_stratego.spies_and_lies.rules.notation import guess
from p2p_stratego.spies_and_lies.rules.seating import sides
from p2p_stratego.spies_and_lies.rules.state import State, place

Judge: TypeAlias = Callable[[State, Side], float]
"""How good a state is for a side: `outlook.lead` or `outlook.win_chance`."""
Answers: TypeAlias = Sequence[Move | Rank]
"""Answers of a mission turn so far, in the order of asking: moves, and the card's rank once it is open."""


LEAST_GAIN: Final = 1e-4


class Stake(NamedTuple):
    """The worth of a card of one rank to the guesser, in units of the Judge."""

    hit: float
    """If the guess names it."""
    miss: float
    """If the guess names another rank."""
    gain: float
    """The gain by naming it; always above 0, so that the guesser names every possible rank now and then."""


def rehearse(state: State, answers: Answers, side: Side, judge: Judge) -> float:
    """How `side` would stand after the mission turn that goes on from `answers`, the open card included.

    The Captain's and the Marshal's choices are taken as their owner likes them best.  If the flag is taken,
    the winner is trusted to have an honest line.
    """
    turn = mission(state)
    try:
        ask = next(turn)
        for answer in answers:
            ask = turn.send(answer)
    except StopIteration as end:
        return judge(end.value, side)
    if isinstance(ask, Open):
        _, taker, _ = place(ask.slot)
        won = Outcome(sides(state.seating.seats)[taker], "flag")
        return judge(replace(state, phase="over", ended=won), side)
    choice = cast(Choose, ask)  # after the opening, only a Captain's or a Marshal's owner chooses
    best = max if state.seating.side(choice.seat) == side else min
    return best(rehearse(state, (*answers, option), side, judge) for option in choice.options)


def stakes(state: State, answers: Answers, ranks: Iterable[Rank], judge: Judge) -> Mapping[Rank, Stake]:
    """For each rank that the card could have: its worth to the guesser; `answers` ends before the guess."""
    return {rank: _stake(state, answers, rank, judge) for rank in ranks}


def _stake(state: State, answers: Answers, rank: Rank, judge: Judge) -> Stake:
    wrong = RANKS[rank % len(RANKS)]
    hit, miss = (
        rehearse(state, (*answers, guess(named), rank), state.guesser, judge) for named in (rank, wrong)
    )
    return Stake(hit, miss, max(hit - miss, LEAST_GAIN))
