"""The hook that reports events of the protocol to a developer; the caller decides where they go.

An event is a name and fields of numbers and short names: sizes, kinds, seats, hashes of signed bytes.  A
field must never hold a secret of a file, nor a text, choice or hidden face of a player (threat 38).
"""

from __future__ import annotations

from typing import Protocol


class Trace(Protocol):
    """Takes one event at once.  Raises nothing."""

    def __call__(self, event: str, /, **fields: int | str) -> None:
        """`event`: its name; `fields`: numbers and short names about it."""


def silent(event: str, /, **fields: int | str) -> None:
    """A Trace that keeps nothing."""
    del event, fields
