"""A figure of the rules of SPIES! alone: a whole game that three bots played, answer by answer, no cards.

Its floor is the check of one signature, which each answer costs at least.

`python -m benchmarks.spies_rules` prints them by themselves.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from typing import Any, Final

from benchmarks.floors import verification
from benchmarks.measure import rounds, timed
from benchmarks.report import Figure, machine, show, times, whole
from p2p_stratego.core.driver import drive
from p2p_stratego.core.game import Choose, Together, Turn
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from p2p_stratego.spies.rules.game import GAME, Spies
from p2p_stratego.spies.rules.state import State
from tests.golden.spies import ANSWERS

ROUNDS: Final = 20


class Kept(Spies):
    """The rulebook; keeps each Ask of a game with its answer."""

    def __init__(self) -> None:
        self.answers: list[tuple[Any, Any]] = []

    def setup(self, seats: int, options: Any) -> Turn[State]:
        return (yield from self._keeping(GAME.setup(seats, options)))

    def turn(self, state: State) -> Turn[State]:
        return (yield from self._keeping(GAME.turn(state)))

    def _keeping(self, turn: Turn[State]) -> Turn[State]:
        reply: Any = None
        while True:
            try:
                ask = turn.send(reply)
            except StopIteration as end:
                state: State = end.value
                return state
            reply = yield ask
            self.answers.append((ask, reply))


class Repeated:
    """Decides what was kept; one list for all seats, in the order of the questions."""

    def __init__(self, decisions: Iterator[Any]) -> None:
        self._decisions = decisions

    def decide(self, _: View[State]) -> Any:
        decided = next(self._decisions)
        return decided if isinstance(decided, str) else tuple(decided)


def through(record: dict[str, Any], answers: list[tuple[Any, Any]]) -> State:
    """The last state of a game: each answer as it was, and each choice looked for among its options."""
    left = iter(answers)

    def answer(ask: Any) -> Any:
        _, given = next(left)
        parts = ask.asks if isinstance(ask, Together) else (ask,)
        said = given if isinstance(ask, Together) else (given,)
        for part, one in zip(parts, said, strict=True):
            if isinstance(part, Choose) and one not in part.options:
                raise AssertionError(f"{one} was no option")
        return given

    state = drive(GAME.setup(record["seats"], GAME.options(record["options"])), answer)
    while GAME.outcome(state) is None:
        state = drive(GAME.turn(state), answer)
    return state


def figures() -> list[Figure]:
    """All figures of this room."""
    record = json.loads(ANSWERS.read_text(encoding="ascii"))
    kept = Kept()
    decisions = iter(record["answers"])
    played = play(
        kept, [Repeated(decisions)] * record["seats"], record["options"], random.Random(record["chance"])
    )
    if through(record, kept.answers) != played.state:
        raise AssertionError("the answers lead elsewhere")
    number = len(kept.answers)
    game = timed(lambda: through(record, kept.answers))
    ours, floor = rounds(ROUNDS, lambda: game() / number, verification())
    name = "SPIES!: answers taken by the rules alone, a second"
    bound = f"verify {floor.median * 1e6:.0f} µs"
    return [Figure(name, ours.rate(), whole, bound, times(ours.over(floor), 1.5))]


if __name__ == "__main__":
    sys.stdout.write(f"{machine()}\n\n")
    sys.exit(0 if show(figures()) else 1)
