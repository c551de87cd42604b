"""The rest of an Ask about closed cards when a seat that it concerns has left the match."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TypeAlias

from p2p_stratego.core.game import Back, Give, Seat, Show, Slot

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
