"""The heavy part of a match with cards: replies that another process makes, and proofs that it checks.

Nothing here waits or starts a process: the caller takes a job or a proof, has it done, and returns the
result.  A session whose caller has no processes does the work itself, with the same bytes as a result.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from p2p_stratego.core.game import Face, Seat, Slot
from protocol.crypto.group.received import ProofError
from protocol.crypto.proofs.card import CARD_BYTES
from protocol.crypto.proofs.shuffle import FEWEST, Preparation, PreparationJob, ShuffleJob
from protocol.crypto.proofs.verification import CardProof, remember
from protocol.crypto.workers import Job
from protocol.errors import Malformed
from protocol.record.asks.base import BrokenRule, Obligation
from protocol.record.asks.registry import CODEC, KINDS
from protocol.record.entries import parse_entry
from protocol.record.referee import Referee
from protocol.seat import replies
from protocol.seat.secrets import MatchSecrets
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, Frame
from protocol.wire.messages import Message

HEAVY: Final = 600
"""Bytes of a record: a shorter record has no proof whose check takes more than a few milliseconds."""


class Jobs:
    """The replies of one seat.  Each is made once: a signed reply is kept and read back (threat 74)."""

    def __init__(self) -> None:
        self.elsewhere = False
        """Whether another process makes heavy replies for the caller."""
        self.job: Job[Any] | None = None
        """The job for the message that the seat owes."""
        self._head = b""
        """The head behind which the job, or its message, has its place."""
        self._owed: Obligation | None = None
        self._message: Message | None = None
        self._prepared: Preparation | None = None
        """The prepared part of our next shuffle of a deck; it is on no disk, and serves once."""
        self._most = 0
        """The most cards that we have shuffled at once."""

    def reply(
        self, secrets: MatchSecrets, referee: Referee, owed: Obligation, own: Mapping[Slot, Face]
    ) -> Message | None:
        """The owed message; None until the player has decided, or while `job` is to be done."""
        if self.elsewhere:
            if (self._head, self._owed) == (referee.heads[-1], owed):
                return self._message
            making = KINDS[owed.message].job
            job = None if making is None else making.job(secrets, referee.table, owed, own)
            if isinstance(job, ShuffleJob):
                job = self._with_prepared(job)
            self._message = None
            if job is not None or not isinstance(self.job, PreparationJob):
                self.job = job  # else the preparation goes on: one for each head (see PreparationJob)
            if job is not None:
                self._head, self._owed = referee.heads[-1], owed
                return None
        return replies.reply(secrets, referee, owed, own)

    def prepare(self, secrets: MatchSecrets, referee: Referee, seat: Seat) -> None:
        """Have our next shuffle of a deck prepared, unless shuffles under way keep all processes busy."""
        owed, cards = referee.owed, referee.table.cards
        if not self.elsewhere or self.job is not None or not cards.decks:
            return
        if owed is None or owed.statement is not None:
            return
        key, count = cards.joint, max(self._most, *map(len, cards.decks.values()))
        if self._prepared is not None and self._prepared.key == key:  # else it was for the match before
            return
        if count >= FEWEST:
            self.job = PreparationJob(referee.heads[-1], key, count, secrets.nonces(referee.genesis.id, seat))

    def _with_prepared(self, job: ShuffleJob) -> ShuffleJob:
        """`job` with the prepared part, if that fits; the prepared part is used up in any case."""
        count = len(job.cards) // CARD_BYTES
        if self._prepared is None or self._prepared.key != job.key:
            return job
        self._most, prepared = max(self._most, count), self._prepared
        self._prepared = None  # also if it is for too few cards: the next preparation is for more
        return job._replace(prepared=prepared) if count <= len(prepared.places) else job

    def finish(self, job: Job[Any], result: object) -> None:
        """Take the `result` of `job`; no effect if the match has gone on without it."""
        if isinstance(job, PreparationJob):
            self._prepared = cast("Preparation", result)
            self.job = None if self.job is job else self.job
            return
        making = None if self._owed is None else KINDS[self._owed.message].job
        if job is self.job and self._owed is not None and making is not None:
            self.job, self._message = None, making.message(result)
            statement = None if self._owed.statement is None else self._owed.statement(self._message)
            if statement is not None:
                remember(statement)  # our own proof holds: its check would take as long again


def proof_in(referee: Referee, frame: Frame) -> CardProof | None:
    """The heavy proof in a well signed record for the next place of the chain, or None."""
    owed = referee.owed
    if frame.kind != ENTRY or len(frame.payload) < HEAVY or owed is None or owed.statement is None:
        return None
    try:
        entry = parse_entry(frame.payload)
        message = CODEC.parse(entry.message)
        if (entry.seat, entry.number, entry.previous) != (owed.seat, referee.count, referee.heads[-1]):
            return None
        signed = referee.genesis.signed(entry.seat, labels.SIGN_ENTRY, frame.payload)
        return owed.statement(message) if signed and type(message) is owed.message else None
    except (Malformed, BrokenRule, ProofError):
        return None  # admission says what is wrong
