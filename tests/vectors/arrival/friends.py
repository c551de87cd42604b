"""Vectors of friends: tickets, what one is told of a standing door, and how one asks there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from protocol.channel.channel import FRIEND
from protocol.crypto.keys import Identity
from protocol.errors import Refusal
from protocol.failures import Code, Refused
from protocol.lobby.friends import friend_frame, read_friend
from protocol.lobby.handshake import HostSide, JoinerSide
from protocol.storage.contacts import Door
from protocol.storage.route import Place
from protocol.storage.standing_door import Doorstep
from protocol.wire.addresses import Relayed, pack
from protocol.wire.encoding import Frame, encode
from tests.vectors.arrival.addresses import GOOD
from tests.vectors.arrival.introductions import BINDING, HOST, HOST_NONCE, JOINER, JOINER_NONCE
from tests.vectors.primitives import Vector, seed

DOORSTEP: Final = Doorstep(seed("vector doorstep"), 49152)
TICKET: Final = DOORSTEP.ticket(JOINER.key)
PLACE: Final = Place(GOOD[:2], seed("vector asker's certificate"))


def friends() -> Vector:
    """One who asks at the door of a friend, and what neither side takes."""
    host = HostSide(BINDING, HOST_NONCE)
    caller = JoinerSide(BINDING, host.challenge)
    ask = caller.ask(JOINER, JOINER_NONCE, TICKET)
    key = host.ticket_of(ask, {JOINER.key: TICKET})
    welcome = host.welcome(HOST, "Ada")
    caller.welcomed(welcome)
    asker = caller.asker(JOINER, "Ben", PLACE)
    assert host.asker(asker, key)[1] == PLACE
    frames = (("CHALLENGE", host.challenge), ("ASK", ask), ("WELCOME", welcome), ("ASKER", asker))
    door = Door(GOOD[:3], TICKET)
    return {
        "secret of the door": DOORSTEP.secret.hex(),
        "tickets": [
            {"key": caller.hex(), "ticket": DOORSTEP.ticket(caller).hex()}
            for caller in (JOINER.key, HOST.key)
        ],
        "waiting": [
            {"relay": str(relay), "secret": DOORSTEP.waiting(pack(relay)).hex()}
            for relay in GOOD[:5]
            if not isinstance(relay, Relayed)
        ],
        "friend": {
            "payload": friend_frame(door).payload.hex(),
            "addresses": list(map(str, door.addresses)),
            "ticket": TICKET.hex(),
        },
        "asking": [{"name": n, "kind": frame.kind, "payload": frame.payload.hex()} for n, frame in frames],
        "place": {"addresses": list(map(str, PLACE.addresses)), "certificate": PLACE.certificate.hex()},
        "bad asks": [_refused(asked, why, frame) for why, frame in _bad_asks(ask)],
        "bad askers": [_refused(partial(introduced, ask), why, frame) for why, frame in _bad_askers(asker)],
        "bad friends": [
            _refused(lambda frame: read_friend(frame.payload), why, Frame(FRIEND, payload))
            for why, payload in (
                ("no ticket", encode([[pack(GOOD[0])]])),
                ("a short ticket", encode([[pack(GOOD[0])], TICKET[:-1]])),
                ("nine addresses", encode([[pack(GOOD[0])] * 9, TICKET])),
                ("an address as text", encode([[str(GOOD[0])], TICKET])),
                ("an address that is none", encode([[b"\x04\x00"], TICKET])),
            )
        ],
    }


def asked(frame: Frame) -> bytes:
    """The door of the vectors takes an ASK."""
    return HostSide(BINDING, HOST_NONCE).ticket_of(frame, {JOINER.key: TICKET})


def introduced(ask: Frame, frame: Frame) -> object:
    """It takes an ASKER behind the `ask`."""
    host = HostSide(BINDING, HOST_NONCE)
    key = host.ticket_of(ask, {JOINER.key: TICKET})
    host.welcome(HOST, "Ada")
    return host.asker(frame, key)


def _bad_asks(true: Frame) -> list[tuple[str, Frame]]:
    other = JoinerSide(BINDING, HostSide(BINDING, JOINER_NONCE).challenge)
    middle = JoinerSide(seed("another") * 2, HostSide(BINDING, HOST_NONCE).challenge)
    return [
        ("with another ticket", _caller().ask(JOINER, JOINER_NONCE, bytes(16))),
        ("for another challenge, replayed", other.ask(JOINER, JOINER_NONCE, TICKET)),
        ("on another connection", middle.ask(JOINER, JOINER_NONCE, TICKET)),
        ("a bit flipped", Frame(true.kind, true.payload[:-1] + bytes((true.payload[-1] ^ 1,)))),
        ("cut short", Frame(true.kind, true.payload[:30])),
        ("as another kind of frame", Frame(true.kind + 1, true.payload)),
    ]


def _bad_askers(true: Frame) -> list[tuple[str, Frame]]:
    thief = Identity(seed("vector thief"))
    caller = _caller()
    caller.ask(JOINER, JOINER_NONCE, TICKET)
    host = HostSide(BINDING, HOST_NONCE)
    host.ticket_of(_caller().ask(JOINER, JOINER_NONCE, TICKET), {JOINER.key: TICKET})
    caller.welcomed(host.welcome(HOST, "Ada"))
    return [
        ("the ticket without its key", caller.asker(thief, "Ben", PLACE)),
        ("a bit flipped", Frame(true.kind, true.payload[:-1] + bytes((true.payload[-1] ^ 1,)))),
        ("a name that hides something", caller.asker(JOINER, "B\u202e", PLACE)),
        ("nine addresses", caller.asker(JOINER, "Ben", Place(GOOD[:1] * 9, PLACE.certificate))),
    ]


def _caller() -> JoinerSide:
    return JoinerSide(BINDING, HostSide(BINDING, HOST_NONCE).challenge)


def _refused(take: Callable[[Frame], object], why: str, frame: Frame) -> Vector:
    error = "none"
    try:
        take(frame)
    except Refused as refused:
        error = f"refused: {Code(refused.code).name}"
    except Refusal as refusal:
        error = type(refusal).__name__.lower()
    return {"kind": frame.kind, "payload": frame.payload.hex(), "error": error, "why": why}
