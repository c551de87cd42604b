"""What a coach says, and how much room that takes beside the board of the smallest screen."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from p2p_stratego.core.lesson import Remark

COLUMNS = 24
"""Cells of a line there."""


def rows(sentence: str) -> int:
    """The rows that a coach's paragraphs take."""
    return sum(len(textwrap.wrap(text, COLUMNS)) for text in sentence.split("\n"))


def foremost(remarks: Iterable[Remark]) -> str:
    """The weightiest remark; "" for none."""
    return next((remark.text for remark in remarks), "")
