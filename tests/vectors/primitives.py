"""Vectors of what needs no match: encoding, frames, keys, commitments, chance, derived secrets, messages."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from typing import Any, Final

from p2p_stratego.core.game import Commit
from protocol.crypto.coin_toss import chain, result
from protocol.crypto.commitment import hide_choice, hide_face
from protocol.crypto.keys import Identity, fingerprint
from protocol.crypto.sealed import BOX_BYTES, public_key
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments, faces_laid
from protocol.record.asks.mix import Mixed
from protocol.record.asks.open import Opening
from protocol.record.asks.open_to import LookKey, SealedOpening
from protocol.record.asks.proofs.keys import Escrowed, Keys, Released
from protocol.record.asks.proofs.laid import Laid
from protocol.record.asks.proofs.moved import Moved
from protocol.record.asks.proofs.opened import Opened
from protocol.record.asks.proofs.proved import Proved
from protocol.record.asks.proofs.shuffled import Shuffled
from protocol.record.asks.proofs.tokens import Tokens
from protocol.record.asks.registry import CODEC
from protocol.record.asks.roll import Share
from protocol.record.asks.takeback import TakeBack
from protocol.record.asks.together import HiddenChoice, ShownChoice
from protocol.seat.secrets import MatchSecrets
from protocol.wire import labels
from protocol.wire.encoding import MAX_INT, MAX_PAYLOAD, MAX_TEXT, Frame, encode, tagged
from protocol.wire.messages import Message
from tests.helpers.crypto import edwards

Vector = dict[str, Any]


def seed(name: str) -> bytes:
    """32 bytes that anybody can make again: the SHA-256 of a name."""
    return hashlib.sha256(name.encode()).digest()


GAME: Final = seed("vector game")
SALT: Final = seed("vector salt")


def plain(value: Any) -> Any:
    """A value for JSON: bytes as {"hex": …}, everything else as it is."""
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def encoding() -> Vector:
    """Values and their only encodings, and bytes that are none."""
    values: list[Any] = [0, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, MAX_INT]
    values += ["", "a", "é", "阿", "x" * 31, "x" * 32, "x" * 255, "x" * 256]
    # Later code points than those of Unicode 3.2 stand for themselves.
    values += ["\u1b05\u1b35", "a\u0357\u0323", "a\U0001f600\u0301", "\u0b47\u0300\u0b3e", "\U0002136a"]
    values += ["\u0300" * 30 + "q" + "\u0323" * 15 + "\u0300" * 15]
    values += [b"", b"\0", bytes(range(32)), bytes(255), bytes(256)]
    values += [[], [0], [0] * 15, [0] * 16, [0] * 256, [[[[[[[[]]]]]]]], [1, "left"], [5, 7, SALT]]
    good = [{"value": plain(value), "hex": encode(value).hex()} for value in values]
    bad = [{"hex": data.hex(), "why": why} for why, spoilt in _BAD.items() for data in spoilt]
    return {"good": good, "bad": bad}


_BAD: Final[dict[str, tuple[bytes, ...]]] = {
    "nothing": (b"",),
    "trailing bytes": (b"\x01\x01", encode([1, "left"]) + b"\xc0"),
    "cut off": (b"\xa1", b"\xd9\x05abcd", b"\xc4\x02a", b"\x92\x01", b"\xcd\x01", b"\xdc\x00"),
    "a padded integer": (
        b"\xcc\x7f",
        b"\xcd\x00\xff",
        b"\xce\x00\x00\xff\xff",
        b"\xcf\0\0\0\0\xff\xff\xff\xff",
    ),
    "a positive integer as a signed one": (b"\xd0\x01", b"\xd1\x00\x80", b"\xd2\x00\x01\x00\x00"),
    "a padded length of a text": (b"\xd9\x01a", b"\xda\x00\x01a", b"\xdb\x00\x00\x00\x01a"),
    "a padded length of bytes": (b"\xc5\x00\x01a", b"\xc6\x00\x00\x00\x01a"),
    "a padded length of an array": (b"\xdc\x00\x01\x01", b"\xdd\x00\x00\x00\x01\x01"),
    "a negative integer": (
        b"\xff",
        b"\xe0",
        b"\xd0\x80",
        b"\xd1\x80\x00",
        b"\xd3" + struct.pack(">q", -(2**63)),
    ),
    "an integer over 2^53 - 1": tuple(b"\xcf" + struct.pack(">Q", n) for n in (MAX_INT + 1, 2**64 - 1)),
    "nil": (b"\xc0", b"\x91\xc0"),
    "a boolean": (b"\xc2", b"\xc3", b"\x91\xc3"),
    "an unused code": (b"\xc1",),
    "a float": tuple(
        code + struct.pack(form, number)
        for number in (1.0, 0.0, -0.0, float("nan"), float("inf"))
        for code, form in ((b"\xca", ">f"), (b"\xcb", ">d"))
    ),
    "a map": (b"\x80", b"\x81\x01\x02", b"\x82\x01\x02\x01\x03", b"\xde\x00\x01\x01\x02", b"\x91\x80"),
    "an ext type": (b"\xd4\x05\x00", b"\xd6\xff\0\0\0\0", b"\xc7\x00\x05", b"\xc7\x0c\xff" + bytes(12)),
    "a text that is no UTF-8": (b"\xa1\xff", b"\xa3\xed\xa0\x80", b"\xa2\xc0\xaf", b"\xa4\xf4\x90\x80\x80"),
    "a text that is not in NFC": tuple(
        encode(text)
        for text in ("e\u0301", "\u212b", "\u1100\u1161", "\U0001f600e\u0301", "\U0002f868", "a\u0301\u0323")
    ),
    "a text of 2,049 code points": (encode("x" * (MAX_TEXT + 1)),),
    "31 marks in a row": tuple(
        encode(text)
        for text in ("q" + "\u0300" * 31, "\u0334" * 31, "q" + "\u0f73" * 31, "\u0300\u0334" * 16)
    ),
    "nine arrays in each other": (b"\x91" * 8 + b"\x90",),
    "500 arrays in each other": (b"\x91" * 499 + b"\x90",),
    "257 items in an array": (encode([0] * 257),),
    "a length of 2^32 - 1 that is not there": tuple(
        code + b"\xff" * 4 for code in (b"\xdb", b"\xc6", b"\xdd", b"\xdf")
    ),
}


def frames() -> Vector:
    """Frames, whole, incomplete and damaged."""
    made = [Frame(1, b""), Frame(2, b"hello"), Frame(3, bytes(range(256))), Frame(255, b"\xff")]
    good = [{"kind": f.kind, "payload": f.payload.hex(), "hex": bytes(f).hex()} for f in made]
    whole = bytes(Frame(2, b"hello"))
    bad: list[Vector] = [{"hex": whole[:size].hex(), "error": "incomplete"} for size in (0, 1, 4, 5, 8, 13)]
    for at, why in ((0, "kind"), (2, "length"), (3, "header check"), (6, "payload"), (13, "payload check")):
        spoilt = whole[:at] + bytes((whole[at] ^ 1,)) + whole[at + 1 :]
        bad.append({"hex": spoilt.hex(), "error": "damaged", "why": f"a bit of the {why} flipped"})
    return {"longest payload": MAX_PAYLOAD, "good": good, "bad": bad}


def keys() -> Vector:
    """Identities, which keys count, and which signatures."""
    identities = [Identity(seed(f"vector identity {number}")) for number in range(4)]
    made = [
        {
            "seed": seed(f"vector identity {number}").hex(),
            "key": identity.key.hex(),
            "fingerprint": fingerprint(identity.key),
        }
        for number, identity in enumerate(identities)
    ]
    point = edwards.multiply(0xC0FFEE, edwards.BASE)
    bad = [
        *(
            {"key": key.hex(), "why": f"of small order: {name}"}
            for name, key in edwards.small_order_encodings()
        ),
        *(
            {"key": edwards.encode(edwards.add(point, small)).hex(), "why": f"with torsion point {k} added"}
            for k, small in enumerate(edwards.torsion())
            if k
        ),
        *(
            {"key": edwards.raw(edwards.P + y, 0).hex(), "why": f"y = p + {y}, not reduced"}
            for y in range(2, 19)
        ),
        *(
            {"key": edwards.raw(y, 0).hex(), "why": f"y = {y} is not on the curve"}
            for y in range(2, 20)
            if edwards.recover_x(y, 0) is None
        ),
        {"key": bytes(31).hex(), "why": "31 bytes"},
        {"key": bytes(33).hex(), "why": "33 bytes"},
    ]
    good = [identity.key.hex() for identity in identities] + [edwards.encode(point).hex()]
    return {"identities": made, "good keys": good, "bad keys": bad, "signatures": list(_signatures())}


def _signatures() -> Iterator[Vector]:
    label, data, secret = labels.SIGN_ENTRY, b"what is signed", 0x5EC12E7
    key = edwards.encode(edwards.multiply(secret, edwards.BASE))
    message = label + b"\0" + data

    def signed(r: int, torsion: int = 0) -> bytes:
        nonce = edwards.add(edwards.multiply(r, edwards.BASE), edwards.torsion()[torsion])
        return edwards.sign(secret, message, key=key, nonce=nonce, nonce_scalar=r)

    def vector(signature: bytes, why: str, *, valid: bool = False, signed: bytes = label) -> Vector:
        return {
            "key": key.hex(),
            "label": signed.decode(),
            "data": data.hex(),
            "signature": signature.hex(),
            "valid": valid,
            "why": why,
        }

    base = signed(4711)
    r, s = base[:32], int.from_bytes(base[32:], "little")
    yield vector(base, "as it should be", valid=True)
    yield vector(signed(4712), "of the same bytes with another nonce: valid, and the same record", valid=True)
    yield vector(base, "under another label", signed=labels.SIGN_STATEMENT)
    for multiple in (1, 2, 15):
        if s + multiple * edwards.L < 2**256:
            yield vector(r + (s + multiple * edwards.L).to_bytes(32, "little"), f"S + {multiple}·L")
    for k in range(1, 8):
        yield vector(signed(4711, k), f"R with torsion point {k} added: only without cofactor it is wrong")
    for k, point in enumerate(edwards.torsion()):
        small = edwards.sign(secret, message, key=key, nonce=point, nonce_scalar=0)
        yield vector(small, f"R is torsion point {k}, S = h·a")
    yield vector(bytes(64), "zeros")
    yield vector(base[:63], "63 bytes")
    yield vector(base + b"\0", "65 bytes")
    for at in (0, 31, 32, 63):
        yield vector(base[:at] + bytes((base[at] ^ 1,)) + base[at + 1 :], f"a bit of byte {at} flipped")


def hashes() -> Vector:
    """The tagged hash under every label, of nothing and of some bytes."""
    others = (b" sign ", b" kdf ", b" mac ", b" sealed ", b" proof ", b" shuffle ", b" token", b" escrow ")
    names = [name for name in labels.ALL if not any(use in name for use in others)]
    return {
        "hashes": [
            {"label": name.decode(), "data": data.hex(), "hash": tagged(name)(data).hex()}
            for name in names
            for data in (b"", bytes(range(100)))
        ]
    }


def commitments() -> Vector:
    """Commitments to faces and to choices, and openings that do not fit."""
    places = [(0, 0, 1), (1, 23, 10), (4, 65_535, 127), (0, 128, 0)]
    good = [
        {
            "game": GAME.hex(),
            "seat": seat,
            "slot": slot,
            "face": face,
            "salt": SALT.hex(),
            "preimage": encode([GAME, seat, slot, SALT, face]).hex(),
            "digest": hide_face(GAME, seat, slot, face, SALT).hex(),
        }
        for seat, slot, face in places
    ]
    choices = [
        {
            "game": GAME.hex(),
            "seat": seat,
            "serial": serial,
            "move": move,
            "salt": SALT.hex(),
            "preimage": encode([GAME, seat, serial, SALT, move]).hex(),
            "digest": hide_choice(GAME, seat, serial, move, SALT).hex(),
        }
        for seat, serial, move in [(0, 3, "mark none"), (1, 3, "mark 1234"), (1, 200, "x" * 32)]
    ]
    digest = hide_face(GAME, 1, 23, 10, SALT).hex()
    base = {"game": GAME.hex(), "seat": 1, "slot": 23, "digest": digest, "face": 10, "salt": SALT.hex()}
    changes: dict[str, Vector] = {
        "another game": {"game": seed("another game").hex()},
        "another seat": {"seat": 0},
        "another slot": {"slot": 22},
        "another face": {"face": 9},
        "another salt": {"salt": seed("another salt").hex()},
        "seat and slot exchanged": {"seat": 23, "slot": 1},
    }
    bad = [{**base, **change, "why": why} for why, change in changes.items()]
    return {"good": good, "choices": choices, "bad": bad}


def chance() -> Vector:
    """Chains of links, links that do not follow, and results."""
    chains = [
        {"seat": seat, "seed": seed(f"vector chain {seat}").hex(), "links": [link.hex() for link in links]}
        for seat in range(3)
        for links in [chain(seat, seed(f"vector chain {seat}"), 4)]
    ]
    links = chain(0, seed("vector chain 0"), 4)
    bad = [
        {"seat": 1, "link": links[1].hex(), "previous": links[0].hex(), "why": "another seat's chain"},
        {"seat": 0, "link": links[2].hex(), "previous": links[0].hex(), "why": "a link too far"},
        {"seat": 0, "link": links[0].hex(), "previous": links[0].hex(), "why": "the same link again"},
        {"seat": 0, "link": bytes(32).hex(), "previous": links[0].hex(), "why": "zeros"},
    ]
    results = []
    for number, sides, seats in [(0, 6, 2), (1, 1200, 2), (7, 2**32, 3), (0, 1, 2), (15, 16, 5)]:
        shares = [seed(f"share {seat} of roll {number}") for seat in range(seats)]
        results.append(_roll(number, sides, shares))
    # No game has so many sides; with them a third of all values is refused, so that the loop is gone through.
    results += [_roll(number, 2**255 + 2**253, [SALT]) for number in range(8)]
    return {"chains": chains, "bad links": bad, "results": results}


def _roll(number: int, sides: int, shares: list[bytes]) -> Vector:
    digest, attempt = tagged(labels.CHANCE_ROLL), 0
    while int.from_bytes(digest(encode([GAME, number, attempt, shares])), "big") >= 2**256 - 2**256 % sides:
        attempt += 1
    return {
        "game": GAME.hex(),
        "roll": number,
        "sides": str(sides),
        "shares": [share.hex() for share in shares],
        "attempts": attempt + 1,
        "result": str(result(GAME, number, shares, sides)),
    }


DRAWN: Final = (
    Commit(0, (0, 1, 2, 3, 4), tuple(range(6)), chosen=False),
    Commit(1, (7, 8, 9), (9, 3, 3, 5), chosen=False),
    Commit(1, (7, 8, 9, 10), (9, 3, 3, 5), exactly=True, chosen=False),
)


def _drawn(made: MatchSecrets, ask: Commit, serial: int) -> Vector:
    laid = faces_laid(made, GAME, serial, ask)
    assert laid is not None
    return {
        "game": GAME.hex(),
        "seat": ask.seat,
        "serial": serial,
        "of": list(ask.faces),
        "exactly": ask.exactly,
        "faces": list(laid),
    }


def secrets() -> Vector:
    """What derives from a master secret."""
    master = seed("vector master")
    made = MatchSecrets(master)
    links = made.links(1, 3)
    return {
        "master": master.hex(),
        "nonce": made.nonce.hex(),
        "chance": {"seat": 1, "links": [link.hex() for link in links]},
        "salts": [
            {"game": GAME.hex(), "seat": seat, "slot": slot, "salt": made.salt(GAME, seat, slot).hex()}
            for seat, slot in [(0, 0), (1, 0), (0, 1), (1, 23), (4, 65_535)]
        ],
        "choice salts": [
            {
                "game": GAME.hex(),
                "seat": seat,
                "serial": serial,
                "salt": made.choice_salt(GAME, seat, serial).hex(),
            }
            for seat, serial in [(0, 0), (1, 0), (0, 3), (1, 200)]
        ],
        "looks": [
            {
                "game": GAME.hex(),
                "seat": seat,
                "serial": serial,
                "look": made.look_secret(GAME, seat, serial).hex(),
                "seal": made.seal_secret(GAME, seat, serial).hex(),
            }
            for seat, serial in [(0, 0), (1, 0), (0, 3), (1, 200)]
        ],
        "talk": [
            {"game": GAME.hex(), "seat": seat, "secret": made.talk_secret(GAME, seat).hex()}
            for seat in (0, 1, 4)
        ],
        "mixes": [
            {
                "game": GAME.hex(),
                "seat": seat,
                "serial": serial,
                "order": made.mix_order(GAME, seat, serial, 7),
            }
            for seat, serial in [(0, 0), (1, 0), (0, 3), (1, 200)]
        ],
        "faces": [_drawn(made, ask, serial) for ask in DRAWN for serial in (0, 7)],
    }


def messages() -> Vector:
    """Messages, and values that are none."""
    return {
        "good": [
            {
                "kind": type(message).__name__,
                "value": plain(CODEC.value(message)),
                "hex": encode(CODEC.value(message)).hex(),
            }
            for message in _MESSAGES
        ],
        "bad": [
            {"value": plain(value), "hex": encode(value).hex(), "why": why} for why, value in _NO_MESSAGES
        ],
    }


_MESSAGES: Final[tuple[Message, ...]] = (
    Choice("guess 7"),
    Choice("x" * 32),
    HiddenChoice(SALT),
    ShownChoice("mark none", SALT),
    Commitments((SALT,)),
    Commitments(tuple(seed(f"digest {number}") for number in range(4))),
    Opening(0, SALT),
    Opening(127, SALT),
    Share(SALT),
    LookKey(public_key(SALT)),
    SealedOpening(public_key(SALT), bytes(BOX_BYTES)),
    Mixed((SALT,)),
    Mixed(tuple(seed(f"digest {number}") for number in range(4))),
    Keys(SALT, bytes(64), b""),
    Keys(SALT, bytes(64), SALT),
    Escrowed(SALT, bytes(96), SALT * 2),
    Shuffled(bytes(128), SALT * 13),
    Tokens(SALT * 3, bytes(64)),
    Opened(b"\x07", bytes(64)),
    Moved(bytes(128), SALT * 6),
    Proved(SALT * 4),
    Laid(bytes(128), bytes(512)),
    Released(SALT),
    TakeBack(7),
)

_NO_MESSAGES: Final[tuple[tuple[str, Any], ...]] = (
    ("no array", 7),
    ("nothing", []),
    ("an unknown tag", [0, "x"]),
    ("an unknown tag", [10, SALT]),
    ("a takeback of nothing", [25]),
    ("a takeback by text", [25, "7"]),
    ("a tag as text", ["1", "x"]),
    ("a field too few", [1]),
    ("a field too many", [1, "x", 0]),
    ("a move as bytes", [1, b"x"]),
    ("an empty move", [1, ""]),
    ("a move of 33 characters", [1, "x" * 33]),
    ("a move beyond ASCII", [1, "é"]),
    ("a move with a control character", [1, "\x1b[2J"]),
    ("a digest of 31 bytes", [2, SALT[1:]]),
    ("a digest as text", [2, "x" * 32]),
    ("a salt of 33 bytes", [3, "x", SALT + b"\0"]),
    ("no digests", [4, []]),
    ("digests that are no array", [4, SALT]),
    ("a digest of 31 bytes", [4, [SALT, SALT[1:]]]),
    ("a face of 128", [5, 128, SALT]),
    ("a face as text", [5, "7", SALT]),
    ("a link of 31 bytes", [6, SALT[1:]]),
    ("a key of 31 bytes", [7, SALT[1:]]),
    ("a key of 33 bytes", [8, SALT + b"\0", bytes(BOX_BYTES)]),
    ("a box of 48 bytes", [8, SALT, bytes(BOX_BYTES - 1)]),
    ("a box of 50 bytes", [8, SALT, bytes(BOX_BYTES + 1)]),
    ("a box as text", [8, SALT, "x" * BOX_BYTES]),
    ("no digests", [9, []]),
    ("a digest of 33 bytes", [9, [SALT + b"\0"]]),
    ("a key of 31 bytes", [16, SALT[1:], bytes(64)]),
    ("a proof of 96 bytes", [16, SALT, bytes(96)]),
    ("no commitments", [17, b"", bytes(96), SALT]),
    ("a point and its proof in 64 bytes", [17, SALT, bytes(64), SALT]),
    ("no pads", [17, SALT, bytes(96), b""]),
    ("no cards", [18, b"", SALT]),
    ("half a card", [18, SALT, SALT]),
    ("cards as an array", [18, [bytes(64)], SALT]),
    ("a proof of 33 bytes", [18, bytes(64), SALT + b"\0"]),
    ("no tokens", [19, b"", bytes(64)]),
    ("half a proof", [19, SALT, SALT]),
    ("a face as a number", [20, 7, bytes(64)]),
    ("no face", [20, b"", bytes(64)]),
    ("no proof", [20, b"\x07", b""]),
    ("a proof of 64 bytes", [21, bytes(64), bytes(64)]),
    ("half a card", [21, SALT, bytes(96)]),
    ("no proof", [22, b""]),
    ("a field too many", [22, bytes(64), bytes(64)]),
    ("half a proof", [23, bytes(64), SALT]),
    ("a share of 33 bytes", [24, SALT + b"\0"]),
    ("an unknown tag", [25, SALT]),
)


FILES: Final = {
    "encoding.json": encoding,
    "frames.json": frames,
    "keys.json": keys,
    "hashes.json": hashes,
    "commitments.json": commitments,
    "chance.json": chance,
    "secrets.json": secrets,
    "messages.json": messages,
}
