"""Whom we met: names and keys that are recognised, and the file that keeps them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from protocol.crypto.keys import Identity
from protocol.failures import Damaged, Part
from protocol.storage.contacts import Contact, Contacts, Standing
from protocol.storage.home import Home
from tests.helpers.introductions import ADA, BEN


def same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def test_a_known_name_under_another_key_is_told_from_everything_else() -> None:
    known = Contacts((Contact(ADA.key, "Ada"),))
    assert known.recognise(ADA.key, "Ada", same).standing is Standing.KNOWN
    assert known.recognise(BEN.key, "Ada", same).standing is Standing.CHANGED
    assert known.recognise(BEN.key, "ada", same).standing is Standing.LOOKALIKE
    assert known.recognise(ADA.key, "Adele", same).standing is Standing.RENAMED
    assert known.recognise(BEN.key, "Ben", same).standing is Standing.NEW
    known.remember(BEN.key, "Ben")
    renamed = known.recognise(ADA.key, "Ben", same)
    assert (renamed.standing, renamed.contact) == (Standing.CHANGED, Contact(BEN.key, "Ben"))
    assert known.recognise(BEN.key, "Nobody", same).contact == Contact(BEN.key, "Ben")
    assert known.recognise(Identity(b"c" * 32).key, "Cleo", same).contact is None


def test_contacts_survive_a_restart(tmp_path: Path) -> None:
    with Home(tmp_path) as home:
        assert home.contacts().all == ()
        home.remember(ADA.key, "Ada")
        home.remember(BEN.key, "Ben")
        home.remember(ADA.key, "Adele")
    with Home(tmp_path) as home:
        assert home.contacts().all == (Contact(ADA.key, "Adele"), Contact(BEN.key, "Ben"))


@pytest.mark.parametrize(
    "value",
    [
        "noise",
        "[]",
        "{}",
        '{"version": 2, "contacts": []}',
        '{"version": 1, "contacts": [{"key": "00", "name": "Ada"}]}',
        '{"version": 1, "contacts": [{"key": 7, "name": "Ada"}]}',
        json.dumps({"version": 1, "contacts": [{"key": ADA.key.hex(), "name": ["Ada"]}]}),
        json.dumps({"version": 1, "contacts": [{"key": ADA.key.hex(), "name": "\x1b[31m"}]}),
        "[" * 100_000,
    ],
)
def test_damaged_contacts_are_refused_in_a_sentence(tmp_path: Path, value: str) -> None:
    (tmp_path / "contacts.json").write_text(value)
    with Home(tmp_path) as home, pytest.raises(Damaged, match=Part.CONTACTS.value):
        home.contacts()
