"""The cursor on a board: where it is, and what pressing a letter means while it can be moved.

Letters that move the cursor also begin words and squares ("help", "h4").  So a letter that has moved it is
taken back as a letter when the next key makes the beginning of something typed out of both.
"""

from __future__ import annotations

from typing import Final

from cli import orders
from cli.room import Pointer, Sight

DIRECTIONS: Final = {"h": "left", "j": "down", "k": "up", "l": "right"}


class Cursor:
    """One player's."""

    def __init__(self) -> None:
        self.place = ""
        """Its place; empty while it is not shown."""
        self._letter = ""
        self._before = ""

    def step(self, pointer: Pointer, sight: Sight, direction: str) -> None:
        """Move it, or show it if it is not shown."""
        self._letter = ""
        self.place = pointer.step(sight, direction)

    def to(self, place: str) -> None:
        """Put it on a place."""
        self._letter, self.place = "", place

    def press(self, pointer: Pointer, sight: Sight, key: str) -> str:
        """Press a printable key where nothing is typed yet; what has to be typed for it, perhaps nothing."""
        letter, self._letter = self._letter, ""
        if letter and (orders.begins(letter + key) or pointer.begins(letter + key)):
            self.place = self._before
            return letter + key
        if key not in DIRECTIONS:
            return key
        before = self.place
        self.step(pointer, sight, DIRECTIONS[key])
        self._letter, self._before = key, before
        return ""
