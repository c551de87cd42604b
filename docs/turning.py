"""Draws docs/turn.svg: the turn of a card, with what comes of it, as a screen of the program shows it.

`make picture` runs it.  Two bots play by the rules; the frames are those of `cli.screen.match.frames` over
the screen that the first of them sees, so the same program always draws the same picture.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

from cli.games.drama import CardTurn, DramaEvent, Walk
from cli.games.interface import Players, ViewContext, terminal
from cli.screen.match.renderer import draw
from cli.screen.replay.film import FilmFrame, film
from cli.table.scene.keybar import Situation, keys
from cli.table.scene.scene import Scene
from cli.text.layout import Line, width
from p2p_stratego.core.game import Choose
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import Bot, View
from p2p_stratego.registry import GAMES, make_bot

FILE: Final = Path(__file__).parent / "turn.svg"
GAME: Final = "spies-and-lies"
COLUMNS, ROWS = 80, 24
TURNING: Final = (0.05, 0.2, 0.35, 0.45, 0.9)
AFTERWARDS: Final = (0.3, 0.9)
"""Times of the card, and of each event behind it, from 0.0 to 1.0."""
SECONDS: Final = 0.25
PLAYERS: Final = Players(("Anna", "Boris"), 0)


class Kept:
    """A bot whose views are kept."""

    def __init__(self, bot: Bot[Any], kept: list[View[Any]]) -> None:
        self._bot, self._kept = bot, kept

    def decide(self, view: View[Any]) -> Any:
        self._kept.append(replace(view, known=dict(view.known)))
        return self._bot.decide(view)


def chance(seed: int, seat: int) -> Random:
    """The same numbers each time the picture is drawn."""
    return Random(f"{seed} {seat}")  # noqa: S311  # for a picture


def moment() -> tuple[View[Any], list[DramaEvent]]:
    """The first view in which Anna's guess turns a card and the agent walks; and what happens then."""
    events = terminal(GAME).events
    if events is None:
        raise RuntimeError("this game has nothing to be played")
    for seed in range(100):
        kept: list[View[Any]] = []
        bots = [Kept(make_bot(GAME, "agent", chance(seed, seat)), kept) for seat in (0, 1)]
        play(GAMES[GAME], bots, {}, chance(seed, 2))
        for view in kept:
            later = next((other.state for other in kept if other.state.turn == view.state.turn + 1), None)
            if view.seat or not isinstance(view.decision, Choose) or later is None or view.state.turn < 3:
                continue
            shown = events(view.state, later, PLAYERS)
            kinds, first = {type(event) for event in shown}, shown[0] if shown else None
            if (
                kinds >= {CardTurn, Walk}
                and isinstance(first, CardTurn)
                and first.sentence.startswith("Guessed")
            ):
                return view, list(shown)
    raise RuntimeError("no such moment in a hundred games")


def screen(view: View[Any], stage: tuple[DramaEvent, float]) -> list[Line]:
    """The screen with a frame of an event over it."""
    part, context = terminal(GAME), ViewContext(view, PLAYERS)
    question = part.questions.question(view, PLAYERS)
    scene = Scene(
        terminal=part,
        banner=part.description.banner(view),
        context=context,
        link=("good", "direct 12 ms"),
        checked=9,
        question=question.text if question else "",
        keys=keys(Situation(film=True)),
        goal=part.description.goal(view),
        stage=stage,
    )
    drawn = draw(scene, COLUMNS, ROWS)
    table = list(drawn.table)
    wide = width(drawn.stage[0])
    left, top = (COLUMNS - wide) // 2, (len(table) - len(drawn.stage)) // 2
    for row, line in enumerate(drawn.stage, start=top):
        before, behind = part_of(table[row], 0, left), part_of(table[row], left + wide, COLUMNS)
        table[row] = (*before, *line, *behind)
    return [*drawn.title, *table]


def part_of(line: Line, start: int, end: int) -> Line:
    """The cells of a line, each of one character, from `start` up to `end`."""
    cells = [(style, sign) for style, text in line for sign in text]
    return tuple(cells[start:end])


def main() -> int:
    """Draw it."""
    view, events = moment()
    frames = [
        FilmFrame(tuple(screen(view, (event, time))), SECONDS)
        for event in events
        for time in (TURNING if isinstance(event, CardTurn) else AFTERWARDS)
    ]
    FILE.write_text(film(frames, "The turn of a card in Spies & Lies"), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
