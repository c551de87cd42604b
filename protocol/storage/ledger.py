"""The memory of a match's folder: its posts, and the place where the folder stands.

A comparison over a link proves, for that moment, that no other copy of ours has gone on.  A post may be of
any age, and proves the same at best for the moment when it was written.  So a copy that goes by post
remembers that it was compared, and its mark at that time: the inode of its lock, and the time of that inode's
last change, which no program that copies or restores files can set.  In a copied or restored folder the mark
differs: then this copy signs nothing until another seat has answered a post written there (threats 31 and
87).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeAlias

from p2p_stratego.core import strict_json
from p2p_stratego.core.game import Seat
from protocol.failures import Damaged, Part

Mark: TypeAlias = tuple[int, int]
"""The mark of a folder: the number of its lock's inode, and that inode's last change (nanoseconds)."""


@dataclass(frozen=True, slots=True)
class Correspondent:
    """The posts between us and one other seat.

    `sent`: the serial of our last post to it; `taken`: of its last one that we took; `stamp`: its signature
    of that serial; `sync`: the SYNC in that post; `extent`: our numbers of entries and of own statements when
    we wrote to it last; all 0 or empty for none.
    """

    sent: int = 0
    taken: int = 0
    stamp: bytes = b""
    sync: bytes = b""
    extent: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class PostLedger:
    """The ledger of one match.

    `here`: where the folder stood when the copy was known to be the newest; `doubted`: the serial of our
    first post since it is not, 0 for none; `waiting`: the number of entries over which others owe, the seats,
    and since when (seconds since 1970).
    """

    here: Mark | None = None
    doubted: int = 0
    seats: Mapping[Seat, Correspondent] = field(default_factory=lambda: MappingProxyType({}))
    waiting: tuple[int, tuple[Seat, ...], int] | None = None

    @property
    def used(self) -> bool:
        """Whether any post of this match was written or taken."""
        return bool(self.seats)

    @property
    def last(self) -> int:
        """The highest serial of ours."""
        return max([0, *(posts.sent for posts in self.seats.values())])

    def of(self, seat: Seat) -> Correspondent:
        """The posts between us and `seat`."""
        return self.seats.get(seat, Correspondent())

    def updated(self, seat: Seat, **changes: object) -> PostLedger:
        """The ledger with `changes` of a Correspondent's fields."""
        seats = {**self.seats, seat: replace(self.of(seat), **changes)}  # type: ignore[arg-type]
        return replace(self, seats=MappingProxyType(dict(sorted(seats.items()))))


def ledger_json(ledger: PostLedger) -> bytes:
    """The bytes that `read_ledger` reads."""
    value = {
        "here": ledger.here,
        "doubted": ledger.doubted,
        "seats": {
            str(seat): {
                "sent": posts.sent,
                "taken": posts.taken,
                "stamp": posts.stamp.hex(),
                "sync": posts.sync.hex(),
                "told": posts.extent,
            }
            for seat, posts in ledger.seats.items()
        },
        "waiting": ledger.waiting,
    }
    return (json.dumps(value, indent=1) + "\n").encode()


def read_ledger(data: bytes, place: str) -> PostLedger:
    """The Ledger in the bytes of the file at `place`.  Raises Damaged."""
    try:
        match strict_json.read(data):
            case {"here": here, "doubted": int(doubted), "seats": dict(seats), "waiting": waiting}:
                known = {int(seat): _correspondent(posts) for seat, posts in seats.items()}
                return PostLedger(_mark(here), doubted, MappingProxyType(known), _waiting(waiting))
    except (ValueError, TypeError) as error:
        raise Damaged(place, Part.POSTS) from error
    raise Damaged(place, Part.POSTS)


def _mark(value: object) -> Mark | None:
    match value:
        case None:
            return None
        case [int(number), int(changed)]:
            return number, changed
    raise ValueError("no place of a folder")


def _correspondent(value: object) -> Correspondent:
    match value:
        case {
            "sent": int(sent),
            "taken": int(taken),
            "stamp": str(stamp),
            "sync": str(sync),
            "told": [int(entries), int(statements)],
        }:
            return Correspondent(
                sent, taken, bytes.fromhex(stamp), bytes.fromhex(sync), (entries, statements)
            )
    raise ValueError("no posts of a seat")


def _waiting(value: object) -> tuple[int, tuple[Seat, ...], int] | None:
    match value:
        case None:
            return None
        case [int(count), [*seats], int(since)]:
            return count, tuple(seat for seat in seats if isinstance(seat, int)), since
    raise ValueError("no waiting")
