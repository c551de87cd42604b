"""Records that cross: in whatever order links deliver them, all copies come to the same end."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_stratego.core.game import Decision, Outcome
from protocol.audit.verdict import Verdict
from protocol.failures import NotNow, Why
from protocol.record.asks.base import Decided
from protocol.record.entries import parse_entry
from protocol.record.statements import Kind, parse
from protocol.seat.session import Session
from protocol.wire.encoding import ENTRY, Frame
from tests.helpers.cheats.bout import Copy, compare, judge_all
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.machine.examples import examples
from tests.helpers.seats.crossing import owing, running, table
from tests.helpers.seats.mesh import Mesh

WISHES: Final[dict[str, Callable[[Session], None]]] = {
    "resign": lambda session: session.resign(),
    "offer": lambda session: session.offer_draw(),
    "accept": lambda session: session.accept_draw(),
    "chat": lambda session: session.say("well, well"),
    "away": lambda session: session.claim_away(60),
}
MOODS: Final = {
    "one gives up": ("resign", "chat"),
    "all want a draw": ("offer", "accept", "accept"),
    "anything": tuple(WISHES),
    "impatient": ("away", "away", "accept", "offer"),
}


def seat_of(frame: Frame) -> int:
    read = parse_entry if frame.kind == ENTRY else parse
    return read(frame.payload).seat


def reports_agree(mesh: Mesh) -> Copy:
    """All copies are whole, say the same, short way and long, and show no fault together."""
    gone = mesh.seats[0].session.referee.table.gone  # what these said of their own branch follows nowhere
    assert {seat_of(frame) for held in mesh.held for frame in held} <= gone.keys()
    assert len({seat.session.referee.head for seat in mesh.seats}) == 1
    reports = judge_all(mesh.seats)
    thorough = judge_all(mesh.seats, every_signature=True)
    assert len({(report.verdict, report.outcome) for report in reports + thorough}) == 1
    assert all(seat.session.outcome == reports[0].outcome for seat in mesh.seats)
    assert all(report.fault is None for report in reports)
    comparison = compare(reports)
    assert comparison.agree
    assert comparison.fault is None
    return reports[0]


@pytest.mark.parametrize("mood", MOODS)
@pytest.mark.parametrize("seats", [2, 3, 4])
@given(seed=st.integers(0, 2**32), often=st.sampled_from([3, 10, 40]))
@examples(5, 50)
def test_whatever_crosses_all_copies_come_to_one_end(seats: int, mood: str, seed: int, often: int) -> None:
    rng = random.Random(seed)
    mesh = table(seed, seats, claims=seed % 2 == 0)
    while events := mesh.events():
        rng.choice(events)()
        if rng.randrange(often) == 0:
            with suppress(NotNow):
                WISHES[rng.choice(MOODS[mood])](rng.choice(mesh.seats).session)
    report = reports_agree(mesh)
    assert report.verdict in (Verdict.COMPLETE, Verdict.UNRESPONSIVE)
    if report.verdict is Verdict.COMPLETE and not report.referee.table.gone:
        checks = report.checks
        assert checks.endorsed + seats == checks.entries + checks.statements


@pytest.mark.parametrize("seats", [2, 3])
@given(choices=st.randoms(use_true_random=False))
@examples(6, 50)
def test_undisturbed_matches_end_the_same_in_every_order_of_delivery(
    seats: int, choices: random.Random
) -> None:
    """The same decisions are the same chain, for one seat owes one message at any time."""

    def decided(session: Session, decision: Decision, _: random.Random) -> Decided:
        return honest(session, decision, random.Random(f"{session.seat} {session.referee.table.serial}"))

    in_order = Mesh(5, game=TOY, seats=seats, decide=decided, options={"rounds": 2}).run(random.Random(0))
    shuffled = Mesh(5, game=TOY, seats=seats, decide=decided, options={"rounds": 2}).run(choices)
    assert reports_agree(in_order).outcome == reports_agree(shuffled).outcome
    assert in_order.seats[0].session.referee.head == shuffled.seats[0].session.referee.head


def settle(mesh: Mesh, order: random.Random) -> Copy:
    mesh.run(order)
    return reports_agree(mesh)


@given(order=st.randoms(use_true_random=False), seats=st.just(2))
@examples(6, 50)
def test_a_resignation_that_crosses_a_move_counts(order: random.Random, seats: int) -> None:
    mesh = running(seats)
    mover = owing(mesh)
    mesh.let_decide(mesh.seats[mover])
    quitter = (mover + 1) % seats
    mesh.seats[quitter].session.resign()
    report = settle(mesh, order)
    assert report.outcome is not None
    assert (report.outcome.reason, quitter in report.outcome.winners) == ("resigned", False)


@given(order=st.randoms(use_true_random=False), seats=st.just(2))
@examples(6, 50)
def test_when_all_resign_at_once_the_lowest_seat_has_resigned(order: random.Random, seats: int) -> None:
    mesh = running(seats)
    for seat in mesh.seats:
        seat.session.resign()
    report = settle(mesh, order)
    assert report.outcome is not None
    assert (report.outcome.reason, report.outcome.winners) == ("resigned", frozenset(range(1, seats)))


@given(order=st.randoms(use_true_random=False), seats=st.sampled_from([3, 4]))
@examples(6, 50)
def test_among_more_a_resignation_takes_its_seat_out_where_it_next_owes(
    order: random.Random, seats: int
) -> None:
    mesh = running(seats)
    mover = owing(mesh)
    mesh.let_decide(mesh.seats[mover])
    quitter = (mover + 1) % seats
    mesh.seats[quitter].session.resign()
    report = settle(mesh, order)
    assert report.outcome is not None
    assert set(report.referee.table.gone) == {quitter}
    assert report.outcome.reason != "resigned"


@given(order=st.randoms(use_true_random=False), seats=st.sampled_from([3, 4]))
@examples(6, 50)
def test_when_all_but_one_resign_the_last_one_wins(order: random.Random, seats: int) -> None:
    mesh = running(seats)
    for seat in mesh.seats[1:]:
        seat.session.resign()
    report = settle(mesh, order)
    assert report.outcome == Outcome(frozenset({0}), "deserted")


@given(order=st.randoms(use_true_random=False), seats=st.sampled_from([3, 4]))
@examples(6, 50)
def test_among_more_the_seat_that_owes_agrees_last_to_a_draw(order: random.Random, seats: int) -> None:
    mesh = running(seats)
    last = mesh.seats[owing(mesh)]
    offerer, *others = [seat for seat in mesh.seats if seat is not last]
    offerer.session.offer_draw()
    mesh.carry(order)
    assert last.session.draw_offer is None
    for seat in others:
        seat.session.accept_draw()
    mesh.carry(order)
    last.session.accept_draw()
    report = settle(mesh, order)
    assert report.outcome == Outcome(frozenset(), "agreed-draw")
    assert report.checks.ends == seats


@given(order=st.randoms(use_true_random=False), seats=st.just(2))
@examples(6, 50)
def test_acceptances_that_cross_are_one_draw(order: random.Random, seats: int) -> None:
    """Two offers cross, and each is accepted by all others."""
    mesh = running(seats)
    for seat in mesh.seats[:2]:
        seat.session.offer_draw()
    mesh.carry(order)
    for seat in mesh.seats:
        while seat.session.draw_offer is not None:
            seat.session.accept_draw()
    report = settle(mesh, order)
    assert report.outcome is not None
    assert (report.outcome.reason, report.outcome.winners) == ("agreed-draw", frozenset())


@given(order=st.randoms(use_true_random=False), seats=st.just(2))
@examples(6, 50)
def test_a_draw_goes_before_a_resignation_that_crosses_it(order: random.Random, seats: int) -> None:
    mesh = running(seats)
    offerer = (owing(mesh) + 1) % seats
    mesh.seats[offerer].session.offer_draw()
    mesh.carry(order)
    for seat in mesh.seats:
        if seat.seat != offerer:
            seat.session.accept_draw()
    mesh.seats[offerer].session.resign()
    report = settle(mesh, order)
    assert report.outcome is not None
    assert report.outcome.reason == "agreed-draw"


@given(order=st.randoms(use_true_random=False))
@examples(8, 50)
def test_an_offer_lapses_when_another_decides(order: random.Random) -> None:
    mesh = running(3)
    mover = owing(mesh)
    offerer = (mover + 1) % 3
    mesh.seats[offerer].session.offer_draw()
    with pytest.raises(NotNow, match=Why.OFFER_STANDS.value):
        mesh.seats[offerer].session.offer_draw()
    mesh.let_decide(mesh.seats[mover])
    mesh.carry(order)
    assert all(seat.session.draw_offer is None for seat in mesh.seats)
    with pytest.raises(NotNow, match=Why.NO_OFFER.value):
        mesh.seats[mover].session.accept_draw()
    report = settle(mesh, order)
    assert report.outcome is not None
    assert report.outcome.reason in ("points", "draw")


@given(order=st.randoms(use_true_random=False), seats=st.sampled_from([2, 3]))
@examples(8, 50)
def test_a_claim_of_absence_that_crosses_the_answer_is_answered_and_the_match_goes_on(
    order: random.Random, seats: int
) -> None:
    mesh = running(seats)
    mover = owing(mesh)
    claimant = (mover + 1) % seats
    mesh.seats[claimant].session.claim_away(180)
    mesh.let_decide(mesh.seats[mover])
    mesh.run(order)
    report = reports_agree(mesh)
    assert report.verdict is Verdict.COMPLETE
    assert report.fault is None


def test_each_says_the_end_once_and_chat_goes_on_behind_it() -> None:
    mesh = table(1, 2).run(random.Random(1))
    for _ in range(3):
        for seat in mesh.seats:
            seat.session.say("good game")
        mesh.run(random.Random(1))
    for known in mesh.seats[0].session.referee.statements:
        kinds = [statement.kind for statement in known]
        assert kinds == [Kind.AGREE, Kind.END, Kind.CHAT, Kind.CHAT, Kind.CHAT]
    assert reports_agree(mesh).checks.endorsed > 0
