"""Friends: the FRIEND that tells of a player's standing door, and the rules for asking there.

A FRIEND goes over a link of a match to the friend alone, who is authenticated there, so it has no signature:

    payload = [[address, …], ticket]

The ticket (16 bytes) is the friend's own.  A ticket opens no match: its holder must prove the friend's key,
and our player decides in any case.  No code here waits; host.py does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from math import inf

from protocol.channel.channel import FRIEND
from protocol.errors import Malformed
from protocol.failures import Code, Refused, StorageFailure
from protocol.limits import ASK_AGAIN_AFTER, ASK_AGAIN_SOON, MAX_DOORS
from protocol.rendezvous.address_cards import read_addresses
from protocol.storage.contacts import TICKET_BYTES, Contact, Door
from protocol.storage.home import Home
from protocol.wire.addresses import Address, pack
from protocol.wire.encoding import Frame, decode, encode


def friend_frame(door: Door) -> Frame:
    """The FRIEND that tells a friend of our standing door."""
    return Frame(FRIEND, encode([[pack(address) for address in door.addresses], door.ticket]))


def read_friend(payload: bytes) -> Door:
    """The door in a FRIEND.  Raises Malformed."""
    match decode(payload):
        case [list() as listed, bytes() as ticket] if len(ticket) == TICKET_BYTES:
            return Door(read_addresses(listed), ticket)
    raise Malformed("A FRIEND is not addresses and a ticket.")


def tickets(home: Home) -> Mapping[bytes, bytes]:
    """By key, the tickets of all friends who may ask our player for a game.  Raises StorageFailure."""
    friends = [contact.key for contact in home.contacts().all if contact.friend and not contact.blocked]
    if not friends:
        return {}
    door = home.doorstep()
    return {key: door.ticket(key) for key in friends}


class Asks:
    """The friends that may ask our player now: one at a time, and a while after a no."""

    def __init__(self) -> None:
        self.busy = False
        """Whether our player sits at a table, or a friend is asking."""
        self._quiet: dict[bytes, float] = {}
        """By key of a friend: until when its last answer stands."""

    def check(self, key: bytes, now: float) -> None:
        """Raise Refused if the friend with this key may not ask at `now` (monotonic seconds)."""
        if now < self._quiet.get(key, -inf):
            raise Refused(Code.DECLINED)
        if self.busy:
            raise Refused(Code.BUSY)

    def begin(self, key: bytes, now: float) -> None:
        """Let this friend ask our player from now on.  Raises as `check`."""
        self.check(key, now)
        self.busy = True

    def declined(self, key: bytes, now: float) -> None:
        """Refuse this friend for ASK_AGAIN_AFTER: our player said no, or gave no answer."""
        self._quiet[key] = now + ASK_AGAIN_AFTER

    def left(self, key: bytes, now: float) -> None:
        """Refuse this friend for ASK_AGAIN_SOON: it went before our player answered."""
        self._quiet[key] = now + ASK_AGAIN_SOON


class Friendships:
    """The friendships at the table of a match: doors that we tell of, and doors that we are told of."""

    def __init__(self, home: Home) -> None:
        self.standing: tuple[Address, ...] = ()
        """The addresses of our standing door; if there are none, friends are told nothing."""
        self.on_friend: Callable[[bytes], None] = lambda _: None
        """Called with the key of a player that ours can ask for the first time."""
        self._home = home
        self._changes = Counter[bytes]()
        """By key: the doors that its player told of in this process."""
        self._kept: dict[bytes, Door] = {}
        """By key: the door on the disk."""
        self._unkept: dict[bytes, Door] = {}
        """By key: a newer door, which `keep` writes."""

    def let_ask(self, key: bytes) -> None:
        """Let the player with this key, a contact, ask ours from now on.  Raises StorageFailure."""
        self._home.change_contact(key, lambda contact: replace(contact, friend=True, blocked=False))

    def frame_for(self, key: bytes) -> Frame | None:
        """The FRIEND for the player with this key; None: it is told of no door of ours."""
        with suppress(StorageFailure):  # no match depends on it
            contact = self._home.contacts().of(key) if self.standing else None
            if contact is not None and contact.friend and not contact.blocked:
                return friend_frame(Door(self.standing, self._home.doorstep().ticket(key)))
        return None

    def receive(self, key: bytes, payload: bytes) -> None:
        """Hold the door in a FRIEND of the player with this key for `keep`, if it told of few enough.

        Raises Malformed.
        """
        door = read_friend(payload)
        if self._unkept.get(key, self._kept.get(key)) == door or self._changes[key] >= MAX_DOORS:
            return
        self._changes[key] += 1
        self._unkept[key] = door

    def keep(self) -> None:
        """Write the newest door of each contact to the disk; a blocked contact keeps its old door.

        Of the doors that one contact told of, only the last is written: a write rewrites all contacts (threat
        113).
        """
        while self._unkept:
            self._keep(*self._unkept.popitem())

    def _keep(self, key: bytes, door: Door) -> None:
        new = False

        def change(contact: Contact) -> Contact:
            nonlocal new
            new = contact.door is None and not contact.blocked
            return contact if contact.blocked else replace(contact, door=door)

        with suppress(StorageFailure):  # no match depends on it
            kept = self._home.change_contact(key, change)
            if kept is not None and kept.door == door:  # a player who is no contact yet may tell again later
                self._kept[key] = door
            if new:
                self.on_friend(key)
