"""Moments of games of SPIES! in a seat's view, for tests of screens: bots play, their views are kept."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from cli.games.interface import PlannedAnswers, Players, ViewContext
from cli.games.spies.questions import kind
from p2p_stratego.core.game import Choose, Commit, Face, Mix, Move
from p2p_stratego.core.self_play import allowed, play
from p2p_stratego.core.view import View
from p2p_stratego.spies.bots.agent import Agent
from p2p_stratego.spies.bots.recruit import Recruit
from p2p_stratego.spies.rules.game import GAME
from p2p_stratego.spies.rules.state import State

PEOPLE = ("Anna", "Boris", "Chen", "Dana", "Emil")
Kept = tuple[tuple[View[State], Move | tuple[Face, ...]], ...]
"""Each view with the decision that was made in it."""


class Watched:
    """A bot, wild at times, whose views and decisions are kept."""

    def __init__(
        self, seed: str, wild: float, kept: list[tuple[View[State], Move | tuple[Face, ...]]]
    ) -> None:
        """`wild`: how often it plays at random, of 1."""
        self._wild = wild
        self._agent, self._recruit = Agent(Random(seed)), Recruit(Random(seed))
        self._chance, self._kept = Random(seed), kept

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        wild = self._chance.random() < self._wild
        decided = (self._recruit if wild else self._agent).decide(view)
        self._kept.append((replace(view, known=dict(view.known)), decided))
        return decided


def moments(seats: int, seed: int = 1, wild: float = 0.3, **options: Any) -> Kept:
    """Every view and decision of a whole game."""
    return _played(seats, seed, wild, tuple(sorted(options.items())))


@cache
def _played(seats: int, seed: int, wild: float, options: tuple[tuple[str, Any], ...]) -> Kept:
    kept: list[tuple[View[State], Move | tuple[Face, ...]]] = []
    bots = [Watched(f"{seed} {seat}", wild, kept) for seat in range(seats)]
    play(GAME, bots, dict(options), Random(f"{seed} chance"))
    return tuple(kept)


def of_kind(of: Kept, what: str) -> list[View[State]]:
    """The views that are asked for this."""
    return [view for (view, _), question in zip(of, kinds(of), strict=True) if question == what]


def context(view: View[State], **more: Any) -> ViewContext:
    """A view as its player sees it."""
    return ViewContext(view, Players(PEOPLE[: view.state.seats], view.seat), **more)


def kinds(of: Kept) -> list[str]:
    """Of each view, the kind of its question; worked out once for each game that is kept."""
    if id(of) not in _kinds:  # a game stays, and to compare two takes as long
        _kinds[id(of)] = of, [kind(view) for view, _ in of]
    return _kinds[id(of)][1]


_kinds: dict[int, tuple[Kept, list[str]]] = {}


def asked(of: Kept, what: str, wanted: Callable[[View[State]], bool] = lambda _: True) -> View[State]:
    """The first view that is asked for this."""
    return next(
        view for (view, _), question in zip(of, kinds(of), strict=True) if question == what and wanted(view)
    )


def options(view: View[State]) -> list[Move]:
    """All that the rules allow; few enough to list."""
    assert isinstance(view.decision, Choose)
    return list(view.decision.options)


def carried_out(view: View[State], planned: PlannedAnswers) -> list[Move | tuple[Face, ...]]:
    """The planned decisions that the rules ask for and allow, one after the other, until one does not fit."""
    turn = GAME.turn(view.state)
    ask = next(turn)
    for settled, answer in view.since:
        assert ask == settled
        ask = turn.send(answer)
    made: list[Move | tuple[Face, ...]] = []
    with suppress(StopIteration):  # the step is complete
        for decided in (planned.first, *planned.then):
            while not isinstance(ask, Choose | Commit | Mix):
                ask = turn.send(None)
            due = ask.decision(view.known) if isinstance(ask, Mix) else ask
            if due.seat != view.seat or not allowed(due, decided):
                break
            made.append(decided)
            ask = turn.send(decided if isinstance(ask, Choose) else None)
    return made
