"""The cursor on a board: where it is.

Only keys that cannot begin a typed line move it: letters belong to words and squares.
"""

from __future__ import annotations

from cli.games.interface import Pointer, Sight


class Cursor:
    """One player's."""

    def __init__(self) -> None:
        self.place = ""
        """Its place; empty while it is not shown."""

    def step(self, pointer: Pointer, sight: Sight, direction: str) -> None:
        """Move it, or show it if it is not shown."""
        self.place = pointer.step(sight, direction)

    def to(self, place: str) -> None:
        """Put it on a place."""
        self.place = place
