"""The screen: a prompt_toolkit application around a table.  Keys in, lines out; no rules of its own.

What is drawn stands in `cli.screen.windows`, what a key does in `cli.screen.hands`, which keys there are in
`cli.screen.keyboard`.  The application never waits: connections run on trio beside it
(`cli.screen.event_loops`) and only tell it to draw anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prompt_toolkit import Application
from prompt_toolkit.filters import Condition

from cli.screen.hands import Hands
from cli.screen.keyboard import bindings
from cli.screen.look import Look
from cli.screen.notifier import Notifier, standard_output
from cli.table import presentation
from cli.table.calls import Calls

if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

    from cli.table.controller import TableController

_ESCAPE_AFTER: Final = 0.05
"""Seconds after which a lone Esc is no longer taken for the beginning of an arrow key."""


class Front:
    """The application for one table; `cli.screen.event_loops.Stage` shows `app`."""

    def __init__(self, table: TableController, terminal: tuple[Input, Output] | None = None) -> None:
        """`terminal`: where to read and draw, if not standard input and output."""
        self.table = table
        self.hands = Hands(table, self.changed, self._soon, self._end)
        look = Look(lambda: table.settings.theme)
        entry, output = terminal or (None, standard_output())
        self._calls, self._notifier = Calls(table), Notifier(output, table.environment.call)
        self._news = ""
        """Why the player is to be called, once the screen is there."""
        keys = bindings(self.hands)
        self._notifier.listen(keys)
        self.app: Application[None] = Application(
            layout=self.hands.windows.layout,
            before_render=lambda _: self._draw(),
            key_bindings=keys,
            style=look.style,
            color_depth=look.depth,
            full_screen=True,
            mouse_support=Condition(lambda: table.settings.mouse),
            refresh_interval=1.0,  # countdowns and round trips go on while nobody types
            input=entry,
            output=output,
        )
        self.app.ttimeoutlen = _ESCAPE_AFTER
        look.follow(self.app)
        self.changed()

    def changed(self) -> None:
        """Something happened in the match: call the player if it is its turn now, and draw anew."""
        _, turn = self.table.refresh()
        self._news = self._calls.news(turn=turn) or self._news
        if self.app.is_running:
            self._call()
        self.app.invalidate()

    def _call(self) -> None:
        """Call the player with what is new, which may be older than the screen."""
        if self._news:
            told, self._news = self._news, ""
            self._notifier.call(self.table.settings, told)

    def _draw(self) -> None:
        """Draw what the table shows now, in the size that the terminal has now."""
        self._call()
        size = self.app.output.get_size()
        scene = presentation.scene(self.table, self.hands.line.typed())
        self.hands.windows.draw(scene, size.columns, size.rows)

    def _soon(self) -> None:
        self.app.invalidate()

    def _end(self) -> None:
        if self.app.is_running:
            self.app.exit()
