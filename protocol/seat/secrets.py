"""The secrets of one seat in a match: a master secret, decisions that are not public yet, sealed words.

All other secrets derive from the master, so a restarted process makes the same commitment with the same salt
(threat 30).  No secret prints itself (threat 38) or enters a transcript (threat 37).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from secrets import token_bytes
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from p2p_stratego.core.game import Seat, Slot
from protocol.crypto.coin_toss import chain
from protocol.crypto.group.nonces import Nonces, deck_key, share_key
from protocol.crypto.permutation import permutation
from protocol.errors import Malformed
from protocol.record.asks.base import Decided
from protocol.wire import labels
from protocol.wire.encoding import decode, encode

MASTER_BYTES: Final = 32
STALE: Final = encode(())
"""The record of the secrets file that marks this copy as old for good."""


class MatchSecrets:
    """One seat's secrets in one match."""

    def __init__(self, master: bytes, fresh: Callable[[int], bytes] = token_bytes) -> None:
        """`master`: 32 bytes from the operating system's generator, for this match alone; `fresh`: from a
        length to random bytes, for proofs.
        """
        if len(master) != MASTER_BYTES:
            raise ValueError("a master secret has 32 bytes")
        self._master = master
        self._fresh = fresh
        self._links: list[bytes] = []
        self._deck_key: int | None = None
        self.decided: dict[int, Decided] = {}
        """By serial of the Ask: decisions made before their message was due or sent."""
        self.words: dict[int, tuple[Seat, str]] = {}
        """By index of the statement: the reader and the text of a SEALED of this seat."""
        self.stale = False
        """Whether this copy is known to be old: it never signs again (threat 31)."""
        self.lost = 0
        """Damaged bytes at the end of the record that no other copy has replaced yet (threat 35)."""

    def __repr__(self) -> str:
        return "<match secrets>"

    def remember(self, record: bytes) -> None:
        """Restore a record made by `encode_decision` or `encode_words`, or STALE.  Raises Malformed."""
        match decode(record):
            case []:
                self.stale = True
            case [int() as index, int() as reader, str() as text]:
                self.words[index] = reader, text
            case _:
                serial, decided = decode_decision(record)
                self.decided[serial] = decided

    def _derive(self, label: bytes, *place: bytes | int) -> bytes:
        """32 bytes by HKDF-Expand (RFC 5869) for one use and place."""
        info = label + b"\0" + encode(place)
        return HKDFExpand(algorithm=SHA256(), length=32, info=info).derive(self._master)

    @cached_property
    def nonce(self) -> bytes:
        """This seat's nonce for the genesis, 32 bytes."""
        return self._derive(labels.KDF_NONCE)

    def links(self, seat: Seat, length: int) -> list[bytes]:
        """This seat's chance chain: its anchor, then `length` links of 32 bytes in the order of use."""
        return chain(seat, self._derive(labels.KDF_CHANCE, seat), length)

    def link(self, seat: Seat, length: int, number: int) -> bytes:
        """Link `number` of this seat's chance chain, which has `length` links behind its anchor."""
        self._links = self._links or self.links(seat, length)
        return self._links[number]

    def salt(self, game: bytes, seat: Seat, slot: Slot, taken_back: int = 0) -> bytes:
        """The salt (32 bytes) of the commitment under `slot`, unique to this game and slot (threat 2).

        `taken_back`: decisions that had been taken back before, as the same slot can be laid again then.
        """
        return self._derive(labels.KDF_SALT, game, seat, slot, *([taken_back] if taken_back else []))

    def choice_salt(self, game: bytes, seat: Seat, serial: int) -> bytes:
        """The salt (32 bytes) of a hidden choice."""
        return self._derive(labels.KDF_CHOICE_SALT, game, seat, serial)

    def look_secret(self, game: bytes, seat: Seat, serial: int) -> bytes:
        """The X25519 secret (32 bytes) with which the seat opens the sealed opening of one look."""
        return self._derive(labels.KDF_LOOK, game, seat, serial)

    def seal_secret(self, game: bytes, seat: Seat, serial: int) -> bytes:
        """The X25519 secret (32 bytes) with which the seat seals the opening of one look."""
        return self._derive(labels.KDF_SEAL, game, seat, serial)

    def talk_secret(self, game: bytes, seat: Seat) -> bytes:
        """The X25519 secret (32 bytes) with which the seat reads a SEALED to it."""
        return self._derive(labels.KDF_TALK, game, seat)

    def deck_key(self, game: bytes, seat: Seat) -> int:
        """The secret of the seat's key for cards, 1 to L − 1."""
        if self._deck_key is None:
            self._deck_key = deck_key(self._master, game, seat)
        return self._deck_key

    def share_key(self, game: bytes, seat: Seat) -> int:
        """The secret of the seat's key for shares, 1 to L − 1."""
        return share_key(self._master, game, seat)

    def nonces(self, game: bytes, seat: Seat) -> Nonces:
        """The source of the random numbers in the seat's proofs."""
        return Nonces(self._master, game, seat, self._fresh)

    def mix_order(self, game: bytes, seat: Seat, serial: int, length: int) -> list[int]:
        """The order of a Mix that its player does not choose: by new slot, the place of the old slot."""
        return permutation(self._derive(labels.KDF_MIX, game, seat, serial), length)

    def faces_seed(self, game: bytes, seat: Seat, serial: int) -> bytes:
        """The seed (32 bytes) of the faces of a Commit that its player does not choose."""
        return self._derive(labels.KDF_FACES, game, seat, serial)


def encode_decision(serial: int, decided: Decided) -> bytes:
    """A decision as it stands in the secrets file."""
    return encode((serial, decided))


def encode_words(index: int, reader: Seat, text: str) -> bytes:
    """The text of the seat to `reader` alone in its statement `index`, as it stands in the secrets file."""
    return encode((index, reader, text))


def decode_decision(data: bytes) -> tuple[int, Decided]:
    """The serial number and the decision in a record of `encode_decision`.  Raises Malformed."""
    match decode(data):
        case [int() as serial, str() as move]:
            return serial, move
        case [int() as serial, list() as faces] if all(type(face) is int for face in faces):
            return serial, tuple(face for face in faces if isinstance(face, int))
    raise Malformed("A record of the secrets file is no decision.")
