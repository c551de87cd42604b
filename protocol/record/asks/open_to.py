"""OpenTo: the owner of a slot shows it to one seat; everybody holds the sealed bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from p2p_stratego.core.game import Face, OpenTo, Slot
from p2p_stratego.core.values import frozen
from protocol.crypto import sealed
from protocol.errors import Malformed
from protocol.record.asks.base import (
    AskKind,
    BrokenRule,
    Look,
    MessageKind,
    Obligation,
    Script,
    Secrets,
    Table,
)
from protocol.wire.messages import Message, Shape, bytes32


@frozen
class LookKey(Message):
    """The viewer's X25519 key (32 bytes) for this one look."""

    key: bytes


@frozen
class SealedOpening(Message):
    """The owner's X25519 key (32 bytes) for this one look, and the opening in a box (49 bytes).

    Equally long for all faces (threat 39).
    """

    key: bytes
    box: bytes


def script(table: Table, ask: OpenTo) -> Script[None]:
    """Two messages: the viewer's key, then the opening, sealed to it.

    Only the viewer learns whether the box opens.  If the box stays shut, the viewer signs a COMPLAIN before
    its next entry (SPEC 10.3).
    """
    owner = table.owner(ask.slot)
    if owner == ask.seat or ask.slot in table.faces:
        raise RuntimeError(f"the rules show slot {ask.slot} to a seat that can read it")
    look_key: LookKey = yield Obligation(ask.seat, LookKey, ask, ask)
    _require_sound(look_key.key)
    table.look_key = look_key.key
    sealed_opening: SealedOpening = yield Obligation(owner, SealedOpening, ask, ask)
    _require_sound(sealed_opening.key)
    place = sealed.LookContext(table.genesis.id, ask.seat, owner, ask.slot, table.serial)
    table.looks[table.number] = Look(
        place, table.number, look_key.key, sealed_opening.key, sealed_opening.box
    )


def _require_sound(key: bytes) -> None:
    if not sealed.is_sound(key):
        raise BrokenRule("weak-key")


def _key(secrets: Secrets, table: Table, owed: Obligation, _: Mapping[Slot, Face]) -> LookKey:
    return LookKey(sealed.public_key(secrets.look_secret(table.genesis.id, owed.seat, table.serial)))


def _sealed(secrets: Secrets, table: Table, owed: Obligation, own: Mapping[Slot, Face]) -> SealedOpening:
    game, ask = table.genesis.id, cast("OpenTo", owed.part)
    place = sealed.LookContext(game, ask.seat, owed.seat, ask.slot, table.serial)
    secret = secrets.seal_secret(game, owed.seat, table.serial)
    salt = secrets.salt(game, owed.seat, ask.slot, table.hidden[ask.slot].taken_back)
    return SealedOpening(*sealed.seal(place, table.look_key, secret, own[ask.slot], salt))


def _box(value: object) -> bytes:
    if type(value) is bytes and len(value) == sealed.BOX_BYTES:
        return value
    raise Malformed(f"A sealed opening is not {sealed.BOX_BYTES} bytes.")


KIND: Final = AskKind(
    OpenTo,
    script,
    (
        MessageKind(Shape(7, LookKey, (bytes32,)), _key, "its key for a private look", ("key",)),
        MessageKind(
            Shape(8, SealedOpening, (bytes32, _box)),
            _sealed,
            "the sealed opening of a hidden card",
            ("key", "box"),
        ),
    ),
)
