"""An act under way: the state so far, and the changes that acts are made of."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from p2p_stratego.conquest.rules.atlas import Zone, zones_of
from p2p_stratego.conquest.rules.pieces import A_SIDE, Faces
from p2p_stratego.conquest.rules.state import ON_BOARD, Event, Piece, State, open_ones, with_zone
from p2p_stratego.core import rulebook
from p2p_stratego.core.game import Breach, Choose, Face, Move, Open, Outcome, Seat, Slot, Turn
from p2p_stratego.core.rulebook import Stopped
from p2p_stratego.core.sides import each_alone, without


@dataclass(slots=True)
class Act(rulebook.Act[State]):
    """An act of a player, with the changes that it makes to the state."""

    def tell(self, event: Event) -> None:
        """Add to the report."""
        self.state = self.state._replace(report=(*self.state.report, event))

    def put(self, zone: Zone, piece: Piece | None) -> None:
        """Change what stands on a zone."""
        self.state = self.state._replace(board=with_zone(self.state.board, zone, piece))

    def bag(self, seat: Seat, pieces: tuple[Piece, ...]) -> None:
        """Change what lies in a bag."""
        bags = self.state.bags
        self.state = self.state._replace(bags=(*bags[:seat], pieces, *bags[seat + 1 :]))

    def fall(self, zone: Zone) -> None:
        """The piece on a zone, open by now, goes to the end of its owner's bag."""
        piece = self.state.board[zone]
        if piece is not None:
            self.put(zone, None)
            self.bag(piece.seat, (*self.state.bags[piece.seat], piece))

    def over(self, outcome: Outcome) -> Stopped:
        """End the game; to be raised."""
        self.state = self.state._replace(phase="over", ended=outcome)
        return Stopped()

    def breached(self, seat: Seat, rule: str) -> Stopped:
        """End the game because `seat` broke a rule; to be raised."""
        winners = without(each_alone(self.state.seats), seat)
        return self.over(Outcome(winners, "cheated", Breach(seat, rule)))

    def won_by_flag(self) -> Stopped | None:
        """The end of the game if one flag only is left; to be raised."""
        if self.state.flags_left != 1:
            return None
        return self.over(Outcome(frozenset({self.state.flags.index(ON_BOARD)}), "flag"))

    def new_slots(self, number: int) -> tuple[Slot, ...]:
        """Names for so many pieces that are laid anew."""
        first = self.state.next_slot
        self.state = self.state._replace(next_slot=first + number)
        return tuple(range(first, first + number))


def chosen(options: Collection[Move], seat: Seat) -> Turn[Move]:
    """The answer of `seat` in an act of its own.  Raises Stopped if it has left."""
    answer: Move | None = yield Choose(seat, options)
    if answer is None:
        raise Stopped
    return answer


def shown(act: Act, zone: Zone) -> Turn[Face | None]:
    """The face on a zone, opened if it is closed; None if its owner has left.

    Raises Stopped if the face cannot be there.
    """
    piece = act.state.board[zone]
    if piece is None or piece.face is not None:
        return piece.face if piece else None
    face: Face | None = yield Open(piece.slot)
    if face is not None:
        act.put(zone, opened(piece, face))
        _check(act, piece, face)
    return face


def shown_in_bag(act: Act, index: int) -> Turn[Face]:
    """The face of a closed piece in the bag of the player to move.  Raises Stopped like `chosen`, `shown`."""
    seat = act.state.seat
    bag = act.state.bags[seat]
    face: Face | None = yield Open(bag[index].slot)
    if face is None:
        raise Stopped
    act.bag(seat, (*bag[:index], opened(bag[index], face), *bag[index + 1 :]))
    _check(act, bag[index], face)
    return face


def opened(piece: Piece, face: Face) -> Piece:
    """The same piece, open."""
    return Piece(piece.slot, piece.seat, face, could=1 << face)


def _check(act: Act, piece: Piece, face: Face) -> None:
    """End the game by a breach that the Opening shows, the first in a verifier's order.  Raises Stopped."""
    shown_ones = open_ones(act.state, piece.seat, face)
    if shown_ones > A_SIDE[face]:
        raise act.breached(piece.seat, WRONG_FACES)
    for rule, faces in piece.promised:
        if not faces >> face & 1:
            raise act.breached(piece.seat, rule)
    if shown_ones == A_SIDE[face]:
        _exclude(act, piece.seat, face)


def _exclude(act: Act, seat: Seat, face: Face) -> None:
    """All pieces of a kind are open: no closed one can be of it."""
    state = act.state
    act.state = state._replace(
        board=tuple(_less(piece, seat, face) for piece in state.board),
        bags=tuple(
            tuple(piece if piece.face is not None else _narrowed(piece, ~(1 << face)) for piece in bag)
            if owner == seat
            else bag
            for owner, bag in enumerate(state.bags)
        ),
    )


def _less(piece: Piece | None, seat: Seat, face: Face) -> Piece | None:
    if piece is None or piece.seat != seat or piece.face is not None:
        return piece
    return _narrowed(piece, ~(1 << face))


def _narrowed(piece: Piece, faces: Faces) -> Piece:
    return piece._replace(could=piece.could & faces)


def promised(piece: Piece, rule: str, faces: Faces) -> Piece:
    """The piece after its owner claimed that it shows one of `faces`."""
    return piece._replace(could=piece.could & faces, promised=(*piece.promised, (rule, faces)))


def laid_anew(act: Act, pieces: tuple[Piece, ...], slots: tuple[Slot, ...]) -> tuple[Piece, ...]:
    """The pieces after a Mix: closed, each able to be what any of them could be."""
    could = 0
    for piece in pieces:
        could |= piece.could
    number = act.state.mixes + 1
    act.state = act.state._replace(mixes=number)
    return tuple(
        Piece(slot, piece.seat, could=could, mixed=number) for slot, piece in zip(slots, pieces, strict=True)
    )


def free_zones(state: State) -> tuple[Zone, ...]:
    """The zones without a piece, ascending."""
    return zones_of(state.free())


WRONG_FACES: Final = "wrong-faces"
"""More pieces of a kind are open than the army has."""
STEPPED: Final = "fixed-piece-moved"
RAN: Final = "ran-but-no-scout"
FALSE_NONE: Final = "false-no-move"
CHANGED: Final = "changed-pieces"
"""Other faces were laid back than were taken up."""
FALSE_MISS: Final = "false-miss"
FALSE_HIT: Final = "false-hit"
NO_SPY: Final = "no-spy"
"""The spy lay in the bag that should be without it, or the piece shown as the spy is another."""
