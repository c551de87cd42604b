"""The pages of a manual, alike for every game: the rules in short, and one about a thing of the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cli.games.interface import Page
from cli.text.layout import styled
from cli.text.paragraphs import broken
from p2p_stratego.core.language import _


def in_short(lines: Sequence[str]) -> Page:
    """The whole game on a page."""
    return Page(_("Rules in short"), [styled(line) for line in lines])


def about(title: str, facts: Iterable[str], columns: int) -> Page:
    """All that the game's tables know of one thing: a dash and a paragraph for each fact."""
    lines = [line for fact in facts for line in broken(f"- {fact}", columns)]
    return Page(title, [styled(line) for line in lines])
