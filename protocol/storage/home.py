"""The home folder: identity, contacts, settings, matches and open invites.

    identity.key          the player's Ed25519 key, PKCS #8 in PEM
    contacts.json         keys and names of players met, who is a friend or blocked, where friends are asked
    doorstep.json         the secret and the port of our standing door (standing_door.py)
    settings.json         settings of the program's user
    games/<id>/           one match each, named by the first 32 hex digits of its id (match_store.py)
    void/<id>/            matches that we signed, and whose host said that they never began
    watched/<id>/         one match each that we only watch (watched.py)
    index.json            summaries of our matches; safe to delete (index.py)
    statistics.json       audits of records, for statistics; safe to delete; the caller defines the content
    offers/<id>/          offers to begin a match by post (offers.py)
    invites/<id>/         unused invites that were handed out (threat 26)

Names of folders are hashes (threat 36).  Secret bytes come from `entropy`: the operating system's generator,
except in a reproducible demonstration.
"""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from p2p_stratego.core import strict_json
from p2p_stratego.core.game import Game
from p2p_stratego.core.strict_json import NotJson
from protocol.crypto.keys import Identity
from protocol.errors import Malformed
from protocol.failures import Damaged, InUse, Missing, NoSuchMatch, Part, StorageFailure
from protocol.record.genesis import Genesis
from protocol.storage import contacts, index, match_store, standing_door, watched
from protocol.storage.contacts import Contact, Contacts
from protocol.storage.files import Folder, Lock
from protocol.storage.index import FileStamp, Index, Summary
from protocol.storage.match_store import Store
from protocol.storage.offers import Offers, SavedOffer
from protocol.storage.route import Route
from protocol.storage.standing_door import Doorstep
from protocol.storage.watched import WatchedStore
from protocol.trace import Trace, silent
from protocol.wire import transcript

IDENTITY: Final = "identity.key"
CONTACTS: Final = "contacts.json"
DOORSTEP: Final = "doorstep.json"
_FIRST_PORT: Final = 61000
"""Of the ports that nobody assigns (RFC 6335, 6) those that Linux gives no calls of its own: our standing
door has one of these.
"""
SETTINGS: Final = "settings.json"
GAMES: Final = "games"
VOID: Final = "void"
MOST_VOID: Final = 64
"""Matches that are kept there; a new one then takes the place of the oldest."""
WATCHED: Final = "watched"
INVITES: Final = "invites"
INDEX: Final = "index.json"
STATISTICS: Final = "statistics.json"
_INVITE: Final = "invite.json"
LOCK: Final = "lock"
ID_DIGITS: Final = 32
"""Hex digits of a match's id in its folder's name: 128 bits, so that two matches never share one."""
_UNFINISHED: Final = "new-"
_ID: Final = re.compile(rf"[0-9a-f]{{{ID_DIGITS}}}")


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match in the home folder, not opened.  `id`: the first 32 hex digits of its id."""

    id: str
    path: Path
    """Its transcript."""


class Home:
    """An open home folder; made on first use."""

    def __init__(self, path: Path, entropy: Callable[[int], bytes] = secrets.token_bytes) -> None:
        """Raises Unsafe, ReadOnly or another StorageFailure."""
        self._folder = Folder.at(path)
        self.path = path
        self.entropy = entropy
        self.exposed: list[str] = []
        """Key files that other users of the machine could read until this process protected them."""

    def __enter__(self) -> Home:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the folder."""
        self._folder.close()

    def locked(self) -> Lock:
        """The lock that keeps other processes from changing the home; hold it for moments only."""
        return self._folder.lock(LOCK)

    # Identity, contacts, settings

    def identity(self) -> Identity:
        """Our player key, made on first use.  Raises Damaged; it never replaces an existing key."""
        place = self._folder.place(IDENTITY)
        with self.locked():
            self._folder.tidy()  # a file left by a killed process may hold the key
            if IDENTITY not in self._folder.names():
                key = Ed25519PrivateKey.from_private_bytes(self.entropy(32))
                self._folder.replace(
                    IDENTITY, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
                )
            if self._folder.tighten(IDENTITY):
                self.exposed.append(place)
            return self._identity()

    @property
    def key(self) -> bytes:
        """The public key (32 bytes) of our player; none if there is no player yet.

        Nothing is made or locked, so that a disk which is only read will do.  Raises Damaged, Unsafe for a
        link, or another StorageFailure.
        """
        try:
            return self._identity().key
        except Missing:
            return b""

    def _identity(self) -> Identity:
        """The key in its file.  Raises Missing and Damaged."""
        try:
            loaded = load_pem_private_key(self._folder.read(IDENTITY), password=None)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            loaded = None
        if not isinstance(loaded, Ed25519PrivateKey):
            raise Damaged(self._folder.place(IDENTITY), Part.KEY)
        return Identity(loaded.private_bytes_raw())

    def contacts(self) -> Contacts:
        """The contacts.  Raises Damaged."""
        place = self._folder.place(CONTACTS)
        try:
            return contacts.read(self._folder.read(CONTACTS))
        except Missing:
            return Contacts()
        except Malformed as error:
            raise Damaged(place, Part.CONTACTS) from error

    def remember(self, key: bytes, name: str) -> None:
        """Add a contact, or rename one."""
        with self.locked():
            known = self.contacts()
            known.remember(key, name)
            self._folder.replace(CONTACTS, known.to_json())

    def change_contact(self, key: bytes, change: Callable[[Contact], Contact | None]) -> Contact | None:
        """Let `change` turn the contact with this key into a new one, or into None, which removes it; synced
        before this returns.  Return the new contact; None, and nothing is done, if there is no such contact.
        """
        with self.locked():
            known = self.contacts()
            old = known.of(key)
            new = None if old is None else change(old)
            if new is not None:
                known.put(new)
            else:
                known.forget(key)
            if new != old:
                self._folder.replace(CONTACTS, known.to_json())
        return new

    def doorstep(self) -> Doorstep:
        """Our standing door, made on first use.  Raises Damaged; it never replaces an existing one."""
        with self.locked():
            if DOORSTEP not in self._folder.names():
                port = _FIRST_PORT + int.from_bytes(self.entropy(8), "big") % (2**16 - _FIRST_PORT)
                new = Doorstep(self.entropy(standing_door.SECRET_BYTES), port)
                self._folder.replace(DOORSTEP, new.to_json())
            data = self._folder.read(DOORSTEP)
        try:
            return standing_door.read(data)
        except Malformed as error:
            raise Damaged(self._folder.place(DOORSTEP), Part.DOORSTEP) from error

    def move_doorstep(self, port: int) -> Doorstep:
        """Our standing door, which is at `port` from now on, synced before this returns.  Raises Damaged."""
        moved = replace(self.doorstep(), port=port)
        with self.locked():
            self._folder.replace(DOORSTEP, moved.to_json())
        return moved

    def settings(self) -> dict[str, Any] | None:
        """The settings last saved; empty if there are none, None if they are not legible."""
        try:
            value = strict_json.read(self._folder.read(SETTINGS))
        except Missing:
            return {}
        except NotJson:
            return None
        return value if isinstance(value, dict) else None

    def save_settings(self, settings: dict[str, Any]) -> None:
        """Remember `settings` (JSON values)."""
        with self.locked():
            self._folder.replace(SETTINGS, (json.dumps(settings, indent=1) + "\n").encode())

    # Matches

    def games(self) -> list[SavedMatch]:
        """All matches here, by id."""
        return self._saved(GAMES)

    def watched(self) -> list[SavedMatch]:
        """All matches that we only watched, by id."""
        return self._saved(WATCHED)

    def _saved(self, of: str) -> list[SavedMatch]:
        there = self.path / of
        # One join a match, not one a name: lists of thousands are read at each start.
        return [SavedMatch(name, there / f"{name}/{match_store.TRANSCRIPT}") for name in self._ids(of)]

    def index(self, owner: str) -> Index:
        """The index last saved for `owner`; empty if there is none, or none legible."""
        with suppress(StorageFailure, Malformed):
            written = self._folder.modified(INDEX)
            return index.decode(self._folder.read(INDEX), owner, written)
        return Index()

    def save_index(self, owner: str, entries: Iterable[tuple[str, FileStamp, Summary]]) -> None:
        """Save summaries made for `owner`, if the disk permits; of two processes the later one wins."""
        with suppress(StorageFailure):
            self._folder.replace(INDEX, index.encode(owner, entries))

    def statistics(self) -> bytes:
        """The statistics last saved; empty if there are none, or none legible."""
        with suppress(StorageFailure):
            return self._folder.read(STATISTICS)
        return b""

    def save_statistics(self, data: bytes) -> None:
        """Save `data` for statistics, if the disk permits; of two processes the later one wins."""
        with suppress(StorageFailure):
            self._folder.replace(STATISTICS, data)

    def _ids(self, of: str = GAMES) -> Iterator[str]:
        try:
            with self._folder.folder(of) as matches:
                yield from (name for name in matches.names() if _ID.fullmatch(name))
        except Missing:
            return

    def find(self, text: str) -> str:
        """The id of the one match whose id begins with `text`.  Raises NoSuchMatch."""
        wanted = text.strip().lower()
        ids = [name for name in self._ids() if name.startswith(wanted)] if wanted.isalnum() else []
        if len(ids) == 1:
            return ids[0]
        raise NoSuchMatch(str(self.path), len(ids))

    def open(self, id_: str) -> Store:
        """Open a match for playing; `id_` as in Saved.  Raises the same as Store."""
        if not _ID.fullmatch(id_):
            raise NoSuchMatch(str(self.path), 0)
        with self._folder.folder(GAMES) as games:
            return Store(games.folder(id_), self.entropy)

    def create(
        self, genesis: Genesis, master: bytes, route: Route, certificate: bytes = b"", records: bytes = b""
    ) -> Store:
        """Make a new match and open it; a crash leaves all of it or nothing.

        It is written under a temporary name and renamed once it is synced; the next call removes the remains
        of a crash.  `master`: 32 bytes; `records`: whole frames behind the genesis.  Raises the same as
        Store.
        """
        name = genesis.id.hex()[:ID_DIGITS]
        with self.locked(), self._folder.folder(GAMES, create=True) as games:
            _sweep(games)
            fresh = _UNFINISHED + secrets.token_hex(8)
            try:
                with games.folder(fresh, create=True) as folder:
                    match_store.create(
                        folder, transcript.start(genesis.body) + records, master, route, certificate
                    )
                games.rename(fresh, name)
            except StorageFailure:
                with suppress(StorageFailure):
                    _sweep(games)
                raise
            games.sync()
        return self.open(name)

    def set_aside(self, store: Store) -> None:
        """Close a match that we signed, and that never began, as its host says: we keep it, with its secrets,
        out of sight.  A host that lied, and begins it without us, holds our consent: then we can take our
        seat (threat 104).  A crash leaves it here or there.
        """
        name = store.name
        store.close()
        with (
            self.locked(),
            suppress(Missing),
            self._folder.folder(GAMES) as games,
            self._folder.folder(VOID, create=True) as void,
        ):
            kept = sorted(void.names(), key=void.modified)
            for oldest in kept[: max(0, len(kept) - MOST_VOID + 1)]:
                with void.folder(oldest) as folder:
                    folder.clear()
                void.remove_folder(oldest)
            games.move(name, void)

    def void(self, match: bytes) -> bytes | None:
        """The body of the genesis of a match that was set aside; `match`: its id (32 bytes)."""
        name = match.hex()[:ID_DIGITS]
        with suppress(StorageFailure, Malformed), self._folder.folder(VOID) as void:
            if name in void.names():
                with void.folder(name) as folder:
                    return transcript.read(folder.read(match_store.TRANSCRIPT)).genesis
        return None

    def take_up(self, text: str) -> str:
        """Put the one match back whose id begins with `text`, and that was set aside.  Raises NoSuchMatch."""
        wanted = text.strip().lower()
        with self.locked(), suppress(Missing), self._folder.folder(VOID) as void:
            ids = [name for name in void.names() if wanted.isalnum() and name.startswith(wanted)]
            if len(ids) == 1:
                with self._folder.folder(GAMES, create=True) as games:
                    void.move(ids[0], games)
                return ids[0]
        raise NoSuchMatch(str(self.path), 0)

    def watch(self, genesis: Genesis) -> WatchedStore:
        """Open our copy of a match that we only watch; the first call makes it.  Raises as WatchedStore."""
        name = genesis.id.hex()[:ID_DIGITS]
        with self.locked(), self._folder.folder(WATCHED, create=True) as matches:
            if name not in matches.names():
                _sweep(matches)
                fresh = _UNFINISHED + secrets.token_hex(8)
                with matches.folder(fresh, create=True) as folder:
                    watched.create(folder, genesis.body)
                matches.rename(fresh, name)
                matches.sync()
            return WatchedStore(matches.folder(name))

    def free(self, id_: str) -> bool:
        """Whether the match is open in no process at this moment."""
        try:
            self.open(id_).close()
        except InUse:
            return False
        return True

    # Invites

    def keep_invite(self, name: str, record: bytes, certificate: bytes) -> None:
        """Persist an invite before it is handed out; `name`: hex digits of a hash."""
        with (
            self.locked(),
            self._folder.folder(INVITES, create=True) as invites,
            invites.folder(name, create=True) as folder,
        ):
            folder.create(match_store.TLS, certificate)
            folder.create(_INVITE, record)
            folder.sync()

    def invites(self) -> dict[str, tuple[bytes, bytes]]:
        """The invites handed out, except used and dropped ones: by name, the record and the certificate."""
        invites_by_name: dict[str, tuple[bytes, bytes]] = {}
        with suppress(Missing), self._folder.folder(INVITES) as invites:
            for name in invites.names():
                with suppress(Missing), invites.folder(name) as folder:
                    invites_by_name[name] = (folder.read(_INVITE), folder.read(match_store.TLS))
        return invites_by_name

    def change_invite(self, name: str, change: Callable[[bytes], bytes | None]) -> bool:
        """Let `change` make a new record of an invite, synced before this returns (threat 26).

        Return False, and change nothing, if `change` returns None or there is no such invite.
        """
        changed: bytes | None = None
        with (
            suppress(Missing),
            self.locked(),
            self._folder.folder(INVITES) as invites,
            invites.folder(name) as folder,
        ):
            changed = change(folder.read(_INVITE))
            if changed is not None:
                folder.replace(_INVITE, changed)
        return changed is not None

    def drop_invite(self, name: str) -> None:
        """Remove the files of an invite, if any are left."""
        with suppress(Missing), self.locked(), self._folder.folder(INVITES) as invites:
            with invites.folder(name) as folder:
                folder.clear()
            invites.remove_folder(name)

    # Offers

    def offer(self, name: str) -> SavedOffer | None:
        """The kept offer to begin a match by post.  Raises Damaged."""
        return Offers(self._folder).get(name)

    def open_offers(self) -> list[str]:
        """The ids of our offers that nobody has answered.  Raises Damaged."""
        return Offers(self._folder).unanswered()

    def keep_offer(self, name: str, kept: SavedOffer) -> None:
        """Persist an offer, ours or one that we accept, before anything of it is sent."""
        with self.locked():
            Offers(self._folder).put(name, kept)

    def bind_offer(self, name: str, match: bytes) -> None:
        """From now on the offer serves the genesis with the body `match` alone, synced."""
        with self.locked():
            Offers(self._folder).bind(name, match)


def _sweep(games: Folder) -> None:
    """Remove incomplete matches; only the holder of the home's lock makes matches."""
    for name in games.names():
        if name.startswith(_UNFINISHED):
            with games.folder(name) as folder:
                folder.clear()
            games.remove_folder(name)


@dataclass(frozen=True, slots=True)
class Owner:
    """A player of this program: home folder, key, name shown to others, known games, and a trace."""

    home: Home
    identity: Identity
    name: str
    games: Mapping[str, Game[Any]]
    trace: Trace = silent
    workers: int = 0
    """Processes that may check and make proofs about cards beside this one; 0: it does so itself."""
    wall: Callable[[], float] = time.time
    """Seconds since 1970."""
