"""A schedule with as few steps as possible that breaks the same invariant.

Delta debugging (Zeller and Hildebrandt, 2002): leave out ever smaller pieces, and keep what still breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

TRIES: Final = 200
"""Schedules that are played for one finding at most."""


def shrunk(steps: Sequence[int], breaks: Callable[[Sequence[int]], bool], tries: int = TRIES) -> list[int]:
    """The fewest of `steps`, in order, with which `breaks` is still true; it is true of all of them."""
    kept, pieces = [*steps], 2
    if tries and breaks([]):
        return []
    while kept and tries > 1:
        size = -(-len(kept) // pieces)
        for at in range(0, len(kept), size):
            fewer = kept[:at] + kept[at + size :]
            tries -= 1
            if breaks(fewer):
                kept, pieces = fewer, max(2, pieces - 1)
                break
            if tries <= 1:
                return kept
        else:
            if size == 1:
                return kept
            pieces = min(len(kept), 2 * pieces)
    return kept


def ranges(steps: Sequence[int]) -> str:
    """Steps as text: "3-5,9"; "-" for none."""
    pieces: list[list[int]] = []
    for step in steps:
        if pieces and pieces[-1][-1] == step - 1:
            pieces[-1][1:] = [step]
        else:
            pieces.append([step])
    return ",".join("-".join(map(str, piece)) for piece in pieces) or "-"


def read_ranges(text: str) -> list[int]:
    """The steps in such a text.  Raises ValueError."""
    found: set[int] = set()
    for piece in text.split(",") if text != "-" else ():
        first, _, last = piece.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return sorted(found)
