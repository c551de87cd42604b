"""Proofs of a fault between copies that may hold different chains: on their way out, and those that came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from protocol.errors import Equivocation, Malformed, Violation
from protocol.limits import MAX_PROOFS
from protocol.record import judgement
from protocol.record.evidence import Proof, read_proof
from protocol.record.gathering import differs_at, full_proof
from protocol.record.genesis import Genesis
from protocol.record.referee import Referee
from protocol.record.statements import Record
from protocol.seat.follower import Follower
from protocol.wire.encoding import Frame

Judgement: TypeAlias = Violation | Equivocation | Malformed | judgement.NoProof
"""What a PROOF shows, or why it shows nothing."""


@dataclass(slots=True)
class Outgoing:
    """What has gone over one link of the proof that our copy holds."""

    begun: bool = False
    common: int | None = None
    """The number of our entries that the other side has, if its chain differs or may differ; None: all."""
    forked: int | None = None
    """The lowest place where a record of the other side differs from our record there."""
    sent_for: int | None = None
    """The value of `forked` for which the last PROOF was sent."""
    sent: int = 0
    """The number of PROOFs that were sent."""

    def came(self, copy: Follower, record: Record) -> None:
        """Note `record`, which came after our match had ended: it can show where the chains part."""
        place = differs_at(copy.referee, record)
        if place is not None and (self.forked is None or place < self.forked):
            self.forked = place

    def due(self, copy: Follower) -> Iterator[Frame]:
        """The frames to send now: the proving records, once, and a PROOF for each chain that may be there."""
        if self.begun and self.sent_for == self.forked:
            return
        shared = [self.forked]
        if not self.begun:
            yield from copy.evidence
            shared = [None, self.common, self.forked]
        for proof in dict.fromkeys(map(copy.proof, shared)):
            if proof is not None and self.sent < MAX_PROOFS:
                self.sent += 1
                yield proof
        self.begun, self.sent_for = True, self.forked


@dataclass(frozen=True, slots=True)
class Trial:
    """A PROOF from `end`, with the records that it shares with our copy.

    To judge it, all these records are played again.  `run` reads nothing of our copy, so another thread may
    call it (threat 112).
    """

    end: int
    proof: Proof
    genesis: Genesis
    records: tuple[Frame, ...]

    def run(self) -> Judgement:
        """The judgement of the PROOF."""
        known = len(self.records) - len(self.proof.evidence.records)
        try:
            return judgement.judge(self.genesis, self.records, known)
        except (Malformed, judgement.NoProof) as refusal:
            return refusal


class Incoming:
    """The PROOFs that came over the links of one copy.

    By end of a link, the last PROOF waits until our copy has the entries that it shares.
    """

    def __init__(self) -> None:
        self._taken = Counter[int]()
        self._waiting: dict[int, Proof] = {}
        """Parsed, as each record that comes tries them again (threat 106)."""
        self._distrusted: set[int] = set()
        """The ends that sent a PROOF which proves nothing."""

    def take(self, end: int, frame: Frame) -> None:
        """Take a PROOF from `end`.  Raises Malformed for too many, or for a malformed PROOF."""
        self._taken[end] += 1
        if self._taken[end] > MAX_PROOFS:
            raise Malformed("The other side sends too many proofs of one fault.")
        if end not in self._distrusted:
            self._waiting[end] = Proof(frame, read_proof(frame.payload))

    def closed(self, end: int) -> None:
        """Forget the link to `end`."""
        self._waiting.pop(end, None)
        self._taken.pop(end, None)

    def clear(self) -> None:
        """Drop all PROOFs: none is needed any more."""
        self._waiting.clear()

    def trial(self, referee: Referee) -> Trial | None:
        """A waiting PROOF whose shared entries our copy has, taken out; or None."""
        for end, proof in self._waiting.items():
            if judgement.has_shared(referee, proof.evidence):
                del self._waiting[end]
                return Trial(end, proof, referee.genesis, tuple(full_proof(referee, proof.evidence)))
        return None

    def distrust(self, end: int) -> None:
        """Judge no PROOF of `end` any more, since its PROOF proves no fault: a liar costs one judgement."""
        self._distrusted.add(end)
        self._waiting.pop(end, None)

    def again(self, trial: Trial) -> None:
        """Let the PROOF of `trial` wait again: our copy has lost entries that it shares."""
        self._waiting.setdefault(trial.end, trial.proof)
