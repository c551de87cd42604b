"""A puzzle on the screen: the game's own board, what was said, and a line to type or to point into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType

from cli.games.interface import STEPS
from cli.screen.look import ThemedApplication
from cli.screen.widgets import Rows, of_rows
from cli.studies.puzzles.desk import Desk
from cli.text.layout import EMPTY, Line, ascii_line, block, both_ends, fit, styled, wrapped
from p2p_stratego.core.language import _, mark

if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

    from cli.shell.settings import Settings

_FRAME: Final = 3
"""Rows for the heading, the typed line and the keys."""
_LEAST_TEXT: Final = 5
_MOST_TYPED: Final = 60
_OVER: Final = (("Enter", mark("next")), ("Esc", mark("leave")))
_KEYS: Final = (
    ("Enter", mark("answer")),
    ("F2", mark("hint")),
    ("F3", mark("solution")),
    ("F4", mark("next")),
    ("Esc", mark("leave")),
)
_COMMANDS: Final = {"f1": "?", "f2": "hint", "f3": "solution", "f4": "next"}


def screen(desk: Desk, columns: int, rows: int, typed: str = "", cursor: str = "") -> list[Line]:
    """The whole screen: exactly `rows` lines of `columns` cells."""
    at = desk.sitting.position
    text = [*[at.task] * (not desk.sitting.over), *desk.sitting.sentences]
    lines = [line for sentence in text for line in wrapped((("", " "), *styled(sentence)), columns, 2)]
    board = at.here.board
    left = max(rows - _FRAME, 0)
    text_rows = min(max(_LEAST_TEXT, min(len(lines), left - board.LEAST[1])), left)
    high = left - text_rows
    if columns < board.LEAST[0] or high < board.LEAST[1]:
        small = styled(" " + _("The window is too small for the board."), "warn")
        middle = block([EMPTY, small], columns, high)
    else:
        high_used = board.fitting(columns, high)[1]
        middle = block(board.draw(at.context(typed, cursor), columns, high_used), columns, high)
    # The board's part comes first; of long reasons the first lines stay in sight.
    shown = [*middle, *block(lines[:text_rows], columns, text_rows)]
    heading = fit(styled(f" {desk.heading}", "title.name"), columns)
    entry = fit((*styled(" > ", "key"), *styled(typed), *styled("▌")), columns)
    return [heading, *shown, entry, _footer(columns, over=desk.sitting.over, typed=typed)][-rows:]


def _footer(columns: int, *, over: bool, typed: str) -> Line:
    line: Line = styled(" ", "footer")
    keys = _OVER if over else _KEYS
    if typed:
        keys = (*keys[:-1], ("Esc", mark("clear")))
    for key, about in keys:
        line = (*line, *styled(key, "footer", "footer.key"), *styled(f" {_(about)}  ", "footer"))
    return fit(both_ends(line, styled(_("F1 help") + " ", "footer"), columns), columns)


class PuzzleScreen:
    """The application; `cli.screen.event_loops.Stage` can show `app`."""

    def __init__(self, desk: Desk, looks: Settings, *, streams: tuple[Input, Output] | None = None) -> None:
        """`streams`: where to read and draw, if not standard input and output."""
        self.desk, self._ascii = desk, looks.ascii
        self.typed = self.cursor = self._pointed = ""
        self.app: ThemedApplication[None] = of_rows(
            lambda: looks.theme,
            Rows(self.lines, self._mouse),
            self._keys(),
            mouse=looks.mouse,
            streams=streams,
        )

    def lines(self) -> Sequence[Line]:
        """The whole screen, in the size that its terminal has now."""
        size = self.app.output.get_size()
        lines = screen(self.desk, size.columns, size.rows, self.typed, self.cursor)
        return [ascii_line(line) for line in lines] if self._ascii else lines

    def enter(self, line: str) -> None:
        """Take a whole line."""
        self.typed = ""
        before = self.desk.sitting.position
        self.desk.typed(line)
        if self.desk.sitting.position is not before:
            self.cursor = ""
        if self.desk.sitting.wish == "quit":
            self.app.exit()

    def _write(self, text: str) -> None:
        more = "".join(character for character in text if character.isprintable())
        self.typed = (self.typed + more)[:_MOST_TYPED]

    def point(self, place: str) -> None:
        """Point at a place of the board, with the cursor or the mouse."""
        at = self.desk.sitting.position
        way = at.here.pointer or at.here.clicks
        pointed = way and way.point(at.context(self.typed, self.cursor), place)
        if pointed and not self.desk.sitting.over:
            self.typed = self._pointed = pointed[0]
            if pointed[1]:
                self.enter(pointed[0])

    def press(self) -> None:
        """Enter: what was typed, or, where nothing was, the place under the cursor."""
        over = self.desk.sitting.over
        if self.cursor and not over and self.typed in ("", self._pointed):
            self.point(self.cursor)
        else:
            self.enter(self.typed)

    def escape(self) -> None:
        """Esc: what was typed goes, or, where nothing was, the player."""
        if self.typed:
            self.typed = ""
        else:
            self.enter("q")

    def step(self, direction: str) -> None:
        """Go on by an arrow key: with the cursor, or to the next answer."""
        at = self.desk.sitting.position
        if at.here.pointer is not None:
            self.cursor = at.here.pointer.step(at.context(self.typed, self.cursor), direction)
            return
        words = at.moves()  # not the choices of a match: those that cannot be are missing there
        if words:
            step = 1 if direction in ("down", "right") else -1
            place = words.index(self.typed) + step if self.typed in words else min(step, 0)
            self.typed = words[place % len(words)]

    def _mouse(self, name: str | None, event: MouseEvent) -> None:
        if event.event_type is MouseEventType.MOUSE_UP and name:
            self.point(name)
            self.app.invalidate()

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        keys.add("enter", eager=True)(lambda _event: self.press())
        for key, command in _COMMANDS.items():
            keys.add(key, eager=True)(lambda _event, command=command: self.enter(command))
        for direction in STEPS:
            keys.add(direction, eager=True)(lambda _event, direction=direction: self.step(direction))
        for key in ("c-c", "c-d"):
            keys.add(key, eager=True)(lambda _event: self.enter("q"))
        keys.add("escape", eager=True)(lambda _event: self.escape())
        keys.add("backspace", eager=True)(lambda _event: setattr(self, "typed", self.typed[:-1]))
        keys.add(Keys.BracketedPaste)(lambda event: self._write(" ".join(event.data.split())))
        keys.add(Keys.Any)(lambda event: self._write(event.data))
        keys.add("c-z")(lambda event: event.app.suspend_to_background())
        return keys
