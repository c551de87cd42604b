"""Facts in a seat's view of Conquest Stratego: its own faces, its choices, the possible faces of other
pieces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from p2p_stratego.conquest.rules.atlas import Zone
from p2p_stratego.conquest.rules.cards import NEW_SPY, SECRET, Card
from p2p_stratego.conquest.rules.choices import Moves
from p2p_stratego.conquest.rules.effects import possible
from p2p_stratego.conquest.rules.movement import moves_of
from p2p_stratego.conquest.rules.notation import NO, NONE, PLAY_NONE, STOP, YES, accused, draw, move, play
from p2p_stratego.conquest.rules.pieces import SPY, faces_in
from p2p_stratego.conquest.rules.state import Piece, State
from p2p_stratego.core.game import Choose, Face, Move, Slot
from p2p_stratego.core.view import View


def face_of(piece: Piece, known: Mapping[Slot, Face]) -> Face | None:
    """The face of a piece to a seat with this knowledge; None if it cannot tell."""
    return piece.face if piece.face is not None else known.get(piece.slot)


def own_faces(state: State, known: Mapping[Slot, Face]) -> tuple[tuple[Zone, Face], ...]:
    """The pieces on the board of the player to move, with the faces that it knows, by zone."""
    faces = []
    for zone, piece in enumerate(state.board):
        if piece is not None and piece.seat == state.seat:
            face = face_of(piece, known)
            if face is not None:
                faces.append((zone, face))
    return tuple(faces)


def own_moves(state: State, known: Mapping[Slot, Face]) -> list[Move]:
    """The options of the player to move; never empty.

    "none" only if no piece of its can step; "stop" once it has made a move.
    """
    moves = [move(source, target) for source, target in moves_of(state, own_faces(state, known))]
    if state.made:
        return [*moves, STOP]
    return moves or [NONE]


def has_spy(pieces: Iterable[Piece | None], known: Mapping[Slot, Face]) -> bool:
    """Whether one of a player's own pieces is the spy."""
    return any(piece is not None and face_of(piece, known) == SPY for piece in pieces)


def own_possible(state: State, known: Mapping[Slot, Face], card: Card) -> bool:
    """Whether the player to move may play this card, by all that it knows."""
    if not possible(state, card):
        return False
    in_bag = has_spy(state.bags[state.seat], known)
    on_board = has_spy((piece for piece in state.board if piece and piece.seat == state.seat), known)
    return (card != SECRET or on_board) and (card != NEW_SPY or in_bag)


def could_be(piece: Piece, known: Mapping[Slot, Face]) -> frozenset[Face]:
    """The possible faces of a piece to a seat with this knowledge, if nobody cheats."""
    face = face_of(piece, known)
    return faces_in(piece.could) if face is None else frozenset((face,))


def own_plays(state: State, known: Mapping[Slot, Face]) -> list[Move]:
    """ "play none", and the cards drawn that the player to move may play by all that it knows."""
    kinds = sorted({card for card in state.drawn if own_possible(state, known, card)})
    return [PLAY_NONE, *map(play, kinds)]


def forced(view: View[State]) -> Move | None:
    """The one true answer if the seat's own faces leave no choice; None otherwise.

    So with yes or no to the Traitor, and with the piece of the bag that is the spy.
    """
    decision = view.asked
    if not isinstance(decision, Choose) or not view.since or view.state.phase != "play":
        return None
    if YES in decision.options:
        zone, face = accused(view.since[-1][1])
        piece = view.state.board[zone]
        return YES if piece is not None and face_of(piece, view.known) == face else NO
    if view.since[0][1] == play(NEW_SPY):
        bag = view.state.bags[view.seat]
        spies = (draw(index) for index, piece in enumerate(bag) if face_of(piece, view.known) == SPY)
        return next((move for move in spies if move in decision.options), None)
    return None


def true_options(view: View[State]) -> Collection[Move]:
    """The options of a Choose that this seat may say by all that it knows: none of them breaks a rule."""
    decision = view.asked
    if not isinstance(decision, Choose):
        raise TypeError("only a Choose has options")
    only = forced(view)
    if only is not None:
        return (only,)
    if isinstance(decision.options, Moves):
        return own_moves(view.state, view.known)
    if view.state.phase == "play" and PLAY_NONE in decision.options:
        return own_plays(view.state, view.known)
    return decision.options
