"""The screen: a prompt_toolkit application around a desk.  Keys in, lines out; no rules, no words of its own.

What is drawn comes from `cli.frame`, a pure function; what a key does is either a change of the input line or
a call of the desk.  The application never waits: connections run on trio beside it (`cli.guest`) and only
tell it to draw anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from prompt_toolkit import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, VSplit, Window

from cli.frame import Screen, draw
from cli.text import Line, width
from cli.theme import colours, depth, style

if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

    from cli.front import Desk

MAX_TYPED: Final = 500
"""Characters of the input line: as many as a line of chat may have."""
_SIDES: Final = ("soldiers", "notes", "chat", "history")
_ESCAPE_AFTER: Final = 0.05
"""Seconds after which a lone Esc is no longer taken for the beginning of an arrow key."""


@dataclass
class Typing:
    """Where the player is with the input line."""

    chatting: bool = False
    stem: str = ""
    """What was typed when an arrow key was first used; the choices are those that go on from it."""
    picked: str | None = None
    """The choice that stands in the line because an arrow key put it there."""
    top: int = 0
    """How far the open page is scrolled."""


class Front:
    """The application for one desk; `cli.guest.Stage` shows `app`."""

    def __init__(self, desk: Desk, terminal: tuple[Input, Output] | None = None) -> None:
        """`terminal`: where to read and draw, if not standard input and output."""
        self.desk = desk
        self.typing = Typing()
        self.buffer = Buffer(
            multiline=False, accept_handler=self._accept, on_text_changed=lambda _: self._typed()
        )
        self._drawn = Screen([], (), [], 1)
        count = colours()
        entry, output = terminal or (None, None)
        self.app: Application[None] = Application(
            layout=self._layout(),
            key_bindings=self._keys(),
            style=style(desk.settings.theme, count),
            color_depth=depth(count),
            full_screen=True,
            refresh_interval=1.0,  # countdowns and round trips go on while nobody types
            input=entry,
            output=output,
        )
        self.app.ttimeoutlen = _ESCAPE_AFTER
        self.changed()

    def changed(self) -> None:
        """Something happened in the match: ring if it is the player's turn now, and draw anew."""
        _, turn = self.desk.refresh()
        if turn and self.desk.settings.bell and self.app.is_running:
            self.app.output.bell()
        self.app.invalidate()

    # What is drawn

    def screen(self) -> Screen:
        """The screen at its present size."""
        size = self.app.output.get_size()
        typing = self.typing
        scene = self.desk.scene(self.buffer.text, typing.picked, chatting=typing.chatting, top=typing.top)
        return draw(scene, size.columns, size.rows, ascii_only=self.desk.settings.ascii)

    def _layout(self) -> Layout:
        def above() -> StyleAndTextTuples:
            self._drawn = self.screen()  # once, for all three parts
            return _fragments(self._drawn.above)

        entry = Window(BufferControl(self.buffer), height=1, style="class:input", wrap_lines=False)
        prompt = Window(
            FormattedTextControl(lambda: list(self._drawn.prompt)),
            width=lambda: width(self._drawn.prompt),
            height=1,
        )
        below = Window(
            FormattedTextControl(lambda: _fragments(self._drawn.below)),
            height=lambda: len(self._drawn.below),
        )
        return Layout(
            HSplit([Window(FormattedTextControl(above)), VSplit([prompt, entry]), below]),
            focused_element=entry,
        )

    # What keys do

    def _accept(self, buffer: Buffer) -> bool:
        text = buffer.text[:MAX_TYPED]
        self.typing = Typing(chatting=self.typing.chatting)
        if self.typing.chatting and self.desk.pending is None:
            if text.strip():
                self.desk.say(text)
            else:
                self.typing.chatting = False
        else:
            self.desk.enter(text)
        self.changed()
        self._go_if_left()
        return False  # prompt_toolkit then clears the line

    def _typed(self) -> None:
        """The line has changed: if by the player, nothing in it was picked any more."""
        if self.buffer.text != self.typing.picked:
            self.typing.picked = None

    def _pick(self, step: int) -> None:
        """Put the next of the choices into the line, as if it had been typed."""
        typing = self.typing
        if typing.chatting:
            return
        if typing.picked is None:
            typing.stem = self.buffer.text
        choices = [choice.word for choice in self.desk.choices(typing.stem)]
        if not choices:
            return
        place = choices.index(typing.picked) + step if typing.picked in choices else min(step, 0)
        typing.picked = choices[place % len(choices)]
        self.buffer.document = Document(typing.picked)

    def _tab(self) -> None:
        """Finish the word if only one fits; on an empty line, go to the chat and back."""
        if not self.buffer.text:
            self.typing.chatting = not self.typing.chatting and self.desk.pending is None
        elif not self.typing.chatting:
            choices = self.desk.choices(self.buffer.text)
            if len(choices) == 1:
                self.buffer.document = Document(choices[0].word)

    def _escape(self) -> None:
        """Close what is open; if nothing is, clear the line; if that is clear, end the chat."""
        desk = self.desk
        if desk.page is None and desk.pending is None and desk.notice is None:
            if not self.buffer.text:
                self.typing.chatting = False
            self.buffer.reset()
        desk.cancel()
        self.typing.top = 0

    def _scroll(self, pages: float) -> None:
        if self.desk.page is None:
            self.desk.enter("history")
            self.typing.top = len(self.desk.page.lines) if self.desk.page else 0
        page = self.desk.page
        most = max(len(page.lines) - self._drawn.page_rows, 0) if page else 0
        here = min(self.typing.top, most)
        self.typing.top = min(max(here + int(self._drawn.page_rows * pages), 0), most)

    def _open(self, command: str) -> None:
        """Show what a typed command would show; the same key closes it."""
        before, self.typing.top = self.desk.page, 0
        self.desk.enter(command)
        if before and self.desk.page and before.title == self.desk.page.title:
            self.desk.page = None

    def _next_side(self) -> None:
        side = self.desk.side or _SIDES[0]
        self.desk.side = _SIDES[(_SIDES.index(side) + 1) % len(_SIDES)]

    def _leave(self) -> None:
        self.typing.chatting = False
        self.desk.leave()
        self._go_if_left()

    def _suspend(self) -> None:
        """To the background, as a shell's user expects; the match goes on with the program."""
        self.app.suspend_to_background()

    def _redraw(self) -> None:
        self.app.renderer.clear()

    def _go_if_left(self) -> None:
        if self.desk.left and self.app.is_running:
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
            return empty() or self.typing.picked is not None

        on("up", lambda: self._pick(-1))
        on("down", lambda: self._pick(1))
        on("left", lambda: self._pick(-1), picking)
        on("right", lambda: self._pick(1), lambda: picking() or self.buffer.text.endswith(" "))
        on("tab", self._tab)
        on("escape", self._escape)
        on("pageup", lambda: self._scroll(-0.9))
        on("pagedown", lambda: self._scroll(0.9))
        for key, command in (("f1", "help"), ("f4", "rules"), ("f5", "history"), ("f6", "checks")):
            on(key, lambda command=command: self._open(command))  # type: ignore[misc]  # a default binds it now
        on("?", lambda: self._open("help"), empty)
        on("f2", self._next_side)
        on("f3", self.desk.toggle_notes)
        for key in ("c-q", "c-c", "c-d"):
            on(key, self._leave)
        on("c-z", self._suspend)
        on("c-l", self._redraw)
        return keys


def _fragments(lines: list[Line]) -> StyleAndTextTuples:
    """Lines as one piece of formatted text."""
    parts: StyleAndTextTuples = []
    for line in lines:
        parts += [*line, ("", "\n")]
    return parts[:-1]
