"""Vectors of sealed openings, alone and in a match of four, and of orders that a seed fixes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from protocol.crypto.permutation import permutation
from protocol.crypto.sealed import BOX_BYTES, LookContext, is_sound, public_key, seal
from protocol.record.asks.open_to import LookKey, SealedOpening
from protocol.record.statements import Kind
from protocol.wire import labels
from protocol.wire.encoding import Frame, encode
from tests.helpers.cheats.bout import Bout, Until, owing
from tests.helpers.seats.pair import Table
from tests.vectors.primitives import GAME, SALT, Vector, seed
from tests.vectors.records.players import REAL, WALL, player

_P: Final = 2**255 - 19
_LOW_ORDER: Final = (
    0,
    1,
    0x00B8495F16056286FDB1329CEB8D09DA6AC49FF1FAE35616AEB8413B7C7AEBE0,
    0x57119FD0DD4E22D8868E1C58C45C44045BEF839C55B1D0B1248C50A3BC959C5F,
    _P - 1,
)
_KEYS: Final = (
    *(("of low order", number) for number in _LOW_ORDER),
    ("0 in a second encoding", _P),
    ("9 in a second encoding", _P + 9),
    ("9 with the highest bit set", 2**255 + 9),
    ("the highest number", 2**256 - 1),
)


def sealed() -> Vector:
    """Boxes and their keys, boxes that do not open, and keys that are not sound."""
    viewer, sender = seed("vector viewer"), seed("vector sender")
    places = [
        LookContext(GAME, 1, 0, 23, 7),
        LookContext(GAME, 0, 1, 65_535, 0),
        LookContext(GAME, 4, 3, 300, 70_000),
    ]
    good = [_box(place, viewer, sender, face) for place, face in zip(places, (0, 5, 127), strict=True)]
    base = good[0]
    box = bytes.fromhex(base["box"])
    changes: dict[str, Vector] = {
        "another game": {"game": seed("another game").hex()},
        "another viewer": {"viewer": 2},
        "another owner": {"owner": 2},
        "viewer and owner exchanged": {"viewer": 0, "owner": 1},
        "another slot": {"slot": 22},
        "another serial": {"serial": 8},
        "another secret of the viewer": {"viewer secret": seed("another viewer").hex()},
        "another key of the sender": {"sender key": public_key(seed("another sender")).hex()},
        "a key of the sender of low order": {"sender key": bytes(32).hex()},
        "a bit of the face flipped": {"box": (bytes((box[0] ^ 1,)) + box[1:]).hex()},
        "a bit of the tag flipped": {"box": (box[:-1] + bytes((box[-1] ^ 1,))).hex()},
        "zeros": {"box": bytes(BOX_BYTES).hex()},
    }
    wanted = ("game", "viewer", "owner", "slot", "serial", "viewer secret", "sender key", "box")
    bad = [{**{key: base[key] for key in wanted}, **change, "why": why} for why, change in changes.items()]
    keys: list[Vector] = [{"key": number.to_bytes(32, "little").hex(), "why": why} for why, number in _KEYS]
    sound = [public_key(secret).hex() for secret in (viewer, sender)]
    sound += [number.to_bytes(32, "little").hex() for number in (2, 9, _P - 2)]
    if not all(is_sound(bytes.fromhex(key)) for key in sound):
        raise RuntimeError("a sound key is refused")
    return {"good": good, "bad": bad, "sound keys": sound, "unsound keys": keys}


def _box(place: LookContext, viewer: bytes, sender: bytes, face: int) -> Vector:
    key, box = seal(place, public_key(viewer), sender, face, SALT)
    info = labels.SEALED_OPENING + b"\0" + encode([*place, public_key(viewer), key])
    return {
        "game": place.game.hex(),
        "viewer": place.viewer,
        "owner": place.owner,
        "slot": place.slot,
        "serial": place.serial,
        "viewer secret": viewer.hex(),
        "viewer key": public_key(viewer).hex(),
        "sender secret": sender.hex(),
        "sender key": key.hex(),
        "info": info.hex(),
        "face": face,
        "salt": SALT.hex(),
        "box": box.hex(),
    }


def orders() -> Vector:
    """Orders of new slots, by seed and number."""
    made: list[dict[str, Any]] = [
        {"seed": seed(name).hex(), "length": length, "order": permutation(seed(name), length)}
        for name in ("vector order", "another order")
        for length in (0, 1, 2, 3, 7, 17, 256)
    ]
    return {"orders": made}


# A match of four, two against two: seat 2 looks at the two cards of seat 0, seat 3 at those of seat 1.


def transcripts() -> Iterator[tuple[str, bytes]]:
    """By the name of the file: a whole match, one with a look under way, and the lies."""
    yield "complete-four", _whole()
    yield "incomplete-look", _four(0, owing(SealedOpening)).honest[0].transcript
    for name, box in (
        ("rubbish", lambda _: SealedOpening(public_key(SALT), bytes(BOX_BYTES))),
        ("another-card", _another_card),
    ):
        made = _four(0, owing(SealedOpening))
        made.lie([made.liar.entry(box(made))])
        viewer = next(seat for seat in made.honest if seat.seat == 2)
        yield f"cheated-wrong-opening-sealed-{name}", viewer.transcript
    yield "cheated-weak-key", _told(made := _four(2, owing(LookKey)), made.liar.entry(LookKey(bytes(32))))
    made = _four(2, _looked)
    yield "cheated-false-complaint", _told(made, _complaint(made, 0))
    made = _four(2, _looked)
    look = next(iter(made.liar.referee.table.looks))
    made.run(lambda bout: not _looked(bout))
    yield "cheated-false-complaint-late", _told(made, _complaint(made, look))


def _whole() -> bytes:
    for number in range(1000):
        decide = [player(f"vector four {number}-{seat}") for seat in range(4)]
        made = Table(number, game=REAL, options=WALL, seats=4, decide=decide).play()
        outcome = made.seats[0].session.outcome
        if outcome is not None and outcome.breach is None:
            return made.seats[0].transcript
    raise AssertionError("every match of four ends with a breach")


def _four(liar: int, until: Until) -> Bout:
    made = Bout(4, game=REAL, options=WALL, seats=4, liar=liar, decide=player("vector four"))
    if not made.run(until):
        raise AssertionError("the match of four never comes to this moment")
    return made


def _another_card(made: Bout) -> SealedOpening:
    """The other card of seat 0, well sealed for the look at its first one."""
    liar, table = made.liar, made.liar.referee.table
    secret = liar.secrets.seal_secret(made.begun.id, 0, table.serial)
    salt = liar.secrets.salt(made.begun.id, 0, 1)
    place = LookContext(made.begun.id, 2, 0, 0, table.serial)
    return SealedOpening(*seal(place, table.look_key, secret, liar.session.known[1], salt))


def _looked(made: Bout) -> bool:
    """Whether the liar, seat 2, has just looked at a card."""
    looks = [number for number, look in made.liar.referee.table.looks.items() if look.place.viewer == 2]
    last = made.liar.referee.newest_entry(2)
    return bool(looks) and last is not None and last.number < looks[-1]


def _complaint(made: Bout, number: int) -> Frame:
    """The complaint of seat 2 of the look in entry `number` (0: the last one), with its true secret."""
    looks = made.liar.referee.table.looks
    look = looks[number or next(reversed(looks))]
    secret = made.liar.secrets.look_secret(made.begun.id, 2, look.place.serial)
    return made.liar.statement(Kind.COMPLAIN, (look.number, secret))


def _told(made: Bout, lie: Frame) -> bytes:
    made.lie([lie])
    return made.honest[0].transcript
