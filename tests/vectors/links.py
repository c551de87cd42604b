"""Vectors of frames about a match on a connection: SYNC, with what it makes the receiver do, and RECEIPT."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from p2p_stratego.registry import GAMES
from protocol.errors import Refusal
from protocol.network.channel import Sync, read_receipt, read_sync, receipt_frame
from protocol.record import receipts
from protocol.record.genesis import Genesis, parse
from protocol.seat.follower import Follower
from protocol.wire import labels, transcript
from protocol.wire.encoding import Frame, decode, encode
from tests.helpers.pair import Table
from tests.vectors.primitives import Vector

COPIES: Final = (0, 1, 2, 3, 10, 25)
"""How many records copies of the match hold, besides the whole one."""


def follower(begun: Genesis, records: Sequence[Frame]) -> Follower:
    """A copy that holds these records."""
    copy = Follower(begun)
    for frame in records:
        copy.admit(frame)
    return copy


def sync(copy: Follower, to: int) -> Sync:
    """The SYNC that this copy sends to seat `to`."""
    return Sync(copy.genesis.id, copy.position(), *copy.newest(to))


def links(name: str, table: Table) -> Vector:
    """`name`: the transcript of the match at `table`."""
    read = transcript.read(table.seats[0].transcript)
    begun, records = parse(read.genesis, GAMES), read.frames
    whole = follower(begun, records)
    syncs = []
    for held in (*COPIES, len(records)):
        copy = follower(begun, records[:held])
        for seat in (0, 1):
            sent, missing = sync(copy, seat), whole.missing(copy.position())
            syncs.append(
                {
                    "records held": held,
                    "to seat": seat,
                    "count": copy.position().count,
                    "head": copy.position().head.hex(),
                    "statements held": [[said.count, said.head.hex()] for said in copy.position().statements],
                    "payload": sent.frame.payload.hex(),
                    "records that the whole copy gives": [records.index(frame) for frame in missing],
                    "an old copy finds itself out": copy.lacks(seat, whole.newest(seat)),
                }
            )
    return {
        "transcript": name,
        "kinds": {
            "SYNC": sync(whole, 0).frame.kind,
            "RECEIPT": receipt_frame(begun.id, 0, 0, bytes(64)).kind,
        },
        "syncs": syncs,
        "bad syncs": _bad_syncs(whole),
        "shown and not signed by the receiver": _not_ours(whole),
        "receipts": _receipts(table, whole),
        "bad receipt frames": _bad_receipts(begun),
    }


def _bad_syncs(whole: Follower) -> list[Vector]:
    good: Any = decode(sync(whole, 0).frame.payload)

    def put(place: int, item: object) -> bytes:
        return encode([*good[:place], item, *good[place + 1 :]])

    bad = [
        ("no array", encode(1)),
        ("without what is shown", encode(good[:4])),
        ("a field too many", encode([*good, b""])),
        ("an id of 31 bytes", put(0, bytes(31))),
        ("more entries than any record has", put(1, 2**18 + 1)),
        ("a head of 33 bytes", put(2, bytes(33))),
        ("more statements than a seat can sign", put(3, [[1001, good[3][0][1]], good[3][1]])),
        ("a text for a number of statements", put(3, [["1", good[3][0][1]], good[3][1]])),
        ("a head of statements of 31 bytes", put(3, [[1, bytes(31)], good[3][1]])),
        ("numbers of statements without heads", put(3, [1, 1])),
        ("statements with a third field", put(3, [[*good[3][0], 0], good[3][1]])),
        ("an entry as text", put(4, "entry")),
        ("a statement as a number", put(5, 7)),
    ]
    for why, payload in bad:
        try:
            read_sync(payload)
        except Refusal:
            continue
        raise AssertionError(why)
    return [{"payload": payload.hex(), "why": why} for why, payload in bad]


def _not_ours(whole: Follower) -> list[Vector]:
    """What a SYNC to seat 0 may not show."""
    (own, said), (entry, other) = whole.newest(0), whole.newest(1)
    bad = [
        ("the sender's entry", entry, b""),
        ("the sender's statement", b"", other),
        ("an entry with a bit of the signature flipped", own[:-1] + bytes((own[-1] ^ 1,)), b""),
        ("a statement with a bit of the signature flipped", b"", said[:-1] + bytes((said[-1] ^ 1,))),
        ("a statement in the place of an entry", said, b""),
        ("no entry at all", b"entry", b""),
    ]
    for why, *shown in bad:
        try:
            whole.lacks(0, (shown[0], shown[1]))
        except Refusal:
            continue
        raise AssertionError(why)
    return [{"entry": one.hex(), "statement": two.hex(), "why": why} for why, one, two in bad]


def _receipts(table: Table, whole: Follower) -> list[Vector]:
    """Signatures that are receipts of a seat over a count, and some that are none."""
    begun, referee = whole.genesis, whole.referee
    count = referee.count
    head = referee.heads[count]
    told = []
    for why, signer, seat, number, over in (
        ("", 0, 0, count, head),
        ("", 1, 1, count, head),
        ("", 1, 1, 0, referee.heads[0]),
        ("signed by the other seat", 0, 1, count, head),
        ("over a shorter record", 1, 1, count - 1, referee.heads[count - 1]),
        ("over another head", 1, 1, count, referee.heads[count - 1]),
    ):
        made = receipts.sign(table.seats[signer].identity, begun, seat, number, over)
        claimed = number if not why else count
        valid = receipts.is_signed(begun, seat, claimed, referee.heads[claimed], made)
        assert valid is (not why)
        told.append(
            {
                "seat": seat,
                "count": claimed,
                "head": referee.heads[claimed].hex(),
                "signed": (
                    labels.SIGN_RECEIPT + b"\0" + begun.id + encode([seat, claimed, referee.heads[claimed]])
                ).hex(),
                "signature": made.hex(),
                "payload": receipt_frame(begun.id, seat, claimed, made).payload.hex(),
                "valid": valid,
                "why": why,
            }
        )
    return told


def _bad_receipts(begun: Genesis) -> list[Vector]:
    bad = [
        ("no array", encode(1)),
        ("an id of 31 bytes", encode([begun.id[:31], 4, bytes(64)])),
        ("a count as text", encode([begun.id, "4", bytes(64)])),
        ("more entries than any record has", encode([begun.id, 2**18 + 1, bytes(64)])),
        ("a signature of 63 bytes", encode([begun.id, 4, bytes(63)])),
        ("a field too many", encode([begun.id, 4, bytes(64), 0])),
    ]
    for why, payload in bad:
        try:
            read_receipt(payload)
        except Refusal:
            continue
        raise AssertionError(why)
    return [{"payload": payload.hex(), "why": why} for why, payload in bad]
