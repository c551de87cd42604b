"""`contacts`: lists whom our player met, and names, blocks and forgets them."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from cli.commands.contacts import askable
from cli.menu import line_menu
from cli.shell.exit_codes import Exit
from protocol.crypto.keys import Identity, fingerprint
from protocol.storage.contacts import Contact, Door, LastMatch
from protocol.storage.home import Home
from protocol.wire.addresses import Endpoint, Relayed
from tests.golden.dialogues import assert_said
from tests.helpers.program.commands import Call

ADA, BEN, EVE = (Identity(letter * 32).key for letter in (b"a", b"b", b"e"))
TOKEN, TICKET = b"k" * 16, b"t" * 16
DOOR = Door((Endpoint("192.0.2.1", 4000), Relayed(Endpoint("relay.example", 4001), TOKEN)), TICKET)
CONTACTS = (
    Contact(ADA, "Ada", friend=True, met=LastMatch(1_700_000_000, "stratego", "relay")),
    Contact(BEN, "Ben", "Uncle Ben", door=DOOR, met=LastMatch(1_700_000_100, "a game of the future", "")),
    Contact(EVE, "[Eve]. Ada has won"),
)


@pytest.fixture
def met(home: Path) -> Path:
    """A home with three contacts."""
    with Home(home) as opened:
        for contact in CONTACTS:
            opened.remember(contact.key, contact.name)
            opened.change_contact(contact.key, lambda _, contact=contact: contact)  # type: ignore[misc]
    return home


def kept(home: Path, key: bytes) -> Contact | None:
    with Home(home) as opened:
        return opened.contacts().of(key)


def test_what_is_typed_and_what_it_says(call: Call, met: Path) -> None:
    names = {"ADA": fingerprint(ADA), "BEN": fingerprint(BEN), "EVE": fingerprint(EVE)}
    assert_said("contacts", call, DAY=date.fromtimestamp(1_700_000_000), **names)


def test_nobody_was_met_yet(call: Call) -> None:
    assert_said("nobody-met", call)


def test_the_list_tells_who_can_ask_whom_and_no_secret(call: Call, met: Path) -> None:
    run = call("contacts")
    assert run.code == Exit.OK
    contacts = json.loads(call("contacts", "--json").out)["contacts"]
    assert [contact["name"] for contact in contacts] == [contact.name for contact in CONTACTS]
    assert contacts[1] == {
        "name": "Ben",
        "called": "Uncle Ben",
        "fingerprint": fingerprint(BEN),
        "key": BEN.hex(),
        "blocked": False,
        "may_ask_you": False,
        "you_may_ask": True,
        "addresses": ["192.0.2.1:4000", "the relay relay.example:4001"],
        "last": {"when": 1_700_000_100, "game": "a game of the future", "via": ""},
    }
    for out in (run.out, json.dumps(contacts)):
        assert TICKET.hex() not in out
        assert str(DOOR.addresses[1]) not in out


def test_one_is_named_blocked_and_forgotten(call: Call, met: Path) -> None:
    assert call("contacts", "name", "ada", "Tante Ada").code == Exit.OK
    assert call("contacts", "block", "tante ada").code == Exit.OK
    ada = kept(met, ADA)
    assert ada is not None
    assert (ada.called, ada.blocked, ada.friend) == ("Tante Ada", True, False)
    assert call("contacts", "unblock", fingerprint(ADA)[:6]).code == Exit.OK
    assert call("contacts", "name", "Ada").code == Exit.OK
    ada = kept(met, ADA)
    assert ada is not None
    assert (ada.called, ada.blocked) == ("", False)
    assert call("contacts", "forget", "Ada").code == Exit.OK
    assert kept(met, ADA) is None


def test_a_block_ends_what_was_told_both_ways(call: Call, met: Path) -> None:
    call("contacts", "block", "Ben")
    ben = kept(met, BEN)
    assert ben is not None
    assert (ben.door, ben.friend) == (None, False)
    assert askable(met) == []


def test_what_cannot_be_done_is_said_and_changes_nothing(call: Call, met: Path) -> None:
    before = (met / "contacts.json").read_bytes()
    for run in assert_said("contacts-refused", call):
        assert run.code == Exit.USAGE
        assert "\x1b" not in run.err
    assert (met / "contacts.json").read_bytes() == before


def test_twins_are_told_apart_by_fingerprints(call: Call, met: Path) -> None:
    with Home(met) as opened:
        opened.remember(Identity(b"f" * 32).key, "ada")
    run = call("contacts", "block", "Ada")
    assert run.code == Exit.USAGE
    assert fingerprint(ADA) in run.err


def test_the_menu_offers_the_friends_that_can_be_asked(met: Path) -> None:
    assert askable(met) == [("Uncle Ben (Ben)", [fingerprint(BEN)])]
    assert line_menu.read("a", []) == ["again"]
    assert line_menu.read("f", []) == ["wait"]
    assert line_menu.read("c", []) == ["contacts"]
