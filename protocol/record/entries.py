"""Entries: the links of the chain, one signed message each.

body    = [number, seat, previous, message] or [number, seat, previous, message, release]
payload = body ‖ signature;   head after it = H("entry", body)
"""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Seat
from p2p_stratego.core.values import frozen
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Malformed
from protocol.limits import MAX_BACK, MAX_ENTRY, MAX_RELEASE, MAX_SHUFFLE
from protocol.record.signed import SignedRecord
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Value, decode, encode, tagged

SHUFFLE: Final = 18
"""The tag of that message."""

_TOO_LONG: Final = "An entry is too short to be signed, or over 16 KiB."

entry_hash = tagged(labels.ENTRY)


@frozen
class Entry(SignedRecord):
    """One link of the chain: its number, whose it is, the head it follows (32 bytes), and its message.

    `head`: the head after it, 32 bytes.
    `release`: payloads of BACKs, 1 to 8, if its author had called the author of an earlier entry away.
    """

    number: int
    seat: Seat
    previous: bytes
    message: Value
    payload: bytes
    head: bytes
    release: tuple[bytes, ...] = ()
    frame_kind = ENTRY


class Folded(Entry):
    """A statement in the place of the entry that its seat owes: a RESIGN, or the last acceptance of a draw.

    `payload`: that of the statement; `message` is empty.
    """

    __slots__ = ()
    frame_kind = STATEMENT


def folded(number: int, seat: Seat, previous: bytes, payload: bytes) -> Folded:
    """A statement of `seat` in the place of entry `number`, behind the head `previous`.

    The statement was signed over an earlier head, so the hash covers the head before it, too.
    """
    head = entry_hash(encode((number, seat, previous, payload[:-SIGNATURE_BYTES])))
    return Folded(number, seat, previous, [], payload, head)


def parse_entry(payload: bytes) -> Entry:
    """Read an entry's envelope; neither signature nor message is checked here.  Raises Malformed."""
    size = len(payload)
    if not SIGNATURE_BYTES < size <= MAX_SHUFFLE:
        raise Malformed(_TOO_LONG)
    body = payload[:-SIGNATURE_BYTES]
    release: tuple[bytes, ...] = ()
    match decode(body):
        case [number, seat, previous, message]:
            pass
        case [number, seat, previous, message, backs]:
            release = _release(backs)
        case _:
            raise Malformed("An entry is not a number, a seat, a head and a message.")
    if type(number) is not int or type(seat) is not int:
        raise Malformed("An entry has no number or no seat.")
    if type(previous) is not bytes or len(previous) != 32:
        raise Malformed("An entry names no head.")
    if size > MAX_ENTRY and not (type(message) is list and message and message[0] == SHUFFLE):
        raise Malformed(_TOO_LONG)
    return Entry(number, seat, previous, message, payload, entry_hash(body), release)


def _release(value: Value) -> tuple[bytes, ...]:
    backs = [item for item in value if type(item) is bytes] if type(value) is list else []
    fits = 0 < len(backs) <= MAX_RELEASE and max(map(len, backs)) <= MAX_BACK
    if not fits or backs != value:
        raise Malformed(f"A release does not hold 1 to {MAX_RELEASE} BACKs.")
    return tuple(backs)
