"""The lobby on the whole screen: a live table of seats, the talk beside or below it, an input line, and keys.

The mouse is left to the terminal, so that an invite can be selected and copied.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, HSplit, Layout, VSplit, Window

from cli.screen.look import ThemedApplication
from cli.screen.notifier import Notifier, standard_output
from cli.screen.widgets import input_line
from cli.table.pages import lobby_page
from cli.table.scene.scene import KeyHint
from cli.table.words import lobby_view
from cli.table.words.lobby_view import LobbyPlace, PlaceKey
from cli.text.language import yes_or_no
from cli.text.layout import EMPTY, MAX_LINE, Line, styled, width
from cli.text.names import shown
from cli.text.sanitize import escape
from p2p_stratego.core.language import _

if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

    from cli.shell.settings import Settings

_HAPPENED = 100
"""How many sentences are kept about those who came, left and said something."""


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
        self._happened: list[tuple[str, str]] = []
        self._heard = 0
        """The number of lines of talk that are among them."""
        self._number = None if self._before is None else self._before.number
        self._chosen = 0
        self._talking = False
        self._doubtful: tuple[str, str] | None = None
        """What a key would type, and the question that comes first."""
        self.buffer = Buffer(multiline=False, accept_handler=self._accept)
        page = Window(FormattedTextControl(self._page))
        prompt = Window(FormattedTextControl(self._prompt), dont_extend_width=True, height=1)
        line = VSplit([prompt, input_line(self.buffer, style="")])
        keys = Window(FormattedTextControl(self._bar), dont_extend_height=True)
        entry, output = terminal or (None, standard_output())
        self._notifier = Notifier(output, run_command)
        self.app: ThemedApplication[None] = ThemedApplication(
            lambda: settings.theme,
            layout=Layout(HSplit([page, line, keys])),
            key_bindings=self._keys(),
            full_screen=True,
            input=entry,
            output=output,
        )
        place.on_change = self.changed

    def changed(self) -> None:
        """Something happened in the lobby: call the player if somebody came, and draw anew."""
        view = self._place.view
        if view is not None and view.number != self._number:
            self._number, self._doubtful = view.number, None
            if view.asks and not self._talking:
                self.buffer.reset()  # what was typed before the question does not answer it
            if self._before is not None:
                self._tell(lobby_view.news(self._before, view, brief=True))
            self._before = view
        standing = {word for _unused, word in self._place.handed}
        for sentence, invite in self._place.invites:
            self._tell([sentence] if invite in standing else [sentence, invite])
        self._place.invites.clear()
        self._tell(self._place.remarks)
        self._place.remarks.clear()
        self._hear()
        newcomer = self._place.newcomer
        here = 0 if view is None else sum(bool(row.name) for row in view.rows)
        if newcomer is not None:
            here += 1
            if newcomer.asked and newcomer.digits != self._digits:
                self._talking = False
                self.buffer.reset()  # what was typed before the question does not answer it
        if here > self._here and view is not None and self.app.is_running:
            why = lobby_view.call(view) if newcomer is None else newcomer.call
            self._notifier.call(self._settings, why)
        self._here = here
        if self._place.left and self.app.is_running:
            self.app.exit()
        self.app.invalidate()

    def _tell(self, sentences: list[str]) -> None:
        self._happened = [*self._happened, *(("", text) for text in sentences)][-_HAPPENED:]

    def _hear(self) -> None:
        """Take in what was said since the last look."""
        talk = self._place.talk
        fresh = list(talk.lines)[self._heard - talk.count :] if talk.count > self._heard else []
        self._heard = talk.count
        lines = [(shown(line.person.name), escape(line.text)) for line in fresh]
        self._happened = [*self._happened, *lines][-_HAPPENED:]

    # Drawing

    def _page(self) -> StyleAndTextTuples:
        """The lines above the input; once drawn, our player has seen this listing."""
        view = self._place.view
        self._seen = None if view is None else view.number
        newcomer = self._place.newcomer
        self._digits = "" if newcomer is None else newcomer.digits
        size = self.app.output.get_size()
        self._chosen = min(self._chosen, max(len(view.rows) - 1, 0)) if view is not None else 0
        chosen = self._chosen if view is not None and view.hosting else -1
        lines = lobby_page.page(
            self._place,
            size.columns,
            size.rows - 1 - len(self._bar_lines()),
            chosen=chosen,
            happened=self._happened,
            ascii_only=self._settings.ascii,
        )
        return _joined(lines)

    def _prompt(self) -> str:
        if self._doubtful is not None:
            return f"{self._doubtful[1]} "
        return _("say: ") if self._talking else "> "

    def _bar(self) -> StyleAndTextTuples:
        return _joined(self._bar_lines())

    def _bar_lines(self) -> list[Line]:
        """The keys that do something now, in up to two lines."""
        if self._doubtful is not None:
            hints = [KeyHint("Enter", _("send")), KeyHint("Esc", _("no"))]
        elif self._talking:
            hints = [KeyHint("Enter", _("send")), KeyHint("Esc", _("back to the lobby"))]
        else:
            hints = [KeyHint(key.key, key.words) for key in self._place.keys if self._line_of(key)]
            seats = any("{seat}" in key.line for key in self._place.keys)
            hints += [KeyHint("↑↓", _("choose a seat"))] * seats  # some keys are about the chosen one
            hints += [KeyHint("Tab", _("chat"))]
            hints += [KeyHint("F9", _("copy the invite"))] if self._place.handed else []
            hints += [KeyHint("F1", _("help")), KeyHint("^Q", _("leave"))]
        columns, rows = self.app.output.get_size().columns, [EMPTY]
        for hint in hints:
            part = (*styled(f" {hint.key}", "footer", "footer.key"), *styled(f" {hint.does} ", "footer"))
            if width(rows[-1]) + width(part) > columns:
                rows.append(EMPTY)
            rows[-1] += part
        return rows

    # What is typed

    def _accept(self, buffer: Buffer) -> bool:
        typed = buffer.text[:MAX_LINE]
        if self._doubtful is not None:
            (line, _question), self._doubtful = self._doubtful, None
            if yes_or_no(typed.strip().lower()):
                self._place.enter(line, self._seen, self._digits)
        elif not self._talking:
            self._place.enter(typed, self._seen, self._digits)
        elif typed.strip():
            self._place.enter(f"say {typed}", self._seen)
            self._talking = False  # as at the table: the next line answers what is asked
        return False

    def _line_of(self, key: PlaceKey) -> str:
        """What a key types now; "" if it is about a seat, and does nothing there."""
        view = self._place.view
        if view is None or "{" not in key.line:
            return key.line
        row = view.rows[self._chosen]
        if row.own or (key.asks and not row.name):
            return ""
        return key.line.format(seat=row.number, own=view.own.number)

    def _press(self, name: str, _event: KeyPressEvent) -> None:
        key = next((key for key in self._place.keys if key.key == name), None)
        line = "" if key is None else self._line_of(key)
        if key is None or not line or self._place.view is None:
            return
        self.buffer.reset()
        self._talking = False
        if key.asks:
            self._doubtful = line, key.asks.format(name=self._place.view.rows[self._chosen].name)
        else:
            self._place.enter(line, self._seen, self._digits)
        self.app.invalidate()

    def _copy(self, _event: KeyPressEvent) -> None:
        """Put the newest invite into the terminal's clipboard (OSC 52 of xterm); many terminals allow it."""
        if not self._place.handed:
            return
        data = b64encode(self._place.handed[0][1].encode()).decode()
        self.app.output.write_raw(f"\x1b]52;c;{data}\x07")
        self.app.output.flush()
        self._tell([_("The invite is in your clipboard, if your terminal allows that.")])
        self.app.invalidate()

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        def leave(_: KeyPressEvent) -> None:
            self._place.enter("quit", self._seen)

        def back(_: KeyPressEvent) -> None:
            self._talking, self._doubtful = False, None
            self.buffer.reset()

        def talk(_: KeyPressEvent) -> None:
            self._talking, self._doubtful = not self._talking, None
            self.buffer.reset()

        def choose(step: int, _: KeyPressEvent) -> None:
            view = self._place.view
            if view is not None:
                self._chosen, self._doubtful = (self._chosen + step) % len(view.rows), None
                self._place.notice = ""  # it may have been about the seat chosen before

        def explain(_: KeyPressEvent) -> None:
            self._place.enter("help", self._seen)

        for key in ("c-c", "c-d", "c-q"):
            keys.add(key)(leave)
        keys.add("escape", eager=True)(back)
        keys.add("tab")(talk)
        keys.add("up")(partial(choose, -1))
        keys.add("down")(partial(choose, 1))
        keys.add("f1")(explain)
        keys.add("f9")(self._copy)
        for number in range(2, 9):
            keys.add(f"f{number}")(partial(self._press, f"F{number}"))
        return keys


def _joined(lines: list[Line]) -> StyleAndTextTuples:
    parts: StyleAndTextTuples = []
    for line in lines:
        parts += [*line, ("", "\n")]
    return parts[:-1]
