"""Lines of styled text as a control of prompt_toolkit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from prompt_toolkit.data_structures import Point
from prompt_toolkit.layout import UIContent, UIControl
from prompt_toolkit.mouse_events import MouseEvent

from cli.text.layout import Line
from cli.text.regions import place_of

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

Mouse: TypeAlias = Callable[[str | None, MouseEvent], None]
"""Told the place that a part of the screen belongs to (`cli.text.regions`), and what the mouse does there."""


class LinesControl(UIControl):
    """Lines to show; what the mouse does on them is told to `mouse`."""

    def __init__(
        self,
        lines: Callable[[], Sequence[Line]],
        mouse: Mouse,
        look: Callable[[Line], Line] = lambda line: line,
        top: Callable[[], int] = lambda: 0,
    ) -> None:
        """`look`: what a line in sight looks like; `top`: the first row to be seen, if the window scrolls."""
        self._lines, self._mouse, self._look, self._top = lines, mouse, look, top

    def preferred_height(self, *_: object) -> int:
        """As many rows as there are lines."""
        return len(self._lines())

    def create_content(self, *_: object) -> UIContent:
        """The lines.  A window keeps its cursor in sight: so it stands in the first row to be seen."""
        lines = self._lines()
        cursor = Point(0, max(min(self._top(), len(lines) - 1), 0))
        return UIContent(lambda row: [*self._look(lines[row])], len(lines), cursor, show_cursor=False)

    def mouse_handler(self, mouse_event: MouseEvent) -> NotImplementedOrNone:
        """Tell the place under the mouse."""
        lines, column = self._lines(), mouse_event.position.x
        parts = self._look(lines[mouse_event.position.y]) if mouse_event.position.y < len(lines) else ()
        for style, text in parts:
            column -= len(text)
            if column < 0:
                self._mouse(place_of(style), mouse_event)
                return None
        return NotImplemented
