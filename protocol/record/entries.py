"""Entries: the links of the chain, one signed message each.

body    = [number, seat, previous, message]
payload = body ‖ signature;   head after it = H("entry", body)
"""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Seat
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Malformed
from protocol.record.signed import Signed
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, Value, decode, tagged
from protocol.wire.values import frozen

MAX_ENTRY: Final = 16 * 1024
"""Bytes of an entry: 256 commitments and their frame fit in 9 KiB."""

entry_hash = tagged(labels.ENTRY)


@frozen
class Entry(Signed):
    """One link of the chain: its number, whose it is, the head it follows (32 bytes), and its message."""

    number: int
    seat: Seat
    previous: bytes
    message: Value
    payload: bytes
    frame_kind = ENTRY


def parse_entry(payload: bytes) -> Entry:
    """Read an entry's envelope; neither signature nor message is checked here.  Raises Malformed."""
    if not SIGNATURE_BYTES < len(payload) <= MAX_ENTRY:
        raise Malformed("An entry is too short to be signed, or over 16 KiB.")
    value = decode(payload[:-SIGNATURE_BYTES])
    if type(value) is not list or len(value) != 4:
        raise Malformed("An entry is not a number, a seat, a head and a message.")
    number, seat, previous, message = value
    if type(number) is not int or type(seat) is not int:
        raise Malformed("An entry has no number or no seat.")
    if type(previous) is not bytes or len(previous) != 32:
        raise Malformed("An entry names no head.")
    return Entry(number, seat, previous, message, payload)
