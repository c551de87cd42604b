"""Whom we met: names and keys that are recognised, and the file that keeps them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from protocol.crypto.keys import Identity, fingerprint
from protocol.failures import Damaged, Part, UnknownContact
from protocol.storage.contacts import Contact, Contacts, Door, LastMatch, Standing, read
from protocol.storage.home import Home
from protocol.wire.addresses import Endpoint
from tests.helpers.links.introductions import ADA, BEN


def same(text: str, other: str) -> bool:
    return text.casefold() == other.casefold()


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


WRONG: Final[tuple[dict[str, object], ...]] = (
    {"name": ["Ada"]},
    {"name": "\x1b[31m"},
    {"called": "\x1b[31m"},
    {"called": 7},
    {"blocked": "yes"},
    {"friend": 1},
    {"door": {"addresses": [], "ticket": "00"}},
    {"door": {"addresses": ["300.1.1.1:4"], "ticket": "00" * 16}},
    {"door": {"addresses": ["192.0.2.1:4"] * 9, "ticket": "00" * 16}},
    {"door": []},
    {"met": {"when": "today", "game": "stratego", "via": ""}},
    {"met": {}},
)


@pytest.mark.parametrize(
    "value",
    [
        "noise",
        "[]",
        "{}",
        '{"version": 1, "contacts": []}',
        '{"version": 2, "contacts": [{"key": "00", "name": "Ada"}]}',
        '{"version": 2, "contacts": [{"key": 7, "name": "Ada"}]}',
        *(
            json.dumps({"version": 2, "contacts": [{"key": ADA.key.hex(), "name": "Ada"} | wrong]})
            for wrong in WRONG
        ),
        "[" * 100_000,
    ],
)
def test_damaged_contacts_are_refused_in_a_sentence(tmp_path: Path, value: str) -> None:
    (tmp_path / "contacts.json").write_text(value)
    with Home(tmp_path) as home, pytest.raises(Damaged, match=Part.CONTACTS.value):
        home.contacts()


FRIEND = Contact(
    BEN.key,
    "Ben",
    "Uncle Ben",
    friend=True,
    door=Door((Endpoint("192.0.2.1", 4000), Endpoint("example.org", 4001)), bytes(range(16))),
    met=LastMatch(1_700_000_000, "stratego", "relay", (("army", "duel"), ("quiet", 40)), 4, 2, "cadet"),
)


def test_all_that_is_known_of_a_friend_survives_and_a_new_name_changes_nothing_else() -> None:
    known = read(Contacts((Contact(ADA.key, "Ada", blocked=True), FRIEND)).to_json())
    assert known.all == (Contact(ADA.key, "Ada", blocked=True), FRIEND)
    known.remember(BEN.key, "Benny")
    assert known.of(BEN.key) == replace(FRIEND, name="Benny")
    known.remember(ADA.key, "Eve")
    assert known.blocked(ADA.key)
    known.forget(ADA.key)
    assert not known.blocked(ADA.key)


def test_a_blocked_key_is_recognised_under_every_name_and_before_all_else() -> None:
    known = Contacts((Contact(ADA.key, "Ada", blocked=True), FRIEND))
    for name in ("Ada", "Ben", "Uncle Ben", "Nobody"):
        assert known.recognise(ADA.key, name, same).standing is Standing.BLOCKED


def test_the_name_that_our_player_gave_is_guarded_like_the_friends_own() -> None:
    known = Contacts((FRIEND,))
    assert known.recognise(ADA.key, "Uncle Ben", same).standing is Standing.CHANGED
    assert known.recognise(ADA.key, "uncle ben", same).standing is Standing.LOOKALIKE


def test_a_contact_is_found_by_either_name_or_its_fingerprint_and_twins_by_that_alone() -> None:
    print_ = fingerprint(ADA.key)
    twin = Contact(ADA.key, "Ben")
    known = Contacts((FRIEND, twin))
    assert known.find(" uncle ben ") == FRIEND
    assert known.find(print_.lower()) == known.find(print_[:4]) == twin
    with pytest.raises(UnknownContact) as several:
        known.find("BEN")
    assert several.value.contacts == (("Uncle Ben", fingerprint(BEN.key)), ("Ben", print_))
    for nobody in ("", " ", "Cleo", "-"):
        with pytest.raises(UnknownContact) as none:
            known.find(nobody)
        assert none.value.contacts == ()
    impostor = Contacts((twin, Contact(BEN.key, print_)))
    assert impostor.find(print_) == twin, "a name in the form of a fingerprint is no fingerprint"


def test_the_beginning_of_a_word_in_a_name_is_enough_where_it_means_one_contact() -> None:
    kees = Contact(ADA.key, "Kees thuis")
    known = Contacts((kees, FRIEND))
    for name in ("kees", "Kees", "KEES T", "thuis", "ke"):
        assert known.find(name) == kees
    assert known.find("unc") == FRIEND
    for nobody in ("ees", "s thuis", "kees  thuis"):
        with pytest.raises(UnknownContact):
            known.find(nobody)
    two = Contacts((kees, replace(FRIEND, name="Kees de Wit")))
    with pytest.raises(UnknownContact) as several:
        two.find("kees")
    assert len(several.value.contacts) == 2
    assert two.find("kees d").key == FRIEND.key


def test_row_24_a_name_that_begins_like_a_fingerprint_takes_nobodys_place() -> None:
    print_ = fingerprint(ADA.key)
    known = Contacts((Contact(ADA.key, "Ada"), Contact(BEN.key, f"{print_[:6]} x")))
    with pytest.raises(UnknownContact) as several:
        known.find(print_[:6])
    assert len(several.value.contacts) == 2
    assert known.find(print_).key == ADA.key


def test_changes_of_a_contact_are_on_the_disk_and_private(tmp_path: Path) -> None:
    with Home(tmp_path) as home:
        assert home.change_contact(ADA.key, lambda known: replace(known, blocked=True)) is None
        home.remember(ADA.key, "Ada")
        home.change_contact(ADA.key, lambda known: replace(known, blocked=True))
    with Home(tmp_path) as home:
        assert home.contacts().blocked(ADA.key)
        home.change_contact(ADA.key, lambda _: None)
        assert home.contacts().all == ()
    assert (tmp_path / "contacts.json").stat().st_mode & 0o077 == 0


def test_our_standing_door_is_made_once_and_gives_each_friend_another_ticket(tmp_path: Path) -> None:
    with Home(tmp_path) as home:
        made = home.doorstep()
        assert home.move_doorstep(4000) == replace(made, port=4000)
    with Home(tmp_path) as home:
        assert home.doorstep() == replace(made, port=4000)
        (tmp_path / "doorstep.json").chmod(0o644)
        assert home.doorstep() == replace(made, port=4000)
    assert (tmp_path / "doorstep.json").stat().st_mode & 0o077 == 0
    tickets = {made.ticket(ADA.key), made.ticket(BEN.key), made.waiting(b"a"), made.waiting(b"b")}
    assert len(tickets) == 4
    assert made.secret.hex() not in repr(made)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"version": 1, "secret": "00", "port": 1}', "[" * 100_000])
def test_a_damaged_secret_of_the_door_is_never_replaced(tmp_path: Path, text: str) -> None:
    (tmp_path / "doorstep.json").write_text(text)
    with Home(tmp_path) as home, pytest.raises(Damaged, match=Part.DOORSTEP.value):
        home.doorstep()
    assert (tmp_path / "doorstep.json").read_text() == text
