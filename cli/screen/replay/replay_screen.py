"""The application that shows a replay: keys and the mouse move the place, a timer of the toolkit plays.

It decides nothing: `cli.studies.playback` has the effect of each key, `cli.screen.replay.replay` the drawing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol

from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType

from cli.games.interface import terminal
from cli.screen.look import ThemedApplication
from cli.screen.replay.replay import KEYS, cut, place, screen
from cli.screen.widgets import Rows, of_rows
from cli.studies.analysis.analysing import THINKS, Work, within
from cli.studies.playback import Replay
from cli.text.layout import Line, ascii_line

if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

    from cli.reports.history import Story
    from cli.shell.settings import Settings
    from p2p_stratego.core.analysis import Judgement

_SHOWN_EVERY: Final = 16
"""After so many decisions the analysis is shown as far as it has come."""
_WHEEL: Final = {MouseEventType.SCROLL_UP: "back", MouseEventType.SCROLL_DOWN: "next"}


class Timer(Protocol):
    """A call that is to come."""

    def cancel(self) -> object:
        """Drop the call."""


class Schedule(Protocol):
    """Schedules a call of a function after so many seconds."""

    def __call__(self, seconds: float, call: Callable[[], None], /) -> Timer: ...


def _later(seconds: float, call: Callable[[], None], /) -> Timer:
    return asyncio.get_running_loop().call_later(seconds, call)


class ReplayScreen:
    """The application for a game that is looked at; `cli.screen.event_loops.Stage` can show `app`."""

    def __init__(
        self,
        start: Replay,
        looks: Settings,
        *,
        streams: tuple[Input, Output] | None = None,
        later: Schedule = _later,
        analysis: Callable[[], Work] | None = None,
    ) -> None:
        """`streams`: where to read and draw, if not standard input and output; `later`: the timer.

        `analysis`: begins the analysis of the game, if it has one.
        """
        self.to_turn = False
        """Whether to go to the step at which it turned once that is known, unless the player has moved."""
        self.place = replace(start, judges=analysis is not None)
        self._begin = analysis
        self._work: Work | None = None
        self._judging: Iterator[Judgement] = iter(())
        self._count = 0
        self._ascii, self._later = looks.ascii, later
        self._timer: Timer | None = None
        self.app: ThemedApplication[None] = of_rows(
            lambda: looks.theme,
            Rows(self.lines, self._mouse),
            self._keys(),
            mouse=looks.mouse,
            streams=streams,
        )

    def show(self, story: Story, live: str, heard: tuple[str, ...] = ()) -> None:
        """The game has gone on."""
        self.place = self.place.grown(story, live, heard)
        self.app.invalidate()

    def lines(self) -> Sequence[Line]:
        """The whole screen, in the size that its terminal has now."""
        size = self.app.output.get_size()
        lines = screen(self.place, size.columns, size.rows)
        return [ascii_line(line) for line in lines] if self._ascii else lines

    def _cut(self) -> bool:
        """Whether the analysis beside the board is cut in this terminal."""
        size = self.app.output.get_size()
        return cut(self.place, size.columns, size.rows)

    # What moves the place

    def _set(self, there: Replay) -> None:
        """Show another place, and let its timer run if it plays by itself."""
        again = there.playing and (there.at, there.speed) != (self.place.at, self.place.speed)
        self.place = there
        if self._timer is not None and (again or not there.playing):
            self._timer.cancel()
            self._timer = None
        if there.playing and self._timer is None:
            self._timer = self._later(there.pause(terminal(there.story.game).pace), self._tick)
        self.app.invalidate()

    def _tick(self) -> None:
        self._timer = None
        if not self.app.is_done:
            self._set(self.place.ticked())

    def perform(self, command: str) -> None:
        """Do what a key, the wheel or a button stands for."""
        if command == "quit" or (command == "close" and not self.place.closes):
            self._set(self.place.to(self.place.at) if self.place.story.steps else self.place)
            self.app.exit()
        elif command == "analysis" and self._begin is None:
            return
        elif command == "analysis" and self._cut():
            self._set(self.place.go("whole analysis"))
        elif self.place.story.steps:
            self._set(self.place.go(command))
            if command == "analysis":
                self._analyse()

    # The analysis

    def _analyse(self) -> None:
        """Begin the analysis, once: decisions are judged one by one between keys, so no key waits."""
        if self._work is None and self._begin is not None:
            self._work = self._begin()
            self._judging = self._work.judge(within(THINKS))
            self.place = replace(self.place, judging=True)
            self._later(0.0, self._judge)

    def _judge(self) -> None:
        """Judge the next decision, and show the results now and then, and at the end."""
        if self._work is None or self.app.is_done:
            return
        judged = next(self._judging, None)
        self._count += 1
        if judged is None or self._count % _SHOWN_EVERY == 0 or judged.made.step == self.place.at:
            analysed = self._work.done()
            self.place = replace(self.place, analysed=analysed, judging=judged is not None)
            turn = analysed.pivot if judged is None and self.to_turn and self.place.at == 1 else None
            self.place = self.place if turn is None else self.place.to(turn.at)
            self.app.invalidate()
        if judged is not None:
            self._later(0.0, self._judge)

    def _mouse(self, name: str | None, event: MouseEvent) -> None:
        if event.event_type in _WHEEL:
            self.perform(_WHEEL[event.event_type])
        elif event.event_type is MouseEventType.MOUSE_UP and event.button is not MouseButton.RIGHT and name:
            command, at = place(name)
            if command == "step":
                self._set(self.place.to(at))
            elif command:
                self.perform(command)

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        typing = Condition(lambda: self.place.typing is not None)

        def on(command: str, key: str) -> None:
            @keys.add(key, eager=True, filter=~typing)
            def _(_event: KeyPressEvent) -> None:
                self.perform(command)

        for command, names in KEYS.items():
            for key in names:
                on(command, key)

        def while_typing(key: str, then: Callable[[KeyPressEvent], Replay]) -> None:
            @keys.add(key, eager=key == "escape", filter=typing)
            def _(event: KeyPressEvent) -> None:
                self._set(then(event))

        while_typing(Keys.Any, lambda event: self.place.typed(event.data))
        while_typing(Keys.BracketedPaste, lambda event: self.place.typed(" ".join(event.data.split())))
        while_typing("backspace", lambda _: self.place.erased())
        while_typing("enter", lambda _: self.place.searched())
        for key in ("escape", "c-c", "c-d"):
            while_typing(key, lambda _: self.place.given_up())
        keys.add("c-z")(lambda event: event.app.suspend_to_background())
        return keys
