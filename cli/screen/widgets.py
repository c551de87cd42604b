"""Text on the screen that knows what a mouse does on it."""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import FormattedTextControl
from prompt_toolkit.mouse_events import MouseEvent

from cli.text.layout import Line


class Clickable(FormattedTextControl):
    """Text that hands what a mouse does on it to a function, as a character's line and column."""

    def __init__(self, text: Callable[[], StyleAndTextTuples], clicked: Callable[[MouseEvent], None]) -> None:
        super().__init__(text)
        self._clicked = clicked

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        """Called by the toolkit."""
        self._clicked(mouse_event)


def fragments(lines: list[Line]) -> StyleAndTextTuples:
    """Lines as one piece of formatted text."""
    parts: StyleAndTextTuples = []
    for line in lines:
        parts += [*line, ("", "\n")]
    return parts[:-1]
