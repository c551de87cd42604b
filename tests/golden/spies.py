"""The golden game of SPIES!: three players until the Polish Crisis, wild at times in two of the years.

Its shuffles are those of self-play's dealer, from a seed that is kept beside the answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from p2p_stratego.core.game import Choose, Face, Move, Turn
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.formats.narration import step
from p2p_stratego.spies.rules.atlas import POWERS
from p2p_stratego.spies.rules.game import GAME, Spies
from p2p_stratego.spies.rules.police import Layings
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.turn.trade import Proposals

ANSWERS: Final = Path(__file__).with_name("spies.json")
PEOPLE: Final = ("Anna", "Boris", "Cleo", "Dora", "Emil")


class Told(Spies):
    """The rulebook; tells of every decision, and of the state that each turn returns."""

    def __init__(self, seats: int) -> None:
        self.lines = [f"{GAME.name}, rules version {GAME.version}", ""]
        self._people = PEOPLE[:seats]
        self._before: State | None = None

    def setup(self, seats: int, options: Any) -> Turn[State]:
        return (yield from self._told(GAME.setup(seats, options)))

    def turn(self, state: State) -> Turn[State]:
        return (yield from self._told(GAME.turn(state)))

    def _told(self, turn: Turn[State]) -> Turn[State]:
        state = yield from turn
        self.lines += [*step(self._before, state, self._people), f"= {_where(state)}", ""]
        self._before = state
        return state


def _where(state: State) -> str:
    money = "/".join(map(str, state.money))
    chits = "/".join(str(len(hand)) for hand in state.hands)
    spies = "/".join(str(sum(1 for _ in state.own(power))) for power in range(len(POWERS)))
    head = f"{state.phase} {state.year} {words.power(state.power)}, AP {state.ap}, pounds {money}"
    return f"{head}, chits {chits}, cup {state.cup}, spies {spies}"


class Repeated:
    """Decides what was kept; one list for all seats, in the order of the questions."""

    def __init__(self, answers: Iterator[Any], log: Told) -> None:
        self._answers, self._told = answers, log

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        answer = next(self._answers)
        decision = view.asked
        if isinstance(decision, Choose):
            many = isinstance(decision.options, Layings | Proposals)
            of = "" if many else f" of {len(decision.options)}"
            self._told.lines.append(f"  {PEOPLE[view.seat]} chooses{of}: {answer}")
            return str(answer)
        secret = " ".join(map(str, answer))
        self._told.lines.append(
            f"  {PEOPLE[view.seat]} commits slots {decision.slots[0]} to {decision.slots[-1]}, "
            f"in secret: {secret}"
        )
        return tuple(answer)


def playthrough() -> str:
    """The text, made anew from the answers."""
    record = json.loads(ANSWERS.read_text(encoding="ascii"))
    seats, answers = record["seats"], iter(record["answers"])
    log = Told(seats)
    play(log, [Repeated(answers, log)] * seats, record["options"], Random(record["chance"]))
    assert next(answers, None) is None
    return "\n".join(log.lines)
