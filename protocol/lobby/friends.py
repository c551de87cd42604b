"""Friends: what a player tells a friend about its standing door, and who may ask there when.

A FRIEND goes over a link of a match to the friend alone, who is authenticated there, so nobody signs it:

    payload = [[address, …], ticket]

The ticket (16 bytes) is the friend's own.  It opens no match: whoever shows it is asked for the friend's key,
and our player is asked in any case.  No code here waits; host.py does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from math import inf

from protocol.channel.channel import FRIEND
from protocol.channel.limits import ASK_AGAIN_AFTER, ASK_AGAIN_SOON, MAX_DOORS
from protocol.errors import Malformed
from protocol.failures import Code, Refused, StorageFailure
from protocol.rendezvous.cards import read_addresses
from protocol.storage.contacts import TICKET_BYTES, Contact, Door
from protocol.storage.home import Home
from protocol.wire.addresses import Address, pack
from protocol.wire.encoding import Frame, decode, encode


def friend_frame(door: Door) -> Frame:
    """The FRIEND that tells one friend of our standing door."""
    return Frame(FRIEND, encode([[pack(address) for address in door.addresses], door.ticket]))


def read_friend(payload: bytes) -> Door:
    """The door in a FRIEND.  Raises Malformed."""
    match decode(payload):
        case [list() as listed, bytes() as ticket] if len(ticket) == TICKET_BYTES:
            return Door(read_addresses(listed), ticket)
    raise Malformed("A FRIEND is not addresses and a ticket.")


def tickets(home: Home) -> Mapping[bytes, bytes]:
    """By key, the tickets of all friends who may ask our player for a game.  Raises StorageFailure."""
    friends = [one.key for one in home.contacts().all if one.friend and not one.blocked]
    if not friends:
        return {}
    door = home.doorstep()
    return {key: door.ticket(key) for key in friends}


class Asks:
    """Which friends may ask our player now: one at a time, and after a no not at once again."""

    def __init__(self) -> None:
        self.busy = False
        """Whether our player sits at a table, or is asked by a friend."""
        self._quiet: dict[bytes, float] = {}
        """By key of a friend: until when it has had its answer."""

    def check(self, key: bytes, now: float) -> None:
        """Raise Refused if the friend with this key may not ask at `now` (monotonic seconds)."""
        if now < self._quiet.get(key, -inf):
            raise Refused(Code.DECLINED)
        if self.busy:
            raise Refused(Code.BUSY)

    def begin(self, key: bytes, now: float) -> None:
        """From now on our player is asked by this friend.  Raises as `check`."""
        self.check(key, now)
        self.busy = True

    def declined(self, key: bytes, now: float) -> None:
        """Our player has said no to this friend, or has let it wait in vain."""
        self._quiet[key] = now + ASK_AGAIN_AFTER

    def left(self, key: bytes, now: float) -> None:
        """This friend went before our player said anything."""
        self._quiet[key] = now + ASK_AGAIN_SOON


class Friendships:
    """Who at the table of a match may ask our player for other games, and whom our player may ask."""

    def __init__(self, home: Home) -> None:
        self.standing: tuple[Address, ...] = ()
        """Where our standing door is; none: friends are told nothing."""
        self.on_friend: Callable[[bytes], None] = lambda _: None
        """Called with the key of a player whom ours can ask from now on, and could not before."""
        self._home = home
        self._told = Counter[bytes]()
        self._kept: dict[bytes, Door] = {}
        """By key: the door that is on the disk, as its player said last."""
        self._unkept: dict[bytes, Door] = {}
        """By key: the door that came since."""

    def let_ask(self, key: bytes) -> None:
        """The player with this key, a contact, may ask ours from now on.  Raises StorageFailure."""
        self._home.change_contact(key, lambda one: replace(one, friend=True, blocked=False))

    def word_for(self, key: bytes) -> Frame | None:
        """What to tell the player with this key about our standing door; None: nothing."""
        with suppress(StorageFailure):  # no match depends on it
            contact = self._home.contacts().of(key) if self.standing else None
            if contact is not None and contact.friend and not contact.blocked:
                return friend_frame(Door(self.standing, self._home.doorstep().ticket(key)))
        return None

    def told(self, key: bytes, payload: bytes) -> None:
        """The player with this key tells of its standing door: for `keep`, unless it told of too many.

        Raises Malformed.
        """
        door = read_friend(payload)
        if self._unkept.get(key, self._kept.get(key)) == door or self._told[key] >= MAX_DOORS:
            return
        self._told[key] += 1
        self._unkept[key] = door

    def keep(self) -> None:
        """Write the doors of contacts that are not blocked to the disk: of those that came together the last
        one of each, as every write reads and writes all contacts (threat 113).
        """
        while self._unkept:
            self._keep(*self._unkept.popitem())

    def _keep(self, key: bytes, door: Door) -> None:
        new = False

        def change(one: Contact) -> Contact:
            nonlocal new
            new = one.door is None and not one.blocked
            return one if one.blocked else replace(one, door=door)

        with suppress(StorageFailure):  # likewise
            kept = self._home.change_contact(key, change)
            if kept is not None and kept.door == door:  # else it counts once our player knows that one
                self._kept[key] = door
            if new:
                self.on_friend(key)
