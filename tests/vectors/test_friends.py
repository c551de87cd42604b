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


def stored(fields: dict[str, Any]) -> Frame:
    return Frame(fields["kind"], raw(fields["payload"]))


def test_tickets_and_secrets_at_relays() -> None:
    vectors = load("friends.json")
    doorstep = Doorstep(raw(vectors["secret of the door"]), 4000)
    for ticket in vectors["tickets"]:
        assert doorstep.ticket(raw(ticket["key"])) == raw(ticket["ticket"])
    for case in vectors["waiting"]:
        relay = parse(case["relay"])
        assert not isinstance(relay, Relayed)
        assert doorstep.waiting(pack(relay)) == raw(case["secret"])


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
    friend = vectors["friend"]
    door = Door(tuple(map(parse, friend["addresses"])), raw(friend["ticket"]))
    assert friend_frame(door).payload == raw(friend["payload"])
    assert read_friend(raw(friend["payload"])) == door


def test_bad_words_of_friends_are_refused() -> None:
    vectors, players = load("friends.json"), load("introductions.json")
    binding = raw(players["certificate"]) + raw(players["tls-exporter"])
    ada, ben = players["host"], players["joiner"]
    tickets = {raw(ben["key"]): raw(vectors["tickets"][0]["ticket"])}
    for bad_ask in vectors["bad asks"]:
        with pytest.raises((Refusal, NetworkFailure)):
            HostSide(binding, raw(ada["nonce"])).ticket_of(stored(bad_ask), tickets)
    for bad_asker in vectors["bad askers"]:
        host = HostSide(binding, raw(ada["nonce"]))
        key = host.ticket_of(stored(vectors["asking"][1]), tickets)
        host.welcome(Identity(raw(ada["seed"])), ada["name"])
        with pytest.raises(Refusal):
            host.asker(stored(bad_asker), key)
    for bad_friend in vectors["bad friends"]:
        with pytest.raises(Refusal):
            read_friend(raw(bad_friend["payload"]))
