"""Moments of games of Conquest in a seat's view, for tests of screens: bots play, their views are kept."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from cli.games.conquest.snapshot import Kind, kind
from cli.games.conquest.terminal import TERMINAL
from cli.games.interface import Players, ViewContext
from p2p_stratego.conquest.bots.recruit import Recruit
from p2p_stratego.conquest.rules.game import GAME
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.core import self_play
from p2p_stratego.core.game import Face, Move, Seat
from p2p_stratego.core.view import View

NAMES = ("Anna", "Boris", "Chen", "Dana")
Views = tuple[View[State], ...]


class Watched:
    """A bot whose views are kept; all but the faces it knows is frozen anyway."""

    def __init__(self, bot: Recruit, kept: list[View[State]]) -> None:
        self._bot, self._kept = bot, kept

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        self._kept.append(replace(view, known=dict(view.known)))
        return self._bot.decide(view)


@lru_cache(maxsize=16)
def views(seats: int, seed: int = 1, rounds: int = 12, scout: str = "run") -> Views:
    """Every view that decided in a whole game."""
    kept: list[View[State]] = []
    bots = [Watched(Recruit(random.Random(f"{seed} {seat}")), kept) for seat in range(seats)]
    options: dict[str, int | str] = {"rounds": rounds, "scout": scout}
    self_play.play(GAME, bots, options, random.Random(f"{seed} chance"))
    return tuple(kept)


def players(seats: int, me: Seat | None) -> Players:
    return Players(NAMES[:seats], me)


def context(view: View[State], **more: Any) -> ViewContext:
    """A view as its player sees it; with the draft that it begins from while armies are placed."""
    editor = TERMINAL.setup_editor
    assert editor is not None
    draft = editor.begin(view, None, random.Random(5)) if editor.is_time(view) else None
    return ViewContext(view, players(view.state.seats, view.seat), draft=draft, **more)


def changed(view: View[State], **changes: Any) -> View[State]:
    """The same view in a state with other fields."""
    return replace(view, state=view.state._replace(**changes))


def first(of: Views, wanted: Callable[[View[State]], bool]) -> View[State]:
    return next(view for view in of if wanted(view))


def asked(of: Views, what: Kind, at_least_turn: int = 0) -> View[State]:
    """The first view that is asked for this."""
    return first(of, lambda view: kind(view) == what and view.state.turn >= at_least_turn)
