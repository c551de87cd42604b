"""The vectors of addresses and relays hold."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from protocol.channel import tls
from protocol.channel.channel import MEET, MET, SAME, SHOW
from protocol.crypto.keys import Identity, verify
from protocol.crypto.spake2 import SpakeExchange, SpakeParty
from protocol.errors import Malformed
from protocol.failures import NotAnAddress, Refused
from protocol.lobby.code_exchange import secret_of
from protocol.lobby.handshake import HostSide, JoinerSide
from protocol.lobby.meeting import CallerMeeting, HostMeeting
from protocol.rendezvous.nearby import networks_of, read_game
from protocol.rendezvous.relay_switchboard import Limits, Role, Say, Switchboard, hello, hello_to, token_of
from protocol.rendezvous.short_code import WORDS
from protocol.rendezvous.short_code import read as read_code
from protocol.wire import labels
from protocol.wire.addresses import Endpoint, Relayed, pack, unpack
from protocol.wire.addresses import read as parse
from protocol.wire.encoding import Frame, encode
from tests.helpers.machine.modules import VECTORS

raw = bytes.fromhex


def load(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def test_addresses() -> None:
    vectors = load("addresses.json")
    for case in vectors["good"]:
        assert unpack(raw(case["packed"])) == parse(case["text"])
        assert pack(parse(case["text"])).hex() == case["packed"]
        assert str(parse(case["text"])) == case["text"]
    for case in vectors["typed, with port 4000"]:
        assert str(parse(case["text"], 4000)) == case["means"]
    assert [unpack(raw(packed)) for packed in vectors["of a kind that is not known"]] == [None, None]
    for case in vectors["bad"]:
        with pytest.raises(NotAnAddress):
            unpack(raw(case["packed"]))
    for text in vectors["bad texts"]:
        with pytest.raises(NotAnAddress):
            parse(text)


def _tagged(label: str, data: bytes) -> bytes:
    """The tagged hash of SPEC 2, by hand."""
    tag = sha256(f"p2p-stratego/2 {label}".encode()).digest()
    return sha256(tag + tag + data).digest()


def test_meetings() -> None:
    vectors = load("sas.json")
    binding = raw(vectors["binding"])
    for meeting in vectors["meetings"]:
        parts = [binding, *(raw(meeting[kind]) for kind in ("CHALLENGE", "MEET", "MET", "SHOW"))]
        challenge, caller, host = map(raw, meeting["nonces of CHALLENGE, SHOW, MET"])
        ada, ben = (Identity(raw(vectors[f"{who}'s seed"])) for who in ("host", "caller"))
        number = int.from_bytes(_tagged("sas", encode([*parts]))[:8], "big") % 10**6
        assert f"{number:06}" == meeting["digits"].replace(" ", "")
        bound = _tagged("handshake", encode([40, *parts]))
        assert verify(ada.key, labels.SIGN_HOST, bound, raw(meeting["host's SAME"]))
        assert verify(ben.key, labels.SIGN_JOINER, bound, raw(meeting["caller's SAME"]))
        commitment = _tagged(
            "sas commitment", encode([*parts[:2], ben.key, meeting["caller's name"], caller])
        )
        assert parts[2] == encode([2, ben.key, meeting["caller's name"], commitment])
        assert parts[3] == encode([ada.key, meeting["host's name"], host])
        side = HostSide(binding, challenge)
        assert side.challenge.payload == parts[1]
        there = CallerMeeting(JoinerSide(binding, side.challenge), ben, meeting["caller's name"], caller)
        here = HostMeeting(side, there.meet)
        show, seen = there.met(here.met(ada, meeting["host's name"], host))
        assert here.shown(show).digits == seen.digits == meeting["digits"]
        seen.check(Frame(SAME, raw(meeting["host's SAME"])))


def test_meetings_that_are_refused() -> None:
    vectors = load("sas.json")
    first, binding = vectors["meetings"][0], raw(vectors["binding"])
    challenge, nonce, _ = map(raw, first["nonces of CHALLENGE, SHOW, MET"])
    ada, ben = (Identity(raw(vectors[f"{who}'s seed"])) for who in ("host", "caller"))
    for bad in vectors["bad, in the place of the first meeting's"]:
        frames = {kind: raw(first[kind]) for kind in ("MEET", "MET", "SHOW")}
        frames[bad["frame"]] = raw(bad["payload"])
        side = HostSide(binding, challenge)
        caller = CallerMeeting(JoinerSide(binding, side.challenge), ben, "Ben", nonce)
        with pytest.raises((Malformed, Refused)):
            _met(side, caller, ada, frames)


def _met(side: HostSide, caller: CallerMeeting, identity: Identity, frames: dict[str, bytes]) -> None:
    """Both sides of a meeting, each with the frames of the other."""
    caller.met(Frame(MET, frames["MET"]))
    host = HostMeeting(side, Frame(MEET, frames["MEET"]))
    host.met(identity, "Ada", bytes(32))
    host.shown(Frame(SHOW, frames["SHOW"]))


def test_announcements() -> None:
    networks = networks_of([("192.168.1.7", 24)])
    for announcement in load("sas.json")["announcements"]:
        game = read_game(announcement["service"], raw(announcement["text"]), 4000, ["192.168.1.9"], networks)
        assert game is not None
        fields = (game.name, game.game, game.fingerprint, game.seats, game.code)
        assert fields == tuple(announcement[key] for key in ("name", "game", "fingerprint", "seats", "code"))


def test_codes() -> None:
    vectors = load("code.json")
    assert vectors["words"] == " ".join(WORDS)
    binding = raw(vectors["binding"])
    for meeting in vectors["meetings"]:
        w = read_code(meeting["typed"]).scalar()
        assert str(read_code(meeting["typed"])) == meeting["code"]
        assert w == raw(meeting["w, little endian"])
        host = HostSide(binding, raw(meeting["nonce"]))
        assert host.challenge.payload == raw(meeting["CHALLENGE"])
        names = (labels.CODE_CALLER, labels.CODE_HOST)
        a = SpakeExchange(SpakeParty.A, w, names, raw(meeting["caller's 64 bytes"]))
        b = SpakeExchange(SpakeParty.B, w, names, raw(meeting["host's 64 bytes"]))
        keys = a.keys(b.share, host.opening)
        assert keys == b.keys(a.share, host.opening)
        assert encode([2, a.share]) == raw(meeting["caller's CODE"])
        assert encode([b.share]) == raw(meeting["host's CODE"])
        assert encode([keys.of_a]) == raw(meeting["caller's SURE"])
        assert encode([keys.of_b, [pack(parse(where)) for where in meeting["addresses"]]]) == raw(
            meeting["host's SURE"]
        )
        assert keys.shared == raw(meeting["Ke"])
        assert secret_of(keys.shared) == raw(meeting["secret"])


def test_relays() -> None:
    vectors = load("relay.json")
    for case in vectors["waiting"]:
        relay, secret = parse(case["relay"]), raw(case["secret"])
        assert not isinstance(relay, Relayed)
        key = ec.derive_private_key(int(vectors["private key"], 16), ec.SECP256R1())
        certificate = tls.make(key)
        assert certificate.derived(labels.KDF_RELAY, pack(relay))[:16] == secret
        assert token_of(secret) == raw(case["token"])
        assert str(Relayed(relay, token_of(secret))) == case["address"]
        assert hello(Role.WAIT, secret) == raw(case["waiter says"])
        assert hello(Role.CALL, token_of(secret)) == raw(case["caller says"])
        assert hello(Role.WAIT_AT_NUMBER, secret) == raw(case["waiter for a number says"])
    for number, greeting in vectors["caller of a number says"].items():
        assert hello_to(int(number)) == raw(greeting)
    asks = raw(vectors["who wants to know from where it calls says"])
    for where, reply in vectors["and is told"].items():
        address = parse(where)
        assert isinstance(address, Endpoint)
        board = Switchboard(Limits())
        stream, _ = board.came(address.host, 0.0, address.port)
        assert [(s.status, s.more) for s in board.heard(stream, asks, 0.0) if isinstance(s, Say)] == [
            (raw(reply)[0], raw(reply)[1:])
        ]
        assert unpack(raw(reply)[2:]) == address
    for case in vectors["refused"]:
        board = Switchboard(Limits())
        stream, _ = board.came("192.0.2.1", 0.0)
        assert [
            int(answer.status)
            for answer in board.heard(stream, raw(case["said"]), 0.0)
            if isinstance(answer, Say)
        ] == [case["status"]]
