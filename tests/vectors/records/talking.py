"""Vectors of talk between two: boxes that open and that do not, and copies of a match with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from p2p_stratego.registry import GAMES
from protocol.crypto.sealed import public_key
from protocol.crypto.sealed_talk import PADDED, TalkContext, unseal
from protocol.record.statements import Kind
from tests.helpers.crypto import hpke
from tests.helpers.seats.pair import Table
from tests.vectors.primitives import GAME, Vector, seed
from tests.vectors.records.open_points import Copy
from tests.vectors.records.players import REAL

_OWN: Final = seed("vector talk ephemeral")
_READER: Final = seed("vector talk reader")


def talk() -> Vector:
    """Boxes, and boxes that do not open.  The key made for a box is given, so each comes out the same."""
    places = [TalkContext(GAME, 0, 1, 1), TalkContext(GAME, 4, 0, 699), TalkContext(GAME, 2, 3, 17)]
    texts = ("meet me in Prague", "x" * 256, "Ω" * 500)
    good = [_box(place, text) for place, text in zip(places, texts, strict=True)]
    base = good[0]
    box = bytes.fromhex(base["box"])
    changes: dict[str, Vector] = {
        "another game": {"game": seed("another game").hex()},
        "another writer": {"writer": 2},
        "another reader": {"reader": 2},
        "writer and reader exchanged": {"writer": 1, "reader": 0},
        "another index": {"index": 2},
        "another secret of the reader": {"reader secret": seed("another reader").hex()},
        "another key made for it": {"box": (public_key(seed("another")) + box[32:]).hex()},
        "a key made for it of low order": {"box": (bytes(32) + box[32:]).hex()},
        "a bit of the text flipped": {"box": (box[:32] + bytes((box[32] ^ 1,)) + box[33:]).hex()},
        "a bit of the tag flipped": {"box": (box[:-1] + bytes((box[-1] ^ 1,))).hex()},
        "zeros": {"box": bytes(len(box)).hex()},
        "padding without an end": {"box": _padded(places[0], bytes(PADDED[0])).hex()},
        "padding that is not zero": {"box": _padded(places[0], b"hello\x80" + b"\x01" * 250).hex()},
    }
    wanted = ("game", "writer", "reader", "index", "reader secret", "box")
    bad = [{**{key: base[key] for key in wanted}, **change, "why": why} for why, change in changes.items()]
    return {"good": good, "bad": bad}


def _padded(place: TalkContext, message: bytes) -> bytes:
    return hpke.seal(_OWN, public_key(_READER), hpke.info_of(place), message)


def _box(place: TalkContext, text: str) -> Vector:
    box = hpke.box(_OWN, public_key(_READER), place, text)
    if unseal(place, _READER, box) != text.encode():
        raise RuntimeError("a box does not open")
    return {
        "game": place.game.hex(),
        "writer": place.writer,
        "reader": place.reader,
        "index": place.number,
        "reader secret": _READER.hex(),
        "reader key": public_key(_READER).hex(),
        "secret made for it": _OWN.hex(),
        "info": hpke.info_of(place).hex(),
        "text": text,
        "box": box.hex(),
    }


def transcripts() -> Iterator[tuple[str, bytes]]:
    """By the name of the file: talk that is in order, and talk and keys that no copy takes."""
    yield "incomplete-talk", _talked(1, "meet me in Prague").transcript
    yield "incomplete-talk-not-opening", _agreed().say(0, Kind.SEALED, 1, bytes(304)).transcript
    yield "tampered-talk-to-itself", _agreed().say(0, Kind.SEALED, 0, bytes(304)).transcript
    yield "tampered-talk-to-nobody", _agreed().say(0, Kind.SEALED, 3, bytes(304)).transcript
    yield "tampered-talk-of-another-length", _agreed().say(0, Kind.SEALED, 1, bytes(305)).transcript
    for name, key in (("no-key", ()), ("weak-key", (bytes(32),))):
        yield f"tampered-talk-{name}", Copy(_table(), []).say(0, Kind.AGREE, *key).transcript
    open_game = Table(1, game=REAL)
    agreed = Copy(open_game, [frame for seat in open_game.hold().seats[:1] for frame in seat.log])
    yield "tampered-talk-in-an-open-game", agreed.say(0, Kind.SEALED, 1, bytes(304)).transcript
    key = (public_key(_READER),)
    yield "tampered-talk-key-in-an-open-game", Copy(open_game, []).say(0, Kind.AGREE, *key).transcript


def _table() -> Table:
    return Table(1, game=GAMES["spies"], seats=3)


def _agreed() -> Copy:
    made = _table()
    keys: list[Any] = [(seat.seat, seat.session.talk.key) for seat in made.seats]
    copy = Copy(made, [])
    for seat, key in keys:
        copy.say(seat, Kind.AGREE, *key)
    return copy


def _talked(reader: int, text: str) -> Copy:
    copy = _agreed()
    key = copy.referee.statements[reader][0].content[0]
    place = TalkContext(copy.referee.genesis.id, 0, reader, 1)
    return copy.say(0, Kind.SEALED, reader, hpke.box(_OWN, key, place, text))
