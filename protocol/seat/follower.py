"""A copy of a match that follows the record: it admits and compares records, and gives missing records out.

It needs no seat and signs nothing: a spectator uses it as it is, and a session plays a seat on top of it.  It
keeps one Remote for each link.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext, suppress
from dataclasses import dataclass

from p2p_stratego.core.game import Outcome, Seat
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.crypto.proofs.verification import admitted_before
from protocol.errors import Equivocation, Malformed, Misplaced, Violation
from protocol.record import judgement, receipts, statements
from protocol.record.entries import parse_entry
from protocol.record.evidence import Evidence, Proof, read_record
from protocol.record.gathering import extend, gather, outcome_with_fault
from protocol.record.genesis import Genesis
from protocol.record.position import Position, StatementHead
from protocol.record.referee import Referee
from protocol.record.statements import Kind, Record
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, Frame


@dataclass(slots=True)
class Remote:
    """The state of the copy at the other end of one link."""

    goal: Position | None = None
    """The position that the copy announced, while records up to it are missing here; otherwise None."""
    shown: tuple[bytes, bytes] | None = None
    """The newest entry and statement of our seat that it shows: payloads, empty if it holds none."""
    live: bool = False
    """Whether the copy is connected and compared, and has sent every record that it announced."""
    unkept: bool = False
    """Whether it failed to send announced records: we wait for it again once it keeps an announcement."""
    fresh: bool = True
    """Whether its announcement is of now: a post can be of any age."""
    receipt: tuple[int, bytes] | None = None
    """The newest receipt of its seat, unverified: a count of entries and a signature (64 bytes)."""


def reread(recorded: Iterable[Frame], admit: Callable[[Record | Proof], object]) -> None:
    """Admit the records of our own disk with `admit`.  Raises a Refusal for an invalid record.

    Only admitted records are written, so the proofs of all entries but the last hold: a long match with cards
    is back in a second, not in a minute.  The last entry may be the fault that ended the match.
    """
    frames = [*recorded]
    last = max((number for number, frame in enumerate(frames) if frame.kind == ENTRY), default=0)
    for number, frame in enumerate(frames):
        with (
            suppress(Violation, Equivocation),  # kept in `fault`; no record follows it
            admitted_before() if number < last else nullcontext(),
        ):
            admit(read_record(frame))


class Follower:
    """A match, as it follows from the records that this copy has admitted."""

    def __init__(self, genesis: Genesis) -> None:
        self.genesis = genesis
        self.referee = Referee(genesis)
        self.fault: Violation | Equivocation | None = None
        """The proven fault that ended the match; no record follows it."""
        self.evidence: tuple[Frame, ...] = ()
        """The records that prove the fault to a copy with all our records: the faulty record or, of an
        equivocation, both versions.
        """
        self._gathered: Evidence | None = None
        self.remotes: dict[Seat, Remote] = {}
        """By the seat at the other end of the link."""

    def remote(self, seat: Seat) -> Remote:
        """The state of the copy of `seat`."""
        return self.remotes.setdefault(seat, Remote())

    @property
    def behind(self) -> bool:
        """Whether a copy has announced records that are missing here."""
        return any(remote.goal is not None for remote in self.remotes.values())

    @property
    def live(self) -> bool:
        """Whether a compared copy is connected."""
        return any(remote.live for remote in self.remotes.values())

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended (by the rules, a statement, or a proven fault), or None."""
        if self.fault is None:
            return self.referee.outcome
        rule = self.fault.rule if isinstance(self.fault, Violation) else "equivocation"
        return outcome_with_fault(self.referee, self.fault.seat, rule)

    @property
    def complete(self) -> bool:
        """Whether a fault is proven, or each seat that has to sign an END has signed it for this outcome.

        A seat that has resigned may go home for good before play is over: nobody waits for its END.
        """
        outcome, statements_of, referee = self.outcome, self.referee.statements, self.referee
        if outcome is None or outcome.reason == "unresponsive":
            return False
        if self.fault is not None:
            return True
        end = Kind.END, statements.end_content(outcome)
        signers = [seat for seat in referee.signers if not referee.has_left(seat)]
        return all(end in [(known.kind, known.content) for known in statements_of[seat]] for seat in signers)

    def admit(
        self,
        record: Record | Proof,
        *,
        verified: bool = False,
        proved: Violation | Equivocation | None = None,
    ) -> None:
        """Admit a record.  Raises the same as judgement.admit; a Violation or Equivocation ends the match.

        `verified`: the caller has just made the signature; `proved`: the fault that a PROOF shows, as the
        caller has judged it.
        """
        if self.fault is not None:
            raise Misplaced("The match ended with a proven fault; nothing is added to it.")
        try:
            if proved is not None and self.referee.breach is None:
                raise proved
            judgement.admit(self.referee, record, verified=verified)
        except (Violation, Equivocation) as fault:
            self._stop(fault, record)
            raise

    def _stop(self, fault: Violation | Equivocation, record: Record | Proof) -> None:
        """Keep `fault`, and the evidence that shows it to others: `record` proves it."""
        self.fault, known = fault, self.referee.undone
        if isinstance(record, Proof):
            self._gathered = record.evidence
        elif known is not None and known[0] is fault:
            self._gathered = known[1]
        else:
            payloads = fault.payloads if isinstance(fault, Equivocation) else (record.payload,)
            self.evidence = tuple(Frame(record.frame_kind, payload) for payload in payloads)
            self._gathered = gather(self.referee, record, fault) if self.referee.many else None

    def proof(self, shared: int | None = None) -> Frame | None:
        """The PROOF of the fault, for a copy that may hold another chain.

        `shared`: that copy has at most this number of our entries.  None if there is no fault, between two
        players, or if the PROOF is too long.
        """
        if self._gathered is None:
            return None
        least = self._gathered.shared if shared is None else shared
        return extend(self.referee, self._gathered, least).frame

    def position(self) -> Position:
        """The position of this copy."""
        return _position(self.referee)

    def compare(self, theirs: Position) -> None:
        """Raise Misplaced if a copy at `theirs` differs as far as both reach, Malformed for no position."""
        if len(theirs.statements) != len(self.genesis.players):
            raise Malformed("The other side speaks of another number of seats.")
        if _differs(self.referee, theirs):
            raise Misplaced("The other side's record of this match is not the same as ours.")

    def common(self, theirs: Position, entry: bytes = b"") -> int:
        """How many of our entries a copy at `theirs` shows to have, by records over them that both hold.

        `entry`: the payload of one that it holds, or empty.
        """
        referee = self.referee
        if theirs.count <= referee.count and referee.heads[theirs.count] == theirs.head:
            return theirs.count
        shown = [known.number + 1 for known in referee.entries if known.payload == entry]
        chains = zip(referee.statements, referee.statement_heads, theirs.statements, strict=True)
        for own, heads, at in chains:
            if 0 < at.count < len(heads) and heads[at.count] == at.head:
                shown.append(own[at.count - 1].count)
        return max(shown, default=0)

    def missing(self, theirs: Position) -> list[Frame]:
        """The records that a copy at `theirs` lacks.  Raises the same as `compare`."""
        self.compare(theirs)
        return [record.frame for record in self.referee.record if theirs.lacks(record)]

    def newest(self, seat: Seat) -> tuple[bytes, bytes]:
        """The payloads of the newest entry and the newest statement of `seat`; empty where there is none."""
        entry = self.referee.newest_entry(seat)
        own = self.referee.statements[seat]
        return b"" if entry is None else entry.payload, own[-1].payload if own else b""

    def lacks(self, seat: Seat, shown: tuple[bytes, bytes]) -> bool:
        """Whether an entry or a statement of `seat`, each a payload or empty, is missing here.

        Raises Malformed unless the key of `seat` has signed both.
        """
        referee, (entry, payload), missing = self.referee, shown, False
        if seat in referee.table.gone:  # others may hold records of it from before its Gone was known
            return False
        if entry:
            theirs = parse_entry(entry)
            self._require_signed(theirs.seat, seat, labels.SIGN_ENTRY, entry)
            missing = theirs.number >= referee.count or referee.entries[theirs.number].body != theirs.body
        if payload:
            statement = statements.parse(payload)
            self._require_signed(statement.seat, seat, labels.SIGN_STATEMENT, payload)
            own = referee.statements[seat]
            known = statement.index < len(own) and own[statement.index].body == statement.body
            missing = missing or not known
        return missing

    def announced(self, seat: Seat, theirs: Position, *, patient: bool = False) -> None:
        """Note that the copy of `seat` announced `theirs`.  Raises the same as `missing`.

        If that copy failed to send announced records before, we do not wait for them: a liar could make us
        wait for ever.  `patient`: wait in any case.
        """
        remote = self.remote(seat)
        if len(theirs.statements) == len(self.genesis.players) and (patient or not remote.unkept):
            remote.goal = theirs
            self._drop_superseded()
        self.compare(theirs)

    def catch_up(self, arrived: Referee | None = None) -> list[Remote]:
        """Clear announcements whose records have all arrived; return their copies.

        `arrived`: this copy with the records that its seat holds back.
        """
        there = arrived or self.referee
        self._drop_superseded()
        reached = [remote for remote in self.remotes.values() if remote.goal and _covers(there, remote.goal)]
        for remote in reached:
            remote.goal, remote.live, remote.unkept = None, True, False
        return reached

    def _drop_superseded(self) -> None:
        """Clear announcements of records behind a record that a Gone of ours replaced: they never come."""
        for remote in self.remotes.values():
            if remote.goal is not None and _is_superseded(self.referee, remote.goal):
                remote.goal, remote.live = None, True

    def rewound(self, seat: Seat, count: int) -> bool:
        """Clear the announcement of `seat` if its copy has fewer entries now, `count`: a Gone took the place
        of one, and what rested on it never comes (threat 116).  Return whether there was such a one.

        That seat is not waited for again, or a liar could announce and take back for ever.
        """
        remote = self.remote(seat)
        if remote.goal is None or remote.goal.count <= count:
            return False
        remote.goal, remote.live, remote.unkept = None, True, True
        return True

    def give_up(self, seat: Seat) -> None:
        """Stop waiting for records that the copy of `seat` announced and that have not arrived."""
        remote = self.remote(seat)
        remote.unkept = remote.unkept or remote.goal is not None
        remote.goal = None

    def acknowledged(self, seat: Seat, count: int, receipt: bytes) -> None:
        """Keep the `receipt` (64 bytes) of `seat` for `count` entries; an AWAY may need it verified."""
        self.remote(seat).receipt = count, receipt

    def receipt(self, seat: Seat) -> bytes | None:
        """Proof that `seat` knew its obligation: its receipt, b"" if the record proves it, else None."""
        referee = self.referee
        if referee.has_acknowledged(seat):
            return b""
        if referee.ended_by_word:
            return None  # a receipt is for entries
        count, receipt = self.remote(seat).receipt or (0, b"")
        if count != referee.count or len(receipt) != SIGNATURE_BYTES:
            return None
        return receipt if receipts.is_signed(self.genesis, seat, count, referee.head, receipt) else None

    def _require_signed(self, named: Seat, seat: Seat, label: bytes, payload: bytes) -> None:
        if named != seat or not self.genesis.signed(seat, label, payload):
            raise Malformed("The other side shows as ours what our key did not sign.")


def _position(referee: Referee) -> Position:
    newest = tuple(StatementHead(len(heads) - 1, heads[-1]) for heads in referee.statement_heads)
    return Position(referee.count, referee.head, newest)


def _covers(referee: Referee, goal: Position) -> bool:
    return _position(referee).covers(goal) and not _differs(referee, goal)


def _differs(referee: Referee, theirs: Position) -> bool:
    """Whether a copy at `theirs` has another chain, or other statements of a seat, as far as both reach."""
    chains = [(referee.heads, theirs.count, theirs.head)]
    for heads, announced in zip(referee.statement_heads, theirs.statements, strict=True):
        chains.append((heads, announced.count, announced.head))
    return any(count < len(heads) and heads[count] != head for heads, count, head in chains)


def _is_superseded(referee: Referee, goal: Position) -> bool:
    """Whether a copy at `goal` has another chain than ours, and ours has a Gone below that count."""
    if goal.count > referee.count or referee.heads[goal.count] == goal.head:
        return False
    return any(number < goal.count for number in referee.table.gone.values())
