"""Whole games of any game of this program, played by bots, with every view that a bot decided in."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from cli.games.interface import GameTerminal, Players, ViewContext, terminal
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import Bot, View
from p2p_stratego.registry import ENTRIES, GAMES, make_bot

NAMES = ("Anna", "Boris", "Chen", "Dana", "Emil")


class _Kept:
    """A bot whose views are kept."""

    def __init__(self, bot: Bot[Any], kept: list[View[Any]]) -> None:
        self._bot, self._kept = bot, kept

    def decide(self, view: View[Any]) -> Any:
        self._kept.append(replace(view, known=dict(view.known)))
        return self._bot.decide(view)


@cache
def states(game: str, seed: int = 1) -> tuple[Any, ...]:
    """The public states that one such game went through, each once, in their order."""
    kept, last = _played(game, seed)
    passed: list[Any] = []
    for state in (*(view.state for view in kept), last):
        if not passed or state is not passed[-1]:
            passed.append(state)
    return tuple(passed)


def views(game: str, seed: int = 1) -> tuple[View[Any], ...]:
    """The views of all decisions of one game by its first bot, for the fewest seats, in their order."""
    return _played(game, seed)[0]


@cache
def _played(game: str, seed: int) -> tuple[tuple[View[Any], ...], Any]:
    kept: list[View[Any]] = []
    level = next(iter(ENTRIES[game].bots))
    bots = [
        _Kept(make_bot(game, level, Random(f"{seed} {seat}")), kept)
        for seat in range(min(GAMES[game].seat_counts))
    ]
    last = play(GAMES[game], bots, {}, Random(f"{seed} chance")).state
    return tuple(kept), last


def context(view: View[Any], count: int, **more: Any) -> ViewContext:
    """A view as its player sees it, at a table of `count`."""
    return ViewContext(view, Players(NAMES[:count], view.seat), **more)


def parts(game: str) -> GameTerminal:
    """What the game brings to the terminal."""
    return terminal(game)
