"""The lobby on the screen: a list that stays up to date below the invite, and an input line.

It does not take the whole screen, so that the invite above it can still be copied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit import print_formatted_text
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, VSplit, Window

from cli.screen.look import ThemedApplication
from cli.screen.notifier import Notifier, standard_output
from cli.table.words import lobby as drawn
from cli.table.words.lobby import LobbyPlace
from cli.text.layout import MAX_LINE

if TYPE_CHECKING:
    from collections.abc import Callable

    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

    from cli.shell.settings import Settings

_PROMPT = "> "
_HAPPENED = 2
"""How many sentences about those who came and left are shown."""


class LobbyScreen:
    """The application for one place in a lobby; `cli.screen.event_loops.Stage` shows `app`."""

    def __init__(
        self,
        place: LobbyPlace,
        settings: Settings,
        terminal: tuple[Input, Output] | None = None,
        run_command: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`terminal`: where to read and draw, if not standard input and output; `run_command`: the player's
        own, with a sentence.
        """
        self._place, self._settings = place, settings
        self._seen: int | None = None
        self._here = 0
        self._digits = ""
        """The digits that our player sees now, and compares."""
        self._before = place.view
        self._happened: list[str] = []
        self._number = None if self._before is None else self._before.number
        self.buffer = Buffer(multiline=False, accept_handler=self._accept)
        page = Window(FormattedTextControl(self._page), dont_extend_height=True)
        prompt = Window(FormattedTextControl(_PROMPT), width=len(_PROMPT), height=1)
        line = VSplit([prompt, Window(BufferControl(self.buffer), height=1)])
        entry, output = terminal or (None, standard_output())
        self._notifier = Notifier(output, run_command)
        self.app: ThemedApplication[None] = ThemedApplication(
            lambda: settings.theme,
            layout=Layout(HSplit([page, line])),
            key_bindings=self._keys(),
            full_screen=False,
            erase_when_done=True,
            input=entry,
            output=output,
        )
        place.on_change = self.changed

    def changed(self) -> None:
        """Something happened in the lobby: call the player if somebody came, and draw anew."""
        view = self._place.view
        if view is not None and view.number != self._number:
            self._number = view.number
            if view.asks:
                self.buffer.reset()  # what was typed before the question does not answer it
            if self._before is not None:
                fresh = drawn.news(self._before, view, brief=True)
                self._happened = [*self._happened, *fresh][-_HAPPENED:]
            self._before = view
        if self._place.invites:
            self._print(self._place.invites.copy())
            self._place.invites.clear()
        if self._place.remarks:
            self._happened = [*self._happened, *self._place.remarks][-_HAPPENED:]
            self._place.remarks.clear()
        newcomer = self._place.newcomer
        here = 0 if view is None else sum(bool(row.name) for row in view.rows)
        if newcomer is not None:
            here += 1
            if newcomer.digits != self._digits:
                self.buffer.reset()  # what was typed before the question does not answer it
        if here > self._here and view is not None and self.app.is_running:
            why = drawn.call(view) if newcomer is None else newcomer.call
            self._notifier.call(self._settings, why)
        self._here = here
        if self._place.left and self.app.is_running:
            self.app.exit()
        self.app.invalidate()

    def _print(self, handed: list[tuple[str, str]]) -> None:
        """Print invites above the lobby, where they stay and can be copied: the toolkit makes room."""
        text = "\n".join(f"{sentence}\n{invite}" for sentence, invite in handed)
        if self.app.is_running:
            print_formatted_text(text, output=self.app.output)

    def _page(self) -> StyleAndTextTuples:
        """The lines above the input; once drawn, our player has seen this listing."""
        view = self._place.view
        self._seen = None if view is None else view.number
        newcomer = self._place.newcomer
        self._digits = "" if newcomer is None else newcomer.digits
        columns = self.app.output.get_size().columns
        parts: StyleAndTextTuples = []
        for line in drawn.page(
            self._place, columns - 1, happened=self._happened, ascii_only=self._settings.ascii
        ):
            parts += [*line, ("", "\n")]
        return parts[:-1]

    def _accept(self, buffer: Buffer) -> bool:
        self._place.enter(buffer.text[:MAX_LINE], self._seen, self._digits)
        return False

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        def leave(_: KeyPressEvent) -> None:
            self._place.enter("quit", self._seen)

        keys.add("c-c")(leave)
        keys.add("c-d")(leave)
        return keys
