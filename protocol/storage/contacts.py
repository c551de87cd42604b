"""Contacts: the known players by key, with names, friends, blocked players, and the doors of friends.

Only the key proves an identity; a known name under another key can be an impostor (threat 24).  This module
reads and writes no files (home.py does).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

from p2p_stratego.core import strict_json
from p2p_stratego.core.game import OptionValue
from protocol.crypto.keys import check_key, fingerprint
from protocol.errors import Malformed
from protocol.failures import NotAnAddress, UnknownContact
from protocol.record.genesis import check_name
from protocol.wire.addresses import Address
from protocol.wire.addresses import read as read_address

VERSION: Final = 2
TICKET_BYTES: Final = 16
MOST_BYTES: Final = 1 << 24
"""Bytes of the file: some 30,000 contacts."""
MAX_WAYS: Final = 8
"""Addresses of one contact."""


class Standing(Enum):
    """The relation of a player's key and name to the contacts."""

    KNOWN = "known"
    """The same key and name as before."""
    RENAMED = "renamed"
    """A known key under a new name."""
    NEW = "new"
    """An unknown key and an unknown name."""
    LOOKALIKE = "lookalike"
    """A key new to this name, which looks like a known one."""
    CHANGED = "changed"
    """A known name under another key: another person, or the same person after losing the key."""
    BLOCKED = "blocked"
    """A key that our player has blocked, under whatever name."""


@dataclass(frozen=True, slots=True)
class Door:
    """Where a friend can be asked for a game: `addresses`, 0 to 8, best first; `ticket`: 16 secret bytes,
    by which the friend knows us there.
    """

    addresses: tuple[Address, ...]
    ticket: bytes


@dataclass(frozen=True, slots=True)
class LastMatch:
    """The last match with a player.

    `when`: the last time that we were there (Unix seconds); `game`: its name; `via`: the way of the last
    connection, "" for none; `options`: of the game, each with its name; `seats`: of the table; `bots`: the
    number of bots there, and their `level`, "" where another player brought them.
    """

    when: int
    game: str
    via: str
    options: tuple[tuple[str, OptionValue], ...] = ()
    seats: int = 2
    bots: int = 0
    level: str = ""


@dataclass(frozen=True, slots=True)
class Contact:
    """A known player: Ed25519 key (32 bytes) and the name given then.

    `called`: our player's own name for the contact, or ""; `blocked`: whether the contact is let in nowhere;
    `friend`: whether the contact may ask us for a game; `door`: where we may ask the contact, or None; `met`:
    the last match with the contact, or None.
    """

    key: bytes
    name: str
    called: str = ""
    blocked: bool = False
    friend: bool = False
    door: Door | None = None
    met: LastMatch | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which our player knows the contact; first the name that our player chose, if any."""
        return (self.called, self.name) if self.called else (self.name,)

    def begins(self, beginning: str) -> bool:
        """Whether its fingerprint, or a word in one of its names, begins like this, in lower case."""
        return any(f" {beginning}" in f" {name.casefold()}" for name in self.names) or (
            fingerprint(self.key).casefold().startswith(beginning)
        )


@dataclass(frozen=True, slots=True)
class Recognition:
    """`standing`, and the contact that it refers to; None for NEW."""

    standing: Standing
    contact: Contact | None


class Contacts:
    """All contacts, in the order of meeting; one for each key."""

    def __init__(self, known: tuple[Contact, ...] = ()) -> None:
        self._known = {contact.key: contact for contact in known}

    @property
    def all(self) -> tuple[Contact, ...]:
        """All contacts, oldest first."""
        return tuple(self._known.values())

    def of(self, key: bytes) -> Contact | None:
        """The contact with this key (32 bytes)."""
        return self._known.get(key)

    def blocked(self, key: bytes) -> bool:
        """Whether our player has blocked the player with this proven key."""
        return (known := self.of(key)) is not None and known.blocked

    def find(self, wanted: str) -> Contact:
        """The one contact with the fingerprint `wanted`, else with that name, else with such a beginning.

        The beginning is that of a fingerprint, or of a word of a name.  Only a fingerprint tells two contacts
        of one name apart.  Raises UnknownContact for none or several.
        """
        text = wanted.strip().casefold()
        # A name must not shadow a whole fingerprint: the key alone proves an identity (threat 24).
        matches = [contact for contact in self.all if text == fingerprint(contact.key).casefold()]
        matches = matches or [contact for contact in self.all if text in map(str.casefold, contact.names)]
        matches = matches or [contact for contact in self.all if text and contact.begins(text)]
        if len(matches) != 1:
            raise UnknownContact(tuple((contact.names[0], fingerprint(contact.key)) for contact in matches))
        return matches[0]

    def recognise(self, key: bytes, name: str, alike: Callable[[str, str], bool]) -> Recognition:
        """The standing of `key` (32 bytes) under `name`; `alike`: whether a reader may mix up two names."""
        known = self.of(key)
        if known is not None and known.blocked:
            return Recognition(Standing.BLOCKED, known)
        if known is not None and known.name == name:
            return Recognition(Standing.KNOWN, known)
        others = [contact for contact in self.all if contact.key != key]
        for contact in others:
            if name in contact.names:
                return Recognition(Standing.CHANGED, contact)
        for contact in others:
            if any(alike(other, name) for other in contact.names):
                return Recognition(Standing.LOOKALIKE, contact)
        if known is not None:
            return Recognition(Standing.RENAMED, known)
        return Recognition(Standing.NEW, None)

    def remember(self, key: bytes, name: str) -> None:
        """Store `name` for `key` (32 bytes)."""
        check_key(key)
        check_name(name)
        known = self.of(key)
        self._known[key] = Contact(key, name) if known is None else replace(known, name=name)

    def put(self, contact: Contact) -> None:
        """Store `contact`, in the place of an earlier contact with its key."""
        check_key(contact.key)
        check_name(contact.name)
        if contact.called:
            check_name(contact.called)
        self._known[contact.key] = contact

    def forget(self, key: bytes) -> None:
        """Remove the contact with this key: the player is a stranger again, even if blocked before."""
        self._known.pop(key, None)

    def to_json(self) -> bytes:
        """The bytes that `read` reads."""
        value = {"version": VERSION, "contacts": list(map(_written, self.all))}
        return (json.dumps(value, indent=1) + "\n").encode()


def read(data: bytes) -> Contacts:
    """The contacts in a file's bytes.  Raises Malformed."""
    contacts = Contacts()
    try:
        value = strict_json.read(data, MOST_BYTES)
        if value["version"] != VERSION:
            raise Malformed("The contacts are of another version of the program.")
        for entry in value["contacts"]:
            contacts.put(_contact(entry))
    except (ValueError, TypeError, KeyError, AttributeError, NotAnAddress) as error:
        raise Malformed("The contacts cannot be read.") from error
    return contacts


def _written(contact: Contact) -> dict[str, Any]:
    """The JSON value that `_contact` reads, without default values."""
    value: dict[str, Any] = {"key": contact.key.hex(), "name": contact.name}
    for flag in ("called", "blocked", "friend"):
        if getattr(contact, flag):
            value[flag] = getattr(contact, flag)
    if contact.door is not None:
        texts = list(map(str, contact.door.addresses))
        value["door"] = {"addresses": texts, "ticket": contact.door.ticket.hex()}
    if contact.met is not None:
        met = contact.met
        value["met"] = {
            "when": met.when,
            "game": met.game,
            "via": met.via,
            "options": dict(met.options),
            "seats": met.seats,
            "bots": met.bots,
            "level": met.level,
        }
    return value


def _contact(value: Any) -> Contact:
    """The contact in a JSON value.  Raises ValueError, TypeError, KeyError, NotAnAddress or Malformed."""
    door, met = value.get("door"), value.get("met")
    options = [] if met is None else _of(dict, met["options"]).items()
    contact = Contact(
        bytes.fromhex(value["key"]),
        value["name"],
        _of(str, value.get("called", "")),
        _of(bool, value.get("blocked", False)),
        _of(bool, value.get("friend", False)),
        None if door is None else _door(door),
        None
        if met is None
        else LastMatch(
            _of(int, met["when"]),
            _of(str, met["game"]),
            _of(str, met["via"]),
            tuple((name, option if type(option) is int else _of(str, option)) for name, option in options),
            _of(int, met["seats"]),
            _of(int, met["bots"]),
            _of(str, met["level"]),
        ),
    )
    if not isinstance(contact.name, str):
        raise TypeError
    return contact


def _door(value: Any) -> Door:
    addresses = tuple(read_address(_of(str, text)) for text in _of(list, value["addresses"]))
    ticket = bytes.fromhex(value["ticket"])
    if len(ticket) != TICKET_BYTES or len(addresses) > MAX_WAYS:
        raise ValueError("no door")
    return Door(addresses, ticket)


def _of(kind: type, value: Any) -> Any:
    """`value`, which is of `kind`.  Raises TypeError."""
    if type(value) is not kind:
        raise TypeError
    return value
