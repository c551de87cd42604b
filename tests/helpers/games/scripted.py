"""A game with the asks that a test chooses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2p_stratego.core.game import (
    Ask,
    Options,
    Outcome,
    Seat,
    Sides,
    Turn,
)
from p2p_stratego.core.sides import each_alone


class Scripted:
    """A game with given asks, one list a turn, that ends in a draw; its state is the answers."""

    name = "scripted"
    version = 1
    seat_counts: tuple[int, ...] = (2, 3)
    most_rolls = 3
    most_shuffles = 3
    private_talk = False

    def __init__(self, *turns: Sequence[Ask], needs_proofs: bool = False) -> None:
        self.turns = turns
        self.needs_proofs = needs_proofs

    def options(self, wanted: Options) -> Options:
        return dict(wanted)

    def setup(self, seats: int, options: Options) -> Turn[tuple[Any, ...]]:
        assert seats in self.seat_counts
        assert not options
        return self._ask((), self.turns[0])

    def turn(self, state: tuple[Any, ...]) -> Turn[tuple[Any, ...]]:
        return self._ask(state, self.turns[len(state)])

    def _ask(self, state: tuple[Any, ...], asks: Sequence[Ask]) -> Turn[tuple[Any, ...]]:
        answers: list[Any] = []
        for ask in asks:
            answers = [*answers, (yield ask)]
        return (*state, answers)

    def outcome(self, state: tuple[Any, ...]) -> Outcome | None:
        return Outcome(frozenset(), "draw") if len(state) == len(self.turns) else None

    def seat_names(self, seats: int) -> tuple[str, ...]:
        return ("one", "two", "three")[:seats]

    def sides(self, seats: int) -> Sides:
        return each_alone(seats)

    def gone(self, state: tuple[Any, ...], seat: Seat) -> Turn[tuple[Any, ...]]:
        yield from ()
        return state

    def rematch(self, options: Options, state: tuple[Any, ...]) -> Options:
        return options if state else {}
