"""A schedule with as few steps as possible that breaks the same invariant.

Delta debugging (Zeller and Hildebrandt, 2002): leave out ever smaller pieces, and keep what still breaks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

SECONDS: Final = 30.0
"""Of CPU, for one finding."""


def shrunk(
    steps: Sequence[int], breaks: Callable[[Sequence[int]], bool], seconds: float = SECONDS
) -> list[int]:
    """Few of `steps`, in order, with which `breaks` is still true; it is true of all of them."""
    kept, pieces = [*steps], 2
    until = time.process_time() + seconds
    while kept and time.process_time() < until:
        size = -(-len(kept) // pieces)
        for at in range(0, len(kept), size):
            fewer = kept[:at] + kept[at + size :]
            if breaks(fewer):
                kept, pieces = fewer, max(2, pieces - 1)
                break
            if time.process_time() > until:
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
    numbers: set[int] = set()
    for piece in text.split(",") if text != "-" else ():
        first, _, last = piece.partition("-")
        numbers.update(range(int(first), int(last or first) + 1))
    return sorted(numbers)
