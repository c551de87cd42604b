"""Statements: a seat's signed records beside the chain of entries, each over one of its heads.

Consent to the genesis, chat, sealed talk, resignation, draw, AWAY, REVEAL, COMPLAIN and END.  Each seat
numbers its own statements from 0, so that a dropped one leaves a gap, a repeated one counts once, and two
different ones with one number are equivocation.  Each statement also names the hash of the one before, so one
signature covers all earlier statements of its seat.

body    = [seat, index, previous, count, head, kind, …content]
payload = body ‖ signature;   the seat's head after it = H("statement", body)
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from operator import call
from typing import Any, Final, TypeAlias, cast

from p2p_stratego.core.game import Outcome, Seat
from p2p_stratego.core.values import frozen
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.crypto.sealed_talk import BOX_SIZES
from protocol.errors import Malformed
from protocol.limits import MAX_BACK, MAX_CHAT, MAX_REASON
from protocol.record.asks.open import Opening
from protocol.record.entries import Entry, parse_entry
from protocol.record.signed import SignedRecord
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, Value, decode, encode, tagged
from protocol.wire.messages import MAX_SLOTS, bytes32, face
from protocol.wire.normal_form import is_normal

MAX_NUMBER: Final = 2**32
OUT_OF_TIME: Final = 1
"""The cause of an AWAY by which the accused seat has used up its clock."""
_FIELDS: Final = 6
"""Fields of a body before the content."""

statement_hash = tagged(labels.STATEMENT)


class Kind(IntEnum):
    """The kind of a statement; the number is its value on the wire."""

    AGREE = 0
    CHAT = 1
    RESIGN = 2
    OFFER_DRAW = 3
    ACCEPT_DRAW = 4
    AWAY = 5
    END = 6
    REVEAL = 7
    COMPLAIN = 8
    BACK = 9
    SEALED = 10


Content: TypeAlias = tuple[Any, ...]


@frozen
class Statement(SignedRecord):
    """One statement as signed.

    `previous` (32 bytes): the hash of its seat's statement before, for index 0 the match's id.  `count`,
    `head` (32 bytes): how many entries the seat had admitted, and the head after them.  `content`: AGREE
    (nothing, or the seat's key for talk, 32 bytes), CHAT (text), SEALED (reader, box of BOX_SIZES bytes),
    ACCEPT_DRAW (seat, index of the offer), AWAY (seat, seconds waited, its receipt or nothing; if its clock
    has run out, OUT_OF_TIME), END (winners, reason), REVEAL (part, openings), COMPLAIN (entry of the look,
    secret of 32 bytes; or entry of a key in shares, point of 32 and proof of 64 bytes), BACK (number of the
    entry; of a seat that had called its owner away, also another's BACK, up to MAX_BACK bytes), RESIGN
    (nothing, or in a game with decks the secret of its key for cards, 32 bytes).  `payload`: body and
    signature as received.
    """

    seat: Seat
    index: int
    previous: bytes
    count: int
    head: bytes
    kind: Kind
    content: Content
    payload: bytes
    frame_kind = STATEMENT


Record: TypeAlias = Entry | Statement


def _number(value: object) -> int:
    if type(value) is int and value < MAX_NUMBER:
        return value
    raise Malformed("A statement holds no number where one belongs.")


def chat_text(value: object) -> str:
    """A line of chat: 1 to 500 characters in NFC.  Hostile all the same: escape before it is shown."""
    if type(value) is not str or not 0 < len(value) <= MAX_CHAT or not is_normal(value):
        raise Malformed(f"A chat line has 1 to {MAX_CHAT} characters.")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        # A lone surrogate, which Python makes from terminal input that is not UTF-8: it has no encoding.
        raise Malformed("A chat line holds something that is not text.")
    return value


def _winners(value: object) -> tuple[Seat, ...]:
    if type(value) is list and value == sorted(set(map(_number, value))):
        return tuple(value)
    raise Malformed("The winners of an END are not an ascending array of seats.")


def _openings(value: object) -> tuple[Opening, ...]:
    if type(value) is not list or not 0 < len(value) <= MAX_SLOTS:
        raise Malformed(f"A REVEAL does not hold 1 to {MAX_SLOTS} openings.")
    if not all(type(pair) is list and len(pair) == 2 for pair in value):
        raise Malformed("An opening of a REVEAL is not a face and a salt.")
    return tuple(Opening(face(pair[0]), bytes32(pair[1])) for pair in value)


def _receipt(value: object) -> bytes:
    """The accused's receipt (64 bytes) over the AWAY's count and head, or b""."""
    if type(value) is bytes and len(value) in (0, SIGNATURE_BYTES):
        return value
    raise Malformed("The receipt of an AWAY is not 0 or 64 bytes.")


def _cause(value: object) -> int:
    """The cause of an AWAY, if it is the clock; an AWAY over silence has no such field."""
    if type(value) is int and value == OUT_OF_TIME:
        return value
    raise Malformed("An AWAY names a cause that this version of the protocol does not know.")


def _release(value: object) -> bytes:
    """The payload of a BACK (1 to MAX_BACK bytes), which the record that carries it is judged with."""
    if type(value) is bytes and 0 < len(value) <= MAX_BACK:
        return value
    raise Malformed(f"The release of a BACK is not 1 to {MAX_BACK} bytes.")


def _box(value: object) -> bytes:
    if type(value) is bytes and len(value) in BOX_SIZES:
        return value
    raise Malformed("The box of sealed talk is of no length that it can have.")


def _proof(value: object) -> bytes:
    if type(value) is bytes and len(value) == 64:
        return value
    raise Malformed("The proof of a COMPLAIN is not 64 bytes.")


def _reason(value: object) -> str:
    if type(value) is str and 0 < len(value) <= MAX_REASON and value.isascii() and value.isprintable():
        return value
    raise Malformed("The reason of an END is not a short text of printable ASCII.")


_KINDS: Final = {int(kind): kind for kind in Kind}
_SHAPES: Final[dict[Kind, tuple[Callable[[object], Any], ...]]] = {
    Kind.AGREE: (),
    Kind.CHAT: (chat_text,),
    Kind.RESIGN: (),
    Kind.OFFER_DRAW: (),
    Kind.ACCEPT_DRAW: (_number, _number),
    Kind.AWAY: (_number, _number, _receipt),
    Kind.END: (_winners, _reason),
    Kind.REVEAL: (_number, _openings),
    Kind.COMPLAIN: (_number, bytes32),
    Kind.BACK: (_number,),
    Kind.SEALED: (_number, _box),
}
_MORE: Final[dict[Kind, tuple[Callable[[object], Any], ...]]] = {
    Kind.AGREE: (bytes32,),
    Kind.RESIGN: (bytes32,),
    Kind.AWAY: (_number, _number, _receipt, _cause),
    Kind.COMPLAIN: (_number, bytes32, _proof),
    Kind.BACK: (_number, _release),
}
"""The longer contents that these kinds can have: in a game with talk between two, in a match with a clock,
in a game with decks, and of a seat that had called the owner of the entry away.
"""


def parse(payload: bytes) -> Statement:
    """Read a statement; the signature is not checked here.  Raises Malformed."""
    if len(payload) <= SIGNATURE_BYTES:
        raise Malformed("A statement is too short to be signed.")
    value = decode(payload[:-SIGNATURE_BYTES])
    if type(value) is not list or len(value) < _FIELDS:
        raise Malformed("A statement has too few fields.")
    seat, index, previous, count, head, number, *items = value
    if type(previous) is not bytes or len(previous) != 32:
        raise Malformed("A statement does not name the one before it.")
    if type(head) is not bytes or len(head) != 32:
        raise Malformed("A statement names no head.")
    kind = _KINDS.get(number) if type(number) is int else None
    if kind is None:
        raise Malformed("A statement is of no kind that this version of the protocol knows.")
    fields = _SHAPES[kind]
    if len(items) != len(fields):
        fields = _MORE.get(kind, fields)
    if len(items) != len(fields):
        raise Malformed(f"A statement of kind {kind} has {_FIELDS + len(fields)} fields.")
    content = tuple(map(call, fields, items))
    return Statement(_number(seat), _number(index), previous, _number(count), head, kind, content, payload)


def parse_record(frame: Frame) -> Record:
    """The entry or statement in `frame`; its signature is not checked here.  Raises Malformed."""
    if frame.kind == ENTRY:
        return parse_entry(frame.payload)
    if frame.kind == STATEMENT:
        return parse(frame.payload)
    raise Malformed(f"A record of kind {frame.kind} has no place in a match.")


def body(
    seat: Seat, after: tuple[int, bytes], over: tuple[int, bytes], kind: Kind, content: Content
) -> bytes:
    """The bytes to sign for a statement.

    `after`: the number of the seat's statements before it and their head (32 bytes); `over`: the count of
    entries and the head (32 bytes) that it stands over.
    """
    return encode([seat, *after, *over, int(kind), *as_value(content)])


def is_of_time(statement: Statement) -> bool:
    """Whether an AWAY says that the clock of the accused has run out."""
    return statement.kind is Kind.AWAY and statement.content[3:] == (OUT_OF_TIME,)


def end_content(outcome: Outcome) -> Content:
    """The content of an END for `outcome`."""
    return (tuple(sorted(outcome.winners)), outcome.reason)


def as_value(content: Content) -> list[Value]:
    """`content` on the wire and for export: tuples as arrays, an opening as its face and salt."""
    return [_as_value(item) for item in content]


def _as_value(item: object) -> Value:
    if isinstance(item, Opening):
        return [item.face, item.salt]
    return as_value(item) if isinstance(item, tuple) else cast("Value", item)
