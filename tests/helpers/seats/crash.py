"""Two seats whose processes die, and whose link breaks, at any place that a test chooses.

The table persists a seat's outputs one at a time, as a store does, and only then sends them; a crash forgets
the rest.  It remembers every persisted or sent record, so it finds a second, different signature for one
place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.record import statements
from protocol.record.entries import parse_entry
from protocol.record.evidence import read_record
from protocol.seat.effects import Duty, Output
from protocol.wire.encoding import ENTRY, Frame, read_frame
from tests.helpers.cheats.bout import compare, judge_all
from tests.helpers.seats.pair import Seat, Table

Place = tuple[int, int, int]
"""Kind of frame, seat, number or index."""
Strike = Callable[[int, int, bool], bool]
"""Whether to crash: the seat, how many outputs it has given out before, and whether this one is persisted."""


def once(*moments: tuple[int, int, bool]) -> Strike:
    """Crash at these moments, at each of them one time."""
    left = set(moments)

    def strike(*at: Any) -> bool:
        due = at in left
        left.discard(at)
        return due

    return strike


class Died(Exception):
    """The process of a seat is gone."""


def place(frame: Frame) -> Place:
    if frame.kind == ENTRY:
        entry = parse_entry(frame.payload)
        return ENTRY, entry.seat, entry.number
    statement = statements.parse(frame.payload)
    return frame.kind, statement.seat, statement.index


class Frail(Table):
    """A table for two that survives crashes; `strike`: when to crash; `lossy`: whether frames under way to
    the survivor are lost.
    """

    strike: Strike = staticmethod(lambda *_: False)
    lossy: bool = True
    crashes: int = 0
    given: list[int]
    signed: dict[Place, bytes]

    def prepare(self, strike: Strike, *, lossy: bool = True) -> Frail:
        """Start with a connection that has just been made."""
        self.strike, self.lossy = strike, lossy
        self.given, self.signed = [0, 0], {}
        for seat in self.seats:
            seat.session.pause()
        self.reconnect()
        return self

    def deliver(self, seat: Seat) -> None:
        """Persist and send output by output; after a crash, restart from the persisted data."""
        try:
            self._give_out(seat)
        except Died:
            self.crashes += 1
            self.under_way[seat.seat].clear()
            seat.restart()
            self.reconnect()

    def _give_out(self, seat: Seat) -> None:
        for output in seat.session.outputs():
            self.made(seat, output)
            self._maybe_die(seat, persisted=False)
            if output.duty is Duty.SECRET:
                seat.vault.append(output.data)
                self._maybe_die(seat, persisted=True)
                self.given[seat.seat] += 1
                continue
            frame = read_frame(output.data, 0)
            assert frame is not None
            self.sign_once(frame)
            seat.log.append(frame)
            self._maybe_die(seat, persisted=True)
            self.given[seat.seat] += 1
            if output.duty is Duty.SEND:
                self.under_way[1 - seat.seat].append(frame)

    def made(self, seat: Seat, output: Output) -> None:
        """A seat is about to give this out; a test may take note."""

    def _maybe_die(self, seat: Seat, *, persisted: bool) -> None:
        if self.strike(seat.seat, self.given[seat.seat], persisted):
            self.given[seat.seat] += 1
            raise Died

    def sign_once(self, frame: Frame) -> None:
        """Assert that every place has one body only."""
        body = frame.payload[:-SIGNATURE_BYTES]
        assert self.signed.setdefault(place(frame), body) == body

    def reconnect(self) -> None:
        """Make a new link: both compare positions, then each sends the records that the other lacks."""
        for seat, queue in zip(self.seats, self.under_way, strict=True):
            while queue and not self.lossy:  # arrived frames are read before the end of the link
                seat.session.receive(read_record(queue.popleft()))
            queue.clear()
            seat.session.pause()
            seat.session.agree()
            self.deliver_quietly(seat)
        first, second = (seat.session for seat in self.seats)
        positions = first.position(), second.position()
        lacking = first.missing(positions[1]), second.missing(positions[0])
        first.go_live(positions[1])
        second.go_live(positions[0])
        self.under_way[1].extend(lacking[0])
        self.under_way[0].extend(lacking[1])

    def deliver_quietly(self, seat: Seat) -> None:
        """Persist records signed before the link came up; they are sent among those that the other lacks."""
        for frame in seat.persist():
            self.sign_once(frame)


def assert_finished(table: Frail) -> None:
    reports = judge_all(table.seats, every_signature=True)
    assert [report.exit_code for report in reports] == [0, 0]
    assert reports[0].outcome == reports[1].outcome
    assert reports[0].checks.ends == reports[1].checks.ends == 2
    assert compare(reports).agree
