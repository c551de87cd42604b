"""The rulebook of Conquest Stratego: the order of the acts, and the options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from p2p_stratego.conquest.options import OPTIONS
from p2p_stratego.conquest.rules.act import Act
from p2p_stratego.conquest.rules.draft import army, pass_pick, pick, setup, zones
from p2p_stratego.conquest.rules.effects import choose_card
from p2p_stratego.conquest.rules.flags import put_back
from p2p_stratego.conquest.rules.move import move
from p2p_stratego.conquest.rules.pieces import SEAT_COUNTS, SEAT_NAMES
from p2p_stratego.conquest.rules.state import LOST, ON_BOARD, Event, Phase, State, owners
from p2p_stratego.conquest.rules.turns import draw, end, fixed, not_begun
from p2p_stratego.core.game import Game, OptionError, Options, Seat, Turn
from p2p_stratego.core.language import _
from p2p_stratego.core.rulebook import Rulebook, played


def left(act: Act, seat: Seat) -> Turn[None]:
    """`seat` is gone for good.  Raises Stopped if that ends the game."""
    act.tell(Event("left", seat))
    state = act.state
    act.state = state._replace(status=(*state.status[:seat], "gone", *state.status[seat + 1 :]))
    if state.phase in ("draft", "army", "zones"):
        act.state = act.state._replace(flags=_lost(act.state.flags, seat))
        if state.phase == "draft":
            pass_pick(act)
        return
    _take_away(act, seat)
    for owner in act.state.captives(seat):
        if act.state.status[owner] == "in":
            yield from put_back(act, owner)
        else:
            act.state = act.state._replace(flags=_lost(act.state.flags, owner))
    act.state = act.state._replace(territories=owners(act.state.board))
    ended = act.won_by_flag()
    if ended is not None:
        raise ended
    if state.seat == seat:
        if not_begun(state):  # the next player's turn gets this one's number
            act.state = act.state._replace(turn=state.turn - 1)
        end(act)
    elif not_begun(state):
        act.state = fixed(act.state, state.seat)


def _take_away(act: Act, seat: Seat) -> None:
    """All pieces of `seat` leave board, bag and hand; its flag is lost unless it is captured."""
    state = act.state
    act.state = state._replace(
        board=tuple(None if piece is not None and piece.seat == seat else piece for piece in state.board),
        bags=(*state.bags[:seat], (), *state.bags[seat + 1 :]),
        hand=None if state.hand is not None and state.hand.seat == seat else state.hand,
        flags=_lost(state.flags, seat) if state.flags[seat] == ON_BOARD else state.flags,
    )


def _lost(flags: tuple[Seat, ...], owner: Seat) -> tuple[Seat, ...]:
    return (*flags[:owner], LOST, *flags[owner + 1 :])


_ACTS: Final[Mapping[Phase, Callable[[Act], Turn[None]]]] = {
    "draft": pick,
    "army": army,
    "zones": zones,
    "cards": draw,
    "play": choose_card,
    "move": move,
}


class Conquest(Rulebook[State]):
    """Implements `core.game.Game[State]`."""

    name: Final = "conquest"
    title = "Conquest"
    version: Final = 1
    seat_counts: Final = SEAT_COUNTS
    most_rolls: Final = 3_002
    """Two before play, for who starts, and three in each of at most ROUNDS.most x 4 turns: a round has at
    most one turn of each seat; 12 cards, half of all territories, are two Rolls of up to A_ROLL; the one card
    that is played takes at most one piece from a bag.
    """

    fields = OPTIONS

    def seat_names(self, seats: int) -> tuple[str, ...]:
        """The colours of the first `seats` seats."""
        return SEAT_NAMES[:seats]

    def setup(self, seats: int, options: Options) -> Turn[State]:
        """The first seat, by one roll or two.  Raises OptionError."""
        if seats not in SEAT_COUNTS:
            raise OptionError(_("Conquest is a game for two to four players, not for {seats}", seats=seats))
        return (yield from setup(seats, self.options(options)))

    def turn(self, state: State) -> Turn[State]:
        """The act that `state.phase` names; not to be called in phase "over"."""
        return (yield from played(Act(state._replace(report=())), act_of(state)))

    def gone(self, state: State, seat: Seat) -> Turn[State]:
        """`seat` has left: its pieces go, captured flags come back, and its turn ends if it was its turn."""
        return (yield from played(Act(state._replace(report=())), lambda act: left(act, seat)))


def act_of(state: State) -> Callable[[Act], Turn[None]]:
    """The act that comes next."""
    return _ACTS[state.phase]


GAME: Final[Game[State]] = Conquest()
