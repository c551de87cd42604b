"""Chance in Spies & Lies: the event for each number of a Roll, and the number for each event.

The numbers are part of the game's rules version: two programs that read one roll differently play two games.
This module has no randomness; the table rolls.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from itertools import combinations

from p2p_stratego.spies_and_lies.rules.components import INTEL_DECK, RANKS, IntelRange, Rank

SETUP_SIDES = (len(INTEL_DECK), len(RANKS), len(RANKS))
"""Before day 1: the old intel, red's and blue's exhausted soldier."""


def split(number: int, sides: Sequence[int]) -> tuple[int, ...]:
    """The several dice that one roll of `prod(sides)` stands for; the first one is the most significant."""
    digits = []
    for side in reversed(sides):
        number, digit = divmod(number, side)
        digits.append(digit)
    return tuple(reversed(digits))


def join(digits: Sequence[int], sides: Sequence[int]) -> int:
    """The roll that stands for these dice; the inverse of `split`."""
    number = 0
    for digit, side in zip(digits, sides, strict=True):
        number = number * side + digit
    return number


def setup_number(old: IntelRange, exhausted: tuple[Rank, Rank]) -> int:
    """The first roll that has this outcome, where the options name the starter already."""
    digits = (INTEL_DECK.index(old), RANKS.index(exhausted[0]), RANKS.index(exhausted[1]))
    return join(digits, SETUP_SIDES)


def deck_left(turned_up: Collection[IntelRange]) -> tuple[IntelRange, ...]:
    """The intel cards still face down, ascending; a roll of so many sides picks one by its place here."""
    left = list(INTEL_DECK)
    for card in turned_up:
        left.remove(card)
    return tuple(left)


@cache
def draws(line: tuple[Rank, ...], count: int) -> tuple[tuple[Rank, ...], ...]:
    """Every way to exhaust `count` of a day's open soldiers, in the order of missions; each way ascending.

    If there are fewer, the only way is all of them.
    """
    return tuple(tuple(sorted(drawn)) for drawn in combinations(line, min(count, len(line))))
