"""Decisions taken back where the genesis allows it: nothing else can be, and nothing is blamed for it."""

from __future__ import annotations

import random
from typing import Any, Final

import pytest

from protocol.audit.verdict import Verdict
from protocol.errors import Violation
from protocol.record.evidence import read_record
from protocol.wire.messages import Message
from tests.helpers.cheats.bout import compare, judge, judge_all
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.seats.pair import Seat, Table

TOY_MATCH: Final[dict[str, Any]] = {
    "game": TOY,
    "options": {"rounds": 2},
    "decide": honest,
    "takebacks": True,
}


def take_back_at_random(table: Table, often: int, chance: random.Random) -> int:
    """Play the match to its end; a seat that may takes a decision back, one time in `often`."""
    taken = 0
    while True:
        for seat in table.hold().seats:
            can = seat.session.referee.takeable(seat.seat) is not None and not seat.session.over
            if can and chance.randrange(often) == 0:
                seat.session.take_back()
                table.hold()
                taken += 1
        if not table.step():
            return taken


def owing(table: Table) -> Seat:
    """The seat that owes a decision; all that is under way has come."""
    while True:
        owed = table.hold().seats[0].session.referee.owed
        assert owed is not None
        seat = table.seats[owed.seat]
        if seat.session.decision is not None and seat.session.referee.takeable(seat.seat) is not None:
            return seat
        table.step()


def signed(table: Table, seat: Seat, message: Message) -> bytes:
    """What the others are told if `seat` signs `message` as the next entry, whatever the rules say."""
    session = seat.session
    frame = session._signer.entry(session.referee, message)
    other = table.seats[1 - seat.seat]
    with pytest.raises(Violation) as caught:
        other.session.receive(read_record(frame))
    other.persist()
    report = judge(other.transcript)
    assert (report.verdict, report.fault and report.fault.seat) == (Verdict.CHEATED, seat.seat)
    assert caught.value.seat == seat.seat
    return caught.value.rule.encode()


@pytest.mark.parametrize("proofs", [False, True], ids=["hashes", "proofs"])
@pytest.mark.parametrize("options", [{}, {"claims": "yes"}, {"looks": "yes", "claims": "yes"}], ids=str)
def test_a_match_with_takebacks_ends_in_order_and_every_copy_tells_the_same(
    options: dict[str, str], *, proofs: bool
) -> None:
    table = Table(4, **{**TOY_MATCH, "options": {"rounds": 2, **options}}, proofs=proofs)
    assert take_back_at_random(table, 4, random.Random(1)) > 3
    reports = judge_all(table.seats, every_signature=True)
    assert [report.verdict for report in reports] == [Verdict.COMPLETE] * 2
    assert compare(reports).agree
    assert reports[0].checks.ends == 2
