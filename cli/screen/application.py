"""The screen: a prompt_toolkit application around a table.  Keys in, lines out; no rules of its own.

What is drawn stands in `cli.screen.windows`; what a key does changes the input line or calls the table.  The
application never waits: connections run on trio beside it (`cli.screen.event_loops`) and only tell it to draw
anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from prompt_toolkit import Application
from prompt_toolkit.buffer import Buffer, CompletionState
from prompt_toolkit.completion import Completion, get_common_complete_suffix
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType

from cli.screen.input_line import Choices, Cursor, Typing
from cli.screen.notifier import Notifier, standard_output
from cli.screen.windows import Windows
from cli.table import actions, presentation
from cli.table.calls import Calls
from cli.table.presentation import Typed
from cli.text.layout import MAX_LINE
from cli.text.regions import CHOICE
from cli.text.theme import colours, depth, style

if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

    from cli.games.interface import Clicks, Pointer, ViewContext
    from cli.table.controller import TableController

_WHEEL: Final = {MouseEventType.SCROLL_UP: -0.2, MouseEventType.SCROLL_DOWN: 0.2}
"""How many pages the mouse wheel scrolls."""
_PAGES: Final = {
    "f1": "help",
    "f4": "rules",
    "f5": "history",
    "f6": "checks",
    "f7": "looked",
    "f8": "records",
    "f9": "manifest",
}
"""By key, the command whose page it opens, and closes."""
_ESCAPE_AFTER: Final = 0.05
"""Seconds after which a lone Esc is no longer taken for the beginning of an arrow key."""


class Front:
    """The application for one table; `cli.screen.event_loops.Stage` shows `app`."""

    def __init__(self, table: TableController, terminal: tuple[Input, Output] | None = None) -> None:
        """`terminal`: where to read and draw, if not standard input and output."""
        self.table = table
        self.typing = Typing()
        self.cursor = Cursor()
        self.choices = Choices(table)
        self.buffer = Buffer(
            completer=self.choices,
            multiline=False,
            accept_handler=self._accept,
            on_text_changed=lambda _: self._typed(),
        )
        self.windows = Windows(self.buffer, self._mouse, lambda: table.settings.ascii)
        count = colours()
        entry, output = terminal or (None, standard_output())
        self._calls, self._notifier = Calls(table), Notifier(output, table.environment.call)
        self._news = ""
        """Why the player is to be called, once the screen is there."""
        self.app: Application[None] = Application(
            layout=self.windows.layout,
            before_render=lambda _: self._draw(),
            key_bindings=self._keys(),
            style=style(table.settings.theme, count),
            color_depth=depth(count),
            full_screen=True,
            mouse_support=Condition(lambda: table.settings.mouse),
            refresh_interval=1.0,  # countdowns and round trips go on while nobody types
            input=entry,
            output=output,
        )
        self.app.ttimeoutlen = _ESCAPE_AFTER
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

    # What is drawn

    def _draw(self) -> None:
        """Draw what the table shows now, in the size that the terminal has now."""
        self._call()
        size = self.app.output.get_size()
        self.windows.draw(presentation.scene(self.table, self._line()), size.columns, size.rows)

    def _line(self) -> Typed:
        """The input line as the table sees it."""
        state, text = self.buffer.complete_state, self.buffer.text
        picked = self._picked
        stem = state.original_document.text if state else ""
        return Typed(text, picked.text if picked else None, stem, self.typing.chatting, self.cursor.place)

    @property
    def _picked(self) -> Completion | None:
        """The choice that stands in the line because an arrow key or a click put it there."""
        state = self.buffer.complete_state
        return state.current_completion if state else None

    # What keys do

    def _accept(self, buffer: Buffer) -> bool:
        if self._points_anew():
            self._point(self.cursor.place)
            return True  # prompt_toolkit then leaves the line as it is
        before, text = self.typing, self.typing.meant(buffer.text[:MAX_LINE], self.table)
        self.typing = Typing(chatting=before.chatting)
        buffer.complete_state = None
        if self.typing.chatting and self.table.pending is None:
            self.typing.chatting = False  # one message, and back to the game
            if text.strip():
                actions.say(self.table, text)
                if self.table.notice is not None:
                    self.typing.chatting = True
                    return self._select()  # it did not go out: it stays, to be shortened or said later
        else:
            waited = self.table.pending is not None
            actions.enter(self.table, text)
            self._turn_up()
            notice, answered = self.table.notice, waited and self.table.pending is None
            if text.strip() and not answered and notice is not None and notice[0] in ("warn", "bad"):
                self.changed()
                if before.pointed != text:
                    return self._select()  # it was refused: it stays, to be mended
                self.typing = before  # more can be pointed at
                return True
        self.changed()
        self._go_if_left()
        return self._give_back()  # if not, prompt_toolkit clears the line

    def _give_back(self) -> bool:
        """Put a line that was not confirmed back into the input, for editing; whether there was one."""
        line, self.table.returned = self.table.returned, ""
        notice = self.table.notice
        if line:
            self.buffer.document = Document(line)
            self.table.notice = notice  # it is about this line
            self._select()
        return bool(line)

    def _select(self) -> bool:
        """Select the line that came back: letters replace it, a space goes on, other keys edit it.  True."""
        buffer, notice = self.buffer, self.table.notice
        buffer.cursor_position = 0
        buffer.start_selection()
        buffer.cursor_position = len(buffer.text)
        if buffer.selection_state is not None:
            buffer.selection_state.enter_shift_mode()  # the toolkit's mode in which typing replaces
        if notice is None:
            self.table.notice = ("dim", "Your line is back: type over it, edit it, or Esc clears it.")
        elif notice[0] != "bad":
            self.table.notice = (notice[0], f"{notice[1]} Esc clears the line.")
        return True

    @property
    def _selected(self) -> bool:
        """Whether a line came back and is still as it was."""
        return self.buffer.selection_state is not None

    def _enter_again(self) -> None:
        """Say a line that came back once more, as it is."""
        self.buffer.exit_selection()
        self.buffer.validate_and_handle()

    def _append(self) -> None:
        """Go on behind a line that came back."""
        self.buffer.exit_selection()
        self.buffer.cursor_position = len(self.buffer.text)
        self.buffer.insert_text(" ")

    def _backspace(self) -> None:
        """Take the last letter away from a line that came back."""
        self.buffer.exit_selection()
        self.buffer.delete_before_cursor()

    def _paste(self, pasted: str) -> None:
        """Paste in place of a line that came back."""
        self.buffer.cut_selection()
        self.buffer.insert_text(" ".join(pasted.splitlines()))

    def _typed(self) -> None:
        """The line has changed."""
        self.typing.changed(self.buffer.text)
        notice = self.table.notice
        if self.buffer.text and notice is not None and notice[0] != "bad":
            self.table.notice = None  # it was about another line than the one that begins here

    def _write(self, more: str) -> None:
        """`more` is typed, or pasted, where something stands that was picked or pointed at."""
        buffer, line = self.buffer, self.typing.after(self.buffer.text, more, self.table)
        if line == buffer.text + more or not buffer.document.is_cursor_at_the_end:
            buffer.insert_text(more)
        else:
            buffer.document = Document(line)
            self.typing.given = ""

    def _pick(self, step: int) -> None:
        """Put the next of the choices into the line; after the last comes the first."""
        state = self.choices.state(self.buffer.text, self.buffer.complete_state)
        if state.completions and not self.typing.chatting:
            at = min(step, 0) if state.complete_index is None else state.complete_index + step
            self._put(state, at % len(state.completions))

    def _put(self, state: CompletionState, number: int) -> None:
        """Put a choice into the line."""
        self.buffer.complete_state = state
        self.buffer.go_to_completion(number)
        self.typing.pick(self.buffer.text)

    def _pointing(self) -> tuple[Pointer, ViewContext] | None:
        """How to point at the board and what it looks like, while keys do that: nothing else is typed."""
        pointer, typing = self.table.terminal.pointer, self.typing
        if typing.chatting or self.table.pending is not None or self.table.page is not None:
            return None
        if self.buffer.text not in ("", typing.pointed):
            return None
        context = self.table.context_with(self.buffer.text, self.cursor.place)
        return None if pointer is None or context is None else (pointer, context)

    def _points(self) -> bool:
        return self._pointing() is not None

    def _points_anew(self) -> bool:
        """Whether the place of the cursor, pointed at, does more than leave the line as it is."""
        pointing, text = self._pointing(), self.buffer.text
        if pointing is None or not self.cursor.place:
            return False
        return not text or pointing[0].point(pointing[1], self.cursor.place) != (text, False)

    def _arrow(self, direction: str) -> None:
        """Scroll the open page, or move the cursor over the board, or else through the choices."""
        if self.table.page is not None:
            self.windows.top += {"up": -1, "down": 1}.get(direction, 0)
            return
        pointing = self._pointing()
        if pointing is None or not self.cursor.step(*pointing, direction):
            self._pick(-1 if direction in ("up", "left") else 1)

    def _press(self, key: str) -> None:
        """A printable key on an empty line, or where something was picked or pointed at: it points, is a
        whole input, or is typed.
        """
        if not key.isprintable():
            return
        pointing = self._pointing()
        stroke = pointing[0].stroke(pointing[1], key) if pointing else None
        if pointing and stroke is not None:
            self._say(stroke)
            if self.table.notice is None:
                self.cursor.to(pointing[0].onward(pointing[1]))
        elif key == " " and self._points_anew():
            self._point(self.cursor.place)
        else:
            self._write(key)

    def _point(self, place: str) -> None:
        """Point at a place of the board: pick what stands there, or say what that comes to."""
        pointing = self._pointing()
        if pointing is None:
            return
        if "-" not in place:
            self.cursor.to(place)
        text, said = pointing[0].point(pointing[1], place)
        if said:
            self._say(text)
        else:
            self.buffer.document = Document(self.typing.point(text))

    def _say(self, text: str) -> None:
        """Say what was pointed at; what is refused stays picked, so that it can go elsewhere."""
        actions.enter(self.table, text)
        if self.table.notice is None:
            self.buffer.reset()
        self.changed()

    def _take(self, number: int) -> None:
        """Put an offered choice into the line; say it if it stands there already."""
        state = self.choices.state(self.buffer.text, self.buffer.complete_state)
        if self.typing.chatting or number >= len(state.completions):
            return
        if state.complete_index == number:
            self.buffer.validate_and_handle()
        else:
            self._put(state, number)

    def _mouse(self, place: str | None, event: MouseEvent) -> None:
        """A mouse acts on a part of the screen that belongs to `place`."""
        if event.event_type in _WHEEL and self.table.page is not None:
            self._scroll(_WHEEL[event.event_type])
        elif event.event_type is MouseEventType.MOUSE_UP and self.table.page is not None:
            self.table.page = None
        elif event.event_type is MouseEventType.MOUSE_UP and place is not None:
            if place.startswith(CHOICE):
                self._take(int(place.removeprefix(CHOICE)))
            elif self.table.terminal.clicks is not None:
                self._click(self.table.terminal.clicks, place)
            else:
                self._point(place)
        self.app.invalidate()

    def _click(self, clicks: Clicks, place: str) -> None:
        """Put the answer that a click on `place` gives into the line, or say it."""
        context = self.table.context_with(self.buffer.text)
        if self.typing.chatting or self.table.pending is not None or context is None:
            return
        found = clicks.point(context, place)
        if found is None:
            return
        text, said = found
        if said:
            self._say(text)
        else:
            self._put(CompletionState(Document(), [Completion(text)]), 0)

    def _tab(self) -> None:
        """Finish the line as far as only one choice fits; on an empty one, go to the chat and back."""
        if not self.buffer.text or (self._selected and not self.typing.chatting):
            self.buffer.reset()
            self.typing.chatting = not self.typing.chatting and self.table.pending is None
        elif not self.typing.chatting:
            found = self.choices.state(self.buffer.text, None).completions
            more = get_common_complete_suffix(Document(self.buffer.text.lower()), found)
            whole = found[0].text if len(found) == 1 else self.buffer.text + more
            self.buffer.document = Document(whole)

    def _escape(self) -> None:
        """Close what is open, or clear the line with what was said of it; if that is clear, end the chat."""
        table = self.table
        if table.page is not None:
            table.page = None
            return
        if table.pending is None:
            if not self.buffer.text and table.notice is None:
                self.typing.chatting = False
                self.cursor.to("")
            self.buffer.reset()
        table.cancel()
        self._give_back()

    def _scroll(self, pages: float) -> None:
        if self.table.page is None:
            actions.show(self.table, "history")
            self._turn_up()
        else:
            self.windows.top += int(self.windows.page_rows * pages)

    def _turn_up(self) -> None:
        """Show a page that was opened from where it is to be read."""
        page = self.table.page
        self.windows.top = len(page.lines) if page and page.newest_last else 0

    def _open(self, command: str) -> None:
        """Show what a typed command would show; the same key closes it."""
        before = self.table.page
        actions.show(self.table, command)
        self._turn_up()
        if before and self.table.page and before.title == self.table.page.title:
            self.table.page = None

    def _next_side(self) -> None:
        sides = presentation.panels(self.table)
        if sides:
            at = sides.index(self.table.side) if self.table.side in sides else 0
            self.table.side = sides[(at + 1) % len(sides)]

    def _toggle_notes(self) -> None:
        actions.show(self.table, f"notes {'off' if self.table.settings.notes else 'on'}")

    def _leave(self) -> None:
        self.typing.chatting = False
        actions.leave(self.table)
        self._go_if_left()

    def _suspend(self) -> None:
        """To the background, as a shell's user expects; the match goes on with the program."""
        self.app.suspend_to_background()

    def _redraw(self) -> None:
        self.app.renderer.clear()

    def _go_if_left(self) -> None:
        if self.table.left and self.app.is_running:
            self.app.exit()

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        def on(key: str, action: Callable[[], object], when: Callable[[], bool] = lambda: True) -> None:
            def pressed(event: KeyPressEvent) -> None:
                action()
                event.app.invalidate()

            # Eager: a lone Esc must not wait for a key that could follow it in an emacs binding.
            keys.add(key, filter=Condition(when), eager=key == "escape")(pressed)

        def empty() -> bool:
            return not self.buffer.text and not self.typing.chatting

        def picking() -> bool:
            return empty() or self._picked is not None

        def given() -> bool:
            return self._points() or bool(self.typing.given)

        on("up", lambda: self._arrow("up"))
        on("down", lambda: self._arrow("down"))
        on("left", lambda: self._arrow("left"), lambda: picking() or self._points())
        on(
            "right",
            lambda: self._arrow("right"),
            lambda: picking() or self._points() or self.buffer.text.endswith(" "),
        )
        keys.add(Keys.Any, filter=Condition(given))(lambda event: self._press(event.data))
        keys.add(Keys.BracketedPaste, filter=Condition(given))(
            lambda event: self._write(" ".join(event.data.splitlines()))
        )
        on("enter", self._enter_again, lambda: self._selected)
        on("backspace", self._backspace, lambda: self._selected)
        on(" ", self._append, lambda: self._selected)
        keys.add(Keys.BracketedPaste, filter=Condition(lambda: self._selected))(
            lambda event: self._paste(event.data)
        )
        on("tab", self._tab)
        on("escape", self._escape)
        on("pageup", lambda: self._scroll(-0.9))
        on("pagedown", lambda: self._scroll(0.9))
        for key, command in _PAGES.items():
            on(key, lambda command=command: self._open(command))  # type: ignore[misc]  # a default binds it now
        on("?", lambda: self._open("help"), empty)
        on("f2", self._next_side)
        on("f3", self._toggle_notes)
        for key in ("c-q", "c-c", "c-d"):
            on(key, self._leave)
        on("c-z", self._suspend)
        on("c-l", self._redraw)
        self._notifier.listen(keys)
        return keys
