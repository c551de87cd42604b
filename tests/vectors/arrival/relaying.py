"""Vectors of relays: what a waiter's certificate gives it there, and what is said first."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from protocol.failures import RelayStatus
from protocol.rendezvous.relay_switchboard import Limits, Role, Say, Switchboard, hello, hello_to, token_of
from protocol.wire import labels
from protocol.wire.addresses import Endpoint, Relayed, pack
from tests.vectors.arrival.addresses import GOOD
from tests.vectors.primitives import Vector, seed

KEY: Final = sha256(seed("vector certificate's key")).digest()
_BAD: Final = (
    ("another protocol", b"GET / HTTP/1.1\r\n\r\n"),
    ("a later version", b"P2PR\x02\x00" + b"0" * 32),
    ("an unknown role", b"P2PR\x01\x09" + b"0" * 32),
    ("bytes instead of digits", b"P2PR\x01\x01" + bytes(32)),
    ("upper case", b"P2PR\x01\x01" + b"A" * 32),
    ("a byte too many", hello(Role.WAIT, bytes(16)) + b"\0"),
)


def relays() -> Vector:
    """Secrets and tokens at several relays, hellos, and what is refused with which status."""
    there = []
    for relay in GOOD[:5]:
        assert not isinstance(relay, Relayed)
        info = labels.KDF_RELAY + b"\0" + pack(relay)
        secret = HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(KEY)[:16]
        there.append(
            {
                "relay": str(relay),
                "secret": secret.hex(),
                "token": token_of(secret).hex(),
                "address": str(Relayed(relay, token_of(secret))),
                "waiter says": hello(Role.WAIT, secret).hex(),
                "caller says": hello(Role.CALL, token_of(secret)).hex(),
                "waiter for a number says": hello(Role.WAIT_AT_NUMBER, secret).hex(),
            }
        )
    return {
        "private key": KEY.hex(),
        "caller of a number says": {str(number): hello_to(number).hex() for number in (1, 7, 999)},
        "who wants to know from where it calls says": hello(Role.SEE, bytes(16)).hex(),
        "and is told": _told(),
        "waiting": there,
        "status": {status.name.lower(): int(status) for status in RelayStatus},
        "refused": [{"said": data.hex(), "status": _refused(data), "why": why} for why, data in _BAD],
    }


def _told() -> dict[str, str]:
    answers = {}
    for host in ("192.0.2.1", "2001:db8::1"):
        board = Switchboard(Limits())
        stream, _ = board.came(host, 0.0, 4000)
        [answer] = board.heard(stream, hello(Role.SEE, bytes(16)), 0.0)
        assert isinstance(answer, Say)
        answers[str(Endpoint(host, 4000))] = (bytes((answer.status,)) + answer.more).hex()
    return answers


def _refused(data: bytes) -> int:
    board = Switchboard(Limits())
    stream, _ = board.came("192.0.2.1", 0.0)
    [answer, _] = board.heard(stream, data, 0.0)
    assert isinstance(answer, Say)
    return int(answer.status)
