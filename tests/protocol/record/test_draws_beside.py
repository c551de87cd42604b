"""Draws of three and more beside what else can happen: takebacks, keys given out, clocks, posts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_stratego.core.game import Outcome
from protocol.errors import Misplaced
from protocol.post import carrying
from protocol.record.asks.proofs.keys import Released
from protocol.record.asks.registry import is_decision
from protocol.record.statements import Kind
from protocol.record.time_control import TimeControl
from tests.helpers.cheats.bout import Bout
from tests.helpers.games.cups import CUPS
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.links.by_post import Correspondence
from tests.helpers.machine.examples import examples
from tests.helpers.seats.crossing import owing
from tests.helpers.seats.mesh import Mesh

DRAW = Outcome(frozenset(), "agreed-draw")


def at_rest(
    seats: int,
    seed: int,
    decided: int,
    order: random.Random,
    *,
    clock: TimeControl | None = None,
    takebacks: bool = False,
) -> Mesh:
    """A match in which so many decisions were made, and another is owed."""
    mesh = Mesh(
        seed,
        game=TOY,
        seats=seats,
        decide=honest,
        options={"rounds": 2},
        clock=clock,
        takebacks=takebacks,
    )
    for _ in range(decided):
        mesh.carry(order)
        mesh.let_decide(mesh.seats[owing(mesh)])
    mesh.carry(order)
    return mesh


def accept(mesh: Mesh, order: random.Random, author: int, last: int | None = None) -> None:
    """All but the author and perhaps the `last` one accept."""
    for seat in mesh.seats:
        if seat.seat not in (author, last):
            seat.session.accept_draw()
    mesh.carry(order)


@given(order=st.randoms(use_true_random=False), seats=st.sampled_from([3, 4, 5]), seed=st.integers(0, 99))
@examples(6, 60)
def test_row_129_a_takeback_leaves_nobody_with_an_accepted_draw_in_hand(
    order: random.Random, seats: int, seed: int
) -> None:
    """All others accept, and who owes takes an earlier decision back: they are asked anew."""
    decided = seats + 2
    mesh = at_rest(seats, seed, decided, order, takebacks=True)
    while mesh.seats[owing(mesh)].session.referee.takeable(owing(mesh)) is None:
        mesh.let_decide(mesh.seats[owing(mesh)])
        mesh.carry(order)
    last = owing(mesh)
    author = (last + 1) % seats
    mesh.seats[author].session.offer_draw()
    mesh.carry(order)
    accept(mesh, order, author, last)
    mesh.seats[last].session.take_back()
    mesh.carry(order)
    assert {seat.session.outcome for seat in mesh.seats} == {None}
    assert mesh.seats[owing(mesh)].session.draw_offer is None
    accept(mesh, order, author, owing(mesh))
    mesh.seats[owing(mesh)].session.accept_draw()  # the author, too: a TakeBack has come since its offer
    mesh.carry(order)
    assert {seat.session.outcome for seat in mesh.seats} == {DRAW}


@given(order=st.randoms(use_true_random=False), seed=st.integers(0, 99))
@examples(6, 60)
def test_row_66_a_decision_that_is_taken_back_brings_no_offer_back(order: random.Random, seed: int) -> None:
    """Who has declined and sees what comes cannot undo that it has declined."""
    mesh = at_rest(3, seed, 3, order, takebacks=True)
    mover = owing(mesh)
    author = (mover + 1) % 3
    mesh.seats[author].session.offer_draw()
    mesh.carry(order)
    mesh.let_decide(mesh.seats[mover])
    mesh.carry(order)
    for _ in range(20):
        if mesh.seats[0].session.over:
            return
        if owing(mesh) == mover and mesh.seats[mover].session.referee.takeable(mover) is not None:
            mesh.seats[mover].session.take_back()
            mesh.carry(order)
            break
        mesh.let_decide(mesh.seats[owing(mesh)])
        mesh.carry(order)
    assert all(seat.session.referee.standing_offer(author) is None for seat in mesh.seats)
    assert all(seat.session.draw_offer is None for seat in mesh.seats)


def test_row_130_who_owes_its_share_of_a_key_takes_no_draw_instead() -> None:
    """With its share it can read already what the seat that is gone held; the others cannot."""
    bout = Bout(5, game=CUPS, seats=4, liar=0, proofs=True, escrow=2)
    silent = bout.honest[-1]
    assert bout.run(
        lambda bout: (
            (owed := bout.liar.referee.owed) is not None
            and owed.seat == silent.seat
            and is_decision(owed)
            and bout.liar.referee.count > 20
        )
    )
    bout.tell(bout.liar.statement(Kind.AWAY, (silent.seat, 60, b"")))
    for seat in bout.honest[:-1]:  # the last one is the decider
        seat.session.claim_away(60)
        bout.spread()
    owed = bout.liar.owes
    assert owed is not None
    assert owed.message is Released
    author, other = bout.honest[:2]
    author.session.offer_draw()
    bout.spread()
    other.session.accept_draw()
    bout.spread()
    offered = author.seat, len(bout.liar.referee.statements[author.seat]) - 1
    for taken in bout.lie([bout.liar.statement(Kind.ACCEPT_DRAW, offered)], to=(author.seat, other.seat)):
        assert isinstance(taken, Misplaced)
    assert author.session.outcome is None


@given(order=st.randoms(use_true_random=False), seats=st.sampled_from([3, 4, 5]), seed=st.integers(0, 99))
@examples(6, 60)
def test_row_44_who_is_called_out_of_time_can_still_take_the_draw_that_all_wanted(
    order: random.Random, seats: int, seed: int
) -> None:
    """Nobody gains by calling the time of the last one: its late word stands in all copies."""
    mesh = at_rest(seats, seed, 3, order, clock=TimeControl(300, 5))
    last = owing(mesh)
    *accusers, decider = (seat for seat in range(seats) if seat != last)
    mesh.seats[decider].session.offer_draw()
    mesh.carry(order)
    accept(mesh, order, decider, last)
    mesh.seats[accusers[0]].session.claim_away(60, of_time=True)
    mesh.seats[last].session.accept_draw()
    mesh.carry(order)
    assert {seat.session.outcome for seat in mesh.seats} == {DRAW}
    assert all(seat.session.fault is None for seat in mesh.seats)


@pytest.mark.parametrize("seed", range(3))
def test_by_post_a_draw_stands_once_the_last_word_has_come_and_old_posts_change_nothing(
    seed: int, tmp_path: Path
) -> None:
    order = random.Random(seed)
    table = Correspondence(tmp_path, TOY, seats=3)

    def exchange() -> None:
        for _ in range(2):
            for writer in range(3):
                for reader in {0, 1, 2} - {writer}:
                    table.take(reader, table.write(writer, reader).data)

    def owner() -> int:
        with table.opened(0) as replica:
            owed = replica.session.referee.owed
            assert owed is not None
            assert is_decision(owed)
            return owed.seat

    def accept_all(last: int) -> None:
        for seat in sorted({0, 1, 2} - {author}, key=lambda seat: seat == last):
            with table.opened(seat) as replica:
                carrying.recall(replica)
                replica.accept_draw()
            exchange()

    exchange()
    table.decide(owner())
    exchange()
    author = (owner() + 1) % 3
    with table.opened(author) as replica:
        carrying.recall(replica)
        replica.offer_draw()
    exchange()
    accept_all(owner())
    for seat in range(3):
        for data in order.sample(table.sent[seat], len(table.sent[seat])):
            table.take(seat, data)
        with table.opened(seat) as replica:
            assert replica.session.outcome == DRAW
