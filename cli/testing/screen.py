"""Whole screens of a game as text, without a terminal: for golden files."""

from __future__ import annotations

from cli.games.interface import GameTerminal, Players, ViewContext
from cli.screen.match.renderer import draw
from cli.table.scene import keybar
from cli.table.scene.keybar import Situation
from cli.table.scene.scene import Scene
from cli.table.words.other_players import Fellow
from cli.testing.subject import NAMES, Subject
from cli.text.layout import words
from p2p_stratego.core.view import View


def shown(
    subject: Subject, view: View[object], columns: int = 80, rows: int = 24, *, ascii_only: bool = False
) -> str:
    """The screen of the player whose view it is, at a table of the fewest players, in `rows` lines."""
    names = NAMES[: subject.rules.seat_counts[0]]
    screen = draw(_scene(subject.terminal, view, names), columns, rows, ascii_only=ascii_only)
    lines = [*screen.above, screen.prompt, *screen.below]
    return "".join(words(line).rstrip() + "\n" for line in lines)


def _scene(terminal: GameTerminal, view: View[object], names: tuple[str, ...]) -> Scene:
    players = Players(names, view.seat)
    context = ViewContext(view, players)
    asked = terminal.questions.question(view, players)
    others = [(seat, name) for seat, name in enumerate(names) if seat != view.seat]
    fellows = [Fellow(seat, name, "", "direct", rtt=0.02, owes=False, side=seat) for seat, name in others]
    situation = Situation(asked=asked is not None, offered=asked is not None, notes=True)
    return Scene(
        terminal=terminal,
        banner=terminal.description.banner(view),
        context=context,
        link=("good", "all are here"),
        checked=0,
        fellows=fellows if len(fellows) > 1 else (),
        goal=terminal.description.goal(view),
        question=asked.text if asked else "",
        how=asked.at_table if asked else "",
        choices=terminal.questions.choices(context) if asked else (),
        keys=keybar.keys(situation),
    )
