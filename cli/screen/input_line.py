"""The input line while arrows and clicks put words into it: typing goes on from them, or replaces them.

A square that was pointed at can be followed by another one, and a picked answer by more of it.  But "ready"
or "save mine" behind it is a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prompt_toolkit.buffer import CompletionState
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from cli.games.interface import Pointer, ViewContext
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from cli.table.words import commands

_ALONE = ("/", "?")
"""Signs that are commands, or begin one."""


class LineCompleter(Completer):
    """Completions of the input line by the open question."""

    def __init__(self, table: TableController) -> None:
        self._table = table

    def get_completions(self, document: Document, _: CompleteEvent) -> Iterator[Completion]:
        """Whole lines, in place of all that stands before the cursor."""
        for choice in presentation.choices(self._table, document.text):
            yield Completion(choice.word, -document.cursor_position, choice.shown)

    def state(self, text: str, before: CompletionState | None) -> CompletionState:
        """The choices for the line `text` now; while a choice is picked (`before`), the choices beside it.

        The toolkit's own search answers later, when the next key may have been handled already.
        """
        picked = before.current_completion if before else None
        line = before.original_document if before and picked else Document(text)
        completions = list(self.get_completions(line, CompleteEvent()))
        words = [completion.text for completion in completions]
        return CompletionState(
            line, completions, words.index(picked.text) if picked and picked.text in words else None
        )


@dataclass
class Typing:
    """The state of the input line beside its text."""

    chatting: bool = False
    pointed: str | None = None
    """The text of the place of the board that was pointed at last."""
    given: str = ""
    """The picked or pointed prefix, kept while typing continues."""
    from_board: bool = False
    """Whether that prefix was pointed at."""

    def pick(self, word: str) -> None:
        """A choice was put into the line."""
        self.given, self.from_board = word, False

    def point(self, text: str) -> str:
        """A place of the board was pointed at; the new line."""
        self.pointed, self.given, self.from_board = text, text, True
        return text

    def changed(self, text: str) -> None:
        """The line is `text` now: forget the pointed or picked text if the line begins otherwise."""
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
            # A yes or no is offered behind any typed text.
            choices = presentation.choices(table, text) if table.pending is None else ()
            return bool(choices) or not alone
        pointer, context = table.terminal.pointer, table.context_with(self.given)
        return pointer is None or context is None or pointer.goes_on(context, rest)

    def meant(self, text: str, table: TableController) -> str:
        """The line as it is sent: a command behind a square that was only pointed at is the command alone.

        During a set-up a letter may be a command and a piece; then it is the piece for the square.
        """
        rest = text.removeprefix(self.given).strip()
        context = table.context
        plays = context is not None and context.draft is None
        if self.given and self.from_board and plays and commands.read(rest) is not None:
            return rest
        return text


class BoardCursor:
    """The place of the board at which the player points.  Only keys that cannot begin a line move it."""

    def __init__(self) -> None:
        self.place = ""
        """Its place; empty while it is not shown."""

    def step(self, pointer: Pointer, context: ViewContext, direction: str) -> bool:
        """Move it, or show it if it is not shown; whether it is shown."""
        self.place = pointer.step(context, direction)
        return bool(self.place)

    def to(self, place: str) -> None:
        """Put it on a place."""
        self.place = place
