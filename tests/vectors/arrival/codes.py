"""Vectors of short codes: the words, and whole meetings with all that is random given."""

from __future__ import annotations

from hashlib import sha512
from typing import Final

from protocol.crypto.spake2 import SpakeExchange, SpakeParty
from protocol.lobby.code_exchange import secret_of
from protocol.lobby.handshake import HostSide
from protocol.rendezvous.short_code import WORDS, read
from protocol.wire import labels
from protocol.wire.addresses import Address, pack
from protocol.wire.encoding import Value, encode
from tests.vectors.arrival.addresses import GOOD
from tests.vectors.primitives import Vector, seed

_BINDING: Final = seed("vector binding") + seed("vector exporter")
_TYPED: Final = (("7-amber-violin", GOOD[:2]), (" 999 ZONE acorn", GOOD[2:3]), ("42 tige-ZEBR", ()))


def codes() -> Vector:
    """The list, and meetings by codes as they were typed."""
    return {
        "words": " ".join(WORDS),
        "binding": _BINDING.hex(),
        "meetings": [_meeting(typed, addresses) for typed, addresses in _TYPED],
    }


def _meeting(typed: str, addresses: tuple[Address, ...]) -> Vector:
    code = read(typed)
    w = code.scalar()
    nonce = seed(f"vector nonce of {code}")
    host = HostSide(_BINDING, nonce)
    chances = [sha512(seed(f"vector {which} of {code}")).digest() for which in ("caller", "host")]
    names = (labels.CODE_CALLER, labels.CODE_HOST)
    a = SpakeExchange(SpakeParty.A, w, names, chances[0])
    b = SpakeExchange(SpakeParty.B, w, names, chances[1])
    keys = a.keys(b.share, host.opening)
    values: list[Value] = [pack(address) for address in addresses]
    return {
        "typed": typed,
        "code": str(code),
        "w, little endian": w.hex(),
        "nonce": nonce.hex(),
        "CHALLENGE": host.challenge.payload.hex(),
        "caller's 64 bytes": chances[0].hex(),
        "host's 64 bytes": chances[1].hex(),
        "caller's CODE": encode([labels.PROTOCOL_VERSION, a.share]).hex(),
        "host's CODE": encode([b.share]).hex(),
        "caller's SURE": encode([keys.of_a]).hex(),
        "addresses": [str(address) for address in addresses],
        "host's SURE": encode([keys.of_b, values]).hex(),
        "Ke": keys.shared.hex(),
        "secret": secret_of(keys.shared).hex(),
    }
