"""Vectors of frames about a match: SYNC, with what it makes the receiver do, RECEIPT, CARD, HAVE, REMATCH."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from p2p_stratego.registry import GAMES
from protocol.channel.channel import (
    AUDIENCE,
    CARD,
    HAVE,
    REMATCH,
    Sync,
    read_receipt,
    read_sync,
    receipt_frame,
)
from protocol.errors import Refusal
from protocol.record import receipts
from protocol.record.evidence import read_record
from protocol.record.genesis import Genesis, parse
from protocol.rendezvous.address_cards import AddressCard, read_card, sign_card
from protocol.replication.audience import Audience, Audiences, sign_audience
from protocol.replication.holdings import Counts, Have, read_have
from protocol.replication.rematch import Rematch
from protocol.seat.follower import Follower
from protocol.storage.route import Place
from protocol.wire import labels, transcript
from protocol.wire.addresses import Endpoint, pack
from protocol.wire.encoding import Frame, decode, encode
from tests.helpers.seats.pair import Table
from tests.vectors.arrival import addresses
from tests.vectors.primitives import Vector

COPIES: Final = (0, 1, 2, 3, 10, 25)
"""How many records copies of the match hold, besides the whole one."""


def follower(begun: Genesis, records: Sequence[Frame]) -> Follower:
    """A copy that holds these records."""
    copy = Follower(begun)
    for frame in records:
        copy.admit(read_record(frame))
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
                    "statements held": [
                        [statement.count, statement.head.hex()] for statement in copy.position().statements
                    ],
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
            "CARD": CARD,
            "HAVE": HAVE,
            "AUDIENCE": AUDIENCE,
            "REMATCH": REMATCH,
        },
        "syncs": syncs,
        "bad syncs": _bad_syncs(whole),
        "shown and not signed by the receiver": _not_ours(whole),
        "receipts": _receipts(table, whole),
        "bad receipt frames": _bad_receipts(begun),
        "cards": _cards(table, begun),
        "bad cards": _bad_cards(table, begun),
        "audiences": _audiences(table, begun),
        "bad audiences": _bad_audiences(table, begun),
        "haves": [_have(*fields) for fields in HAVES],
        "bad haves": [{"payload": payload.hex(), "why": why} for why, payload in _bad_haves()],
        "rematches": _rematches(table, begun),
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
    (own, statement), (entry, other) = whole.newest(0), whole.newest(1)
    bad = [
        ("the sender's entry", entry, b""),
        ("the sender's statement", b"", other),
        ("an entry with a bit of the signature flipped", own[:-1] + bytes((own[-1] ^ 1,)), b""),
        (
            "a statement with a bit of the signature flipped",
            b"",
            statement[:-1] + bytes((statement[-1] ^ 1,)),
        ),
        ("a statement in the place of an entry", statement, b""),
        ("no entry at all", b"entry", b""),
    ]
    for why, *shown in bad:
        try:
            whole.lacks(0, (shown[0], shown[1]))
        except Refusal:
            continue
        raise AssertionError(why)
    return [{"entry": record.hex(), "statement": second.hex(), "why": why} for why, record, second in bad]


def _receipts(table: Table, whole: Follower) -> list[Vector]:
    """Signatures that are receipts of a seat over a count, and some that are none."""
    begun, referee = whole.genesis, whole.referee
    count = referee.count
    head = referee.heads[count]
    vectors = []
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
        vectors.append(
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
    return vectors


def _bad_receipts(begun: Genesis) -> list[Vector]:
    bad = [
        ("no array", encode(1)),
        ("without a seat", encode([begun.id, 4, bytes(64)])),
        ("an id of 31 bytes", encode([begun.id[:31], 1, 4, bytes(64)])),
        ("a seat as text", encode([begun.id, "1", 4, bytes(64)])),
        ("a count as text", encode([begun.id, 1, "4", bytes(64)])),
        ("more entries than any record has", encode([begun.id, 1, 2**18 + 1, bytes(64)])),
        ("a signature of 63 bytes", encode([begun.id, 1, 4, bytes(63)])),
        ("a field too many", encode([begun.id, 1, 4, bytes(64), 0])),
    ]
    for why, payload in bad:
        try:
            read_receipt(payload)
        except Refusal:
            continue
        raise AssertionError(why)
    return [{"payload": payload.hex(), "why": why} for why, payload in bad]


PLACES: Final = (
    Place((Endpoint("192.0.2.7", 4000),), bytes(range(32))),
    Place(addresses.GOOD[1:], bytes(32)),
    None,
)
HAVES: Final = (
    (3, (0, (1, 0, 0), 0), (0, 3, 3), (1, 2)),
    (3, (57, (2, 31, 3), 40), (1, 0, 1), (0,)),
    (5, (2**18, (1000, 1, 1, 1, 1), 0), (0, 1, 2, 3, 4), ()),
)
"""Seats of the table; count, statements and receipts; links to each seat; wanted seats."""


def _cards(table: Table, begun: Genesis) -> list[Vector]:
    vectors = []
    for serial, place in enumerate(PLACES):
        seat = serial % 2
        frame = sign_card(table.seats[seat].identity, begun, AddressCard(seat, serial, place))
        body = frame.payload[:-64]
        vectors.append(
            {
                "seat": seat,
                "serial": serial,
                "addresses": list(map(str, place.addresses)) if place else [],
                "certificate": place.certificate.hex() if place else "",
                "signed": (labels.SIGN_CARD + b"\0" + begun.id + body).hex(),
                "payload": frame.payload.hex(),
            }
        )
    return vectors


def _bad_cards(table: Table, begun: Genesis) -> list[Vector]:
    pin = bytes(range(32))

    def card(fields: Any, signer: int = 0) -> bytes:
        body = encode(fields)
        return body + table.seats[signer].identity.sign(labels.SIGN_CARD, begun.id + body)

    here = pack(Endpoint("192.0.2.7", 4000))
    bad = [
        ("of another match", card([bytes(32), 0, 1, [here], pin])),
        ("of a seat that there is not", card([begun.id, 2, 1, [here], pin])),
        ("signed by another seat", card([begun.id, 0, 1, [here], pin], 1)),
        ("nine addresses", card([begun.id, 0, 1, [here] * 9, pin])),
        ("an address as text", card([begun.id, 0, 1, ["192.0.2.7:4000"], pin])),
        ("an address that is none", card([begun.id, 0, 1, [here[:-1]], pin])),
        ("an address of nothing", card([begun.id, 0, 1, [b""], pin])),
        ("no addresses, but a hash", card([begun.id, 0, 1, [], pin])),
        ("a hash of 31 bytes", card([begun.id, 0, 1, [here], pin[:31]])),
        ("a field too many", card([begun.id, 0, 1, [here], pin, 0])),
    ]
    for why, payload in bad:
        try:
            read_card(payload, begun)
        except Refusal:
            continue
        raise AssertionError(why)
    return [{"payload": payload.hex(), "why": why} for why, payload in bad]


def _audiences(table: Table, begun: Genesis) -> list[Vector]:
    vectors = []
    for audience in (Audience(0, 1, 3), Audience(1, 2**32 - 1, 16), Audience(1, 2, 0)):
        frame = sign_audience(table.seats[audience.seat].identity, begun, audience)
        assert Audiences(begun, 1 - audience.seat).take(frame.payload) == audience
        vectors.append(
            {
                "seat": audience.seat,
                "serial": audience.serial,
                "spectators": audience.number,
                "signed": (labels.SIGN_AUDIENCE + b"\0" + begun.id + frame.payload[:-64]).hex(),
                "payload": frame.payload.hex(),
            }
        )
    return vectors


def _bad_audiences(table: Table, begun: Genesis) -> list[Vector]:
    def audience(*fields: Any, signer: int = 0) -> bytes:
        body = encode(list(fields))
        return body + table.seats[signer].identity.sign(labels.SIGN_AUDIENCE, begun.id + body)

    bad = [
        ("of another match", audience(bytes(32), 0, 1, 3)),
        ("of a seat that there is not", audience(begun.id, 2, 1, 3)),
        ("signed by another seat", audience(begun.id, 0, 1, 3, signer=1)),
        ("seventeen spectators", audience(begun.id, 0, 1, 17)),
        ("a serial of 33 bits", audience(begun.id, 0, 2**32, 3)),
        ("a field too few", audience(begun.id, 0, 1)),
    ]
    for why, payload in bad:
        try:
            Audiences(begun, 1).take(payload)
        except Refusal:
            continue
        raise AssertionError(why)
    return [{"payload": payload.hex(), "why": why} for why, payload in bad]


def _have(seats: int, at: Any, hops: tuple[int, ...], wanted: tuple[int, ...]) -> Vector:
    have = Have(Counts(at[0], list(at[1])), at[2], hops, wanted)
    assert read_have(have.frame.payload, seats) == have
    return {
        "seats": seats,
        "count": at[0],
        "statements": list(at[1]),
        "receipts": at[2],
        "links": list(hops),
        "wanted": list(wanted),
        "payload": have.frame.payload.hex(),
    }


def _bad_haves() -> list[tuple[str, bytes]]:
    """Of a table of three."""
    bad = [
        ("no array", encode(1)),
        ("statements of two seats", encode([1, [0, 0], 0, [0, 1, 1], []])),
        ("more statements than a seat can sign", encode([1, [0, 0, 1001], 0, [0, 1, 1], []])),
        ("a way longer than any", encode([1, [0, 0, 0], 0, [0, 1, 4], []])),
        ("a wish twice", encode([1, [0, 0, 0], 0, [0, 1, 1], [1, 1]])),
        ("wishes not ascending", encode([1, [0, 0, 0], 0, [0, 1, 1], [2, 1]])),
        ("a wish for no seat", encode([1, [0, 0, 0], 0, [0, 1, 1], [3]])),
        ("a field too many", encode([1, [0, 0, 0], 0, [0, 1, 1], [], 0])),
    ]
    for why, payload in bad:
        try:
            read_have(payload, 3)
        except Refusal:
            continue
        raise AssertionError(why)
    return bad


def _always(data: bytes) -> Callable[[int], bytes]:
    return lambda _: data


def _rematches(table: Table, begun: Genesis) -> list[Vector]:
    vectors = []
    for seat in (0, 1):
        master = bytes([seat]) * 32
        number, asked = Rematch(begun, seat).ask(table.seats[seat].identity, _always(master))
        vectors.append(
            {
                "seat": seat,
                "number": number,
                "master": master.hex(),
                "signed": (labels.SIGN_REMATCH + b"\0" + begun.id + asked.payload[:-64]).hex(),
                "payload": asked.payload.hex(),
            }
        )
    return vectors
