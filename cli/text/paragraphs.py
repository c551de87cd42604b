"""Prose as lines: headings, numbered points and dashes, broken to fit, as the rules of every game need it."""

from __future__ import annotations

import re
import textwrap

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
