"""Text on the screen that knows what a mouse does on it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.mouse_events import MouseEvent

from cli.text.layout import Line
from cli.text.regions import place_of


def fragments(lines: list[Line], mouse: Callable[[str | None, MouseEvent], None]) -> StyleAndTextTuples:
    """Lines as one piece of formatted text; `mouse` is told the place of a part and what happens there."""
    parts: StyleAndTextTuples = []
    for line in lines:
        parts += [(style, text, partial(mouse, place_of(style))) for style, text in line]
        parts.append(("", "\n"))
    return parts[:-1]
