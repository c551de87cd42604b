"""Vectors of matches in which decisions are taken back, and of takebacks that are faults."""

from __future__ import annotations

from collections.abc import Iterator

from p2p_stratego.core.game import Seat
from protocol.record.asks.takeback import TakeBack
from tests.helpers.seats.pair import Table
from tests.helpers.seats.takebacks import takers
from tests.vectors.records.open_points import Copy
from tests.vectors.records.players import REAL, WALL, Drawn, player


def played(name: str, seats: int, *, takebacks: bool = True, most: int = 6) -> Table:
    """A match; of the first chances to take a decision back every few are taken, `most` in all."""
    decide = [player(f"vector takebacks {name}-{seat}") for seat in range(seats)]
    table = Table(1, game=REAL, options=WALL, seats=seats, decide=decide, takebacks=takebacks)
    numbers, taken = Drawn(f"vector takebacks {name}"), 0
    for seat in takers(table):
        if taken < most and numbers.below(5) == 0:
            seat.session.take_back()
            table.hold()
            taken += 1
    return table


def transcripts() -> Iterator[tuple[str, bytes]]:
    """By the name of the file."""
    for seats in (2, 3):
        yield f"complete-takebacks-of-{seats}", played(f"of {seats}", seats).seats[0].transcript
    made = _under_way(takebacks=True)
    owner = _owner(made)
    own, other = (_last(made, seat) for seat in (owner, 1 - owner))
    yield "incomplete-takeback", _copy(made).enter(owner, TakeBack(own)).transcript
    yield "cheated-false-takeback", _copy(made).enter(owner, TakeBack(other)).transcript
    twice = _copy(made).enter(owner, TakeBack(own))
    if twice.referee.owed is None or twice.referee.owed.seat != owner:
        raise AssertionError("another seat owes the entry behind the takeback")
    yield "cheated-false-takeback-twice", twice.enter(owner, TakeBack(own)).transcript
    people = _under_way(takebacks=False)
    yield (
        "cheated-wrong-message-takeback",
        _copy(people).enter(_owner(people), TakeBack(people.seats[0].session.referee.count - 1)).transcript,
    )


def _under_way(*, takebacks: bool) -> Table:
    """A match in which a seat owes a Choice and has made one before."""
    decide = [player(f"vector takebacks under way-{seat}") for seat in range(2)]
    table = Table(1, game=REAL, options=WALL, decide=decide, takebacks=takebacks)
    return table.play(steps=40).hold()


def _owner(made: Table) -> Seat:
    owed = made.seats[0].session.referee.owed
    if owed is None:
        raise AssertionError("play is over")
    return owed.seat


def _last(made: Table, seat: Seat) -> int:
    referee = made.seats[0].session.referee
    return max(at for at in referee.table.takeable if referee.entries[at].seat == seat)


def _copy(made: Table) -> Copy:
    return Copy(made, made.seats[0].log)
