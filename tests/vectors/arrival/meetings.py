"""Vectors of meetings without an invite: every frame, the digits, announcements, and frames to refuse."""

from __future__ import annotations

from typing import Any, Final, cast

from protocol.channel.channel import MEET, MET, SHOW
from protocol.crypto.keys import Identity, fingerprint
from protocol.lobby.handshake import HostSide, JoinerSide
from protocol.lobby.meeting import CallerMeeting, HostMeeting
from protocol.rendezvous.nearby import SERVICE, OpenGame, text_of
from protocol.wire.addresses import Endpoint
from protocol.wire.encoding import decode, encode
from tests.vectors.primitives import Vector, seed

_BINDING: Final = seed("vector binding") + seed("vector exporter")
_HOST, _CALLER = Identity(seed("vector host")), Identity(seed("vector joiner"))
_NAMES: Final = (("Ada", "Ben"), ("Zoë =1", "李"), ("a", "b"))


def packed(text: dict[str, str]) -> bytes:
    """The bytes of a TXT record."""
    parts = [f"{key}={value}".encode() for key, value in text.items()]
    return b"".join(bytes([len(part)]) + part for part in parts)


def sas() -> Vector:
    """Whole meetings, frames that a side refuses, and announcements."""
    meetings = [_meeting(number, *names) for number, names in enumerate(_NAMES)]
    return {
        "binding": _BINDING.hex(),
        "host's seed": seed("vector host").hex(),
        "caller's seed": seed("vector joiner").hex(),
        "meetings": meetings,
        "bad, in the place of the first meeting's": [*_bad(meetings[0])],
        "announcements": [_announced(name, code) for name, code in (("Ada", 0), ("Zoë =1", 7))],
    }


def _meeting(number: int, host_name: str, caller_name: str) -> Vector:
    nonces = [seed(f"vector {which} nonce {number}") for which in ("challenge", "caller", "host")]
    side = HostSide(_BINDING, nonces[0])
    caller = CallerMeeting(JoinerSide(_BINDING, side.challenge), _CALLER, caller_name, nonces[1])
    host = HostMeeting(side, caller.meet)
    met = host.met(_HOST, host_name, nonces[2])
    show, there = caller.met(met)
    here = host.shown(show)
    return {
        "host's name": host_name,
        "caller's name": caller_name,
        "nonces of CHALLENGE, SHOW, MET": [nonce.hex() for nonce in nonces],
        "CHALLENGE": side.challenge.payload.hex(),
        "MEET": caller.meet.payload.hex(),
        "MET": met.payload.hex(),
        "SHOW": show.payload.hex(),
        "digits": here.digits,
        "host's SAME": here.same(_HOST).payload.hex(),
        "caller's SAME": there.same(_CALLER).payload.hex(),
    }


def _bad(first: Vector) -> list[Vector]:
    meet, met = (
        cast("list[Any]", decode(bytes.fromhex(cast("dict[str, str]", first)[kind])))
        for kind in ("MEET", "MET")
    )
    other = seed("vector other nonce")
    frames = [
        ("SHOW", SHOW, "another nonce than was committed to", [other]),
        ("SHOW", SHOW, "a short nonce", [other[:31]]),
        ("MEET", MEET, "another version", [3, *meet[1:]]),
        ("MEET", MEET, "a short commitment", [*meet[:3], other[:31]]),
        ("MEET", MEET, "a key for which anybody can sign", [2, bytes(32), *meet[2:]]),
        ("MEET", MEET, "a name that nobody may have", [*meet[:2], "a\u202eb", meet[3]]),
        ("MEET", MEET, "the host's own key", [2, _HOST.key, *meet[2:]]),
        ("MET", MET, "a short nonce", [*met[:2], other[:31]]),
        ("MET", MET, "the caller's own key", [_CALLER.key, *met[1:]]),
        ("MET", MET, "a name that nobody may have", [met[0], "", met[2]]),
    ]
    return [
        {"frame": name, "kind": kind, "why": why, "payload": encode(body).hex()}
        for name, kind, why, body in frames
    ]


def _announced(name: str, code: int) -> Vector:
    game = OpenGame(
        "0123456789abcdef",
        name,
        "stratego",
        fingerprint(_HOST.key),
        1,
        (Endpoint("192.168.1.9", 4000),),
        code,
    )
    return {
        "service": f"{game.instance}.{SERVICE}",
        "text": packed(text_of(game)).hex(),
        "name": name,
        "game": game.game,
        "fingerprint": game.fingerprint,
        "seats": game.seats,
        "code": code,
    }
