"""One copy of a match that follows the record: it admits, compares, and gives what another copy lacks.

It needs no seat and signs nothing: a spectator or a relay uses it as it is, and a session plays a seat on top
of it.  What it knows of each other copy stands in one object a link.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p_stratego.core.game import Outcome, Seat
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Equivocation, Malformed, Misplaced, Violation
from protocol.record import receipts, statements
from protocol.record.endings import cheated
from protocol.record.entries import Entry, parse_entry
from protocol.record.genesis import Genesis
from protocol.record.position import Position
from protocol.record.referee import Referee
from protocol.record.statements import Statement
from protocol.wire import labels
from protocol.wire.encoding import Frame


@dataclass(slots=True)
class Remote:
    """What is known of the copy at the other end of one link."""

    goal: Position | None = None
    """How far that copy says it goes, while some of it is missing here."""
    shown: tuple[bytes, bytes] | None = None
    """Our newest entry and statement that it says it holds: payloads, empty where there is none."""
    live: bool = False
    """Whether it is connected, was compared, and nothing that it announced is missing here."""
    unkept: bool = False
    """Whether it announced what never came: then it is not waited for until an announcement comes true."""
    receipt: tuple[int, bytes] | None = None
    """The newest receipt of its seat, not yet verified: a count of entries, and a signature (64 bytes)."""


class Follower:
    """A match as far as the records that were admitted here tell."""

    def __init__(self, genesis: Genesis) -> None:
        self.genesis = genesis
        self.referee = Referee(genesis)
        self.fault: Violation | Equivocation | None = None
        """The proven fault that ended the match; nothing follows it."""
        self.remotes: dict[Seat, Remote] = {}
        """By the seat at the other end: one object a link."""

    def remote(self, seat: Seat) -> Remote:
        """What is known of the copy of `seat`."""
        return self.remotes.setdefault(seat, Remote())

    @property
    def behind(self) -> bool:
        """Whether another copy has announced what is missing here."""
        return any(remote.goal is not None for remote in self.remotes.values())

    @property
    def live(self) -> bool:
        """Whether a compared copy is connected."""
        return any(remote.live for remote in self.remotes.values())

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None: by the rules, a statement, or a proven fault."""
        if self.fault is not None and self.referee.breach is None:
            rule = self.fault.rule if isinstance(self.fault, Violation) else "equivocation"
            return cheated(len(self.genesis.players), self.fault.seat, rule)
        return self.referee.outcome

    def admit(self, frame: Frame, *, verified: bool = False) -> Entry | Statement:
        """Admit a record.  Raises as Referee.admit does; a Violation or Equivocation ends the match.

        `verified`: the caller has just made the signature.
        """
        if self.fault is not None:
            raise Misplaced("The match ended with a proven fault; nothing is added to it.")
        try:
            return self.referee.admit(frame, verified=verified)
        except (Violation, Equivocation) as fault:
            self.fault = fault
            raise

    def position(self) -> Position:
        """How far the record goes."""
        referee = self.referee
        return Position(referee.count, referee.head, tuple(map(len, referee.statements)))

    def missing(self, theirs: Position) -> list[Frame]:
        """The records that a copy at `theirs` lacks.  Raises Misplaced if the chains differ, or Malformed."""
        self._compare(theirs)
        return [record.frame for record in self.referee.record if theirs.lacks(record)]

    def newest(self, seat: Seat) -> tuple[bytes, bytes]:
        """The payloads of the newest entry and the newest statement of `seat`; empty where there is none."""
        entry = self.referee.newest_entry(seat)
        said = self.referee.statements[seat]
        return b"" if entry is None else entry.payload, said[-1].payload if said else b""

    def lacks(self, seat: Seat, shown: tuple[bytes, bytes]) -> bool:
        """Whether an entry or a statement of `seat`, each a payload or empty, is missing here.

        Raises Malformed unless the key of `seat` has signed both.
        """
        referee, (entry, said), missing = self.referee, shown, False
        if entry:
            theirs = parse_entry(entry)
            self._require_signed(theirs.seat, seat, labels.SIGN_ENTRY, entry)
            missing = theirs.number >= referee.count or referee.entries[theirs.number].body != theirs.body
        if said:
            statement = statements.parse(said)
            self._require_signed(statement.seat, seat, labels.SIGN_STATEMENT, said)
            own = referee.statements[seat]
            known = statement.index < len(own) and own[statement.index].body == statement.body
            missing = missing or not known
        return missing

    def announced(self, seat: Seat, theirs: Position, *, patient: bool = False) -> None:
        """The copy of `seat` says that it goes as far as `theirs`.  Raises as `missing` does.

        What is missing here is waited for, unless that copy has announced before what never came: otherwise
        a liar could keep us waiting for ever.  `patient`: wait in any case.
        """
        remote = self.remote(seat)
        if len(theirs.statements) == len(self.genesis.players) and (patient or not remote.unkept):
            remote.goal = theirs
        self._compare(theirs)

    def catch_up(self) -> bool:
        """Take note of announcements that have come true; whether there is one."""
        reached = [remote for remote in self.remotes.values() if remote.goal and self._covers(remote.goal)]
        for remote in reached:
            remote.goal, remote.live, remote.unkept = None, True, False
        return bool(reached)

    def give_up(self) -> None:
        """Wait no longer for what was announced and has not come."""
        for remote in self.remotes.values():
            remote.unkept = remote.unkept or remote.goal is not None
            remote.goal = None

    def acknowledged(self, seat: Seat, count: int, receipt: bytes) -> None:
        """`seat` says with `receipt` (64 bytes) that it has `count` entries; it is verified when needed."""
        self.remote(seat).receipt = count, receipt

    def receipt(self, seat: Seat) -> bytes | None:
        """The proof that `seat` knew what it owes: its receipt, nothing if the record shows it, or None."""
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

    def _covers(self, goal: Position) -> bool:
        return self.position().covers(goal) and self.referee.heads[goal.count] == goal.head

    def _compare(self, theirs: Position) -> None:
        referee = self.referee
        if len(theirs.statements) != len(self.genesis.players):
            raise Malformed("The other side speaks of another number of seats.")
        if theirs.count <= referee.count and referee.heads[theirs.count] != theirs.head:
            raise Misplaced("The other side's record of this match is not the same as ours.")
