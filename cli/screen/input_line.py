"""The input line while arrows and clicks put things into it: what comes next goes on from them or not.

A square that was pointed at can be followed by another one, and a picked answer by more of it.  But whoever
goes on with "ready" or "save mine" says that instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from cli.games.interface import Pointer, ViewContext
from cli.table import commands, presentation
from cli.table.controller import TableController

_ALONE = ("/", "?")
"""Signs that are commands, or begin one."""


@dataclass
class Typing:
    """Where the player is with the input line."""

    chatting: bool = False
    stem: str = ""
    """What was typed when an arrow key was first used; the choices are those that go on from it."""
    picked: str | None = None
    """The choice that stands in the line because an arrow key or a click put it there."""
    pointed: str | None = None
    """What stands in the line because a place of the board was pointed at."""
    given: str = ""
    """What the line begins with because it was picked or pointed at, also if more was typed since."""
    from_board: bool = False
    """Whether that was pointed at."""

    def pick(self, word: str) -> str:
        """A choice is put into the line: the new line."""
        self.picked, self.given, self.from_board = word, word, False
        return word

    def point(self, text: str) -> str:
        """What was pointed at is put into the line: the new line."""
        self.pointed, self.given, self.from_board = text, text, True
        return text

    def changed(self, text: str) -> None:
        """The line is `text` now: what it is not, or does not begin with, was typed over."""
        if text != self.picked:
            self.picked = None
        if text != self.pointed:
            self.pointed = None
        if not text.startswith(self.given):
            self.given = ""

    def after(self, text: str, more: str, table: TableController) -> str:
        """The line once `more` was typed at its end."""
        rest = (text + more).removeprefix(self.given).lstrip()
        if not self.given or not text.startswith(self.given) or not rest or self._goes_on(text + more, table):
            return text + more
        return rest

    def _goes_on(self, text: str, table: TableController) -> bool:
        rest = text.removeprefix(self.given)
        if not self.from_board:
            word = rest.lstrip()
            alone = (
                word.startswith(_ALONE) or commands.begins(word) or bool(presentation.choices(table, word))
            )
            # A yes or no is offered whatever is typed.
            found = presentation.choices(table, text) if table.pending is None else ()
            return bool(found) or not alone
        pointer, context = table.terminal.pointer, table.context_with(self.given)
        return pointer is None or context is None or pointer.goes_on(context, rest)

    def meant(self, text: str, table: TableController) -> str:
        """What is said by the line: a command behind a square that was only pointed at is just that command.

        While a side is set up a letter may be both; then it is the piece that is put on the square.
        """
        rest = text.removeprefix(self.given).strip()
        context = table.context
        plays = context is not None and context.draft is None
        if self.given and self.from_board and plays and commands.read(rest) is not None:
            return rest
        return text


class Cursor:
    """Where one player points at the board.  Only keys that cannot begin a typed line move it."""

    def __init__(self) -> None:
        self.place = ""
        """Its place; empty while it is not shown."""

    def step(self, pointer: Pointer, context: ViewContext, direction: str) -> None:
        """Move it, or show it if it is not shown."""
        self.place = pointer.step(context, direction)

    def to(self, place: str) -> None:
        """Put it on a place."""
        self.place = place


def completed(text: str, table: TableController) -> str:
    """The line as far as everything that it can go on to agrees; as it is, if that is no further."""
    words = [choice.word for choice in presentation.choices(table, text)]
    if len(words) == 1:
        return words[0]
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*words, strict=False))
    common = "".join(letters[0] for letters in alike)
    return common if len(common) > len(text) and common.startswith(text.lower()) else text
