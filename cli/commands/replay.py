"""`replay`: a recorded game, step by step on the screen, or at once as lines.

A replay shows only the cards that the transcript opened.  Drawing is pure; the
application around it only turns keys into positions.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from cli.commands import export
from cli.games.interface import THE_END, Players, ViewContext, terminal
from cli.reports import history, sources
from cli.reports.history import Story
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.locations import locate
from cli.text.layout import EMPTY, Line, ascii_line, block, both_ends, fit, styled, wrapped
from p2p_stratego.core.game import Seat
from p2p_stratego.core.record import RecordError
from p2p_stratego.core.view import View

if TYPE_CHECKING:
    from prompt_toolkit import Application
    from prompt_toolkit.formatted_text import StyleAndTextTuples

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

    def go(self, where: str) -> Replay:
        """The place after one of KEYS' commands."""
        last = len(self.story.steps)
        if where == "turn":
            return replace(self, seat=(self.seat + 1) % len(self.story.names))
        if where == "open":
            return replace(self, open=not self.open)
        places = {"first": 1, "last": last} | {way: self.at + far for way, far in _FAR.items()}
        return replace(self, at=min(max(places[where], 1), last))


def run(arguments: argparse.Namespace) -> int:
    """Show one transcript, or a game's own record; the exit code is the audit's, if there is one."""
    name = sources.resolve(arguments.file, locate(arguments.home))
    data = sources.read(name)
    try:
        shown = history.of_text(data)
    except RecordError as error:
        raise Sorry(f"{sources.shown(name)}: {error}", Exit.DATA) from error
    if shown is not None:
        _show(arguments, shown, lambda: export.story_text(shown, history.reading_width()))
        return Exit.OK
    found = sources.replayed(name, data)
    _show(arguments, history.of_match(found), lambda: export.text(found, history.reading_width()))
    return found.report.exit_code


def _show(arguments: argparse.Namespace, shown: Story, lines: Callable[[], list[str]]) -> None:
    """On the screen, if there is one; else as these lines."""
    from cli.shell.settings import on_screen

    if shown.steps and on_screen(arguments):
        application(Replay(shown), theme=arguments.theme or "auto", ascii_only=arguments.ascii).run()
    else:
        print("\n".join(lines()))


def screen(replay: Replay, columns: int, rows: int) -> list[Line]:
    """The whole screen: exactly `rows` lines of `columns` cells."""
    here, steps = terminal(replay.story.game), replay.story.steps
    step, known = steps[replay.at - 1], steps[-1 if replay.open else replay.at - 1].faces
    context = ViewContext(View(replay.seat, step.state, known), Players(replay.story.names), notes=False)
    banner = here.description.banner(context.view) + THE_END * step.ends
    title = both_ends(
        styled(f" {here.title} · {banner}", "title.name"),
        styled(f"step {replay.at} of {len(steps)} ", "title"),
        columns,
    )
    told = [line for sentence in _sentences(replay) for line in wrapped(styled(sentence), columns - 2, 2)]
    hint = HINT if steps[0].faces != steps[-1].faces else HINT.replace(_OPEN, "all is open")
    footer = fit(styled(f" {hint}", "footer"), columns)
    board_rows = rows - _TOLD - 2
    least_columns, least_rows = here.board.LEAST
    if columns < least_columns or board_rows < least_rows:
        board = block([EMPTY, styled(" The window is too small for the board.", "warn")], columns, board_rows)
    else:
        board = here.board.draw(context, columns, board_rows)
    return [title, *board, *block(((("", " "), *line) for line in told[-_TOLD:]), columns, _TOLD), footer]


def _sentences(replay: Replay) -> list[str]:
    """The sentences of this step; after the last one, also those for the end."""
    steps = replay.story.steps
    said = list(steps[replay.at - 1].sentences)
    return [*said, replay.story.closing] if replay.at == len(steps) else said


def application(replay: Replay, *, theme: str, ascii_only: bool) -> Application[None]:
    """The full-screen application; its only state is the place in the game."""
    from prompt_toolkit import Application
    from prompt_toolkit.application import get_app
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from prompt_toolkit.layout import FormattedTextControl, Layout, Window

    from cli.text.theme import colours, depth, style

    place = replay
    keys = KeyBindings()

    def draw() -> StyleAndTextTuples:
        size = get_app().output.get_size()
        lines = screen(place, size.columns, size.rows)
        shown = [ascii_line(line) for line in lines] if ascii_only else lines
        parts: StyleAndTextTuples = [part for line in shown for part in (*line, ("", "\n"))]
        return parts[:-1]

    def on(command: str, key: str) -> None:
        @keys.add(key, eager=True)
        def _(event: KeyPressEvent) -> None:
            nonlocal place
            if command == "quit":
                event.app.exit()
            else:
                place = place.go(command)

    for command, names in KEYS.items():
        for key in names:
            on(command, key)
    keys.add("c-z")(lambda event: event.app.suspend_to_background())
    count = colours()
    return Application(
        layout=Layout(Window(FormattedTextControl(draw), wrap_lines=False)),
        key_bindings=keys,
        style=style(theme, count),
        color_depth=depth(count),
        full_screen=True,
    )
