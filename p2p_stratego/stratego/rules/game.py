"""The rulebook of Stratego for two players.

One `turn` plays one step: laying both armies; both choices of squares; one move.  The rules see public
information only, and must not know which seat is ours: they learn a face when its piece is opened.

The rules do not know the ranks of closed pieces.  So they offer every move that could be legal, and a
player who makes one claims its legality.  The options are collections that test membership, and list moves
on demand only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Final

from p2p_stratego.core.game import Choose, Commit, Game, Move, Open, OptionError, Options, Together, Turn
from p2p_stratego.core.language import _
from p2p_stratego.core.rulebook import Rulebook
from p2p_stratego.stratego.options import OPTIONS, TOURNAMENT
from p2p_stratego.stratego.rules.armies import MOST_PIECES, army
from p2p_stratego.stratego.rules.board import Square
from p2p_stratego.stratego.rules.cells import EMPTY, MOVED, OPEN, SLOT
from p2p_stratego.stratego.rules.movement import (
    RAN,
    WALKED,
    illegal,
    legal,
    of_none,
    possible_reach,
    surely_can_move,
    walks,
)
from p2p_stratego.stratego.rules.notation import NONE, PLACES, STEPS, fill, filled, is_fill
from p2p_stratego.stratego.rules.pieces import IMMOBILE, SCOUT, SEAT_NAMES, SEATS
from p2p_stratego.stratego.rules.state import Phase, State, arrayed, slot, start
from p2p_stratego.stratego.rules.transitions import breached, moved, revealed, said_none


def _lay_armies(state: State) -> Turn[State]:
    """Both lay their whole army face down, before either chooses squares."""
    faces = state.army.faces
    slots = [tuple(slot(seat, k) for k in range(len(faces))) for seat in SEATS]
    yield Together(tuple(Commit(seat, slots[seat], faces, exactly=True) for seat in SEATS))
    if len(faces) < MOST_PIECES:
        return state._replace(phase="squares")
    everywhere = tuple(range(MOST_PIECES))
    return arrayed(state, (everywhere, everywhere))


def _fill_squares(state: State) -> Turn[State]:
    """Both say which of their squares they fill; the ranks are already fixed."""
    offered = Fillings(state.army.size)
    red, blue = yield Together(tuple(Choose(seat, offered) for seat in SEATS))
    return arrayed(state, (filled(red), filled(blue)))


def _play(state: State) -> Turn[State]:
    """A move, with its openings."""
    move = yield Choose(state.seat, Moves(state))
    if move == NONE:
        yield from of_none(state)
        return said_none(state)
    source, target, between = STEPS[move]
    cell, attack = state.board[source], state.board[target] != EMPTY
    if cell < OPEN:
        if attack or between:
            state = yield from _open_mover(state, source, ran=bool(between))
        elif cell < MOVED:
            yield walks(state.seat, SLOT[cell])
    if attack and state.ended is None and state.board[target] < OPEN:
        state = revealed(state, target, (yield Open(SLOT[state.board[target]])))
    return state if state.ended else moved(state, move)


def _open_mover(state: State, source: Square, *, ran: bool) -> Turn[State]:
    """Open the moving piece first: if it cannot move like this, no other piece is opened."""
    face = yield Open(SLOT[state.board[source]])
    state = revealed(state, source, face)
    if state.ended is None and face in IMMOBILE:
        return breached(state, state.seat, WALKED)
    if state.ended is None and ran and face != SCOUT:
        return breached(state, state.seat, RAN)
    return state


_PHASES: Final[Mapping[Phase, Callable[[State], Turn[State]]]] = {
    "army": _lay_armies,
    "squares": _fill_squares,
    "play": _play,
}


class Stratego(Rulebook[State]):
    """Implements `core.game.Game[State]`."""

    name: Final = "stratego"
    title = "Stratego"
    version: Final = 2
    seat_counts: Final = (len(SEATS),)
    most_rolls: Final = 1
    """The game never rolls; the shortest chain has one link."""

    fields = OPTIONS

    def options(self, wanted: Options) -> Options:
        """Those of spec/stratego.md; for `army` see `armies.army`.  Raises OptionError."""
        chosen = super().options(wanted)
        return {**chosen, "army": army(chosen["army"]).text}

    def setup(self, seats: int, options: Options) -> Turn[State]:
        """The set-up, which yields no ask.  Raises OptionError."""
        if seats != len(SEATS):
            raise OptionError(_("Stratego is a game for two players, not for {seats}", seats=seats))
        chosen = self.options(options)
        yield from ()
        first, quiet = SEAT_NAMES.index(str(chosen["first"])), int(chosen["quiet"])
        return start(army(chosen["army"]), first, quiet, tournament=chosen["shuttle"] == TOURNAMENT)

    def turn(self, state: State) -> Turn[State]:
        """The step that `state.phase` names; not to be called in phase "over"."""
        return _PHASES[state.phase](state)

    def seat_names(self, _seats: int) -> tuple[str, ...]:
        """Red and blue."""
        return SEAT_NAMES

    def rematch(self, options: Options, state: State) -> Options:
        """The same: with the seats swapped, the other person makes the first move."""
        return {**self.options(options), "first": SEAT_NAMES[state.first]}


GAME: Final[Game[State]] = Stratego()


@dataclass(frozen=True, slots=True)
class Moves(Collection[Move]):
    """Every move that could be legal by public information; "none" where that could be true."""

    state: State

    def __contains__(self, move: object) -> bool:
        if move == NONE:
            return not surely_can_move(self.state)
        if not isinstance(move, str) or move not in STEPS:
            return False
        return illegal(self.state, move, possible_reach(self.state, self.state.seat)) is None

    def __iter__(self) -> Iterator[Move]:
        yield from legal(self.state, possible_reach(self.state, self.state.seat))
        if NONE in self:
            yield NONE

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True, slots=True)
class Fillings(Collection[Move]):
    """Every way to fill `count` of a side's own 40 places; up to 137,846,528,820 of them."""

    count: int

    def __contains__(self, move: object) -> bool:
        return is_fill(move, self.count)

    def __iter__(self) -> Iterator[Move]:
        return map(fill, combinations(range(PLACES), self.count))

    def __len__(self) -> int:
        return comb(PLACES, self.count)
