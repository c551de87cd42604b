"""Messages on the wire: an array of a tag and fields, and the checks of the fields.

The messages themselves stand beside the Asks that they answer, in `protocol/record/asks`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import call
from typing import Any, Final, TypeAlias, cast

from p2p_stratego.core.game import Face, Move
from protocol.errors import Malformed
from protocol.wire.encoding import MAX_ARRAY, Value

DIGEST_BYTES: Final = 32
MAX_FACE: Final = 127
MAX_MOVE: Final = 32
MAX_SLOTS: Final = MAX_ARRAY
"""Commitments in one message: more than a player lays at once in any known game."""


class Message:
    """A message that answers an Ask; each is a frozen dataclass whose fields are in the order of the wire."""

    __slots__ = ()


FieldCheck: TypeAlias = Callable[[object], Any]
"""Takes a decoded value; returns it with its type, or raises Malformed."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The form of a message on the wire: its tag, its type, and a check for each field."""

    tag: int
    kind: type[Message]
    checks: tuple[FieldCheck, ...]


class Codec:
    """The messages that a version of the protocol knows, from and to the arrays on the wire."""

    def __init__(self, shapes: Iterable[Shape]) -> None:
        self._shapes = {shape.tag: shape for shape in shapes}
        self._tags = {shape.kind: tag for tag, shape in self._shapes.items()}
        self._makers: dict[int, tuple[int, Callable[..., Message], tuple[FieldCheck, ...]]] = {
            tag: (1 + len(shape.checks), shape.kind, shape.checks) for tag, shape in self._shapes.items()
        }
        """By tag: the items of the array, the type, and the checks of the fields."""

    def parse(self, value: Value) -> Message:
        """The message that `value`, a decoded array, stands for.  Raises Malformed."""
        if type(value) is not list or not value or type(value[0]) is not int:
            raise Malformed("This is no message that this version of the protocol knows.")
        maker = self._makers.get(value[0])
        if maker is None:
            raise Malformed("This is no message that this version of the protocol knows.")
        size, make, checks = maker
        if len(value) != size:
            name = self._shapes[value[0]].kind.__name__
            raise Malformed(f"{name} has {len(checks)} fields, not {len(value) - 1}.")
        if size == 2:  # a choice, a share, commitments: every entry of an audit passes here
            return make(checks[0](value[1]))
        if size == 3:  # openings
            return make(checks[0](value[1]), checks[1](value[2]))
        return make(*map(call, checks, value[1:]))

    def value(self, message: Message) -> list[Value]:
        """The array that `parse` reads."""
        names: tuple[str, ...] = type(message).__slots__
        return [self._tags[type(message)], *(cast("Value", getattr(message, name)) for name in names)]


def move(value: object) -> Move:
    """A choice.  Raises Malformed."""
    if type(value) is str and 0 < len(value) <= MAX_MOVE and value.isascii() and value.isprintable():
        return value
    raise Malformed(f"A choice is not 1 to {MAX_MOVE} printable ASCII characters.")


def bytes32(value: object) -> bytes:
    """A digest, salt or link.  Raises Malformed."""
    if type(value) is bytes and len(value) == DIGEST_BYTES:
        return value
    raise Malformed("A digest, salt or link is not 32 bytes.")


def digests(value: object) -> tuple[bytes, ...]:
    """1 to 256 digests.  Raises Malformed."""
    if type(value) is list and 0 < len(value) <= MAX_SLOTS:
        return tuple(map(bytes32, value))
    raise Malformed(f"Commitments are not an array of 1 to {MAX_SLOTS} digests.")


def face(value: object) -> Face:
    """A face.  Raises Malformed."""
    if type(value) is int and 0 <= value <= MAX_FACE:
        return value
    raise Malformed(f"A face is not an integer from 0 to {MAX_FACE}.")
