"""The lines of a good player, and the readings of a good guesser: each assumes the other, one step deep.

A guesser would read an owner that always laid the strongest line; an owner would fool a guesser that always
named the likeliest soldier.  So both draw by lot with weights: a guesser names a rank more often if it is
likelier or denies more; an owner lays a line more often if it fares better against such a guesser.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import exp
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
from p2p_stratego.spies_and_lies.bots.evaluation import lead
from p2p_stratego.spies_and_lies.bots.lookahead import Stake, stakes
from p2p_stratego.spies_and_lies.rules.chance import deck_left
from p2p_stratego.spies_and_lies.rules.notation import KEEP, MARKS
from p2p_stratego.spies_and_lies.rules.observation import Known
from p2p_stratego.spies_and_lies.rules.phases import dawn
from p2p_stratego.spies_and_lies.rules.soldiers import MISSIONS, IntelRange, Mission, Rank, Side
from p2p_stratego.spies_and_lies.rules.state import NO_MARKS, State

SHARPNESS: Final = 3.0
"""How strongly guesses keep to the best one: 0 would be any rank, infinity always the best."""
BOLDNESS: Final = 0.4
"""Steps by which a line may be worse than another and still be laid 1/e times as often."""
EXPECTED_BOLDNESS: Final = 1.3
"""The same of the lines that are expected of an opponent, who may think otherwise."""

Stakes: TypeAlias = Sequence[Mapping[Rank, Stake]]
"""For each mission, [0] is mission 1: the worth of each rank there to the guesser, in steps."""
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
    lines = hand(state.exhausted[owner])
    answers = (KEEP,) if state.tokens[owner] else ()
    by_line = []
    for mission in MISSIONS:
        supposed = replace(
            state,
            phase="mission",
            turn=2 * (mission - 1) + (state.starter == owner),
            intel=(*state.intel, NOTHING),
            marks=NO_MARKS,
        )
        by_line.append(stakes(supposed, answers, _parts(lines, mission), lead))
    return by_line


def payoffs(stake: Stakes, lines: LineSet, deck: Sequence[IntelRange]) -> dict[int, float]:
    """How each of `lines` fares in steps, on average over the cards of `deck`, by index into DEPLOYMENTS.

    All of `lines` are equally likely to the guesser; a Sergeant is marked every second time.
    """
    pay = dict.fromkeys(members(lines), 0.0)

    def share_out(alike: LineSet, done: int, sofar: float, share: float) -> None:
        """For lines that are marked alike and whose first `done` cards are the same."""
        if alike & (alike - 1) == 0:  # the guesser knows the only line left
            line = alike.bit_length() - 1
            for worths, rank in zip(stake[done:], DEPLOYMENTS[line][done:], strict=True):
                sofar -= worths[rank].hit
            pay[line] += sofar * share * _seen(line)
            return
        worth = stake[done]
        parts = _parts(alike, done + 1)
        named = guess_weights(_shares(parts), worth)
        for rank, part in parts.items():
            _, miss, gain = worth[rank]
            share_out(part, done + 1, sofar - miss - named[rank] * gain, share)

    for intel in dict.fromkeys(deck):
        for marks in MARKS.values():
            marked = lines & possible(Evidence(intel=intel, marks=marks))
            if marked:
                share_out(marked, 0, 0.0, deck.count(intel) / len(deck))
    return pay


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
    return _weights(line_stakes(state, owner), state, owner, boldness)


@lru_cache(maxsize=64)
def _expected(morning: State, owner: Side) -> dict[int, float]:
    return _weights(line_stakes(morning, owner), morning, owner, EXPECTED_BOLDNESS)


def _weights(stake: Stakes, state: State, owner: Side, boldness: float) -> dict[int, float]:
    deck = deck_left(state.intel)
    pay = payoffs(stake, hand(state.exhausted[owner]), deck)
    best = max(pay.values())
    return {line: exp((fared - best) / boldness) for line, fared in pay.items()}


def expected_lines(state: State, owner: Side) -> Mapping[int, float]:
    """How often an opponent of unknown style is expected to lay each line today, as `line_weights`."""
    return _expected(_morning(state), owner)


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
        sums[rank] = sum(expected[line] * _seen(line) for line in members(part))
    total = sum(sums.values())
    return {rank: weight / total for rank, weight in sums.items()}


def _morning(state: State) -> State:
    """The state from which a day's lines are expected: the same all day long, and so worked out once."""
    intel = state.intel[: state.day]
    return replace(dawn(state), agent=0, points=(0, 0), tokens=(1, 1), spare=2, intel=intel)
