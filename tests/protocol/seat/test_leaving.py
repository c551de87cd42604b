"""One of two to four leaves, or answers late, anywhere: the others go on, and all copies end equal."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_stratego.registry import GAMES
from protocol import limits
from protocol.audit.verdict import Verdict
from protocol.crypto.proofs import verification
from protocol.crypto.proofs.keys import PossessionProof
from protocol.crypto.proofs.move import MoveProof
from protocol.crypto.proofs.shuffle import ShuffleProof
from protocol.crypto.proofs.tokens import TokenProof
from protocol.errors import Violation
from protocol.failures import NotNow, Why
from protocol.record import referee as gate
from protocol.record.evidence import read_record
from tests.helpers.cheats.bout import compare, judge_all
from tests.helpers.games.cups import GAMES as CUPS
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.machine.examples import examples, runs
from tests.helpers.seats.leavers import MOODS, Leaving, left
from tests.helpers.seats.mesh import Mesh

USED_AGAIN = [(3, "resigns and goes", 60), (12, "late", 121)]
"""Five seats, of which one took a Gone behind statements of its own and had another BACK to say."""


@pytest.mark.parametrize(("seed", "mood", "after"), USED_AGAIN)
def test_who_is_gone_signs_no_index_again_that_its_copy_forgot(seed: int, mood: str, after: int) -> None:
    match = left(seed, 5, mood, after)
    assert all(seat.session.fault is None for seat in match.mesh.seats)
    assert compare(judge_all(match.mesh.seats)).fault is None


@pytest.mark.parametrize("mood", MOODS)
@pytest.mark.parametrize("seats", [3, 4])
@given(seed=st.integers(0, 2**32), after=st.integers(0, 180))
@examples(5, 40)
def test_all_copies_end_equal_whoever_leaves_whenever(seats: int, mood: str, seed: int, after: int) -> None:
    assert_all_end_equal(left(seed, seats, mood, after), seats)


@pytest.mark.parametrize("mood", MOODS)
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [("conquest", 3, {"rounds": 1}), ("conquest", 4, {"rounds": 1}), ("spies-and-lies", 4, {})],
    ids=["Conquest of three", "Conquest of four", "Spies & Lies in teams"],
)
def test_so_do_those_of_real_games(game: str, seats: int, options: dict[str, int], mood: str) -> None:
    for seed in range(runs(1, 5)):
        after = random.Random(f"{game} {seats} {mood} {seed}").randrange(50, 900)
        assert_all_end_equal(left(seed, seats, mood, after, GAMES[game], options=options), seats)


def assert_all_end_equal(match: Leaving, seats: int) -> None:
    """Nobody is blamed, and the living have one chain and one verdict."""
    reports = judge_all(match.living)
    assert all(seat.session.fault is None for seat in match.mesh.seats)
    assert all(report.fault is None and report.verdict is not Verdict.TAMPERED for report in reports)
    assert compare(reports).fault is None
    if len(reports[0].agreed) < seats:
        return  # it never began
    if any(report.verdict is Verdict.UNRESPONSIVE for report in reports):
        # The decider is silent too, or all others owe a REVEAL: nobody can go on.
        assert match.mood == "dead"
        return
    assert len({seat.session.referee.head for seat in match.living}) == 1
    assert len({(report.verdict, report.outcome) for report in reports}) == 1
    assert reports[0].verdict is Verdict.COMPLETE
    assert compare(reports).agree


@pytest.mark.parametrize("after", range(0, 60, 6))
def test_the_decider_goes_on_at_once_if_its_own_word_was_the_last(after: int) -> None:
    """Nothing else may come that would make it sign what it owes behind the Gone."""
    rng = random.Random(after)
    mesh = Mesh(after, game=TOY, options={"rounds": 2}, seats=3, decide=honest).run(rng, steps=20 + after)
    mesh.carry(rng)
    owed = mesh.seats[0].session.referee.owed
    assert owed is not None
    *others, decider = sorted((s for s in mesh.seats if s.seat != owed.seat), key=lambda s: s.seat)
    for seat in (*others, decider):
        assert seat.session.claimable == owed.seat
        seat.session.claim_away(60)
        mesh.carry(rng)
    assert owed.seat in decider.session.referee.table.gone
    for seat in (*others, decider):
        waiting = seat.session.referee.owed
        if waiting is not None and waiting.seat == seat.seat:
            assert seat.session.decision is not None


@pytest.mark.parametrize("gone", [False, True])
def test_a_late_answer_has_no_proof_checked_that_was_checked_before(
    gone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither by who holds it back, nor by who forgets it for a Gone: that would take as long as all the
    match so far, with everything else standing still.
    """
    rng = random.Random(1)
    mesh = Mesh(1, game=CUPS["cups"], seats=3, decide=honest).run(rng, steps=44)
    mesh.carry(rng)
    accuser, decider, owner = mesh.seats
    owed = owner.session.referee.owed
    assert owed is not None
    assert owed.seat == owner.seat
    mesh.let_decide(owner)
    late = owner.persist()
    verification.forget()
    for proof in (ShuffleProof, TokenProof, MoveProof, PossessionProof):
        monkeypatch.setattr(proof, "verify", pytest.fail)
    accuser.session.claim_away(60)
    if not gone:
        accuser.session.receive(read_record(late[0]))
        assert accuser.session.referee.owed == owed  # it is held back
        return
    (sent,) = accuser.persist()
    decider.session.receive(read_record(sent))
    decider.session.claim_away(60)
    for frame in (sent, *decider.persist()):
        owner.session.receive(read_record(frame))
    assert owner.seat in owner.session.referee.table.gone


@pytest.mark.parametrize("proven", [False, True], ids=["running", "behind a proven fault"])
def test_a_decider_that_is_accused_can_still_sign_the_gone(proven: bool) -> None:
    """Its Gone answers the claim that nobody goes on; behind a proven fault nobody signs anything more."""
    rng = random.Random(2)
    mesh = Mesh(2, game=TOY, options={"rounds": 2}, seats=3, decide=honest).run(rng, steps=30)
    mesh.carry(rng)
    owed = mesh.seats[0].session.referee.owed
    assert owed is not None
    accuser, decider = sorted((s for s in mesh.seats if s.seat != owed.seat), key=lambda s: s.seat)
    for _ in (owed.seat, decider.seat):
        accuser.session.claim_away(60)
    mesh.carry(rng)
    assert decider.session.referee.silent == {owed.seat, decider.seat}
    if proven:
        decider.session.copy.fault = Violation(owed.seat, "entry", 0, "out-of-turn")
        assert decider.session.claimable is None
        with pytest.raises(NotNow):
            decider.session.claim_away(60)
        return
    decider.session.claim_away(60)
    mesh.carry(rng)
    assert all(owed.seat in seat.session.referee.table.gone for seat in (accuser, decider))


def test_a_seat_calls_nobody_away_once_more_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither its player, nor its program behind a RESIGN; others who answer late can bring it there."""
    for module in (limits, gate):
        monkeypatch.setattr(module, "MAX_AWAYS", 1)
    rng = random.Random(3)
    mesh = Mesh(3, game=TOY, options={"rounds": 2}, seats=3, decide=honest).run(rng, steps=30)
    mesh.carry(rng)
    session = mesh.seats[0].session
    owed = session.referee.owed
    assert owed is not None
    assert session.claimable == owed.seat
    session.claim_away(60)
    mesh.carry(rng)
    while session.decision is not None or session.referee.owed == owed:
        mesh.let_decide(next(seat for seat in mesh.seats if seat.session.decision is not None))
        mesh.carry(rng)
    assert session.referee.waited_for
    assert mesh.seats[0].session.claimable is None
    with pytest.raises(NotNow) as refused:
        session.claim_away(60)
    assert refused.value.why is Why.FULL
    session.resign()
    (third,) = (seat for seat in mesh.seats[1:] if seat.seat not in session.referee.waited_for)
    third.session.claim_away(60)
    mesh.carry(rng)
    assert session.referee.absences.accusations(session.referee.count)
    mesh.run(rng)
    assert session.referee.outcome == mesh.seats[1].session.outcome
