"""The standing of a side by public information: the agent's estimate of the worth of steps and points.

Each side's game is taken as a walk of its own: in its turns as guesser it identifies a card now and then, in
its turns as owner one of ten soldiers goes into action.  Mean and variance of the remaining steps follow
exactly by going backwards from the last turn, and the difference of two such walks is close to normal.

The estimate is for bots only: it must neither decide legality nor read a hidden card.
"""

from __future__ import annotations

from functools import cache
from math import erf, sqrt
from typing import Final, NamedTuple

from p2p_stratego.spies_and_lies.rules.components import (
    BOMB,
    DAYS,
    DECEPTION,
    FORWARD,
    IDENTIFICATION,
    IDENTIFICATION_WITH_SCOUT,
    INFILTRATION,
    MARSHAL,
    MINER,
    MISSIONS,
    RANKS,
    SCOUT,
    SOLDIERS,
    SPY,
    TURNS,
    Rank,
    Side,
)
from p2p_stratego.spies_and_lies.rules.seating import winner
from p2p_stratego.spies_and_lies.rules.state import State

HIT: Final = 0.38
"""How often a good guesser names the right soldier; counted over games of the agent with itself."""
SPREAD: Final = 1.5
"""How much wider results scatter than two walks that know nothing of each other; counted likewise."""
ROUNDING: Final = 0.05
"""Variance that stays to the end, so that the last turn can be judged too."""
TIE: Final = 0.02
"""Steps a point is worth beyond its possible later gain: points decide when the agent ends in the middle."""
FLAG: Final = 12.0
"""Steps that a taken flag counts as, more than any lead that can still be made up."""
DOUBLE: Final = 0.1
"""Steps that a second exhausted soldier costs a side."""
IN_LINE: Final = 0.4
"""How often a soldier that could be in a line is: four of ten."""
SOUGHT: Final = (MARSHAL, BOMB)
"""Those whose lying face down is worth something to the other side, in `_prospects`."""


class Walk(NamedTuple):
    """Steps that a side will still make the agent go."""

    mean: float
    variance: float


_GUESSING: Final = ((HIT, IDENTIFICATION, 0, False), (1 - HIT, 0, 0, False))
"""Results of a turn as guesser: likelihood, points, steps, and whether points beyond 10 stay."""
_ACTING: Final = (
    (HIT, 0, 0, False),
    *(((1 - HIT) / len(RANKS), s.points, s.steps, s.keeps_excess) for s in SOLDIERS.values()),
)
"""The same of a turn as owner."""
_MEAN_POINTS: Final = sum(soldier.points for soldier in SOLDIERS.values()) / len(SOLDIERS)
_MEAN_STEPS: Final = sum(soldier.steps for soldier in SOLDIERS.values()) / len(SOLDIERS)


@cache
def to_come(day: int, turn: int, points: int, starts: bool) -> Walk:
    """The walk of a side with 0 to 9 points that starts today, or does not; `turn` as in State, 0 to 8."""
    if turn == TURNS:
        return to_come(day + 1, 0, points, not starts) if day < DAYS else Walk(0.0, 0.0)
    mean = square = 0.0
    guesses = (turn % 2 == 0) == starts
    for likely, gained, steps, keeps in _GUESSING if guesses else _ACTING:
        total, made = points + gained, steps
        if total >= INFILTRATION:
            total, made = (total - INFILTRATION) * keeps, steps + day
        rest = to_come(day, turn + 1, total, starts)
        mean += likely * (made + rest.mean)
        square += likely * (rest.variance + (made + rest.mean) ** 2)
    return Walk(mean, square - mean * mean)


def lead(state: State, side: Side) -> float:
    """Steps by which `side` may expect to be ahead in the end; never more than a flag counts."""
    if state.ended is not None and state.ended.reason == "flag":
        return FLAG if winner(state.ended) == side else -FLAG
    enemy = 1 - side
    return (
        FORWARD[side] * state.agent
        + _walk(state, side).mean
        - _walk(state, enemy).mean
        + TIE * (state.points[side] - state.points[enemy])
        + _prospects(state, side)
        - _prospects(state, enemy)
    )


def win_chance(state: State, side: Side) -> float:
    """How likely `side` is to win, a draw counting half; exact once the game is over."""
    if state.ended is not None:
        won = winner(state.ended)
        return 0.5 if won is None else float(won == side)
    return chance_of_lead(state, lead(state, side))


def chance_of_lead(state: State, ahead: float) -> float:
    """How likely a side is to win that may expect to be `ahead` by so many steps in the end."""
    variance = SPREAD * (_walk(state, 0).variance + _walk(state, 1).variance) + ROUNDING
    return 0.5 * (1 + erf(ahead / sqrt(2 * variance)))


def _walk(state: State, side: Side) -> Walk:
    return to_come(state.day, state.turn, state.points[side], state.starter == side)


@cache
def _point(day: int, turn: int, starts: bool) -> float:
    """Steps that one more point on the marker will have made in the end."""
    nothing, full = to_come(day, turn, 0, starts), to_come(day, turn, INFILTRATION - 1, starts)
    return (full.mean - nothing.mean) / (INFILTRATION - 1)


def _prospects(state: State, side: Side) -> float:
    """Steps that `side` may expect from its tokens and its soldiers in force, beyond the average game."""
    starts = state.starter == side
    point = _point(state.day, state.turn, starts)
    guesses = len(MISSIONS) - (state.turn + starts) // 2
    cards = len(MISSIONS) * (DAYS - state.day + 1) - (state.turn + (not starts)) // 2
    hope = _tokens_worth(state.tokens[side], cards) - DOUBLE * state.double[side]
    if not guesses:
        return hope
    action = _MEAN_POINTS * point + _MEAN_STEPS
    if state.caught[1 - side]:
        return hope + guesses * (1 - HIT) * (IDENTIFICATION * point + action)
    if state.blast[side]:
        hope += (1 - HIT) * action
    active = state.active[side]
    if SCOUT in active:
        hope += guesses * HIT * (IDENTIFICATION_WITH_SCOUT - IDENTIFICATION) * point
    if SPY in active and _may_come(state, 1 - side, MARSHAL):
        hope += IN_LINE * (1 - HIT) * SOLDIERS[MARSHAL].points * point
    if MINER in active and _may_come(state, 1 - side, BOMB):
        hope += IN_LINE * (1 - HIT) * action * guesses / len(MISSIONS)
    return hope


def _tokens_worth(tokens: int, cards: int) -> float:
    """The worth of tokens, in steps, with so many own cards still to come in the game.

    Tokens are laid on the last day, when a point is worth most; a larger choice of cards makes them worth
    more.
    """
    usable = min(tokens, cards)
    choice = min(cards - usable, len(MISSIONS)) / len(MISSIONS)
    return usable * DECEPTION * (1 - HIT + 0.1 * choice) * _point(DAYS, 0, True)


def _may_come(state: State, owner: Side, rank: Rank) -> bool:
    """Whether this soldier may still be face down in the owner's line of today."""
    if rank in state.exhausted[owner]:
        return False
    return all(card is None or card.rank != rank for card in state.cards[owner])
