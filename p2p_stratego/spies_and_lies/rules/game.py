"""The rulebook of Spies & Lies for two players.

One `turn` plays one step: both deployments; intel and both marks; one guess with its effects; the night.  The
rules see public information only, and must not know which seat is ours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

from p2p_stratego.core.game import Game, OptionError, Options, OptionValue, Outcome, Roll, Seat, Sides, Turn
from p2p_stratego.core.sides import each_alone
from p2p_stratego.spies_and_lies.rules.chance import SETUP_SIDES, split
from p2p_stratego.spies_and_lies.rules.mission import mission
from p2p_stratego.spies_and_lies.rules.phases import deploy, intel, night
from p2p_stratego.spies_and_lies.rules.soldiers import (
    FEWEST_WALL,
    INTEL_DECK,
    MOST_WALL,
    RANKS,
    SEAT_NAMES,
    SEATS,
    TOKENS,
    TOKENS_AT_START,
    USUAL_WALL,
)
from p2p_stratego.spies_and_lies.rules.state import Phase, State

RANDOM: Final = "random"
STARTERS: Final = (RANDOM, *SEAT_NAMES)
_STEPS: Final[Mapping[Phase, Callable[[State], Turn[State]]]] = {
    "deploy": deploy,
    "intel": intel,
    "mission": mission,
    "night": night,
}


class SpiesAndLies:
    """Implements `core.game.Game[State]`; it has no state of its own."""

    name: Final = "spies-and-lies"
    version: Final = 1
    seat_counts: Final = (len(SEATS),)
    most_rolls: Final = 16

    def options(self, wanted: Options) -> Options:
        """`wall`: 2 to 8 steps to either wall; `starter`: "random", "red" or "blue".  Raises OptionError."""
        chosen: dict[str, OptionValue] = {"wall": USUAL_WALL, "starter": RANDOM}
        for name, value in wanted.items():
            if name not in chosen:
                raise OptionError(f"Spies & Lies has no option {name!a}; its options are wall and starter")
            chosen[name] = value
        wall = chosen["wall"]
        if type(wall) is not int or not FEWEST_WALL <= wall <= MOST_WALL:
            raise OptionError(f"wall must be a whole number from {FEWEST_WALL} to {MOST_WALL}, not {wall!a}")
        if chosen["starter"] not in STARTERS:
            raise OptionError(f"starter must be random, red or blue, not {chosen['starter']!a}")
        return chosen

    def setup(self, seats: int, options: Options) -> Turn[State]:
        """Who starts, the old intel, one exhausted soldier a side: one roll.  Raises OptionError."""
        if seats != len(SEATS):
            raise OptionError(f"Spies & Lies is a game for two players, not for {seats}")
        chosen = self.options(options)
        starters = [seat for seat in SEATS if chosen["starter"] in (RANDOM, SEAT_NAMES[seat])]
        sides = (len(starters), *SETUP_SIDES)
        first, old, red, blue = split((yield Roll(math.prod(sides))), sides)
        return State(
            wall=int(chosen["wall"]),
            first_starter=starters[first],
            phase="deploy",
            day=1,
            turn=0,
            starter=starters[first],
            agent=0,
            points=(0, 0),
            tokens=(TOKENS_AT_START, TOKENS_AT_START),
            spare=TOKENS - 2 * TOKENS_AT_START,
            intel=(INTEL_DECK[old],),
            exhausted=((RANKS[red],), (RANKS[blue],)),
        )

    def turn(self, state: State) -> Turn[State]:
        """The step that `state.phase` names; not to be called in phase "over"."""
        return _STEPS[state.phase](state)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended by its rules, or None while it goes on."""
        return state.ended

    def seat_names(self, _seats: int) -> tuple[str, ...]:
        """Red and blue."""
        return SEAT_NAMES

    def sides(self, seats: int) -> Sides:
        """Each seat plays alone."""
        return each_alone(seats)

    def gone(self, state: State, _seat: Seat) -> Turn[State]:
        """Never asked: with two players the match ends when one leaves."""
        yield from ()
        return state

    def rematch(self, options: Options, state: State) -> Options:
        """The other person starts: with the seats swapped, that is the seat which started last time."""
        return {**self.options(options), "starter": SEAT_NAMES[state.first_starter]}


GAME: Final[Game[State]] = SpiesAndLies()
