"""Salted hash commitments: how a slot hides a face until its opening.

SHA-256 over (game, seat, slot, salt, face) in canonical encoding, so every field carries its own length and
no commitment means anything in another game, seat or slot (threats 3, 4, 5).  The salt of 32 bytes hides the
face: four cards out of ten have 1,134 layouts, which fall in under a millisecond without a salt (threat 1).
Halevi and Micali, "Practical and provably-secure commitment schemes", CRYPTO 1996, for hash commitments.
"""

from __future__ import annotations

from p2p_stratego.core.game import Face, Move, Seat, Slot
from protocol.wire import labels
from protocol.wire.encoding import encode, tagged

_commitment = tagged(labels.COMMITMENT)
_hidden_choice = tagged(labels.HIDDEN_CHOICE)


def hide_face(game: bytes, seat: Seat, slot: Slot, face: Face, salt: bytes) -> bytes:
    """The commitment (32 bytes) to `face` under `slot` of `seat`: H(game 32, seat, slot, salt 32, face)."""
    return _commitment(encode((game, seat, slot, salt, face)))


def hide_choice(game: bytes, seat: Seat, serial: int, move: Move, salt: bytes) -> bytes:
    """The commitment to `move` as `seat`'s answer to the match's ask number `serial`: 32 bytes."""
    return _hidden_choice(encode((game, seat, serial, salt, move)))
