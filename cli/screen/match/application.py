"""The screen: a prompt_toolkit application around a table.  Keys in, lines out; no rules of its own.

What is drawn stands in `cli.screen.match.windows`, what a key does in `cli.screen.match.hands`, which keys
there are in `cli.screen.match.keyboard`.  The application never waits: connections run on trio beside it
(`cli.screen.event_loops`) and only tell it to draw anew.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from prompt_toolkit.filters import Condition

from cli.screen.look import ThemedApplication
from cli.screen.match.hands import Hands
from cli.screen.match.keyboard import bindings
from cli.screen.notifier import Notifier, standard_output
from cli.screen.replay.projector import TICK, Film
from cli.table.scene import keybar, presentation
from cli.table.scene.calls import Calls
from cli.table.scene.keybar import Situation
from cli.table.scene.scene import LEAST, Scene
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
        self.hands = Hands(table, self.film, self.changed, self._soon, self._end)
        entry, output = terminal or (None, standard_output())
        self._calls, self._notifier = Calls(table), Notifier(output, table.environment.call)
        self._news = ""
        """Why the player is to be called, once the screen is there."""
        self._before: Scene | None = None
        """What was drawn last while nothing was played: a film is played over it."""
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
        _items, turn = self.table.refresh()
        self._news = self._calls.news(turn=turn) or self._news
        if self.app.is_running:
            self._call()
        self._play()
        self.app.invalidate()

    def _play(self) -> None:
        """Show what happened, if the player wants that and the screen is there."""
        events, wanted = self.table.unread.take_events(), self.table.settings.animation
        if wanted and not self._wanted:
            self.film.retry()  # the player has switched it on again
        self._wanted = wanted
        seen = self.app.is_running and self._before is not None
        if events and seen and wanted and self.table.pending is None:
            self.film.play(events)

    def _call(self) -> None:
        """Call the player with what is new, which may be older than the screen."""
        if self._news:
            told, self._news = self._news, ""
            self._notifier.call(self.table.settings, told)

    def _draw(self) -> None:
        """Draw what the table shows now, in the size that the terminal has now."""
        self._began = perf_counter()
        self._call()
        size = self.app.output.get_size()
        if size.columns < LEAST[0] or size.rows < LEAST[1]:
            self.film.skip()
        self.hands.windows.draw(self._scene(), size.columns, size.rows)

    def _scene(self) -> Scene:
        """What the table shows; while a film is played, what it showed before, with that over it."""
        playing, line = self.film.now(), self.hands.line.typed()
        if playing is None or self._before is None:
            found = presentation.scene(self.table, line)
            self._before = replace(found, read=self.hands.reading.shows(found.news))
            return self._before
        asyncio.get_running_loop().call_later(TICK, self.app.invalidate)
        keys = keybar.keys(Situation(film=True))
        return replace(
            self._before, stage=playing, keys=keys, typed=line.text, page=None, choices=(), overlay=None
        )

    def _drawn(self) -> None:
        """Measure how long the terminal took for a frame of a film; one that is slow gets no more of them."""
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
