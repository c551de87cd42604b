"""The windows of a table's screen: one below the other, with a page or a warning floating over the board.

Their lines come from `cli.screen.match.renderer`, which is pure; prompt_toolkit puts one over another and
scrolls a page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.layout import (
    ConditionalContainer,
    Float,
    FloatContainer,
    FormattedTextControl,
    HorizontalAlign,
    HSplit,
    Layout,
    VerticalAlign,
    VSplit,
    Window,
)

from cli.screen.match import renderer
from cli.screen.match.renderer import Screen
from cli.screen.widgets import Mouse, Rows, input_line
from cli.table.scene.scene import MOST, Scene
from cli.text.layout import Line, ascii_line, boxed, width
from p2p_stratego.core.language import _


class Windows:
    """The windows; an application shows `layout`."""

    def __init__(self, entry: Buffer, mouse: Mouse, plain: Callable[[], bool]) -> None:
        """`entry`: the input line; `plain`: whether to draw in ASCII."""
        self._mouse, self._plain = mouse, plain
        self._columns, self._rows = 0, 0
        self.drawn = Screen([], [], [], (), [])
        self._page = Rows(self._lines, mouse, lambda line: self._edged([line])[1], scrolls=True)
        self.layout = self._arranged(entry)

    def draw(self, scene: Scene, columns: int, rows: int) -> None:
        """Draw `scene` for a terminal of this size: in its middle, if it is very big."""
        self._columns, self._rows = min(columns, MOST[0]), min(rows, MOST[1])
        self.drawn = renderer.draw(scene, self._columns, self._rows, ascii_only=self._plain())

    @property
    def top(self) -> int:
        """The first line in sight of an open page; the toolkit stops at the end when it draws."""
        return self._page.top

    @top.setter
    def top(self, line: int) -> None:
        self._page.top = max(line, 0)

    @property
    def page_rows(self) -> int:
        """How many rows of a page can be seen at once."""
        return max(len(self.drawn.table) - 2, 1)

    def _arranged(self, entry: Buffer) -> Layout:
        def part(lines: Callable[[], Sequence[Line]]) -> Rows:
            return Rows(lines, self._mouse)

        line = input_line(entry, self._input_columns)
        prompt = FormattedTextControl(lambda: list(self.drawn.prompt))
        before = Window(prompt, width=lambda: width(self.drawn.prompt), height=1)
        page = HSplit(
            [part(lambda: self._edged()[:1]), self._page, part(lambda: self._edged(foot=self._foot())[1:])]
        )
        opened = Condition(lambda: self.drawn.page is not None and len(self.drawn.table) > 2)
        floats = [
            Float(ConditionalContainer(page, opened), top=0, width=lambda: self._page_columns),
            Float(
                part(lambda: self.drawn.overlay),
                top=0,
                width=lambda: max(map(width, self.drawn.overlay), default=0),
            ),
            Float(part(lambda: self.drawn.stage), width=lambda: max(map(width, self.drawn.stage), default=0)),
            Float(
                part(lambda: self.drawn.careful), width=lambda: max(map(width, self.drawn.careful), default=0)
            ),
        ]
        rows = [
            part(lambda: self.drawn.title),
            FloatContainer(part(lambda: self.drawn.table), floats),
            part(lambda: self.drawn.news),
            VSplit([before, line]),
            part(lambda: self.drawn.below),
        ]
        table = HSplit(rows, width=lambda: self._columns)
        middle = VSplit([table], align=HorizontalAlign.CENTER, height=lambda: self._rows)
        return Layout(HSplit([middle], align=VerticalAlign.CENTER), focused_element=line)

    def _input_columns(self) -> int:
        return max(self._columns - width(self.drawn.prompt), 0)

    # An open page

    @property
    def _page_columns(self) -> int:
        return min(self._columns, renderer.PAGE)

    def _lines(self) -> Sequence[Line]:
        return self.drawn.page.lines if self.drawn.page else ()

    def _edged(self, lines: Sequence[Line] = (), foot: str = "") -> list[Line]:
        title = self.drawn.page.title if self.drawn.page else ""
        box = boxed(title, lines, self._page_columns, foot=foot)
        return [ascii_line(line) for line in box] if self._plain() else box

    def _foot(self) -> str:
        """The numbers of the lines in sight, as the toolkit has just drawn them, and the keys for others."""
        seen, lines = self._page.seen, len(self._lines())
        if lines <= seen:
            return _("Esc closes")
        return _(
            "{vertical_scroll}–{last} of {content_height} · PgUp, PgDn · Esc closes",
            vertical_scroll=self.top + 1,
            last=self.top + seen,
            content_height=lines,
        )
