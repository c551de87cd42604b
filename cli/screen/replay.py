"""A recorded or watched game on the screen, step by step, as everybody may see it.

Drawing is pure; the application around it only turns keys into positions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from prompt_toolkit import Application
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window

from cli.games.interface import THE_END, Players, ViewContext, terminal
from cli.reports.history import Story
from cli.text.layout import EMPTY, Line, ascii_line, block, both_ends, fit, styled, wrapped
from cli.text.theme import colours, depth, style
from p2p_stratego.core.game import Face, Seat, Slot
from p2p_stratego.core.view import View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

KEYS: Final = {
    "next": ("right", "down", "space", "enter", "n", "l", "j"),
    "back": ("left", "up", "backspace", "p", "h", "k"),
    "forth": ("pagedown",),
    "far back": ("pageup",),
    "first": ("home", "g"),
    "last": ("end", "G"),
    "turn": ("t",),
    "open": ("o",),
    "quit": ("q", "escape", "c-c", "c-d"),
}
_FAR: Final = {"next": 1, "back": -1, "forth": 10, "far back": -10}
_OPEN: Final = "o open all"
HINT: Final = f"→ next  ← back  PgDn PgUp by ten  Home End  t turn  {_OPEN}  q quit"
_TOLD: Final = 6
"""Rows for the sentences of a step."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A place in a recorded game, from 1, its first step; `seat` is at the bottom of the board; `open`:
    whether cards that are known at the end are shown from the beginning.
    """

    story: Story
    at: int = 1
    seat: Seat = 0
    open: bool = False
    live: str = ""
    heard: tuple[str, ...] = ()

    @property
    def last(self) -> bool:
        """Whether no step follows yet."""
        return self.at >= len(self.story.steps)

    def grown(self, story: Story, live: str, heard: tuple[str, ...] = ()) -> Replay:
        """The same place in a `story` that has gone on; at the last step, the new last one."""
        steps = len(story.steps)
        at = max(steps, 1) if self.last else min(self.at, steps)
        return replace(self, story=story, live=live, at=at, heard=heard)

    def go(self, where: str) -> Replay:
        """The place after one of KEYS' commands."""
        last = len(self.story.steps)
        if where == "turn":
            return replace(self, seat=(self.seat + 1) % len(self.story.names))
        if where == "open":
            return replace(self, open=not self.open)
        places = {"first": 1, "last": last} | {way: self.at + far for way, far in _FAR.items()}
        return replace(self, at=min(max(places[where], 1), last))


def screen(replay: Replay, columns: int, rows: int) -> list[Line]:
    """The whole screen: exactly `rows` lines of `columns` cells."""
    if not replay.story.steps:
        return _before_the_first_step(replay, columns, rows)
    here, steps = terminal(replay.story.game), replay.story.steps
    step, known = steps[replay.at - 1], steps[-1 if replay.open else replay.at - 1].faces
    context = ViewContext(_view(replay, known), Players(replay.story.names), notes=False)
    banner = here.description.banner(context.view) + THE_END * step.ends
    title = both_ends(
        styled(f" {here.title} · {banner}", "title.name"),
        styled(f"{f'{replay.live} · ' if replay.live else ''}step {replay.at} of {len(steps)} ", "title"),
        columns,
    )
    told = [line for sentence in _sentences(replay) for line in wrapped(styled(sentence), columns - 2, 2)]
    board_rows = rows - _TOLD - 2
    board = _board(replay, known, columns, board_rows)
    footer = fit(styled(f" {HINT.replace(_OPEN, _opening(replay, columns, board_rows))}", "footer"), columns)
    return [title, *board, *block(((("", " "), *line) for line in told[-_TOLD:]), columns, _TOLD), footer]


def _view(replay: Replay, known: Mapping[Slot, Face]) -> View[Any]:
    """The view of this step with those faces open; of the last one, with the open step behind it."""
    since = replay.story.since if replay.last else ()
    return View(replay.seat, replay.story.steps[replay.at - 1].state, dict(known), since=since)


def _board(replay: Replay, known: Mapping[Slot, Face], columns: int, rows: int) -> list[Line]:
    """The board of this step with those faces open."""
    here = terminal(replay.story.game).board
    if columns < here.LEAST[0] or rows < here.LEAST[1]:
        return block([EMPTY, styled(" The window is too small for the board.", "warn")], columns, rows)
    return here.draw(
        ViewContext(_view(replay, known), Players(replay.story.names), notes=False), columns, rows
    )


def _opening(replay: Replay, columns: int, rows: int) -> str:
    """The effect of the key that opens all, on a board of this size."""
    steps, step = replay.story.steps, replay.story.steps[replay.at - 1]
    if step.faces == steps[-1].faces:
        return "" if replay.live else "all is open"
    if _board(replay, step.faces, columns, rows) == _board(replay, steps[-1].faces, columns, rows):
        return "o opens no more here"
    return "o close again" if replay.open else _OPEN


def _before_the_first_step(replay: Replay, columns: int, rows: int) -> list[Line]:
    """The players of a match whose board is not set up yet."""
    story = replay.story
    title = both_ends(
        styled(f" {terminal(story.game).title}", "title.name"), styled(f"{replay.live} ", "title"), columns
    )
    said = ["The game is being set up.", "", *(f"  {name}" for name in story.names), "", story.closing]
    footer = fit(styled(" q quit", "footer"), columns)
    return [title, *block([(("", " "), *styled(text)) for text in said], columns, rows - 2), footer]


def _sentences(replay: Replay) -> list[str]:
    """The sentences of this step; after the last one, also those for the end."""
    steps = replay.story.steps
    said = list(steps[replay.at - 1].sentences)
    if replay.at < len(steps):
        return said
    return [*said, *(text for text in replay.heard if text not in said), replay.story.closing]


class ReplayScreen:
    """The application for a game that is looked at; `cli.screen.event_loops.Stage` can show `app`."""

    def __init__(
        self, place: Replay, theme: str, *, ascii_only: bool, terminal: tuple[Input, Output] | None = None
    ) -> None:
        """`terminal`: where to read and draw, if not standard input and output."""
        self.place = place
        self._ascii = ascii_only
        count = colours()
        entry, output = terminal or (None, None)
        self.app: Application[None] = Application(
            layout=Layout(Window(FormattedTextControl(self._draw), wrap_lines=False)),
            key_bindings=self._keys(),
            style=style(theme, count),
            color_depth=depth(count),
            full_screen=True,
            input=entry,
            output=output,
        )

    def show(self, story: Story, live: str, heard: tuple[str, ...] = ()) -> None:
        """The game has gone on."""
        self.place = self.place.grown(story, live, heard)
        self.app.invalidate()

    def _draw(self) -> StyleAndTextTuples:
        size = self.app.output.get_size()
        lines = screen(self.place, size.columns, size.rows)
        shown = [ascii_line(line) for line in lines] if self._ascii else lines
        parts: StyleAndTextTuples = [part for line in shown for part in (*line, ("", "\n"))]
        return parts[:-1]

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        def on(command: str, key: str) -> None:
            @keys.add(key, eager=True)
            def _(event: KeyPressEvent) -> None:
                if command == "quit":
                    event.app.exit()
                elif self.place.story.steps:
                    self.place = self.place.go(command)

        for command, names in KEYS.items():
            for key in names:
                on(command, key)
        keys.add("c-z")(lambda event: event.app.suspend_to_background())
        return keys
