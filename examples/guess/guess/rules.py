"""The rulebook: one seat lays a 1 and a 2 face down, the other one points at the card it takes for the 2."""

from __future__ import annotations

from typing import Final, NamedTuple

from p2p_stratego.core.game import (
    Choose,
    Commit,
    Face,
    Game,
    Open,
    OptionError,
    Options,
    Outcome,
    Seat,
    Sides,
    Turn,
)
from p2p_stratego.core.sides import each_alone

LOW: Final[Face] = 1
HIGH: Final[Face] = 2
SIDES: Final = ("left", "right")
"""The moves; the place of each is the slot of its card."""
SEAT_NAMES: Final = ("red", "blue")


class State(NamedTuple):
    """Everything that both players can see."""

    guesser: Seat
    phase: str = "hide"
    """The next turn: "hide", "guess", or none: "over"."""
    pointed: str = ""
    shown: Face | None = None
    ended: Outcome | None = None


class Guess:
    """Implements `core.game.Game[State]`."""

    name: Final = "guess"
    version: Final = 1
    seat_counts: Final = (2,)
    most_rolls: Final = 0
    needs_proofs: Final = False
    most_shuffles: Final = 0
    private_talk: Final = False

    def options(self, wanted: Options) -> Options:
        first = wanted.get("first", "blue")
        if set(wanted) - {"first"} or first not in SEAT_NAMES:
            raise OptionError("guess has one option, first, which is red or blue")
        return {"first": first}

    def setup(self, _seats: int, options: Options) -> Turn[State]:
        yield from ()
        return State(SEAT_NAMES.index(str(options["first"])))

    def turn(self, state: State) -> Turn[State]:
        if state.phase == "hide":
            yield Commit(1 - state.guesser, (0, 1), (LOW, HIGH), exactly=True)
            return state._replace(phase="guess")
        pointed = yield Choose(state.guesser, SIDES)
        shown = yield Open(SIDES.index(pointed))
        winner = state.guesser if shown == HIGH else 1 - state.guesser
        ended = Outcome(frozenset({winner}), "found" if shown == HIGH else "missed")
        return state._replace(phase="over", pointed=pointed, shown=shown, ended=ended)

    def outcome(self, state: State) -> Outcome | None:
        return state.ended

    def seat_names(self, seats: int) -> tuple[str, ...]:
        return SEAT_NAMES[:seats]

    def sides(self, seats: int) -> Sides:
        return each_alone(seats)

    def gone(self, state: State, _seat: Seat) -> Turn[State]:
        yield from ()
        return state

    def rematch(self, options: Options, _state: State) -> Options:
        return options


GAME: Final[Game[State]] = Guess()
