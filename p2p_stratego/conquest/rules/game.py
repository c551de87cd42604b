"""The rulebook of Conquest Stratego: which act comes next, and the options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from p2p_stratego.conquest.rules.act import Act, Stopped
from p2p_stratego.conquest.rules.draft import army, pick, setup, zones
from p2p_stratego.conquest.rules.effects import choose_card
from p2p_stratego.conquest.rules.leaving import left
from p2p_stratego.conquest.rules.moving import move
from p2p_stratego.conquest.rules.pieces import SEAT_COUNTS, SEAT_NAMES
from p2p_stratego.conquest.rules.state import Phase, State
from p2p_stratego.conquest.rules.turns import draw
from p2p_stratego.core.game import Game, OptionError, Options, OptionValue, Outcome, Seat, Sides, Turn
from p2p_stratego.core.language import _
from p2p_stratego.core.narration import either
from p2p_stratego.core.sides import each_alone

GARRISONS: Final = ("free", "all")
SCOUTS: Final = ("run", "charge")
MOST_ROUNDS: Final = 250
USUAL_ROUNDS: Final = 100
_ACTS: Final[Mapping[Phase, Callable[[Act], Turn[None]]]] = {
    "draft": pick,
    "army": army,
    "zones": zones,
    "cards": draw,
    "play": choose_card,
    "move": move,
}


class Conquest:
    """Implements `core.game.Game[State]`; it has no state of its own."""

    name: Final = "conquest"
    version: Final = 1
    seat_counts: Final = SEAT_COUNTS
    most_rolls: Final = 3_002
    """Two before play, for who starts, and three in each of at most MOST_ROUNDS x 4 turns: a round has at
    most one turn of each seat; 12 cards, half of all territories, are two Rolls of up to A_ROLL; the one card
    that is played takes at most one piece from a bag.
    """
    needs_proofs: Final = False
    most_shuffles: Final = 0
    private_talk: Final = False

    def seat_names(self, seats: int) -> tuple[str, ...]:
        """The colours of the first `seats` seats."""
        return SEAT_NAMES[:seats]

    def sides(self, seats: int) -> Sides:
        """Everybody plays alone; alliances are talk."""
        return each_alone(seats)

    def options(self, wanted: Options) -> Options:
        """`garrison`: free or all; `scout`: run or charge; `rounds`: 1 to 250.  Raises OptionError."""
        chosen: dict[str, OptionValue] = {"garrison": "free", "scout": "run", "rounds": USUAL_ROUNDS}
        for name, value in wanted.items():
            if name not in chosen:
                raise OptionError(
                    _(
                        "Conquest has no option {name!a}; its options are garrison, scout and rounds",
                        name=name,
                    )
                )
            chosen[name] = value
        for name, words in (("garrison", GARRISONS), ("scout", SCOUTS)):
            if chosen[name] not in words:
                raise OptionError(
                    _(
                        "{name} must be {words}, not {chosen!a}",
                        name=name,
                        words=either(words),
                        chosen=chosen[name],
                    )
                )
        rounds = chosen["rounds"]
        if type(rounds) is not int or not 1 <= rounds <= MOST_ROUNDS:
            raise OptionError(
                _(
                    "rounds must be a whole number from 1 to {most_rounds}, not {rounds!a}",
                    most_rounds=MOST_ROUNDS,
                    rounds=rounds,
                )
            )
        return chosen

    def setup(self, seats: int, options: Options) -> Turn[State]:
        """Who starts: one roll, or two.  Raises OptionError."""
        if seats not in SEAT_COUNTS:
            raise OptionError(_("Conquest is a game for two to four players, not for {seats}", seats=seats))
        return (yield from setup(seats, self.options(options)))

    def turn(self, state: State) -> Turn[State]:
        """The act that `state.phase` names; not to be called in phase "over"."""
        return (yield from played(Act(state._replace(report=())), act_of(state)))

    def gone(self, state: State, seat: Seat) -> Turn[State]:
        """`seat` has left: its pieces go, captured flags come back, and its turn ends if it was its turn."""
        return (yield from played(Act(state._replace(report=())), lambda act: left(act, seat)))

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended by its rules, or None while it goes on."""
        return state.ended

    def rematch(self, options: Options, state: State) -> Options:  # noqa: ARG002 - part of the interface
        """The same options: who starts is drawn anew."""
        return self.options(options)


def act_of(state: State) -> Callable[[Act], Turn[None]]:
    """The act that comes next."""
    return _ACTS[state.phase]


def played(act: Act, steps: Callable[[Act], Turn[None]]) -> Turn[State]:
    """The state after these steps, or after as many as there were before the act was stopped."""
    try:
        yield from steps(act)
    except Stopped:
        return act.state
    return act.state


GAME: Final[Game[State]] = Conquest()
