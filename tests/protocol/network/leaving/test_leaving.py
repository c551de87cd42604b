"""Replicas on real disks go on when one of them falls silent, and know when nothing is missing any more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_stratego.core.game import Options
from protocol.audit.verdict import Verdict
from protocol.limits import CLAIM_WHEN_AWAY
from protocol.record.statements import Kind
from protocol.replication.replica import Replica
from tests.helpers.cheats.bout import judge
from tests.helpers.links.gossiping import Gossiping, graphs

CLAIMS: Options = {"claims": "yes", "rounds": 1}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Gossiping]:
    made = Gossiping(tmp_path, 4, graphs(4)["mesh"], seed=5, options=CLAIMS).mend_all()
    yield made
    made.close()


def lose_patience(table: Gossiping) -> None:
    """All that are left say who is away, as long as anybody may."""
    while claims := [seat for seat in table.alive if seat.session.claimable is not None]:
        table.clock.now += 24 * 3600
        for claim in claims:
            if claim.session.claimable is not None:
                claim.claim_away()
                table.settle()


def until_it_owes_a_reveal(table: Gossiping) -> int:
    """A seat that has not learned yet that play is over, while another one has."""
    while all(seat.session.referee.provisional is None for seat in table.alive):
        assert table.step()
    return next(at for at, seat in enumerate(table.seats) if seat.session.referee.provisional is None)


def audited(replica: Replica) -> Verdict:
    return judge(Path(replica.store.path).read_bytes(), every_signature=True).verdict


def test_a_match_in_which_one_hides_its_cards_is_finished_without_its_end(table: Gossiping) -> None:
    silent = until_it_owes_a_reveal(table)
    table.kill(silent)
    table.settle()
    assert not any(seat.finished for seat in table.alive)
    lose_patience(table)
    assert {seat.session.referee.unsettled for seat in table.alive} == {(silent,)}
    for seat in table.alive:
        outcome = seat.session.outcome
        assert outcome is not None
        assert outcome.reason == "unrevealed"
        assert silent not in outcome.winners
        assert seat.finished
        assert audited(seat) is Verdict.COMPLETE


def test_who_shows_its_cards_late_is_waited_for_until_all_have_signed_the_other_end(table: Gossiping) -> None:
    silent = until_it_owes_a_reveal(table)
    table.kill(silent)
    table.settle()
    lose_patience(table)
    late = table.restart(silent)
    table.heal()
    while not any(statement.kind is Kind.REVEAL for statement in late.session.referee.statements[silent]):
        assert table.step()
    assert not late.finished
    table.settle()
    assert table.equal()
    for seat in table.seats:
        assert seat.finished
        outcome = seat.session.outcome
        assert outcome is not None
        assert outcome.reason != "unrevealed"
        assert audited(seat) is Verdict.COMPLETE


@pytest.mark.parametrize("moment", range(0, 14, 2))
@pytest.mark.parametrize("gone", [False, True], ids=["the late entry stays", "a Gone takes its place"])
def test_killed_while_it_holds_back_a_late_entry_a_seat_loses_nothing_and_signs_nothing_twice(
    tmp_path: Path, moment: int, *, gone: bool
) -> None:
    """What it held back was never on its disk; the others give it again."""
    table = Gossiping(tmp_path, 4, graphs(4)["mesh"], seed=moment).mend_all()
    table.until_owing(0)
    others = [edge for edge in table.edges if 0 in edge]
    for edge in others:
        table.cut(edge)
    table.settle()
    table.clock.now += CLAIM_WHEN_AWAY
    impatient = table.seats[1:] if gone else table.seats[1:2]
    for end in impatient:
        end.claim_away()
    table.decide(table.seats[0])
    table.mend((0, 1))  # the one that has called it away is the first to hear it
    for _ in range(moment):
        busy = [edge for edge, queue in table.links.items() if queue]
        if busy:
            table.deliver(table.rng.choice(busy))
    held = table.seats[1]
    before = {record.payload for record in held.session.referee.record}
    table.kill(1)
    again = table.restart(1)
    assert {record.payload for record in again.session.referee.record} == before
    table.mend_all().play()
    table.heal().play()
    assert all(seat.session.copy.complete for seat in table.seats)
    assert len({seat.session.referee.head for seat in table.seats}) == 1
    assert not any(seat.session.fault for seat in table.seats)
    assert (0 in again.session.referee.table.gone) <= gone
    for seat in table.seats:
        assert audited(seat) is Verdict.COMPLETE
    table.close()
