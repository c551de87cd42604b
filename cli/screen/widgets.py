"""Lines of styled text as a container of prompt_toolkit, drawn by whole rows.

The toolkit's own window copies a text cell by cell and remembers where each character went: most of the time
that a key takes on a big terminal.  Ours need neither: a line is one row, and equal lines make equal cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from prompt_toolkit.layout import BufferControl, Container, Dimension, HSplit, Layout, Window
from prompt_toolkit.layout.screen import Char
from prompt_toolkit.mouse_events import MouseEvent

from cli.screen.look import ThemedApplication
from cli.text.layout import Line, place_of
from cli.text.sanitize import cells

if TYPE_CHECKING:
    from prompt_toolkit.buffer import Buffer
    from prompt_toolkit.input import Input
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone
    from prompt_toolkit.layout.mouse_handlers import MouseHandlers
    from prompt_toolkit.layout.screen import Screen, WritePosition
    from prompt_toolkit.output import Output

Mouse: TypeAlias = Callable[[str | None, MouseEvent], None]
"""Takes the place of a part of the screen (`cli.text.layout`), and the event of the mouse there."""
_BLANK: Final = Char(" ", "")
_COVERED: Final = Char("", "")
"""Stands in the second cell of a wide character, as in the toolkit's own windows."""


def input_line(
    buffer: Buffer, columns: Callable[[], int] | None = None, style: str = "class:input"
) -> Window:
    """The row in which text is typed.  It shows the text from its beginning, if the cursor is in sight then.

    The toolkit's own row stays scrolled where a longer text was, and what is left of that is out of sight.
    """
    return Window(
        BufferControl(buffer), width=columns, height=1, style=style, get_horizontal_scroll=lambda _window: 0
    )


@lru_cache(maxsize=4096)
def _cells(line: Line) -> tuple[Char, ...]:
    """The cells of a line; a mark without width stands in the cell of the character before it."""
    row: list[Char] = []
    for style, text in line:
        for character in text:
            cell = Char(character, style)
            if cell.width:
                row += (cell, *repeat(_COVERED, cell.width - 1))
            elif row:
                at = -2 if row[-1] is _COVERED else -1
                row[at] = Char(row[at].char + character, row[at].style)
    return tuple(row)


class Rows(Container):
    """Lines to show, one a row; `mouse` gets the events of the mouse on them.

    Lines bring their own styles: the style of the containers around them is left out.
    """

    def __init__(
        self,
        lines: Callable[[], Sequence[Line]],
        mouse: Mouse,
        look: Callable[[Line], Line] = lambda line: line,
        *,
        scrolls: bool = False,
    ) -> None:
        """`look`: what a line in sight looks like; `scrolls`: whether fewer rows than lines will do."""
        self.lines, self._mouse, self._look, self._scrolls = lines, mouse, look, scrolls
        self.top = 0
        """The first line in sight; drawing limits it to the lines there are."""
        self.seen = 0
        """How many lines were in sight when it was drawn last."""

    def reset(self) -> None:
        """No state belongs to one application alone."""

    def preferred_width(self, *_: object) -> Dimension:
        """Any width."""
        return Dimension()

    def preferred_height(self, *_: object) -> Dimension:
        """As many rows as there are lines."""
        count = len(self.lines())
        return Dimension(min=0 if self._scrolls else count, max=count, preferred=count)

    def get_children(self) -> list[Container]:
        """None."""
        return []

    def write_to_screen(  # noqa: PLR0913, PLR0917 - the toolkit's
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,  # noqa: ARG002
        erase_bg: bool,  # noqa: ARG002
        z_index: int | None,
    ) -> None:
        """Draw the lines in sight, now or, above others, when the toolkit comes to that."""
        draw = partial(self._draw, screen, mouse_handlers, write_position)
        if z_index is None:
            draw()
        else:
            screen.draw_with_z_index(z_index, draw)

    def _draw(self, screen: Screen, mouse_handlers: MouseHandlers, where: WritePosition) -> None:
        lines = self.lines()
        self.top = max(min(self.top, len(lines) - where.height), 0)
        shown = [self._look(line) for line in lines[self.top : self.top + where.height]]
        self.seen = len(shown)
        columns = range(where.xpos, where.xpos + where.width)
        handlers = dict.fromkeys(columns, partial(self._pass_on, shown, where.xpos, where.ypos))
        for y, line in enumerate(shown, where.ypos):
            row = screen.data_buffer[y]
            row.update(zip(columns, repeat(_BLANK), strict=False))
            row.update(zip(columns, _cells(line), strict=False))
            mouse_handlers.mouse_handlers[y].update(handlers)
        screen.height = max(screen.height, where.ypos + where.height)

    def _pass_on(self, shown: list[Line], left: int, top: int, event: MouseEvent) -> NotImplementedOrNone:
        """Call `mouse` with the place under the mouse."""
        column = event.position.x - left
        for style, text in shown[event.position.y - top]:
            column -= cells(text)
            if column < 0:
                self._mouse(place_of(style), event)
                return None
        return NotImplemented


def of_rows(
    theme: Callable[[], str],
    rows: Rows,
    keys: KeyBindings,
    *,
    mouse: bool,
    streams: tuple[Input, Output] | None,
) -> ThemedApplication[Any]:
    """An application on the whole screen with these rows alone.

    `theme`: its name at this moment; `mouse`: whether the mouse counts; `streams`: where to read and draw, if
    not standard input and output.
    """
    entry, output = streams or (None, None)
    focus = Window(height=0, always_hide_cursor=True)  # the toolkit demands one
    return ThemedApplication(
        theme,
        layout=Layout(HSplit([rows, focus])),
        key_bindings=keys,
        full_screen=True,
        mouse_support=mouse,
        input=entry,
        output=output,
    )
