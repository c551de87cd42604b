"""A crash leaves a late record in a copy without the BACK by which it stays: the seat signs nothing on it."""

from __future__ import annotations

import pytest

from p2p_stratego.core.game import Choose
from protocol.failures import NotNow
from protocol.record.evidence import read_record
from tests.helpers.games.scripted import Scripted
from tests.helpers.seats.pair import Table

LATE, LEAVES = 1, 2


def test_row_95_who_is_bound_calls_nobody_away_either_when_two_are_left() -> None:
    """An AWAY over a later count would prove that it had it both ways, and freeze its own copy for good."""
    game = Scripted([Choose(seat, ("on",)) for seat in (LATE, LEAVES, LATE)])
    made = Table(1, game=game, seats=3, decide=lambda *_: "on").hold()
    bound, late, leaves = made.seats
    bound.session.claim_away(60)
    bound.persist()
    late.session.decide("on")
    (entry,) = late.persist()
    bound.log.append(entry)  # the crash came between this record and the next one
    bound.restart()
    bound.session.go_live()
    assert bound.session.referee.absences.bound(bound.seat)
    leaves.session.receive(read_record(entry))
    leaves.session.resign()
    for frame in leaves.persist():
        for seat in (bound, late):
            seat.session.receive(read_record(frame))
    assert bound.session.referee.waited_for == (LATE,)
    late.session.say("I am here")
    for frame in late.persist():
        bound.session.receive(read_record(frame))
    assert bound.session.claimable == LATE
    with pytest.raises(NotNow):
        bound.session.claim_away(60)
    assert not bound.persist()
