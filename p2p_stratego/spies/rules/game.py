"""The rulebook of SPIES!: which step comes next, and the options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from p2p_stratego.core.game import Game, Options, Outcome, Seat, Sides, Turn
from p2p_stratego.core.sides import each_alone
from p2p_stratego.spies.rules.act import Act, Stopped
from p2p_stratego.spies.rules.actions import action
from p2p_stratego.spies.rules.allocation import SEAT_COUNTS, check, completed
from p2p_stratego.spies.rules.leaving import left
from p2p_stratego.spies.rules.setup import lay_police, lay_secrets, lay_spies, setup
from p2p_stratego.spies.rules.state import Phase, State
from p2p_stratego.spies.rules.tile import tile
from p2p_stratego.spies.rules.turns import bid, talk

_STEPS: Final[Mapping[Phase, Callable[[Act], Turn[None]]]] = {
    "secrets": lay_secrets,
    "bid": bid,
    "police": lay_police,
    "talk": talk,
    "spies": lay_spies,
    "tile": tile,
    "turn": action,
}
_SEAT_NAMES: Final[Mapping[int, tuple[str, ...]]] = {
    2: ("germany", "britain"),
    3: ("germany", "russia", "britain"),
    4: ("germany", "italy-or-russia", "france", "britain"),
    5: ("germany", "italy", "russia", "france", "britain"),
}
"""By players: a power that the seat has in every allocation; one seat of four has either of two."""


class Spies:
    """Implements `core.game.Game[State]`; it has no state of its own."""

    name: Final = "spies"
    version: Final = 2
    seat_counts: Final = SEAT_COUNTS
    needs_proofs: Final = True
    private_talk: Final = True
    most_rolls: Final = 385
    """Eleven in each of 35 turns: every roll costs a point, and one must be left to land with."""
    most_shuffles: Final = 1_083
    """Three at first, then at most one before each draw: 25 spies in the cities of each of 35 tiles, 25 spies
    captured, four that came back in a turn captured again, 40 secrets cashed."""

    def seat_names(self, seats: int) -> tuple[str, ...]:
        """A power of each seat."""
        return _SEAT_NAMES[seats]

    def sides(self, seats: int) -> Sides:
        """Everybody plays alone; alliances are talk, or points."""
        return each_alone(seats)

    def options(self, wanted: Options) -> Options:
        """See `allocation.WORDS`.  Raises OptionError."""
        return completed(wanted)

    def setup(self, seats: int, options: Options) -> Turn[State]:
        """The decks; no decisions.  Raises OptionError."""
        complete = completed(options)
        check(seats, complete)
        return (yield from setup(seats, complete))

    def turn(self, state: State) -> Turn[State]:
        """The step that `state.phase` names; not to be called in phase "over"."""
        return (yield from played(Act(state._replace(report=())), step_of(state)))

    def gone(self, state: State, seat: Seat) -> Turn[State]:
        """`seat` has left: its cards lie open, its powers do nothing."""
        return (yield from played(Act(state._replace(report=())), lambda act: left(act, seat)))

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended by its rules, or None while it goes on."""
        return state.ended

    def rematch(self, options: Options, state: State) -> Options:  # noqa: ARG002 - part of the interface
        """The same options: the powers go round with the seats."""
        return self.options(options)


def step_of(state: State) -> Callable[[Act], Turn[None]]:
    """The step that comes next."""
    return _STEPS[state.phase]


def played(act: Act, steps: Callable[[Act], Turn[None]]) -> Turn[State]:
    """The state after these steps, or after as many as there were before the end of the game."""
    try:
        yield from steps(act)
    except Stopped:
        return act.state
    return act.state


GAME: Final[Game[State]] = Spies()
