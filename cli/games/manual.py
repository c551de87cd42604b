"""The pages of a manual, alike for every game: the rules in short, one about a thing, and prose broken to
fit.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence

from cli.games.interface import Page
from cli.text.layout import styled
from p2p_stratego.core.language import _


def in_short(lines: Sequence[str]) -> Page:
    """The whole game on a page."""
    return Page(_("Rules in short"), [styled(line) for line in lines])


def about(title: str, facts: Iterable[str], columns: int) -> Page:
    """All that the game's tables know of one thing: a dash and a paragraph for each fact."""
    lines = [line for fact in facts for line in broken(f"- {fact}", columns)]
    return Page(title, [styled(line) for line in lines])


_BLOCKS = re.compile(r"\n(?=\n|#|- |\d\. )")
_ITEM = re.compile(r"(- |\d\. )")


def prose(text: str, width: int) -> list[str]:
    """Headings ("# ..."), points ("1. ...", "- ...") and paragraphs, in lines of at most `width` columns."""
    lines: list[str] = []
    for block in _BLOCKS.split(text.strip()):
        heading, _, body = block.partition("\n") if block.startswith("#") else ("", "", block)
        if heading:
            lines += [""] * bool(lines) + [heading.removeprefix("# ").upper()]
        if body.strip():
            lines += broken(body.strip(), width)
    return lines


def broken(text: str, width: int, hang: int = 0) -> list[str]:
    """One paragraph or point; its further lines are moved in by `hang`, or as far as its mark is long."""
    item = _ITEM.match(text)
    hang = hang or (len(item[0]) if item else 0)
    return textwrap.wrap(text, width, subsequent_indent=" " * hang, break_long_words=False) or [""]
