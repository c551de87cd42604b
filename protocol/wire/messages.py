"""Every message that answers an Ask, once: its fields, their sizes, and its place on the wire.

SPEC.md, "Messages", is this file in prose.  A message on the wire is an array: its tag, then its fields.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

from p2p_stratego.core.game import Face, Move
from protocol.errors import Malformed
from protocol.wire.encoding import MAX_ARRAY, Value

DIGEST_BYTES: Final = 32
MAX_FACE: Final = 127
MAX_MOVE: Final = 32
MAX_SLOTS: Final = MAX_ARRAY
"""Commitments in one message: more than any one player lays at once in any game planned."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice said aloud: 1 to 32 printable ASCII characters."""

    move: Move


@dataclass(frozen=True, slots=True)
class HiddenChoice:
    """A commitment (32 bytes) to a choice that others make at the same time."""

    digest: bytes


@dataclass(frozen=True, slots=True)
class ShownChoice:
    """The opening of a HiddenChoice: the choice and its salt (32 bytes)."""

    move: Move
    salt: bytes


@dataclass(frozen=True, slots=True)
class Commitments:
    """One commitment (32 bytes) for each slot of a Commit, in its order; 1 to 256."""

    digests: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """The face (0 to 127) under a slot and its salt (32 bytes): equally long for all faces (threat 39)."""

    face: Face
    salt: bytes


@dataclass(frozen=True, slots=True)
class Share:
    """A seat's part in a Roll: the next link (32 bytes) of the hash chain it committed to in the genesis."""

    link: bytes


Message: TypeAlias = Choice | HiddenChoice | ShownChoice | Commitments | Opening | Share


def _move(value: object) -> Move:
    if type(value) is str and 0 < len(value) <= MAX_MOVE and value.isascii() and value.isprintable():
        return value
    raise Malformed(f"A choice is not 1 to {MAX_MOVE} printable ASCII characters.")


def bytes32(value: object) -> bytes:
    """A digest, salt or link.  Raises Malformed."""
    if type(value) is bytes and len(value) == DIGEST_BYTES:
        return value
    raise Malformed("A digest, salt or link is not 32 bytes.")


def _digests(value: object) -> tuple[bytes, ...]:
    if type(value) is list and 0 < len(value) <= MAX_SLOTS:
        return tuple(map(bytes32, value))
    raise Malformed(f"Commitments are not an array of 1 to {MAX_SLOTS} digests.")


def face(value: object) -> Face:
    """A face.  Raises Malformed."""
    if type(value) is int and 0 <= value <= MAX_FACE:
        return value
    raise Malformed(f"A face is not an integer from 0 to {MAX_FACE}.")


_Fields: TypeAlias = tuple[Callable[[object], Any], ...]
_SHAPES: Final[dict[int, tuple[type[Message], _Fields]]] = {
    1: (Choice, (_move,)),
    2: (HiddenChoice, (bytes32,)),
    3: (ShownChoice, (_move, bytes32)),
    4: (Commitments, (_digests,)),
    5: (Opening, (face, bytes32)),
    6: (Share, (bytes32,)),
}
_TAGS: Final = {kind: tag for tag, (kind, _) in _SHAPES.items()}


def parse(value: Value) -> Message:
    """The message that `value`, a decoded array, stands for.  Raises Malformed."""
    if type(value) is not list or not value or type(value[0]) is not int or value[0] not in _SHAPES:
        raise Malformed("This is no message that this version of the protocol knows.")
    kind, fields = _SHAPES[value[0]]
    if len(value) != len(fields) + 1:
        raise Malformed(f"{kind.__name__} has {len(fields)} fields, not {len(value) - 1}.")
    return kind(*(field(item) for field, item in zip(fields, value[1:], strict=True)))


def wire(message: Message) -> list[Value]:
    """The array that `parse` reads."""
    return [_TAGS[type(message)], *(cast("Value", getattr(message, name)) for name in message.__slots__)]
