"""The lines of a good player, and the readings of a good guesser: each assumes the other, one step deep.

A guesser would read an owner that always laid the strongest line; an owner would fool a guesser that always
named the likeliest soldier.  So both draw by lot with weights: a guesser names a rank more often if it is
likelier or denies more; an owner lays a line more often if it fares better against such a guesser.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from math import exp
from operator import mul, sub, truediv
from typing import Final, TypeAlias

from p2p_stratego.core.values import replace
from p2p_stratego.spies_and_lies.bots.beliefs import (
    AT,
    DEPLOYMENTS,
    FREE_MARK,
    WITH_FREE,
    Evidence,
    LineSet,
    hand,
    members,
    possible,
)
from p2p_stratego.spies_and_lies.bots.evaluation import SOUGHT, lead
from p2p_stratego.spies_and_lies.bots.half_day import Column, tree
from p2p_stratego.spies_and_lies.bots.lookahead import Stake, stakes
from p2p_stratego.spies_and_lies.rules.chance import deck_left
from p2p_stratego.spies_and_lies.rules.components import CAPTAIN, MISSIONS, IntelRange, Mission, Rank, Side
from p2p_stratego.spies_and_lies.rules.notation import KEEP
from p2p_stratego.spies_and_lies.rules.observation import Known
from p2p_stratego.spies_and_lies.rules.phases import dawn
from p2p_stratego.spies_and_lies.rules.state import NO_MARKS, State, with_side

SHARPNESS: Final = 3.0
"""How strongly guesses keep to the best one: 0 would be any rank, infinity always the best."""
BOLDNESS: Final = 0.4
"""Steps by which a line may be worse than another and still be laid 1/e times as often."""
EXPECTED_BOLDNESS: Final = 1.3
"""The same of the lines that are expected of an opponent, who may think otherwise."""

Stakes: TypeAlias = Sequence[Mapping[Rank, Stake]]
"""For each mission, [0] is mission 1: the worth of each rank there to the guesser, in steps."""
_Key: TypeAlias = tuple[tuple[tuple[Rank, Stake], ...], ...]
"""Stakes, by value."""
NOTHING: Final[IntelRange] = (0, 0)
"""An intel card that asks for no marks, so that no supposed rank makes a mark false."""


def guess_weights(
    likely: Mapping[Rank, float],
    stake: Mapping[Rank, Stake],
    sharpness: float = SHARPNESS,
    greed: float = 1.0,
) -> dict[Rank, float]:
    """How often a good guesser names each rank, from its likelihood and worth; sum 1."""
    worths = {rank: share * stake[rank].gain ** greed for rank, share in likely.items()}
    best = max(worths.values())  # so that no power of a small number is 0
    weights = {rank: (worth / best) ** sharpness for rank, worth in worths.items()}
    total = sum(weights.values())
    return {rank: weight / total for rank, weight in weights.items()}


def line_stakes(state: State, owner: Side) -> Stakes:
    """The worth of every rank under every mission of a line that `owner` has yet to lay or to open."""
    return _line_stakes(_of_line(state, owner), owner)


def _of_line(state: State, owner: Side) -> State:
    """The same state but for what the stakes of the owner's line do not depend on."""
    sought = tuple(rank for rank in state.exhausted[1 - owner] if rank in SOUGHT)
    return replace(
        state,
        phase="mission",
        turn=0,
        intel=(NOTHING,),
        exhausted=with_side(state.exhausted, 1 - owner, sought),
        marks=NO_MARKS,
        report=None,
    )


@lru_cache(maxsize=2048)
def _line_stakes(state: State, owner: Side) -> Stakes:
    """There are some hundreds of mornings, and a side asks at dawn and again for its marks."""
    exhausted = state.exhausted[owner]
    lines = hand(exhausted)
    # A Captain can stand in for each of these; to the others they are the same unless they are sought.
    sought = tuple(rank for rank in exhausted if rank in SOUGHT)
    usual = replace(state, exhausted=with_side(state.exhausted, owner, sought))
    by_line = []
    for mission in MISSIONS:
        turn = 2 * (mission - 1) + (state.starter == owner)
        before = {CAPTAIN: replace(state, turn=turn)}
        others = replace(usual, turn=turn)
        by_line.append(
            {rank: _stake(before.get(rank, others), owner, rank) for rank in _parts(lines, mission)}
        )
    return by_line


@lru_cache(maxsize=8192)
def _stake(state: State, owner: Side, rank: Rank) -> Stake:
    """The worth of one rank of the owner's line, which is opened next: most mornings share it."""
    return stakes(state, (KEEP,) if state.tokens[owner] else (), (rank,), lead)[rank]


def payoffs(stake: Stakes, exhausted: tuple[Rank, ...], deck: tuple[IntelRange, ...]) -> dict[int, float]:
    """How each line without these soldiers fares in steps, on average over the cards of `deck`.

    By index into DEPLOYMENTS.  All lines are equally likely to the guesser; a Sergeant is marked every second
    time.
    """
    return dict(zip(_lines(exhausted)[0], _payoffs(_key(stake), exhausted, deck), strict=True))


def _key(stake: Stakes) -> _Key:
    return tuple(tuple(worths.items()) for worths in stake)


@lru_cache(maxsize=64)
def _lines(exhausted: tuple[Rank, ...]) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """The lines without these soldiers, ascending, and how often the owner of each sets the marks seen."""
    lines = tuple(members(hand(exhausted)))
    return lines, tuple(map(_seen, lines))


@lru_cache(maxsize=2048)
def _payoffs(key: _Key, exhausted: tuple[Rank, ...], deck: tuple[IntelRange, ...]) -> array[float]:
    """By place among the lines: the games of a series share their first mornings."""
    pay = array("d", repeat(0.0, len(_lines(exhausted)[0])))
    for intel in dict.fromkeys(deck):
        _columns, laid, seen = _shape(exhausted, intel)
        share = deck.count(intel) / len(deck)
        for place, steps, often in zip(laid, _fared(key, exhausted, intel), seen, strict=True):
            pay[place] += steps * share * often
    return pay


@lru_cache(maxsize=4096)
def _fared(key: _Key, exhausted: tuple[Rank, ...], intel: IntelRange) -> array[float]:
    """By entry of the tree with one intel card: how its line fares.  A card lies in many decks."""
    columns, laid, _seen = _shape(exhausted, intel)
    fared: Iterable[float] = repeat(0.0, len(laid))
    for column, worths in zip(columns, key, strict=True):
        misses, named = map(column.by_entry, _costs(column, dict(worths)))
        fared = map(sub, map(sub, fared, misses), named)
    return array("d", fared)


@lru_cache(maxsize=192)
def _shape(
    exhausted: tuple[Rank, ...], intel: IntelRange
) -> tuple[tuple[Column, ...], tuple[int, ...], tuple[float, ...]]:
    """The columns of a tree with one intel card; by entry the place of its line, and how often its owner sets
    its marks.

    There are 165 of them for one and two exhausted soldiers, each of some 80 kilobytes; a tree takes 200.
    """
    shape = tree(exhausted, (intel,))
    laid = tuple(row.laid for row in shape.rows)
    return shape.columns, laid, tuple(_seen(shape.lines[place]) for place in laid)


def _costs(column: Column, worth: Mapping[Rank, Stake]) -> tuple[list[float], list[float]]:
    """By cell: the steps that a good guesser gets by a miss, and what naming it now and then adds."""
    misses, more = [worth[rank].miss for rank in column.ranks], [worth[rank].gain for rank in column.ranks]
    worths = list(map(mul, column.come, more))
    ratios = map(truediv, worths, column.best(worths))  # so that no power of a small number is 0
    weights = list(map(pow, ratios, repeat(SHARPNESS)))
    named = map(truediv, weights, column.totals(weights))
    more[: column.choices] = map(mul, named, more)
    for cell in column.known:  # the guesser knows the only line left
        misses[cell], more[cell] = worth[column.ranks[cell]].hit, 0.0
    return misses, more


def fares(stake: Stakes, line: Known, lines: LineSet) -> float:
    """How `line` fares in steps against a guesser to whom all of `lines` are possible, itself among them.

    Soldiers that are None, a mate's, count nothing.
    """
    total = 0.0
    for mission, rank in zip(MISSIONS, line, strict=True):
        if rank is None:
            continue
        parts = _parts(lines, mission)
        of_mission = stake[mission - 1]
        named = guess_weights(_shares(parts), of_mission)
        total -= of_mission[rank].miss + named[rank] * of_mission[rank].gain
        lines = parts[rank]
    return total


def _parts(lines: LineSet, mission: Mission) -> dict[Rank, LineSet]:
    """The lines by the rank that they have there."""
    return {rank: part for rank, there in AT[mission] if (part := lines & there)}


def _shares(parts: Mapping[Rank, LineSet]) -> dict[Rank, float]:
    """The number of lines of each part; a line with the Sergeant, who may be marked or not, counts half."""
    return {
        rank: part.bit_count() - (1 - FREE_MARK) * (part & WITH_FREE).bit_count()
        for rank, part in parts.items()
    }


def _seen(line: int) -> float:
    """How often the owner of a line sets exactly the marks seen."""
    return FREE_MARK if WITH_FREE >> line & 1 else 1.0


def line_weights(state: State, owner: Side, boldness: float = BOLDNESS) -> dict[int, float]:
    """How often a good player lays each honest line, by index into DEPLOYMENTS; the largest weight is 1."""
    pay = payoffs(line_stakes(state, owner), state.exhausted[owner], deck_left(state.intel))
    best = max(pay.values())
    return {line: exp((fared - best) / boldness) for line, fared in pay.items()}


@lru_cache(maxsize=4096)
def _expected(morning: State, owner: Side, deck: tuple[IntelRange, ...]) -> array[float]:
    """By index into DEPLOYMENTS: some thousands of mornings come again in any number of matches."""
    exhausted = morning.exhausted[owner]
    lines, seen = _lines(exhausted)
    pay = _payoffs(_key(_line_stakes(morning, owner)), exhausted, deck)
    best = max(pay)
    often = array("d", repeat(0.0, len(DEPLOYMENTS)))
    for line, fared, share in zip(lines, pay, seen, strict=True):
        often[line] = exp((fared - best) / EXPECTED_BOLDNESS) * share
    return often


def expected_lines(state: State, owner: Side) -> Sequence[float]:
    """How often an opponent of unknown style is expected to lay each line today and to set exactly the marks
    seen, by index into DEPLOYMENTS; 0 for lines that cannot be laid.
    """
    return _expected(_of_line(_morning(state), owner), owner, deck_left(state.intel[: state.day]))


def likely_ranks(state: State, owner: Side) -> Mapping[Rank, float] | None:
    """How likely each rank is under the mission that is next to be guessed, to one who expects a good player.

    None if no honest line fits what everybody can see.  Like `beliefs.chances`, but weighing the lines.
    """
    lines = possible(Evidence.of(state, owner))
    if not lines:
        return None
    expected = expected_lines(state, owner)
    sums: dict[Rank, float] = {}
    for rank, part in _parts(lines, state.mission).items():
        sums[rank] = sum(map(expected.__getitem__, members(part)))
    total = sum(sums.values())
    return {rank: weight / total for rank, weight in sums.items()}


def _morning(state: State) -> State:
    """The state from which a day's lines are expected: the same all day long, and so worked out once."""
    return dawn(state, agent=0, points=(0, 0), tokens=(1, 1), spare=2)
