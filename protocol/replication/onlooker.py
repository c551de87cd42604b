"""A spectator's copy of a match: it follows the record, keeps it, and sends its SYNC alone.

No code here waits; watcher.py brings frames.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from p2p_stratego.core.game import Game
from protocol.channel.channel import SYNC, Sync, read_sync
from protocol.errors import Equivocation, Malformed, Misplaced, Refusal, Violation
from protocol.failures import Failure
from protocol.record import genesis
from protocol.record.genesis import Genesis
from protocol.record.judgement import has_shared
from protocol.record.referee import Duplicate, Referee
from protocol.record.standing import TWO
from protocol.record.statements import Record, parse_record
from protocol.replication.gossip import End, Gossip, RipeRecord, Send
from protocol.replication.proofs import Incoming, Judgement, Trial
from protocol.replication.replica import Status
from protocol.seat.follower import Follower, reread
from protocol.storage.watched import WatchedStore
from protocol.wire.encoding import ENTRY, PROOF, STATEMENT, Frame

HOST = 0
"""The end of a spectator's single link, for Gossip."""


class Onlooker:
    """A match as a spectator sees it: `copy` holds the public record."""

    def __init__(
        self, store: WatchedStore, games: Mapping[str, Game[Any]], clock: Callable[[], float]
    ) -> None:
        """Owns `store` and closes it in the end.  Raises a Refusal for a bad record on the disk."""
        self.on_change: Callable[[], None] = lambda: None
        """Called after every change that a spectator could see."""
        self.store = store
        self.status = Status.CONNECTING
        self.trouble: Failure | Refusal | None = None
        """The reason why there is no link, or why the last frame was refused."""
        self.since = clock()
        """The time at which `status` last changed."""
        self.elsewhere = False
        """Whether the caller does long work: it calls `work` after frames, and `judged` or `ripened` then."""
        self._ripe = list[RipeRecord]()
        """Heavy records that wait for `work`."""
        self._clock = clock
        self._proofs = Incoming()
        self._new: list[Frame] = []
        """Records that are not on the disk yet."""
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
    def referee(self) -> Referee:
        """The referee over the record."""
        return self.copy.referee

    @property
    def finished(self) -> bool:
        """Whether the record is complete."""
        return self.copy.complete

    def linked(self, send: Send) -> None:
        """Use a link to the host; `send` queues frames."""
        self._gossip.opened(HOST, send)
        send(bytes(Sync(self.match.id, self.copy.position()).frame))

    def received(self, frames: list[Frame], _: End = HOST) -> None:
        """Take frames of the host.  Raises StorageFailure, or a Refusal, after which the link is useless."""
        try:
            for frame in frames:
                self._take(frame)
        finally:
            self._flush()

    def unlinked(self, reason: Failure | Refusal) -> None:
        """Note that the link is gone, or could not be made."""
        self._gossip.closed(HOST)
        self._proofs.closed(HOST)
        self.trouble = reason
        if self.status is Status.CONNECTED:
            self._enter(Status.AWAY)
        if self.finished:
            self._enter(Status.OVER)
        self.on_change()

    def _flush(self) -> None:
        new, self._new = self._new, []
        if new:
            self.store.append(new)
        self.on_change()

    def _take(self, frame: Frame) -> None:
        line = self._gossip.lines[HOST]
        if frame.kind == SYNC and not line.compared:
            sync = read_sync(frame.payload)
            if sync.match != self.match.id:
                raise Malformed("The host shows another match than this one.")
            self._gossip.compared(HOST, sync.position)
            self.trouble = None
            self._enter(Status.CONNECTED)
        elif frame.kind == PROOF and line.compared and len(self.match.players) > TWO:
            self._gossip.vain(HOST)
            self._proofs.take(HOST, frame)
            self._try_proofs()
        elif frame.kind not in (ENTRY, STATEMENT) or not line.compared:
            raise Malformed("The host sent what a spectator does not need, or not yet.")
        else:
            self._go_on(self._admit(parse_record(frame)))

    def _go_on(self, progress: bool) -> None:
        while progress:
            progress = False
            for ripe in self._gossip.ripe(self.referee):
                if self.elsewhere and ripe.heavy:
                    self._ripe.append(ripe)
                else:
                    progress = self._admit(ripe.record, again=True) or progress
        self._try_proofs()

    def _try_proofs(self) -> None:
        while not self.elsewhere and (trial := self._trial()) is not None:
            self.judged(trial, trial.run())

    def work(self) -> Trial | RipeRecord | None:
        """The next long check, if the caller does such work; each is given once."""
        if not self.elsewhere:
            return None
        return self._ripe.pop(0) if self._ripe else self._trial()

    def ripened(self, ripe: RipeRecord) -> None:
        """Go on with a heavy record from `work` whose proof was checked.  Raises as `received`."""
        try:
            if HOST in self._gossip.lines:  # else a new link brings it again
                self._go_on(self._admit(ripe.record, again=True))
        finally:
            self._flush()

    def _trial(self) -> Trial | None:
        """A PROOF that can be judged now, or None."""
        if self.copy.fault is not None or self.referee.breach is not None:
            self._proofs.clear()
        return self._proofs.trial(self.referee)

    def judged(self, trial: Trial, judgement: Judgement, _: End = HOST) -> None:
        """Take the `judgement` of `trial`.  Raises Malformed if it proves no fault, and StorageFailure."""
        if not isinstance(judgement, Violation | Equivocation):
            self._proofs.distrust(HOST)
            raise Malformed("The host sent a proof of a fault that proves none.") from judgement
        if not has_shared(self.referee, trial.proof.evidence):
            self._proofs.again(trial)  # a Gone came meanwhile
            return
        try:
            self.copy.admit(trial.proof, proved=judgement)
        except (Violation, Equivocation):
            self._new.append(trial.proof.frame)
            if self.elsewhere:
                self._flush()
        except Misplaced:
            return  # another fault ended the match meanwhile

    def _admit(self, record: Record, *, again: bool = False) -> bool:
        """Admit a record, and return whether it is new."""
        if self.copy.fault is not None:
            self._gossip.vain(HOST)
            return False
        try:
            self.copy.admit(record)
        except (Violation, Equivocation):
            self._new.append(record.frame)
            return False
        except Duplicate:
            self._gossip.vain(HOST)
            return False
        except Misplaced:
            self._gossip.came_early(HOST, record, again=again)
            return False
        self._new.append(record.frame)
        return True

    def _enter(self, status: Status) -> None:
        if status is not self.status:
            self.status, self.since = status, self._clock()

    def close(self) -> None:
        """Let others open the match."""
        self.store.close()
