"""Vectors of sealed openings and of orders that a seed fixes."""

from __future__ import annotations

from typing import Any, Final

from protocol.crypto.permutation import permutation
from protocol.crypto.sealed import BOX_BYTES, Place, is_sound, public_key, seal
from protocol.wire import labels
from protocol.wire.encoding import encode
from tests.vectors.primitives import GAME, SALT, Vector, seed

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
    places = [Place(GAME, 1, 0, 23, 7), Place(GAME, 0, 1, 65_535, 0), Place(GAME, 4, 3, 300, 70_000)]
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


def _box(place: Place, viewer: bytes, sender: bytes, face: int) -> Vector:
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
