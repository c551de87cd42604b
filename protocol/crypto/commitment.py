"""How a slot hides: salted hash commitments behind one small interface.

SHA-256 over (game, seat, slot, salt, face) in canonical encoding, so every field carries its own length and
no commitment means anything in another game, seat or slot (threats 3, 4, 5).  The 32-byte salt makes it
hiding: four cards out of ten have 1,134 layouts, which without salt fall in under a millisecond (threat 1).
Halevi and Micali, "Practical and provably-secure commitment schemes", CRYPTO 1996, for hash commitments.
"""

from __future__ import annotations

import hmac
from typing import Protocol

from p2p_stratego.core.game import Face, Move, Seat, Slot
from protocol.wire import labels
from protocol.wire.encoding import encode, tagged
from protocol.wire.messages import Opening

_commitment = tagged(labels.COMMITMENT)
_hidden_choice = tagged(labels.HIDDEN_CHOICE)


class Hiding(Protocol):
    """What the match needs of a way to hide faces; the rules notice none of it."""

    def commit(self, game: bytes, seat: Seat, slot: Slot, face: Face, salt: bytes) -> bytes:
        """32 bytes that fix `face` under `slot` and tell nothing about it."""
        ...

    def opens(self, game: bytes, seat: Seat, slot: Slot, digest: bytes, opening: Opening) -> bool:
        """Whether `opening` is what `digest` was made from."""
        ...


class SaltedHash:
    """Commitments settled by opening."""

    def commit(self, game: bytes, seat: Seat, slot: Slot, face: Face, salt: bytes) -> bytes:
        """H(game 32, seat, slot, salt 32, face)."""
        return _commitment(encode((game, seat, slot, salt, face)))

    def opens(self, game: bytes, seat: Seat, slot: Slot, digest: bytes, opening: Opening) -> bool:
        """Recompute and compare."""
        return hmac.compare_digest(digest, self.commit(game, seat, slot, opening.face, opening.salt))


def hide_choice(game: bytes, seat: Seat, serial: int, move: Move, salt: bytes) -> bytes:
    """The commitment to `move` as `seat`'s answer to the match's ask number `serial`: 32 bytes."""
    return _hidden_choice(encode((game, seat, serial, salt, move)))
