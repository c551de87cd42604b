"""Whole matches of mates between real ends: every copy ends equal and is audited complete."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from p2p_stratego.registry import GAMES
from protocol.audit.verdict import Verdict
from protocol.failures import NotNow
from tests.helpers.cheats.bout import compare, judge, judge_all
from tests.helpers.games.players import honest
from tests.helpers.seats.mesh import Mesh
from tests.helpers.seats.pair import Table

GAME = GAMES["spies-and-lies"]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(2))
def test_a_match_of_mates_is_played_to_its_end_and_audited(seats: int, seed: int) -> None:
    table = Table(seed, game=GAME, seats=seats, decide=honest)
    table.play()
    outcomes = {seat.session.outcome for seat in table.seats}
    [outcome] = outcomes
    assert outcome is not None
    assert outcome.winners in (frozenset(), *GAME.sides(seats))
    copies = judge_all(table.seats, every_signature=True)
    assert {copy.verdict for copy in copies} == {Verdict.COMPLETE}
    assert {copy.outcome for copy in copies} == outcomes
    assert compare(copies).agree


@pytest.mark.parametrize("seats", [3, 4])
def test_records_may_cross_in_any_order(seats: int) -> None:
    table = Mesh(3, game=GAME, seats=seats, decide=honest)
    table.run(random.Random(4))
    assert len({seat.session.referee.head for seat in table.seats}) == 1
    assert {judge(seat.transcript).verdict for seat in table.seats} == {Verdict.COMPLETE}


def test_only_the_mate_of_its_owner_reads_a_closed_card() -> None:
    table = Table(5, game=GAME, seats=4, decide=honest)
    table.play()
    looks = [look.place for look in table.seats[0].session.referee.table.looks.values()]
    assert looks
    faces = table.seats[0].session.referee.table.faces
    for look in looks:
        assert (look.owner, look.viewer) in ((0, 2), (1, 3))
    closed = [look for look in looks if look.slot not in faces]
    for seat in table.seats:
        known = seat.session.known
        for look in closed:
            assert (look.slot in known) == (seat.seat in (look.owner, look.viewer))


@pytest.mark.parametrize("seed", range(24))
def test_a_mate_resigns_anywhere_and_all_copies_end_alike(seed: int) -> None:
    """In every phase, one seat or two; whoever is left plays on, and the audit finds nothing wrong."""
    lots = random.Random(seed)
    seats = 3 + seed % 2
    table = Table(seed, game=GAME, seats=seats, decide=honest).play(steps=lots.randrange(3, 60))
    for _ in range(lots.choice((1, 1, 2))):
        session = table.seats[lots.randrange(seats)].session
        if session.referee.table.state is not None and not session.over:
            with suppress(NotNow):
                session.resign()
            table.play(steps=lots.randrange(150))
    table.play()
    [outcome] = {seat.session.outcome for seat in table.seats}
    assert outcome is not None
    assert outcome.winners in (frozenset(), *GAME.sides(seats))
    assert outcome.breach is None
    assert len({seat.session.referee.head for seat in table.seats}) == 1
    copies = judge_all(table.seats)
    assert {copy.verdict for copy in copies} == {Verdict.COMPLETE}
    assert compare(copies).agree
