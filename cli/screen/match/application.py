"""The screen: a prompt_toolkit application around a table.  Keys in, lines out; no rules of its own.

`cli.screen.match.windows` draws, and `cli.screen.match.key_actions` has the effects of keys; when each key
counts stands here.  The application never waits: connections run on trio beside it
(`cli.screen.event_loops`) and only tell it to draw anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Final, TypeAlias

from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.bindings.named_commands import get_by_name
from prompt_toolkit.keys import Keys

from cli.screen.look import ThemedApplication
from cli.screen.match.key_actions import KeyActions
from cli.screen.notifier import Notifier, standard_output
from cli.screen.replay.projector import TICK, Film
from cli.table.pages.end_page import DIGITS
from cli.table.scene import keybar, presentation
from cli.table.scene.calls import Calls
from cli.table.scene.keybar import Situation
from cli.table.scene.scene import LEAST, Scene
from cli.table.words.commands import Order
from cli.table.words.keymap import KEYS, PAGES, PALETTE, PANELS
from p2p_stratego.core.language import _

if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

    from cli.table.seat.controller import TableController


class Front:
    """The application for one table; `cli.screen.event_loops.Stage` shows `app`."""

    def __init__(self, table: TableController, terminal: tuple[Input, Output] | None = None) -> None:
        """`terminal`: where to read and draw, if not standard input and output."""
        self.table = table
        self.film = Film(table.environment.clock)
        self.hands = KeyActions(table, self.film, self.changed, self._soon, self._end)
        entry, output = terminal or (None, standard_output())
        self._calls, self._notifier = Calls(table), Notifier(output, table.environment.call)
        self._news = ""
        """Why the player is to be called, once the screen is there."""
        self._before: Scene | None = None
        """The last scene without a film: a film is played over it."""
        self._wanted = table.settings.animation
        self._began = 0.0
        """When the present frame began to be drawn, in seconds."""
        keys = bindings(self.hands)
        self._notifier.listen(keys, self.hands.reading.no_key)
        self.app: ThemedApplication[None] = ThemedApplication(
            lambda: table.settings.theme,
            layout=self.hands.windows.layout,
            before_render=lambda _: self._draw(),
            after_render=lambda _: self._drawn(),
            key_bindings=keys,
            full_screen=True,
            mouse_support=Condition(lambda: table.settings.mouse),
            refresh_interval=1.0,  # countdowns and round trips go on while nobody types
            input=entry,
            output=output,
        )
        self.app.key_processor.before_key_press += lambda _: self.hands.key_comes()
        self.changed()

    def changed(self) -> None:
        """Something happened in the match: call the player if it is its turn now, and draw anew."""
        before = self.table.end_shown
        _items, turn = self.table.refresh()
        if self.table.end_shown and not before:
            self.hands.match_ended()
        self._news = self._calls.news(turn=turn) or self._news
        if self.app.is_running:
            self._call()
        self._play()
        self.app.invalidate()

    def _play(self) -> None:
        """Play the events, if the player wants that and the screen is there."""
        events, wanted = self.table.unread.take_events(), self.table.settings.animation
        if wanted and not self._wanted:
            self.film.retry()  # the player has switched it on again
        self._wanted = wanted
        seen = self.app.is_running and self._before is not None
        if events and seen and wanted and self.table.pending is None:
            self.film.play(events)

    def _call(self) -> None:
        """Call the player with the news, which may be older than the screen."""
        if self._news:
            reason, self._news = self._news, ""
            self._notifier.call(self.table.settings, reason)

    def _draw(self) -> None:
        """Draw the table of now, in the terminal's size of now."""
        self._began = perf_counter()
        self._call()
        size = self.app.output.get_size()
        if size.columns < LEAST[0] or size.rows < LEAST[1]:
            self.film.skip()
        self.hands.windows.draw(self.scene(), size.columns, size.rows)

    def scene(self) -> Scene:
        """The scene of the table; while a film is played, the scene before it, with the film over it."""
        playing, line = self.film.now(), self.hands.line.typed()
        if playing is None or self._before is None:
            scene = presentation.scene(self.table, line)
            self._before = replace(scene, read=self.hands.reading.shows(scene.news))
            return self._before
        asyncio.get_running_loop().call_later(TICK, self.app.invalidate)
        keys = keybar.keys(Situation(film=True))
        return replace(
            self._before, stage=playing, keys=keys, typed=line.text, page=None, choices=(), overlay=None
        )

    def _drawn(self) -> None:
        """Measure the seconds of a frame of a film; a slow terminal gets no further films."""
        if self.film.now() is None:
            return
        self.film.drew(perf_counter() - self._began)
        if self.film.too_slow:
            self.table.log.remark(_("This terminal draws slowly: nothing is animated any more."))
            self.changed()

    def _soon(self) -> None:
        self.app.invalidate()

    def _end(self) -> None:
        if self.app.is_running:
            self.app.exit()


_EDITS: Final = {
    "c-a": "beginning-of-line",
    "c-e": "end-of-line",
    "c-k": "kill-line",
    "c-u": "unix-line-discard",
    "c-w": "unix-word-rubout",
}
"""Keys that edit a line, and the toolkit's names for them; on a selected line the toolkit does otherwise."""
Bind: TypeAlias = Callable[..., None]
"""Takes a key, its action, and the condition under which it counts; by default always."""


def bindings(hands: KeyActions) -> KeyBindings:
    """The bindings for the application that shows `hands`."""
    keys = KeyBindings()

    def on(key: str, action: Callable[[], object], when: Callable[[], bool] = lambda: True) -> None:
        def pressed(event: KeyPressEvent) -> None:
            action()
            event.app.invalidate()

        # Eager: a lone Esc must not wait for a key that could follow it in an emacs binding.
        keys.add(key, filter=Condition(when), eager=key == "escape")(pressed)

    _typing(keys, on, hands)
    _pages(on, hands)

    def nothing() -> None:
        """The key has ended a film."""

    on("enter", nothing, lambda: hands.only_skips)
    on("escape", nothing, lambda: hands.only_skips)
    on(" ", nothing, lambda: hands.only_skips and hands.line.empty)
    for key in (KEYS[Order.LEAVE], "c-c", "c-d"):
        on(key, hands.leave)

    def suspend(event: KeyPressEvent) -> None:
        """To the background, as a shell's user expects; the match goes on with the program."""
        event.app.suspend_to_background()
        event.app.invalidate()

    def redraw(event: KeyPressEvent) -> None:
        event.app.renderer.clear()
        event.app.invalidate()

    keys.add("c-z")(suspend)
    keys.add("c-l")(redraw)
    return keys


def _typing(keys: KeyBindings, on: Bind, hands: KeyActions) -> None:
    """The keys that write into the line, choose or point."""
    line = hands.line

    def picking() -> bool:
        return line.empty or line.picked is not None or line.listed == "settings"

    def given() -> bool:
        return line.listed is None and (line.points() or bool(line.typing.given))

    on("up", lambda: hands.arrow("up"))
    on("down", lambda: hands.arrow("down"))
    on("left", lambda: hands.arrow("left"), lambda: picking() or line.points())
    on(
        "right",
        lambda: hands.arrow("right"),
        lambda: picking() or line.points() or line.buffer.text.endswith(" "),
    )
    keys.add(Keys.Any, filter=Condition(given))(lambda event: hands.press(event.data))
    keys.add(Keys.BracketedPaste, filter=Condition(given))(
        lambda event: line.write(" ".join(event.data.splitlines()))
    )
    settings = Condition(lambda: line.listed == "settings")
    keys.add(Keys.Any, filter=settings)(lambda event: hands.press_in_settings(event.data))
    keys.add(Keys.BracketedPaste, filter=settings)(lambda _: None)
    on("enter", line.enter_again, lambda: line.selected)
    on("backspace", line.backspace, lambda: line.selected)
    on(" ", line.append, lambda: line.selected)
    keys.add(Keys.BracketedPaste, filter=Condition(lambda: line.selected))(
        lambda event: line.paste(event.data)
    )
    for key, name in _EDITS.items():
        keys.add(key, filter=Condition(lambda: line.selected))(partial(_edited, hands, name))
    on(KEYS[Order.SAY], hands.tab)
    on("s-tab", hands.next_answer)
    on("escape", hands.escape)
    on(KEYS[Order.UNDO], hands.undo)


def _edited(hands: KeyActions, name: str, event: KeyPressEvent) -> None:
    """Edit a line that came back like any other line."""
    hands.line.buffer.exit_selection()
    get_by_name(name).handler(event)


def _pages(on: Bind, hands: KeyActions) -> None:
    """The keys that open and scroll pages and lists, and those that switch panels and notes."""
    line = hands.line
    on("pageup", lambda: hands.scroll(-0.9))
    on("pagedown", lambda: hands.scroll(0.9))
    for order, key in PAGES.items():
        on(key, lambda order=order: hands.open(order.value))
    on("?", lambda: hands.open("help"), lambda: line.empty)
    on(":", lambda: hands.list("commands"), lambda: line.empty and hands.table.pending is None)
    on(PALETTE, lambda: hands.list("commands"))
    for digit in DIGITS:
        on(digit, partial(hands.press_digit, digit), partial(hands.offered, digit))
    on(KEYS[Order.SETTINGS], lambda: hands.list("settings"))
    on(PANELS, hands.next_side)
    on(KEYS[Order.NOTES], hands.toggle_notes)
    on(KEYS[Order.COACH], lambda: hands.open("coach"))
