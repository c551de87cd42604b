"""The vectors of friends hold."""

from __future__ import annotations

import json
from typing import Any

import pytest

from protocol.crypto.keys import Identity
from protocol.errors import Refusal
from protocol.failures import NetworkFailure
from protocol.lobby.friends import friend_frame, read_friend
from protocol.lobby.handshake import HostSide, JoinerSide, Person
from protocol.storage.contacts import Door
from protocol.storage.route import Place
from protocol.storage.standing_door import Doorstep
from protocol.wire.addresses import Relayed, pack
from protocol.wire.addresses import read as parse
from protocol.wire.encoding import Frame
from tests.helpers.machine.modules import VECTORS

raw = bytes.fromhex


def load(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def stored(one: dict[str, Any]) -> Frame:
    return Frame(one["kind"], raw(one["payload"]))


def test_tickets_and_secrets_at_relays() -> None:
    vectors = load("friends.json")
    doorstep = Doorstep(raw(vectors["secret of the door"]), 4000)
    for one in vectors["tickets"]:
        assert doorstep.ticket(raw(one["key"])) == raw(one["ticket"])
    for one in vectors["waiting"]:
        relay = parse(one["relay"])
        assert not isinstance(relay, Relayed)
        assert doorstep.waiting(pack(relay)) == raw(one["secret"])


def test_asking() -> None:
    vectors, players = load("friends.json"), load("introductions.json")
    binding = raw(players["certificate"]) + raw(players["tls-exporter"])
    ada, ben = players["host"], players["joiner"]
    ticket = raw(vectors["tickets"][0]["ticket"])
    challenge, ask, welcome, asker = map(stored, vectors["asking"])
    place = Place(tuple(map(parse, vectors["place"]["addresses"])), raw(vectors["place"]["certificate"]))
    here, there = HostSide(binding, raw(ada["nonce"])), JoinerSide(binding, challenge)
    assert here.challenge == challenge
    key = Identity(raw(ben["seed"]))
    assert there.ask(key, raw(ben["nonce"]), ticket) == ask
    assert here.ticket_of(ask, {raw(ada["key"]): bytes(16), key.key: ticket}) == key.key
    assert here.welcome(Identity(raw(ada["seed"])), ada["name"]) == welcome
    assert there.welcomed(welcome) == Person(raw(ada["key"]), ada["name"])
    assert there.asker(key, ben["name"], place) == asker
    assert here.asker(asker, key.key) == (Person(key.key, ben["name"]), place)
    told = vectors["friend"]
    door = Door(tuple(map(parse, told["addresses"])), raw(told["ticket"]))
    assert friend_frame(door).payload == raw(told["payload"])
    assert read_friend(raw(told["payload"])) == door


def test_bad_words_of_friends_are_refused() -> None:
    vectors, players = load("friends.json"), load("introductions.json")
    binding = raw(players["certificate"]) + raw(players["tls-exporter"])
    ada, ben = players["host"], players["joiner"]
    tickets = {raw(ben["key"]): raw(vectors["tickets"][0]["ticket"])}
    for one in vectors["bad asks"]:
        with pytest.raises((Refusal, NetworkFailure)):
            HostSide(binding, raw(ada["nonce"])).ticket_of(stored(one), tickets)
    for one in vectors["bad askers"]:
        host = HostSide(binding, raw(ada["nonce"]))
        key = host.ticket_of(stored(vectors["asking"][1]), tickets)
        host.welcome(Identity(raw(ada["seed"])), ada["name"])
        with pytest.raises(Refusal):
            host.asker(stored(one), key)
    for one in vectors["bad friends"]:
        with pytest.raises(Refusal):
            read_friend(raw(one["payload"]))
