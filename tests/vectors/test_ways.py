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
from protocol.rendezvous.relay import Limits, Role, Say, Switchboard, hello, hello_to, token_of
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
    for one in vectors["good"]:
        assert unpack(raw(one["packed"])) == parse(one["text"])
        assert pack(parse(one["text"])).hex() == one["packed"]
        assert str(parse(one["text"])) == one["text"]
    for one in vectors["typed, with port 4000"]:
        assert str(parse(one["text"], 4000)) == one["means"]
    assert [unpack(raw(packed)) for packed in vectors["of a kind that is not known"]] == [None, None]
    for one in vectors["bad"]:
        with pytest.raises(NotAnAddress):
            unpack(raw(one["packed"]))
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
    for one in vectors["meetings"]:
        said = [binding, *(raw(one[kind]) for kind in ("CHALLENGE", "MEET", "MET", "SHOW"))]
        challenge, caller, host = map(raw, one["nonces of CHALLENGE, SHOW, MET"])
        ada, ben = (Identity(raw(vectors[f"{who}'s seed"])) for who in ("host", "caller"))
        number = int.from_bytes(_tagged("sas", encode([*said]))[:8], "big") % 10**6
        assert f"{number:06}" == one["digits"].replace(" ", "")
        bound = _tagged("handshake", encode([40, *said]))
        assert verify(ada.key, labels.SIGN_HOST, bound, raw(one["host's SAME"]))
        assert verify(ben.key, labels.SIGN_JOINER, bound, raw(one["caller's SAME"]))
        commitment = _tagged("sas commitment", encode([*said[:2], ben.key, one["caller's name"], caller]))
        assert said[2] == encode([2, ben.key, one["caller's name"], commitment])
        assert said[3] == encode([ada.key, one["host's name"], host])
        side = HostSide(binding, challenge)
        assert side.challenge.payload == said[1]
        there = CallerMeeting(JoinerSide(binding, side.challenge), ben, one["caller's name"], caller)
        here = HostMeeting(side, there.meet)
        show, seen = there.met(here.met(ada, one["host's name"], host))
        assert here.shown(show).digits == seen.digits == one["digits"]
        seen.check(Frame(SAME, raw(one["host's SAME"])))


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
    for one in load("sas.json")["announcements"]:
        game = read_game(one["service"], raw(one["text"]), 4000, ["192.168.1.9"], networks)
        assert game is not None
        told = (game.name, game.game, game.fingerprint, game.seats, game.code)
        assert told == tuple(one[key] for key in ("name", "game", "fingerprint", "seats", "code"))


def test_codes() -> None:
    vectors = load("code.json")
    assert vectors["words"] == " ".join(WORDS)
    binding = raw(vectors["binding"])
    for one in vectors["meetings"]:
        w = read_code(one["typed"]).scalar()
        assert str(read_code(one["typed"])) == one["code"]
        assert w == raw(one["w, little endian"])
        host = HostSide(binding, raw(one["nonce"]))
        assert host.challenge.payload == raw(one["CHALLENGE"])
        names = (labels.CODE_CALLER, labels.CODE_HOST)
        a = SpakeExchange(SpakeParty.A, w, names, raw(one["caller's 64 bytes"]))
        b = SpakeExchange(SpakeParty.B, w, names, raw(one["host's 64 bytes"]))
        keys = a.keys(b.share, host.opening)
        assert keys == b.keys(a.share, host.opening)
        assert encode([2, a.share]) == raw(one["caller's CODE"])
        assert encode([b.share]) == raw(one["host's CODE"])
        assert encode([keys.of_a]) == raw(one["caller's SURE"])
        assert encode([keys.of_b, [pack(parse(where)) for where in one["addresses"]]]) == raw(
            one["host's SURE"]
        )
        assert keys.shared == raw(one["Ke"])
        assert secret_of(keys.shared) == raw(one["secret"])


def test_relays() -> None:
    vectors = load("relay.json")
    for one in vectors["waiting"]:
        relay, secret = parse(one["relay"]), raw(one["secret"])
        assert not isinstance(relay, Relayed)
        key = ec.derive_private_key(int(vectors["private key"], 16), ec.SECP256R1())
        certificate = tls.make(key)
        assert certificate.derived(labels.KDF_RELAY, pack(relay))[:16] == secret
        assert token_of(secret) == raw(one["token"])
        assert str(Relayed(relay, token_of(secret))) == one["address"]
        assert hello(Role.WAIT, secret) == raw(one["waiter says"])
        assert hello(Role.CALL, token_of(secret)) == raw(one["caller says"])
        assert hello(Role.WAIT_AT_NUMBER, secret) == raw(one["waiter for a number says"])
    for number, said in vectors["caller of a number says"].items():
        assert hello_to(int(number)) == raw(said)
    asks = raw(vectors["who wants to know from where it calls says"])
    for where, told in vectors["and is told"].items():
        address = parse(where)
        assert isinstance(address, Endpoint)
        board = Switchboard(Limits())
        stream, _ = board.came(address.host, 0.0, address.port)
        assert [(s.status, s.more) for s in board.heard(stream, asks, 0.0) if isinstance(s, Say)] == [
            (raw(told)[0], raw(told)[1:])
        ]
        assert unpack(raw(told)[2:]) == address
    for one in vectors["refused"]:
        board = Switchboard(Limits())
        stream, _ = board.came("192.0.2.1", 0.0)
        assert [
            int(said.status) for said in board.heard(stream, raw(one["said"]), 0.0) if isinstance(said, Say)
        ] == [one["status"]]
