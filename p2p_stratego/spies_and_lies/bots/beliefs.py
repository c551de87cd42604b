"""Exact beliefs about a closed line of four soldiers, from public information.

The rules allow only 462 honest lines, so the beliefs need no estimate: a set of lines is the bits of one
integer, every kind of evidence is a table of such sets, and learning intersects them.  Callers must pass
public information only; the bots and the notes on the screen both use this module.

If a side broke the rules, no honest line may fit.  Then every line from its hand counts, less likely for each
breach, so that there is always an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations, permutations
from operator import or_
from types import MappingProxyType
from typing import Final, TypeAlias

from p2p_stratego.spies_and_lies.rules.checks import falsely_marked, is_false_mark, out_of_order
from p2p_stratego.spies_and_lies.rules.components import (
    INTEL_DECK,
    MISSIONS,
    RANKS,
    SOLDIERS,
    IntelRange,
    Mission,
    Rank,
    Side,
)
from p2p_stratego.spies_and_lies.rules.state import Deployment, State

Chances: TypeAlias = tuple[Mapping[Rank, float], ...]
"""For each mission, [0] is mission 1: how likely each rank is, only those above 0, ranks ascending; sum 1."""

FREE_MARK: Final = 0.5
"""How often a player marks a Sergeant; the rules leave that free."""
BREACH: Final = 0.02
"""How much less likely each breach makes a line once no honest line is left."""

FREE: Final = frozenset(rank for rank in RANKS if SOLDIERS[rank].free)


def _honest_lines() -> Iterator[Deployment]:
    """Each set of four with its soldiers rising, and the Sergeant at each of its places."""
    for a, b, c, d in combinations([rank for rank in RANKS if rank not in FREE], 4):
        yield a, b, c, d
    for free in sorted(FREE):
        for a, b, c in combinations([rank for rank in RANKS if rank not in FREE], 3):
            yield from ((free, a, b, c), (a, free, b, c), (a, b, free, c), (a, b, c, free))


DEPLOYMENTS: Final[tuple[Deployment, ...]] = tuple(sorted(_honest_lines()))
"""Every line that keeps the order, from all ten soldiers: 126 without the Sergeant and 336 with it."""

LineSet: TypeAlias = int
"""A set of deployments: bit i stands for DEPLOYMENTS[i]."""
ALL: Final[LineSet] = (1 << len(DEPLOYMENTS)) - 1


def _union(sets: Iterable[LineSet]) -> LineSet:
    return reduce(or_, sets, 0)


_THERE: Final[Mapping[tuple[Mission, Rank], LineSet]] = {
    (mission, rank): _union(1 << i for i, line in enumerate(DEPLOYMENTS) if line[mission - 1] == rank)
    for mission in MISSIONS
    for rank in RANKS
}
AT: Final[Mapping[Mission, tuple[tuple[Rank, LineSet], ...]]] = {
    mission: tuple((rank, _THERE[mission, rank]) for rank in RANKS) for mission in MISSIONS
}
"""By mission: each rank, ascending, and the lines that have it there."""
_WITH: Final[Mapping[Rank, LineSet]] = {rank: _union(_THERE[m, rank] for m in MISSIONS) for rank in RANKS}
WITH_FREE: Final[LineSet] = _union(_WITH[rank] for rank in FREE)
"""The lines with the Sergeant."""
_MARKABLE: Final[Mapping[tuple[IntelRange, Mission, bool], LineSet]] = {
    (intel, mission, marked): _union(
        _THERE[mission, rank] for rank in RANKS if not is_false_mark(rank, marked=marked, intel=intel)
    )
    for intel in dict.fromkeys(INTEL_DECK)
    for mission in MISSIONS
    for marked in (False, True)
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is public about one side's line of today."""

    exhausted: tuple[Rank, ...] = ()
    """Ranks that cannot be in it."""
    shown: tuple[Rank | None, ...] = (None, None, None, None)
    """The opened ranks, [0] is mission 1."""
    intel: IntelRange | None = None
    marks: frozenset[Mission] = frozenset()
    """The missions marked for `intel`; ignored if there is no intel card."""
    unjudged: frozenset[Mission] = frozenset()
    """The missions whose mark, or its absence, tells nothing."""

    @classmethod
    def of(cls, state: State, side: Side) -> Evidence:
        """The evidence in `state` about the line of `side`."""
        shown = tuple(None if card is None else card.rank for card in state.cards[side])
        marked = len(state.intel) > state.day and state.phase != "intel"
        if not marked:
            return cls(state.exhausted[side], shown)
        intel, marks = state.intel[state.day], state.marks[side]
        return cls(state.exhausted[side], shown, intel, marks, state.closed[side])


def hand(exhausted: tuple[Rank, ...]) -> LineSet:
    """The honest lines that can be laid without the exhausted soldiers."""
    return ALL & ~_union(_WITH[rank] for rank in exhausted)


def possible(evidence: Evidence) -> LineSet:
    """The honest lines that fit; 0 proves a breach of the rules."""
    lines = hand(evidence.exhausted)
    for mission, rank in zip(MISSIONS, evidence.shown, strict=True):
        if rank is not None:
            lines &= _THERE[mission, rank]
        if evidence.intel is not None and mission not in evidence.unjudged:
            lines &= _MARKABLE[evidence.intel, mission, mission in evidence.marks]
    return lines


def members(lines: LineSet) -> Iterator[int]:
    """The indices into DEPLOYMENTS of a set, ascending."""
    while lines:
        lowest = lines & -lines
        yield lowest.bit_length() - 1
        lines ^= lowest


@lru_cache(maxsize=256)
def chances(evidence: Evidence) -> Chances:
    """How likely each rank is under each mission, every line that fits counting the same before the marks.

    A line with the Sergeant, which may be marked or not, shows the marks that are seen only half of the time.
    """
    lines = possible(evidence)
    if not lines:
        return _crooked_chances(evidence)
    bound, free = lines & ~WITH_FREE, lines & WITH_FREE
    seen = FREE_MARK if evidence.intel is not None else 1.0
    return tuple(
        _shares({rank: (bound & at).bit_count() + seen * (free & at).bit_count() for rank, at in AT[mission]})
        for mission in MISSIONS
    )


def open_ranks(evidence: Evidence, mission: Mission) -> Sequence[Rank]:
    """The ranks that have a chance under a mission, in a fraction of the time of `chances`."""
    lines = possible(evidence)
    if not lines:
        return tuple(_crooked_chances(evidence)[mission - 1])
    return tuple(rank for rank, there in AT[mission] if lines & there)


def _crooked_chances(evidence: Evidence) -> Chances:
    """The same over all lines that can be laid from the hand, in any order and marked anyhow."""
    shown = [rank for rank in evidence.shown if rank is not None]
    rest = [rank for rank in RANKS if rank not in shown and rank not in evidence.exhausted]
    sums: list[dict[Rank, float]] = [dict.fromkeys(RANKS, 0.0) for _ in MISSIONS]
    for drawn in permutations(rest, len(MISSIONS) - len(shown)):
        left = iter(drawn)
        line = [next(left) if rank is None else rank for rank in evidence.shown]
        breaches = len(out_of_order(line))
        if evidence.intel is not None:
            judged = [
                None if m in evidence.unjudged else rank for m, rank in zip(MISSIONS, line, strict=True)
            ]
            breaches += len(falsely_marked(judged, evidence.marks, evidence.intel))
        for mission_sums, rank in zip(sums, line, strict=True):
            mission_sums[rank] += BREACH**breaches
    return tuple(map(_shares, sums))


def _shares(weights: Mapping[Rank, float]) -> Mapping[Rank, float]:
    total = sum(weights.values())
    return MappingProxyType({rank: weight / total for rank, weight in weights.items() if weight})
