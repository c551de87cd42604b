"""Vectors of posts: one of a match, an offer, the text for a mail, and posts that are none."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from protocol.channel.channel import HAVE, OFFER, SEAL, Sync
from protocol.lobby.handshake import Person, Terms, seat_part
from protocol.post import form
from protocol.post.form import Postmark
from protocol.post.offer import Offer
from protocol.record.pace import Pace
from protocol.seat.secrets import MatchSecrets
from protocol.wire.encoding import GENESIS, Frame, Value, decode, encode
from tests.vectors.arrival.introductions import HOST
from tests.vectors.primitives import Vector, seed
from tests.vectors.records.matches import ended
from tests.vectors.records.players import REAL

ENTRIES: Final = 3
"""Records in the post of a match."""


def posts() -> Vector:
    """What each post holds, and why the others are refused."""
    table = ended("flag")
    writer = table.seats[0]
    position = table.seats[1].session.position()
    nothing = tuple(replace(part, count=0, head=table.begun.id) for part in position.statements)
    sync = Sync(table.begun.id, replace(position, count=0, head=table.begun.id, statements=nothing))
    reader = table.seats[1]
    stamp = form.stamp(writer.identity, table.begun.id, 0, 1, 1_700_000_000)
    seen = form.stamp(reader.identity, table.begun.id, 1, 0, 1_600_000_000)
    mark = Postmark(table.begun.id, 0, 1, stamp, seen)
    frames = [mark.frame, Frame(GENESIS, table.begun.body), sync.frame, *writer.log[:ENTRIES]]
    whole = form.sealed_post(writer.identity, frames)
    short = form.sealed_post(writer.identity, [mark.frame, *frames[2:4]])
    options = REAL.options({"wall": 4})
    secrets = MatchSecrets(seed("vector host master"))
    terms = Terms(REAL, options, pace=Pace.DAY)
    offer = Offer(terms, seat_part(Person(HOST.key, "Ada"), REAL, 0, secrets))
    offered = form.sealed_post(HOST, [Frame(OFFER, offer.payload)])
    return {
        "key of the writer": writer.identity.key.hex(),
        "key of the reader": reader.identity.key.hex(),
        "mark": {
            "writer": 0,
            "reader": 1,
            "stamp": [stamp.serial, stamp.signature.hex()],
            "seen": [seen.serial, seen.signature.hex()],
        },
        "kinds": [frame.kind for frame in frames],
        "post": whole.hex(),
        "text": form.text(whole),
        "offer": {
            "post": offered.hex(),
            "key": HOST.key.hex(),
            "master": seed("vector host master").hex(),
            "name": "Ada",
            "seat": 0,
            "game": REAL.name,
            "options": [[name, value] for name, value in options.items()],
            "pace": int(Pace.DAY),
        },
        "bad": [{"hex": data.hex(), "why": why} for why, data in _bad(short, [mark.frame, *frames[2:4]])],
        "forged": [
            {"hex": data.hex(), "why": why} for why, data in _forged(short, [mark.frame, *frames[2:4]])
        ],
        "false stamps": [{"hex": mark.frame.payload.hex(), "why": why} for why, mark in _false_stamps(mark)],
        "bad offers": [{"hex": data.hex(), "why": why} for why, data in _bad_offers(offer)],
    }


def _bad(whole: bytes, frames: list[Frame]) -> list[tuple[str, bytes]]:
    """Posts that are refused before any key is looked at."""
    mark, sync, record = frames

    def bare(*parts: Frame) -> bytes:
        return form.MAGIC + b"".join(map(bytes, [*parts, Frame(SEAL, bytes(64))]))

    def marked(*fields: Value) -> bytes:
        return bare(replace(mark, payload=encode(list(fields))), sync)

    match, name = form.read_mark(mark.payload).match, bytes(64)
    return [
        ("nothing", b""),
        ("another file", b"p2p-stratego transcript 2\n" + whole[len(form.MAGIC) :]),
        ("a later version", whole.replace(b"post 1", b"post 2", 1)),
        ("the last byte is missing", whole[:-1]),
        ("no seal", form.MAGIC + b"".join(map(bytes, frames))),
        ("something behind the seal", whole + bytes(record)),
        ("a seal that is too short", whole[: -64 - 4 - 5] + bytes(Frame(SEAL, bytes(63)))),
        ("no mark", bare(sync)),
        ("no SYNC", bare(mark, record)),
        ("the genesis behind the SYNC", bare(mark, sync, Frame(GENESIS, b"\x90"))),
        ("a frame that is for links", bare(mark, sync, Frame(HAVE, b"\x90"))),
        ("a match of 31 bytes", marked(match[:31], 0, 1, [1, name], [])),
        ("from a seat to itself", marked(match, 1, 1, [1, name], [])),
        ("no stamp", marked(match, 0, 1, [], [])),
        ("serial 0", marked(match, 0, 1, [0, name], [])),
        ("a serial of 2^48", marked(match, 0, 1, [2**48, name], [])),
        ("a stamp of 63 bytes", marked(match, 0, 1, [1, name[:63]], [])),
        ("seen: serial 0", marked(match, 0, 1, [1, name], [0, name])),
        ("a field too many", marked(match, 0, 1, [1, name], [], 0)),
    ]


def _forged(whole: bytes, frames: list[Frame]) -> list[tuple[str, bytes]]:
    """Posts in good form that the writer has not signed so."""
    seal = Frame(SEAL, form.read(whole).signature)
    mark, sync, record = frames

    def bare(*parts: Frame) -> bytes:
        return form.MAGIC + b"".join(map(bytes, [*parts, seal]))

    other = form.read_mark(mark.payload)
    return [
        ("a record less", bare(mark, sync)),
        ("a record twice", bare(mark, sync, record, record)),
        ("without what it has seen", bare(replace(other, seen=form.NO_STAMP).frame, sync, record)),
    ]


def _false_stamps(mark: Postmark) -> list[tuple[str, Postmark]]:
    """POSTMARKs with a stamp that the key of its seat did not make."""
    stamp, seen = mark.stamp, mark.seen
    return [
        ("another serial that it has seen", replace(mark, seen=replace(seen, serial=seen.serial + 1))),
        ("its own stamp as the reader's", replace(mark, seen=stamp)),
        ("of another match", replace(mark, match=bytes(32))),
    ]


def _bad_offers(offer: Offer) -> list[tuple[str, bytes]]:
    """Payloads of OFFERs that are none."""
    value = decode(offer.payload)
    assert isinstance(value, list)
    part = value[-1]
    assert isinstance(part, list)

    def put(at: int, item: Value) -> bytes:
        return encode([*value[:at], item, *value[at + 1 :]])

    return [
        ("a later version", put(0, 3)),
        ("a game that nobody knows", put(1, "ludo")),
        ("later rules", put(2, 99)),
        ("no options", put(3, [])),
        ("proofs twice over", put(4, 2)),
        ("an escrow", put(5, 2)),
        ("a pace that nobody knows", put(6, 4)),
        ("a clock, which nobody has by post", put(6, [900, 10])),
        ("a third seat", put(7, 2)),
        ("a name of nothing", put(8, [part[0], "", *part[2:]])),
        ("a field too few", encode(value[:-1])),
    ]
