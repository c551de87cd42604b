"""Seats that leave: the sides that win and lose together, and the rest of an Ask about the cards of those
gone.
"""

from __future__ import annotations

from collections.abc import Collection, Set
from dataclasses import replace
from typing import TypeAlias, TypeVar

from p2p_stratego.core.game import Back, Give, Seat, Show, Sides, Slot

T = TypeVar("T", int, str)


def each_alone(seats: int) -> Sides:
    """Every one of `seats` players is a side of its own."""
    return tuple(frozenset({seat}) for seat in range(seats))


def side_of(sides: Sides, seat: Seat) -> frozenset[Seat]:
    """The side that `seat` belongs to."""
    return next(side for side in sides if seat in side)


def last_side(sides: Sides, gone: Collection[Seat]) -> frozenset[Seat] | None:
    """The only side with a player left, or None while players of several sides are.

    `gone`: in the order of leaving.  Several players can leave in one step of a game: if nobody is left, the
    side of the last leaver counts.
    """
    left = [side for side in sides if not side.issubset(gone)]
    if not left:
        return side_of(sides, list(gone)[-1])
    return left[0] if len(left) == 1 else None


def without(sides: Sides, culprit: Seat, ranked: Collection[Seat] | None = None) -> frozenset[Seat]:
    """The winners once `culprit` is proven to have broken a rule.

    `ranked`: the winners by the rules, if play was over.  Of two sides the other one wins.  Among more sides
    nobody gains by a friend's sacrifice: a fault during play makes the match void; a later fault only takes
    the culprit's side out of the winners.
    """
    guilty = side_of(sides, culprit)
    if len(sides) == 2:
        return next(side for side in sides if side is not guilty)
    return frozenset(ranked or ()) - guilty


def score(winners: Set[T], own: Set[T]) -> float:
    """What a game counts for the seats `own`: 1 for a win, 0 for a loss; ½ if nobody wins, or others do, too.

    Seats by numbers, or all by names.
    """
    if not winners:
        return 0.5
    if own.isdisjoint(winners):
        return 0.0
    return 1.0 if winners <= own else 0.5


PassedOn: TypeAlias = Show | Give | Back


def remaining(ask: PassedOn, gone: Collection[Seat], missing: set[Slot]) -> PassedOn | None:
    """The part of `ask` that can still take place; None if no part can.

    A closed card is never shown or given to a seat in `gone`: everybody can read such a seat's cards.
    `missing`: the slots under which a seat was to lay a face and left before; slots for copies that are not
    laid are added.
    """
    lies = [slot not in missing for slot in ask.slots]
    if not isinstance(ask, Back) and ask.seat in gone:  # a Back shows nobody anything
        lies = [False] * len(lies)
    if all(lies):
        return ask
    left = tuple(slot for slot, there in zip(ask.slots, lies, strict=True) if there)
    if isinstance(ask, Show):
        copies = tuple(slot for slot, there in zip(ask.copies, lies, strict=True) if there)
        missing.update(set(ask.copies) - set(copies))
        return replace(ask, slots=left, copies=copies) if left else None
    return replace(ask, slots=left) if left else None
