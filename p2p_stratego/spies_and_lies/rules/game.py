"""The rulebook of Spies & Lies for two players, and for two sides of one or two players each.

One `turn` plays one step: the first soldiers, or all; the soldiers of second mates; intel and all marks; one
guess with its effects; the night.  The rules see public information only, and know no seat as "us".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from typing import Final, TypeAlias

from p2p_stratego.core.game import Game, OptionError, Options, Roll, Seat, Sides, Turn
from p2p_stratego.core.language import _
from p2p_stratego.core.rulebook import Rulebook
from p2p_stratego.core.values import replace
from p2p_stratego.spies_and_lies.options import OPTIONS, RANDOM
from p2p_stratego.spies_and_lies.rules.asks import commit_ask
from p2p_stratego.spies_and_lies.rules.chance import SETUP_SIDES, split
from p2p_stratego.spies_and_lies.rules.components import (
    INTEL_DECK,
    RANKS,
    SIDE_NAMES,
    SIDES,
    TOKENS,
    TOKENS_AT_START,
    Mission,
)
from p2p_stratego.spies_and_lies.rules.mission import mission
from p2p_stratego.spies_and_lies.rules.phases import deploy, intel, look, night
from p2p_stratego.spies_and_lies.rules.seating import ALL_THERE, FIRST, SEAT_NAMES, SECOND, sides
from p2p_stratego.spies_and_lies.rules.state import Phase, State

Missions: TypeAlias = tuple[Mission, ...]
_STEP_AFTER: Final[Mapping[Missions, Phase]] = {FIRST: "look", SECOND: "intel"}
"""The phase that follows on the step in which these missions are laid."""
_LAID: Final[Mapping[Missions, Collection[Phase]]] = {
    FIRST: ("intel", "mission", "night"),
    SECOND: ("mission", "night"),
}
"""The phases before which a seat that has gone since the last one had laid its cards."""


def gone(state: State, seat: Seat) -> Turn[State]:
    """`seat` has gone during the step that led to `state`; its mate lays what it should have laid in it."""
    seating = state.seating.without(seat)
    mate = seating.mate(seat)
    if mate is not None:
        side, missions = seating.side(seat), seating.missions(seat)
        if state.phase == _STEP_AFTER[missions]:
            yield commit_ask(state.day, side, missions, mate)
        elif state.phase in _LAID[missions]:
            lost = {mission for mission in missions if state.cards[side][mission - 1] is None}
            closed = list(state.closed)
            closed[side] |= lost
            state = replace(state, closed=(closed[0], closed[1]))
    return replace(state, seating=seating, report=None)


_STEPS: Final[Mapping[Phase, Callable[[State], Turn[State]]]] = {
    "deploy": deploy,
    "look": look,
    "intel": intel,
    "mission": mission,
    "night": night,
}


class SpiesAndLies(Rulebook[State]):
    """Implements `core.game.Game[State]`."""

    name: Final = "spies-and-lies"
    title = "Spies & Lies"
    version: Final = 2
    seat_counts: Final = tuple(SEAT_NAMES)
    most_rolls: Final = 16

    fields = OPTIONS

    def setup(self, seats: int, options: Options) -> Turn[State]:
        """The first side, the old intel, one exhausted soldier a side: one roll.  Raises OptionError."""
        if seats not in SEAT_NAMES:
            raise OptionError(
                _("Spies & Lies is a game for two, three or four players, not for {seats}", seats=seats)
            )
        chosen = self.options(options)
        starters = [side for side in SIDES if chosen["starter"] in (RANDOM, SIDE_NAMES[side])]
        dice = (len(starters), *SETUP_SIDES)
        first, old, red, blue = split((yield Roll(math.prod(dice))), dice)
        return State(
            seating=ALL_THERE[seats],
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

    def seat_names(self, seats: int) -> tuple[str, ...]:
        """Red and blue; of mates the one with missions 1 and 2 is a, the other one b."""
        return SEAT_NAMES[seats]

    def sides(self, seats: int) -> Sides:
        """Red, then blue."""
        return sides(seats)

    def gone(self, state: State, seat: Seat) -> Turn[State]:
        """The seat's mate acts for it from now on; cards that it has laid stay closed for good."""
        return gone(state, seat)

    def rematch(self, options: Options, state: State) -> Options:
        """The same colour starts again: every player sits one seat on, so another person has that colour."""
        return {**self.options(options), "starter": SIDE_NAMES[state.first_starter]}


GAME: Final[Game[State]] = SpiesAndLies()
