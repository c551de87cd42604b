"""The golden game of Spies & Lies: two crooks, chosen because their game touches nearly every rule."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from p2p_stratego.script import drive
from p2p_stratego.spies_and_lies import GAME
from p2p_stratego.spies_and_lies.state import State, place
from p2p_stratego.spies_and_lies.telling import card, tell
from p2p_stratego.table import Ask, Choose, Commit, Open, Roll, Together

ANSWERS: Final = Path(__file__).with_name("spies-and-lies.json")
NAMES: Final = ("Red", "Blue")


class Recorded:
    """Answers asks from a list: a move, a number of chance, or the faces of a Commit; and tells of each."""

    def __init__(self, answers: list[Any]) -> None:
        self.left = iter(answers)
        self.faces: dict[int, int] = {}
        self.told: list[str] = []

    def __call__(self, ask: Ask) -> Any:
        if isinstance(ask, Together):
            return tuple(map(self, ask.asks))
        if isinstance(ask, Open):
            face = self.faces[ask.slot]
            self.told.append(f"  {GAME.seat_names[place(ask.slot)[1]]} opens slot {ask.slot}: {card(face)}")
            return face
        answer = next(self.left)
        if isinstance(ask, Roll):
            self.told.append(f"  chance rolls {answer} of {ask.sides}")
            return answer
        name = GAME.seat_names[ask.seat]
        if isinstance(ask, Choose):
            assert answer in ask.options
            self.told.append(f"  {name} chooses of {len(ask.options)}: {answer}")
            return answer
        assert isinstance(ask, Commit)
        self.faces.update(zip(ask.slots, answer, strict=True))
        secret = " ".join(map(str, answer))
        self.told.append(f"  {name} commits slots {ask.slots[0]} to {ask.slots[-1]}, in secret: {secret}")
        return None


def _steps(record: dict[str, Any]) -> Iterator[str]:
    recorded = Recorded(record["answers"])
    before: State | None = None
    state = drive(GAME.setup(2, GAME.options(record["options"])), recorded)
    while True:
        yield from recorded.told
        yield from tell(before, state, NAMES)
        yield f"= {_markers(state)}"
        yield ""
        if GAME.outcome(state) is not None:
            break
        recorded.told.clear()
        before, state = state, drive(GAME.turn(state), recorded)
    assert next(recorded.left, None) is None


def _markers(state: State) -> str:
    in_force = "/".join("".join(map(str, sorted(ranks))) or "-" for ranks in state.active)
    return (
        f"{state.phase}, agent {state.agent:+d}, points {state.points[0]}:{state.points[1]}, "
        f"tokens {state.tokens[0]}:{state.tokens[1]} and {state.spare} spare, in force {in_force}"
    )


def playthrough() -> str:
    """The text, made anew from the answers."""
    record = json.loads(ANSWERS.read_text(encoding="ascii"))
    return "\n".join([f"{GAME.name}, rules version {GAME.version}", "", *_steps(record)])
