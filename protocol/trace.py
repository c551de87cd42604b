"""The hook through which the protocol tells a developer what it does; what becomes of it is the caller's.

An event is a name and fields of numbers and short names: sizes, kinds, seats, hashes of signed bytes.  Never
pass what a file of this program keeps secret, or what a player typed, chose or hides (threat 38).
"""

from __future__ import annotations

from typing import Protocol


class Trace(Protocol):
    """Takes one event at once.  Raises nothing."""

    def __call__(self, event: str, /, **fields: int | str) -> None:
        """`event`: what happened; `fields`: numbers and short names about it."""


def silent(event: str, /, **fields: int | str) -> None:
    """A Trace that keeps nothing."""
    del event, fields
