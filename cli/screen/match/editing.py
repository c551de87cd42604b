"""The input line of a screen: picked, pointed at, given back or typed, and the effect of each key on it.

While arrows and clicks put words into it, typing goes on from them, or replaces them.  A square that was
pointed at can be followed by another one, and a picked answer by more of it.  But "ready" or "save mine"
behind it is a line of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from prompt_toolkit.buffer import Buffer, CompletionState
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from cli.games.interface import Pointer, ViewContext
from cli.table.scene import presentation, undoing
from cli.table.scene.presentation import ListName, Typed
from cli.table.seat.controller import TableController
from cli.table.words import commands
from cli.table.words.commands import Order
from p2p_stratego.core.language import _


class LineEditor:
    """The line of one table's screen; it changes nothing but itself and the table's notice."""

    def __init__(self, table: TableController, accept: Callable[[Buffer], bool]) -> None:
        """`accept`: says the line, on Enter; whether it stays."""
        self._table = table
        self.typing = Typing()
        self.cursor = BoardCursor()
        self.choices = LineCompleter(table)
        self.listed: ListName | None = None
        """The list that is open; then the line searches it."""
        self.row = 0
        self._kept = ""
        """The text of the line before the list opened."""
        self._returned = ""
        """The line that came back last."""
        self.buffer = Buffer(
            completer=self.choices,
            multiline=False,
            accept_handler=accept,
            on_text_changed=lambda _: self.changed(),
        )

    def typed(self) -> Typed:
        """The input line as the table sees it."""
        state, text = self.buffer.complete_state, self.buffer.text
        picked = self.picked
        stem = state.original_document.text if state else ""
        chosen = picked.text if picked else None
        place, chatting = self.cursor.place, self.typing.chatting
        return Typed(text, chosen, stem, chatting, place, self.listed, self.row)

    @property
    def empty(self) -> bool:
        """Whether nothing stands in it, and no message is being written."""
        return not self.buffer.text and not self.typing.chatting and self.listed is None

    def open_list(self, listed: ListName) -> None:
        """Open a list over the board; the text of the line comes back when the list is closed."""
        self._kept = self.buffer.text if self.listed is None else self._kept
        self.listed, self.row = listed, 0
        self.buffer.reset()

    def close_list(self) -> None:
        """Close it."""
        self.listed = None
        self.buffer.document = Document(self._kept)
        self._kept = ""

    def drop_answer(self) -> bool:
        """Empty the line, as its question is gone, and close an open list; whether there was an answer.

        A message stays.
        """
        if self.listed is not None:
            self.close_list()
        text, order = self.buffer.text, commands.read(self.buffer.text)
        stays = self.typing.chatting or (order is not None and order[0] in (Order.SAY, Order.TO))
        if not stays:
            self.buffer.reset()
        return bool(text) and not stays

    def shorten(self) -> None:
        """Take the last part of the line back; a place that was pointed at stays one."""
        pointed = self.typing.pointed is not None
        text = undoing.shortened(self.buffer.text)
        self.buffer.reset()
        self.buffer.document = Document(self.typing.point(text) if pointed and text else text)

    @property
    def picked(self) -> Completion | None:
        """The choice that stands in the line because an arrow key or a click put it there."""
        state = self.buffer.complete_state
        return state.current_completion if state else None

    def give_back(self) -> bool:
        """Put a line that was not confirmed back into the input, for editing; whether there was one."""
        line, self._table.returned = self._table.returned, ""
        notice = self._table.notice
        if line:
            self.buffer.document = Document(line)
            self._table.notice = notice  # it is about this line
            self.select()
        return bool(line)

    def select(self) -> bool:
        """Select the line that came back: letters replace it, a space goes on, other keys edit it.  True."""
        buffer, notice = self.buffer, self._table.notice
        self._returned = buffer.text
        buffer.cursor_position = 0
        buffer.start_selection()
        buffer.cursor_position = len(buffer.text)
        if buffer.selection_state is not None:
            buffer.selection_state.enter_shift_mode()  # the toolkit's mode in which typing replaces
        if self._table.page is not None:
            pass  # there Esc closes the page, as its last line says: this is told once the page is closed
        elif notice is None:
            self._table.notice = ("dim", _("Your line is back: type over it, edit it, or Esc clears it."))
        elif notice[0] != "bad":
            self._table.notice = (notice[0], _("{notice} Esc clears the line.", notice=notice[1]))
        return True

    @property
    def selected(self) -> bool:
        """Whether a line came back and is still as it was."""
        return self.buffer.selection_state is not None

    def enter_again(self) -> None:
        """Say a line that came back once more, as it is."""
        self.buffer.exit_selection()
        self.buffer.validate_and_handle()

    @property
    def returned_whole(self) -> bool:
        """Whether a line that came back stands as it was, and no choice goes on from it: arrows would put the
        move of another piece in its place.
        """
        came_back = bool(self._returned) and self.buffer.text == self._returned
        return came_back and not any(
            choice.text.lower().startswith(self._returned.lower())
            for choice in self.choices.state(self._returned, None).completions
        )

    def keep(self) -> None:
        """Edit a line that came back from its end."""
        self.buffer.exit_selection()
        self.buffer.cursor_position = len(self.buffer.text)

    def append(self) -> None:
        """Go on behind a line that came back."""
        self.keep()
        self.buffer.insert_text(" ")

    def backspace(self) -> None:
        """Take the last letter away from a line that came back."""
        self.buffer.exit_selection()
        self.buffer.delete_before_cursor()

    def paste(self, pasted: str) -> None:
        """Paste in place of a line that came back."""
        self.buffer.cut_selection()
        self.buffer.insert_text(" ".join(pasted.splitlines()))

    def changed(self) -> None:
        """The line has changed."""
        self.row = 0
        self.typing.changed(self.buffer.text)
        notice = self._table.notice
        if self.buffer.text and notice is not None and notice[0] != "bad":
            self._table.notice = None  # it was about another line than the one that begins here

    def write(self, more: str) -> None:
        """Type or paste `more` behind a text that was picked or pointed at."""
        buffer, line = self.buffer, self.typing.after(self.buffer.text, more, self._table)
        if line == buffer.text + more or not buffer.document.is_cursor_at_the_end:
            buffer.insert_text(more)
        else:
            buffer.document = Document(line)
            self.typing.given = ""

    def pick(self, step: int) -> None:
        """Put the next of the choices into the line; after the last comes the first."""
        state = self.choices.state(self.buffer.text, self.buffer.complete_state)
        if state.completions and not self.typing.chatting:
            at = min(step, 0) if state.complete_index is None else state.complete_index + step
            self.put(state, at % len(state.completions))

    def put(self, state: CompletionState, number: int) -> None:
        """Put a choice into the line."""
        self.buffer.complete_state = state
        self.buffer.go_to_completion(number)
        self.typing.pick(self.buffer.text)

    def pointing(self) -> tuple[Pointer, ViewContext] | None:
        """The pointer and the board, while keys point at it: the line holds nothing else; None otherwise."""
        pointer, typing = self._table.terminal.pointer, self.typing
        table, busy = self._table, typing.chatting or self.listed is not None
        if busy or table.pending is not None or table.page is not None:
            return None
        if self.buffer.text not in ("", typing.pointed):
            return None
        context = self._table.context_with(self.buffer.text, self.cursor.place)
        return None if pointer is None or context is None else (pointer, context)

    def points(self) -> bool:
        """Whether keys point at the board now."""
        return self.pointing() is not None

    def points_anew(self) -> bool:
        """Whether pointing at the place of the cursor would change the line, or send it."""
        pointing, text = self.pointing(), self.buffer.text
        if pointing is None or not self.cursor.place:
            return False
        return pointing[0].point(pointing[1], self.cursor.place) != (text, False)

    def leave_board(self) -> None:
        """Take the cursor away from an empty line: nothing can be done where it is."""
        if not self.buffer.text:
            self.cursor.to("")


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
