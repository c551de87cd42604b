"""The vectors of addresses and relays hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from protocol.failures import NotAnAddress
from protocol.network import tls
from protocol.network.relay import Limits, Role, Say, Switchboard, hello, token_of
from protocol.wire import labels
from protocol.wire.addresses import Relayed, pack, unpack
from protocol.wire.addresses import read as parse

DATA = Path(__file__).parent / "data"
raw = bytes.fromhex


def load(name: str) -> Any:
    return json.loads((DATA / name).read_text(encoding="utf-8"))


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
    for one in vectors["refused"]:
        board = Switchboard(Limits())
        stream, _ = board.came("192.0.2.1", 0.0)
        assert [
            int(said.status) for said in board.heard(stream, raw(one["said"]), 0.0) if isinstance(said, Say)
        ] == [one["status"]]
