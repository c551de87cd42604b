"""The offences of a deployment and its marks: questions that rules, warnings and bots ask.

This module only detects; the table of a turn sets the punishment.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from p2p_stratego.spies_and_lies.rules.components import (
    MISSIONS,
    SOLDIERS,
    IntelRange,
    Mission,
    Rank,
    in_range,
)

EXHAUSTED: Final = "exhausted-card"
TWICE: Final = "card-laid-twice"
"""The offence of laying a card that cannot have been in hand (spec/spies-and-lies.md, section 3)."""


_NOT_BEFORE: Final = {
    rank: frozenset(
        other for other in SOLDIERS if rank < other and not SOLDIERS[rank].free and not SOLDIERS[other].free
    )
    for rank in SOLDIERS
}
"""By soldier: the soldiers that must not stand before it; the Sergeant is free of the order, and sets none.
"""


def is_out_of_order(rank: Rank, earlier: Iterable[Rank]) -> bool:
    """Whether a card is lower than one before it, and neither of the two is free."""
    return not _NOT_BEFORE[rank].isdisjoint(earlier)


def is_false_mark(rank: Rank, *, marked: bool, intel: IntelRange) -> bool:
    """Whether the mark, or its absence, tells a lie that the rules punish; the Sergeant may lie."""
    return marked != in_range(rank, intel) and not SOLDIERS[rank].free


def impossibility(rank: Rank, earlier: Collection[Rank], exhausted: Collection[Rank]) -> str | None:
    """The rule by which this card cannot have been in its owner's hand; None if it can have been."""
    if rank in exhausted:
        return EXHAUSTED
    return TWICE if rank in earlier else None


def out_of_order(line: Sequence[Rank | None]) -> tuple[Mission, ...]:
    """The missions, of four cards in mission order, that would be caught out of order; None: not known."""
    return tuple(m for m, rank, earlier in _known(line) if is_out_of_order(rank, earlier))


def falsely_marked(
    line: Sequence[Rank | None], marks: Collection[Mission], intel: IntelRange
) -> tuple[Mission, ...]:
    """The missions, of four cards in mission order, whose mark would be caught as false; None: not known."""
    return tuple(m for m, rank, _ in _known(line) if is_false_mark(rank, marked=m in marks, intel=intel))


def impossible(line: Sequence[Rank | None], exhausted: Collection[Rank]) -> tuple[Mission, ...]:
    """The missions, of four cards in mission order, that would lose the game when opened; None: not known."""
    return tuple(
        m for m, rank, earlier in _known(line) if impossibility(rank, earlier, exhausted) is not None
    )


def _known(line: Sequence[Rank | None]) -> Iterator[tuple[Mission, Rank, list[Rank]]]:
    """The known cards in mission order, each with the known ones before it."""
    earlier: list[Rank] = []
    for mission, rank in zip(MISSIONS, line, strict=True):
        if rank is not None:
            yield mission, rank, [*earlier]
            earlier.append(rank)
