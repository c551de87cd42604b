"""A terminal for tests: keys in through a pipe, escape sequences out and obeyed by an emulator."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from io import StringIO

import pyte
from prompt_toolkit import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input

from cli.screen.match.application import Front
from cli.screen.match.windows import Windows
from cli.screen.notifier import FocusOutput
from cli.table.scene.scene import Scene
from cli.table.seat.controller import TableController
from tests.helpers.links.ends import Ends

UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
F1, F2, F3, F4, F5, F6 = "\x1bOP", "\x1bOQ", "\x1bOR", "\x1bOS", "\x1b[15~", "\x1b[17~"
PAGE_UP, PAGE_DOWN, ESCAPE, ENTER, TAB = "\x1b[5~", "\x1b[6~", "\x1b", "\r", "\t"
F10 = "\x1b[21~"
BACKSPACE = "\x7f"
CTRL_C, CTRL_D, CTRL_L, CTRL_Q = "\x03", "\x04", "\x0c", "\x11"
PATIENCE = 60.0
"""Seconds after which a missing screen fails a test; no passing test waits for them."""


class Terminal:
    """A terminal of variable size, and its content."""

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        self.columns, self.rows = columns, rows
        self.written = StringIO()
        self.output = FocusOutput(
            self.written,
            lambda: Size(rows=self.rows, columns=self.columns),
            term="xterm-256color",
            enable_cpr=False,
        )
        self._begin()

    def _begin(self) -> None:
        """An empty screen, on which nothing is obeyed yet."""
        self._screen = pyte.Screen(self.columns, self.rows)
        self._stream, self._obeyed = pyte.Stream(self._screen), 0

    def lines(self) -> list[str]:
        """The screen as it is now: everything written so far is obeyed, in the size of now."""
        if (self._screen.columns, self._screen.lines) != (self.columns, self.rows):
            self._begin()
        written = self.written.getvalue()
        self._stream.feed(written[self._obeyed :])
        self._obeyed = len(written)
        return list(self._screen.display)

    def text(self) -> str:
        """The same in one piece."""
        return "\n".join(self.lines())


class Player:
    """One player at a running screen."""

    def __init__(self, ends: Ends, front: Front, terminal: Terminal, keys: PipeInput) -> None:
        self.ends, self.front, self.terminal, self._keys = ends, front, terminal, keys
        self._rendered, self._handled = asyncio.Event(), asyncio.Event()
        self._to_come = 0
        front.app.after_render += lambda _: self._rendered.set()
        front.app.key_processor.after_key_press += lambda _: self._count()

    async def press(self, *keys: str) -> str:
        """Press keys, wait for all effects, and return the screen."""
        for key in keys:
            self._handled.clear()
            self._to_come = len(key) if key.isprintable() else 1
            self._keys.send_text(key)
            await asyncio.wait_for(self._handled.wait(), PATIENCE)
        return await self.look()

    def send(self, text: str) -> None:
        """What a terminal says by itself, in a moment."""
        self._keys.send_text(text)

    def _count(self) -> None:
        self._to_come -= 1
        if self._to_come <= 0:
            self._handled.set()

    async def look(self) -> str:
        """Deliver everything under way, and return the screen."""
        self.ends.pump()
        if self.front.app.is_running:
            self._rendered.clear()
            self.front.app.invalidate()
            await self._drawn()
        return self.terminal.text()

    async def started(self) -> None:
        """Until the screen is drawn for the first time."""
        while not self.front.app.is_running:
            await asyncio.sleep(0)
        await self._drawn()

    async def _drawn(self) -> None:
        """Until the next drawing is done, or the application has ended."""
        if self.front.app.is_running:
            await asyncio.wait_for(self._rendered.wait(), PATIENCE)


def below_the_board(shown: str) -> list[str]:
    """The rows below the lower player's, but for the keys: what happened, what is asked, what is typed."""
    rows = [row.rstrip() for row in shown.split("\n")]
    last = max(number for number, row in enumerate(rows) if row.startswith("─ "))
    return [row for row in rows[last + 1 : -1] if row]


def displayed(
    scene: Scene, columns: int = 80, rows: int = 24, *, top: int = 0, ascii_only: bool = False
) -> str:
    """A scene as a terminal shows it, with what floats over it; an open page from the line `top`."""
    terminal = Terminal(columns, rows)
    windows = Windows(Buffer(document=Document(scene.typed)), lambda *_: None, lambda: ascii_only)

    async def draw() -> None:
        with create_pipe_input() as keys:
            app: Application[None] = Application(
                windows.layout, full_screen=True, input=keys, output=terminal.output
            )
            with set_app(app):
                windows.top = top
                windows.draw(scene, columns, rows)
                app.renderer.render(app, windows.layout)
                await app.cancel_and_wait_for_background_tasks()

    asyncio.run(draw())
    return terminal.text()


def at_screen(
    ends: Ends,
    table: TableController,
    play: Callable[[Player], Awaitable[None]],
    terminal: Terminal | None = None,
) -> Terminal:
    """Show `table` on a terminal while `play` presses keys; the terminal after the application has ended."""
    shown = terminal or Terminal()

    async def both() -> None:
        with create_pipe_input() as keys:
            front = Front(table, (keys, shown.output))
            front.app.ttimeoutlen = 0.0
            table.replica.on_change = front.changed
            player = Player(ends, front, shown, keys)
            running = asyncio.get_running_loop().create_task(
                front.app.run_async(handle_sigint=False, set_exception_handler=False)
            )
            await player.started()
            try:
                await play(player)
            finally:
                if front.app.is_running:
                    front.app.exit()
                await running

    asyncio.run(both())
    return shown
