"""A spectator's copy of a match: it follows the record, keeps it, and says nothing but how far it is.

Nothing here waits; watcher.py brings frames.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from p2p_stratego.core.game import Game
from protocol.channel.channel import SYNC, Sync, read_sync
from protocol.errors import Equivocation, Malformed, Misplaced, Refusal, Violation
from protocol.failures import Failure
from protocol.record import genesis
from protocol.record.evidence import Proof, read_record
from protocol.record.genesis import Genesis
from protocol.record.referee import Duplicate
from protocol.record.statements import Record
from protocol.replication.gossip import Gossip, Send
from protocol.replication.replica import Status
from protocol.seat.follower import Follower, reread
from protocol.storage.watched import WatchedStore
from protocol.wire.encoding import ENTRY, PROOF, STATEMENT, Frame

_HOST = 0
"""The one link of a spectator, by the name that Gossip has for it."""


class Onlooker:
    """A match as a spectator sees it: `copy` holds all that everybody knows."""

    def __init__(
        self, store: WatchedStore, games: Mapping[str, Game[Any]], clock: Callable[[], float]
    ) -> None:
        """Owns `store` and closes it in the end.  Raises a Refusal if the record on the disk is none."""
        self.on_change: Callable[[], None] = lambda: None
        """Called after every change that a spectator could see."""
        self.store = store
        self.status = Status.CONNECTING
        self.trouble: Failure | Refusal | None = None
        """Why there is no link, or why we refused the last frame."""
        self.since = clock()
        """When `status` last changed."""
        self._clock = clock
        try:
            self.copy = Follower(genesis.parse(store.genesis, games))
            reread(store.recorded, self.copy.admit)
        except (Failure, Refusal):
            store.close()
            raise
        self._gossip = Gossip(self.copy, None)

    @property
    def match(self) -> Genesis:
        """The genesis."""
        return self.copy.genesis

    @property
    def finished(self) -> bool:
        """Whether nothing can be added to the record any more."""
        return self.copy.complete

    def linked(self, send: Send) -> None:
        """The host is there; `send` queues frames."""
        self._gossip.opened(_HOST, send)
        send(bytes(Sync(self.match.id, self.copy.position()).frame))

    def received(self, frames: list[Frame]) -> None:
        """Take frames of the host.  Raises StorageFailure, or a Refusal, after which the link is useless."""
        new: list[Frame] = []
        try:
            for frame in frames:
                self._take(frame, new)
        finally:
            if new:
                self.store.append(new)
            self.on_change()

    def unlinked(self, reason: Failure | Refusal) -> None:
        """The link is gone, or could not be made."""
        self._gossip.closed(_HOST)
        self.trouble = reason
        if self.status is Status.CONNECTED:
            self._enter(Status.AWAY)
        if self.finished:
            self._enter(Status.OVER)
        self.on_change()

    def _take(self, frame: Frame, new: list[Frame]) -> None:
        line = self._gossip.lines[_HOST]
        if frame.kind == SYNC and not line.compared:
            sync = read_sync(frame.payload)
            if sync.match != self.match.id:
                raise Malformed("The host shows another match than this one.")
            self._gossip.compared(_HOST, sync.position)
            self.trouble = None
            self._enter(Status.CONNECTED)
        elif frame.kind not in (ENTRY, STATEMENT, PROOF) or not line.compared:
            raise Malformed("The host sent what a spectator does not need, or not yet.")
        elif self._admit(read_record(frame), new):
            progress = True
            while progress:
                ripe = self._gossip.ripe(self.copy.referee)
                progress = sum(self._admit(early, new, again=True) for _, early in ripe) > 0

    def _admit(self, record: Record | Proof, new: list[Frame], *, again: bool = False) -> bool:
        """Admit a record, and return whether it is new."""
        if self.copy.fault is not None:
            self._gossip.vain(_HOST)
            return False
        try:
            self.copy.admit(record)
        except (Violation, Equivocation):
            new.append(record.frame)
            return False
        except Duplicate:
            self._gossip.vain(_HOST)
            return False
        except Misplaced:
            if isinstance(record, Proof):
                self._gossip.vain(_HOST)
                return False
            self._gossip.came_early(_HOST, record, again=again)
            return False
        new.append(record.frame)
        return True

    def _enter(self, status: Status) -> None:
        if status is not self.status:
            self.status, self.since = status, self._clock()

    def close(self) -> None:
        """Let others open the match."""
        self.store.close()
