"""Games of bots at one table, with every state that the game led to, and whether all in it was honest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias

from p2p_stratego.core.game import Ask, Choose, Commit, Roll, Together
from p2p_stratego.core.self_play import PlayedGame, play
from p2p_stratego.core.view import Bot, View
from p2p_stratego.spies_and_lies.rules import components
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.state import State, slot

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
        return [part.seat for part in ask.asks]
    if isinstance(ask, Roll):
        return list(range(seats))
    return [ask.seat] if isinstance(ask, Choose | Commit) else []


def assert_honest(played: PlayedGame[State], states: list[State], seats: Sequence[int]) -> None:
    """No line out of order or impossible, no false mark: by the cards themselves, opened or not."""
    for state in states:
        if state.phase != "mission" or state.turn:
            continue
        for seat in seats:
            line = [played.faces[slot(state.day, seat, mission)] for mission in (1, 2, 3, 4)]
            others = [rank for rank in line if rank != components.SERGEANT]
            assert others == sorted(set(others))
            assert len(set(line)) == 4
            assert not set(line) & set(state.exhausted[seat])
            low, high = state.intel[-1]
            for mission, rank in enumerate(line, 1):
                assert rank == components.SERGEANT or (mission in state.marks[seat]) == (low <= rank <= high)
    for state in states:
        if state.report is not None and state.report.owner in seats:
            assert state.report.result in ("identified", "retreated", "activated")


class Crook:
    """Lays any four cards, now and then impossible ones, and marks anything."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def decide(self, view: View[State]) -> Any:
        decision = view.asked
        if isinstance(decision, Choose):
            return self.random.choice(list(decision.options))
        if self.random.random() < 0.1:
            return tuple(self.random.choices(range(1, 11), k=4))
        hand = [rank for rank in range(1, 11) if rank not in view.state.exhausted[view.seat]]
        return tuple(self.random.sample(hand, 4))
