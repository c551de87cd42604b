"""How much room the words of a coach take beside the board of the smallest screen."""

from __future__ import annotations

import textwrap

COLUMNS = 24
"""Cells of a line there."""


def rows(said: str) -> int:
    """The rows that a coach's paragraphs take."""
    return sum(len(textwrap.wrap(text, COLUMNS)) for text in said.split("\n"))
