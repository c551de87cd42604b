"""A Gone takes the place of a record that shows a fault: neither a copy nor a comparison forgets it."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from p2p_stratego.core.game import Choose, Decision, Outcome
from protocol.audit import proof
from protocol.audit.comparison import compare
from protocol.audit.verdict import Verdict, audit
from protocol.errors import Violation
from protocol.record.asks.base import Decided
from protocol.record.entries import Entry
from protocol.record.evidence import read_record
from protocol.seat.follower import Follower
from protocol.seat.session import Session
from protocol.wire import transcript
from protocol.wire.encoding import Frame
from tests.helpers.cheats.away import Scene
from tests.helpers.games.players import honest
from tests.helpers.games.toy import GAMES, TOY
from tests.helpers.seats.pair import Table

CULPRIT = 1


def taboo(session: Session, decision: Decision, rng: random.Random) -> Decided:
    """It lays what the rules forbid, and an opening shows."""
    if isinstance(decision, Choose):
        return honest(session, decision, rng)
    return (session.referee.table.state.taboo,) * len(decision.slots)


@pytest.fixture(scope="module")
def scene() -> Scene:
    """A match of four that ended with a breach in entry `number`, which another seat might have replaced."""
    made = Table(1, game=TOY, seats=4, decide=[honest, taboo, honest, honest]).play()
    referee = made.seats[0].session.referee
    assert referee.breach is not None
    last = referee.entries[-1]
    assert (last.seat, referee.breach.seat) == (CULPRIT, CULPRIT)
    return Scene(made, last.number, CULPRIT, 0)


def copies(scene: Scene) -> tuple[list[Frame], list[Frame]]:
    """A copy up to the breach, and one with the Gone in its place; neither has anybody's END."""
    before = [
        frame
        for record in scene.mesh.seats[0].session.referee.record
        for frame in [record.frame]
        if (isinstance(record, Entry) and record.number < scene.number)
        or (not isinstance(record, Entry) and record.count <= scene.number)
    ]
    gone = scene.gone(scene.decider, [scene.away(seat) for seat in scene.accusers])
    return [*before, *scene.entries(1)], [*before, gone]


def written(scene: Scene, frames: list[Frame]) -> bytes:
    return transcript.write(scene.mesh.begun.body, frames)


def test_row_99_a_gone_in_the_place_of_a_breach_does_not_undo_it(scene: Scene) -> None:
    breach, gone = copies(scene)
    report = audit(written(scene, [*breach, gone[-1]]), GAMES)
    assert report.verdict is Verdict.CHEATED
    assert report.fault is not None
    assert (report.fault.seat, report.fault.number) == (CULPRIT, scene.number)
    assert report.outcome is not None
    assert report.outcome.winners == frozenset()
    assert report.proof is not None
    assert proof.check(report.proof, GAMES) == report.fault


def test_row_99_nor_does_a_comparison_with_a_copy_that_has_the_gone(scene: Scene) -> None:
    breach, gone = copies(scene)
    fault = audit(written(scene, breach), GAMES).fault
    assert fault is not None
    assert audit(written(scene, gone), GAMES).fault is None
    for both in permutations([written(scene, breach), written(scene, gone)]):
        together = compare(both, GAMES)
        assert together.whole is not None
        assert together.whole.verdict is Verdict.CHEATED
        assert together.whole.fault == fault


def test_row_99_a_player_that_forgets_it_for_a_gone_shows_it_to_who_never_had_it(scene: Scene) -> None:
    breach, gone = copies(scene)
    follower, other = Follower(scene.mesh.begun), Follower(scene.mesh.begun)
    for frame in breach:
        follower.admit(read_record(frame))
    with pytest.raises(Violation):
        follower.admit(read_record(gone[-1]))
    for frame in gone:
        other.admit(read_record(frame))
    shown = follower.proof()
    assert shown is not None
    with pytest.raises(Violation):
        other.admit(read_record(shown))
    assert follower.outcome == other.outcome
    assert isinstance(follower.outcome, Outcome)
    assert follower.outcome.reason == "cheated"
    again = Follower(scene.mesh.begun)
    for frame in [*gone, shown]:
        if frame is shown:
            with pytest.raises(Violation):
                again.admit(read_record(frame))
        else:
            again.admit(read_record(frame))
    assert again.fault is not None
