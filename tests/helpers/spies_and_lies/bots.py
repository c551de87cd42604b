"""Games of bots at one table, with every state that the game led to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias

from p2p_stratego.core.game import Ask, Choose, Commit, Roll, Together
from p2p_stratego.core.self_play import PlayedGame, play
from p2p_stratego.core.view import Bot
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.state import State

Make: TypeAlias = Callable[[Random], Bot[State]]


class _Recorded:
    """The real rulebook, which notes every state it led to; `self_play.play` cannot tell the difference."""

    def __init__(self) -> None:
        self.states: list[State] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(GAME, name)

    def outcome(self, state: State) -> Any:
        self.states.append(state)
        return GAME.outcome(state)


def game(
    makes: Sequence[Make], seed: int, *, wall: int = 4, leaves: float = 0.0
) -> tuple[PlayedGame[State], list[State]]:
    """One game and its states; `leaves`: how often a seat that is waited for leaves, 0 to 1."""
    recorded: Any = _Recorded()
    bots = [make(Random(f"{seed}/{seat}")) for seat, make in enumerate(makes)]
    lots = Random(f"{seed}/leaves")

    def leaving(_number: int, ask: Ask) -> list[int]:
        return [seat for seat in _waited_for(ask, len(makes)) if lots.random() < leaves]

    played = play(recorded, bots, {"wall": wall}, Random(f"{seed}/table"), leaving)
    return played, recorded.states


def _waited_for(ask: Ask, seats: int) -> list[int]:
    """The seats whose decision, or share, an Ask waits for."""
    if isinstance(ask, Together):
        return [each.seat for each in ask.asks]
    if isinstance(ask, Roll):
        return list(range(seats))
    return [ask.seat] if isinstance(ask, Choose | Commit) else []
