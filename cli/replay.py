"""`replay`: a recorded game, step by step on the screen, or at once as lines.

Only what its record opened is shown: cards that stayed closed stay closed here too.  Drawing is pure; the
application around it only turns keys into positions.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from cli import describe, export, sources, story
from cli.home import locate
from cli.room import Sight, Voices, room
from cli.text import EMPTY, Line, ascii_line, block, both_ends, fit, styled, wrapped
from p2p_stratego.table import Seat
from p2p_stratego.view import View
from protocol.audit import Report

if TYPE_CHECKING:
    from prompt_toolkit import Application
    from prompt_toolkit.formatted_text import StyleAndTextTuples

KEYS: Final = {
    "next": ("right", "down", "space", "enter", "n", "l", "j"),
    "back": ("left", "up", "backspace", "p", "h", "k"),
    "first": ("home", "g"),
    "last": ("end", "G"),
    "turn": ("t",),
    "quit": ("q", "escape", "c-c", "c-d"),
}
HINT: Final = "→ next  ← back  Home first  End last  t turn the board  q quit"
_TOLD: Final = 6
"""Rows for what happened in a step."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A place in a recorded game: `at` is 0 before the first step; `seat` is at the bottom of the board."""

    report: Report
    steps: tuple[story.Step, ...]
    at: int = 1
    seat: Seat = 0

    def go(self, where: str) -> Replay:
        """The place after one of KEYS' commands."""
        last = len(self.steps)
        places = {"next": self.at + 1, "back": self.at - 1, "first": 1, "last": last}
        if where == "turn":
            return replace(self, seat=(self.seat + 1) % len(self.report.genesis.players))
        return replace(self, at=min(max(places[where], 1), last))


def run(arguments: argparse.Namespace) -> int:
    """Show one transcript; the exit code is the audit's."""
    from cli.evening import on_screen

    name = sources.resolve(arguments.file, locate(arguments.home))
    report = sources.judged(name, sources.read(name))
    steps = tuple(story.steps(report.referee))
    if steps and on_screen(arguments):
        application(Replay(report, steps), theme=arguments.theme or "auto", ascii_only=arguments.ascii).run()
    else:
        print("\n".join(export.text(report, story.reading_width())))
    return report.exit_code


def screen(replay: Replay, columns: int, rows: int) -> list[Line]:
    """The whole screen: exactly `rows` lines of `columns` cells."""
    genesis = replay.report.genesis
    here = room(genesis.game.name)
    step = replay.steps[replay.at - 1]
    sight = Sight(View(replay.seat, step.state, step.faces), Voices(story.names(genesis)), notes=False)
    title = both_ends(
        styled(f" {here.title} · {here.banner(sight.view)}", "title.name"),
        styled(f"step {replay.at} of {len(replay.steps)} ", "title"),
        columns,
    )
    told = [line for sentence in _sentences(replay) for line in wrapped(styled(sentence), columns - 2, 2)]
    footer = fit(styled(f" {HINT}", "footer"), columns)
    board_rows = rows - _TOLD - 2
    least_columns, least_rows = here.least
    if columns < least_columns or board_rows < least_rows:
        board = block([EMPTY, styled(" The window is too small for the board.", "warn")], columns, board_rows)
    else:
        board = here.board(sight, columns, board_rows)
    return [title, *board, *block(((("", " "), *line) for line in told[-_TOLD:]), columns, _TOLD), footer]


def _sentences(replay: Replay) -> list[str]:
    """What happened in this step; after the last one, also what the audit says."""
    said = list(replay.steps[replay.at - 1].sentences)
    return [*said, describe.verdict(replay.report)] if replay.at == len(replay.steps) else said


def application(replay: Replay, *, theme: str, ascii_only: bool) -> Application[None]:
    """The full-screen application; its only state is the place in the game."""
    from prompt_toolkit import Application
    from prompt_toolkit.application import get_app
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from prompt_toolkit.layout import FormattedTextControl, Layout, Window

    from cli.theme import colours, depth, style

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
