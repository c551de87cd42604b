"""Known players by key: whether a name now belongs to the same player as before (threat 24).

Only the key proves an identity; a known name under another key can be an impostor.  This
module reads and writes no files (home.py does).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from protocol.crypto.keys import check_key
from protocol.errors import Malformed
from protocol.record.genesis import check_name

VERSION: Final = 1


class Standing(Enum):
    """How a player's key and name relate to the contacts."""

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


@dataclass(frozen=True, slots=True)
class Contact:
    """A known player: Ed25519 key (32 bytes) and the name given then."""

    key: bytes
    name: str


@dataclass(frozen=True, slots=True)
class Recognition:
    """`standing`, and the contact that it refers to; None for NEW."""

    standing: Standing
    contact: Contact | None


class Contacts:
    """All contacts, in the order of meeting; one name for each key."""

    def __init__(self, known: tuple[Contact, ...] = ()) -> None:
        self._names = {contact.key: contact.name for contact in known}

    @property
    def all(self) -> tuple[Contact, ...]:
        """All contacts, oldest first."""
        return tuple(Contact(key, name) for key, name in self._names.items())

    def recognise(self, key: bytes, name: str, alike: Callable[[str, str], bool]) -> Recognition:
        """The standing of `key` (32 bytes) under `name`; `alike`: whether a reader may mix up two names."""
        if self._names.get(key) == name:
            return Recognition(Standing.KNOWN, Contact(key, name))
        others = [contact for contact in self.all if contact.key != key]
        for contact in others:
            if contact.name == name:
                return Recognition(Standing.CHANGED, contact)
        for contact in others:
            if alike(contact.name, name):
                return Recognition(Standing.LOOKALIKE, contact)
        if key in self._names:
            return Recognition(Standing.RENAMED, Contact(key, self._names[key]))
        return Recognition(Standing.NEW, None)

    def remember(self, key: bytes, name: str) -> None:
        """Store `name` for `key` (32 bytes)."""
        check_key(key)
        check_name(name)
        self._names[key] = name

    def to_json(self) -> bytes:
        """The bytes that `read` reads."""
        known = [{"key": contact.key.hex(), "name": contact.name} for contact in self.all]
        return (json.dumps({"version": VERSION, "contacts": known}, indent=1) + "\n").encode()


def read(data: bytes) -> Contacts:
    """The contacts in a file's bytes.  Raises Malformed."""
    contacts = Contacts()
    try:
        value = json.loads(data)
        if value["version"] != VERSION:
            raise Malformed("The contacts are of another version of the program.")
        for entry in value["contacts"]:
            contacts.remember(bytes.fromhex(entry["key"]), entry["name"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise Malformed("The contacts cannot be read.") from error
    return contacts
