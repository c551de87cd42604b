"""Waiting for a silent seat among three or more: whom our seat may accuse, and what it holds back.

After an AWAY of ours, we admit the late record of the accused seat only when no Gone can take its place any
more.  Meanwhile a second copy runs ahead of ours: it admits every record, and shows when the late record is
sure (SPEC 10.10, rule 4).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from p2p_stratego.core.game import Seat
from protocol import limits
from protocol.crypto.proofs.verification import admitted_before
from protocol.errors import Equivocation, Misplaced, Refusal, Violation
from protocol.failures import NotNow, Why
from protocol.record import statements
from protocol.record.debts import debts
from protocol.record.entries import Entry
from protocol.record.evidence import Proof
from protocol.record.referee import Duplicate, Referee
from protocol.record.silence import rules
from protocol.record.statements import Content, Kind, Record
from protocol.seat.follower import Follower


def many_left(referee: Referee) -> bool:
    """Whether three or more seats are left, so no statement of a single seat ends the match."""
    return len(referee.there) >= rules.MANY


def claimable(copy: Follower, seat: Seat) -> Seat | None:
    """The seat that `seat` may accuse now by an AWAY; None if there is none, or its AWAYs are spent.

    While three or more seats are left, it is the seat that owes; then, once all accusers have signed, the
    decider; and for the decider again the seat that owes, which it can take out then.  Of two seats it is the
    other, if its signature proves that it knows its debt.  A seat that resigned is accused until it is gone.
    """
    referee = copy.referee
    if referee.left_at(seat) is not None or not referee.agreed:
        return None
    if is_spent(referee, seat) and not may_remove(referee, seat):
        return None
    if not many_left(referee):
        late = (other for other in referee.waited_for if other != seat)
        return next((other for other in late if copy.receipt(other) is not None), None)
    accusations = referee.absences.accusations(referee.count)
    if referee.owed is None:
        owing = () if seat in referee.unsettled else referee.unsettled
        return next((other for other in owing if (seat, other) not in accusations), None)
    place, away = referee.absences.place(referee.count), referee.absences.away(referee.count)
    if seat == place.owner or seat not in place.present:
        return None
    if seat not in away or may_remove(referee, seat):
        return place.owner
    decided_late = seat != place.decider and place.accusers <= away.keys()
    accuses_decider = decided_late and (seat, place.decider) not in accusations
    return place.decider if accuses_decider else None


def accused(copy: Follower, seat: Seat) -> Seat:
    """The seat that `seat` may accuse now by an AWAY.  Raises NotNow if there is none."""
    if not {*copy.referee.waited_for} - {seat}:
        raise NotNow(Why.OWN_TURN)
    if (late := claimable(copy, seat)) is None:
        raise NotNow(Why.FULL if is_spent(copy.referee, seat) else Why.NOT_ACKNOWLEDGED)
    return late


def is_spent(referee: Referee, seat: Seat) -> bool:
    """Whether `seat` has signed as many AWAYs as one seat of three or more may."""
    return referee.many and referee.kinds[seat][Kind.AWAY] >= limits.MAX_AWAYS


def is_called(referee: Referee, accused: Seat, *, by: Seat) -> bool:
    """Whether the seat `by` has signed an AWAY of `accused` over the present count."""
    return (by, accused) in referee.absences.accusations(referee.count)


def others_call(referee: Referee, accused: Seat, seat: Seat) -> bool:
    """Whether any seat but `seat` has signed an AWAY of `accused` over the present count."""
    return any(by != seat and named == accused for by, named in referee.absences.accusations(referee.count))


def decides(referee: Referee, seat: Seat) -> bool:
    """Whether a clock runs for a decision that `seat` makes beside others, before it owes the entry."""
    debt = debts(referee).get(seat) if referee.genesis.clock is not None else None
    return debt is not None and not debt.next


def receipt(copy: Follower, accused: Seat) -> bytes:
    """The receipt in an AWAY, which proves that `accused` knows its debt; b"" if three or more are left."""
    return b"" if many_left(copy.referee) else copy.receipt(accused) or b""


def cause(referee: Referee, accused: Seat) -> Content:
    """The cause in an AWAY of time; empty if `accused` owes no entry, so that its clock cannot run."""
    owes = referee.owed is not None and referee.owed.seat == accused and referee.provisional is None
    return (statements.OUT_OF_TIME,) if owes and referee.genesis.clock is not None else ()


def may_remove(referee: Referee, seat: Seat) -> bool:
    """Whether `seat` is the decider, and all accusers and itself have accused the seat that owes."""
    if referee.owed is None or not many_left(referee):
        return False
    place, away = referee.absences.place(referee.count), referee.absences.away(referee.count)
    return seat in away and rules.may_remove(place, seat, away.keys())


def holding(referee: Referee, seat: Seat) -> bool:
    """Whether `seat` has to hold back the next entry of its owner."""
    if not referee.many or referee.owed is None:
        return False
    number = referee.count
    away = referee.absences.away(number)
    return bool(away) and rules.must_hold(referee.absences.place(number), seat, away.keys())


def is_late(referee: Referee, record: Record) -> bool:
    """Whether `record` would take the next place of the chain as a record of its owner."""
    owner = None if referee.owed is None else referee.owed.seat
    if isinstance(record, Entry):
        return (record.number, record.seat) == (referee.count, owner)
    closes = record.kind is Kind.ACCEPT_DRAW and record.count == referee.count
    return record.seat == owner and (closes or record.kind is Kind.RESIGN)


class AdvanceCopy:
    """The copy that runs ahead.  It can be thrown away at any time: others give all its records again."""

    def __init__(self, ours: Referee, seat: Seat) -> None:
        self._ours, self._seat = ours, seat
        self._referee: Referee | None = None

    @property
    def reached(self) -> Referee:
        """Our record with all records that are held back."""
        return self._ours if self._referee is None else self._referee

    def holds_back(self, record: Record | Proof, take: Callable[[Record], None]) -> bool:
        """Whether `record` is dealt with; if not, the caller takes it.

        It waits if it may rest on a record that we hold back; or `take` got it, perhaps with all records that
        have waited.  Raises the same as `take`, and a Refusal of the copy that runs ahead.  A fault that
        shows only there is proven: nothing is held back any more.
        """
        ours = self._ours
        if not holding(ours, self._seat):
            self._leave(take)
            return False
        if isinstance(record, Proof):
            return False
        late = is_late(ours, record)
        if self._referee is None and not late:
            return False
        try:
            # First here: together with a held-back record this record may prove a fault (10.10, rule 6).
            self._take(record)
        except Duplicate:
            return True
        except (Violation, Equivocation):
            self._leave(take)
            return False
        except Misplaced:
            if late:
                raise
            return False
        # Nothing else shows that what was held back stays; talk costs no look at it (threat 106).
        shows = late or isinstance(record, Entry) or record.kind is Kind.BACK
        if shows and self._sure():
            self._leave(take)
        elif not late:
            with suppress(Misplaced):
                take(record)
        return True

    def follow(self, record: Record, take: Callable[[Record], None]) -> None:
        """Admit a record that our copy has admitted.  Raises as `holds_back`."""
        if self._referee is None:
            return
        try:
            self._referee.admit(record, verified=True)
        except (Violation, Equivocation):  # a held-back record proves the fault
            self._leave(take)
        except Refusal:
            pass

    def _take(self, record: Record) -> None:
        if self._referee is None:
            self._referee = Referee(self._ours.genesis, history=False)
            with admitted_before():
                for known in self._ours.record:
                    self._referee.admit(known, verified=True)
        self._referee.admit(record)

    def _sure(self) -> bool:
        """Whether the held-back record is sure to stay, or another record has taken its place."""
        ahead, number = self._referee, self._ours.count
        if ahead is None or ahead.count <= number:
            return False
        return not ahead.absences.stands(number) or ahead.absences.sure(number)

    def _leave(self, take: Callable[[Record], None]) -> None:
        """Admit all that was held back, as far as it follows: what does not, others give again."""
        if self._referee is None:
            return
        ahead, self._referee = self._referee, None
        known = {record.payload for record in self._ours.record}
        for record in tuple(ahead.record):
            if record.payload not in known:
                with suppress(Misplaced):
                    take(record)
