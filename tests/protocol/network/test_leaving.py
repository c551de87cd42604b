"""Replicas on real disks go on when one of them falls silent, and know when nothing is missing any more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_stratego.core.game import Options
from protocol.audit.verdict import Verdict
from protocol.network.replica import Replica
from protocol.record.statements import Kind
from tests.helpers.cheats.bout import judge
from tests.helpers.gossiping import Gossiping, graphs

CLAIMS: Options = {"claims": "yes", "rounds": 1}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Gossiping]:
    made = Gossiping(tmp_path, 4, graphs(4)["mesh"], seed=5, options=CLAIMS).mend_all()
    yield made
    made.close()


def lose_patience(table: Gossiping) -> None:
    """All that are left say who is away, as long as anybody may."""
    while claims := [one for one in table.alive if one.session.claimable is not None]:
        table.clock.now += 24 * 3600
        for one in claims:
            if one.session.claimable is not None:
                one.claim_away()
                table.settle()


def until_it_owes_a_reveal(table: Gossiping) -> int:
    """A seat that has not learned yet that play is over, while another one has."""
    while all(one.session.referee.provisional is None for one in table.alive):
        assert table.step()
    return next(at for at, one in enumerate(table.seats) if one.session.referee.provisional is None)


def audited(replica: Replica) -> Verdict:
    return judge(Path(replica.store.path).read_bytes(), every_signature=True).verdict


def test_a_match_in_which_one_hides_its_cards_is_finished_without_its_end(table: Gossiping) -> None:
    silent = until_it_owes_a_reveal(table)
    table.kill(silent)
    table.settle()
    assert not any(one.finished for one in table.alive)
    lose_patience(table)
    assert {one.session.referee.unsettled for one in table.alive} == {(silent,)}
    for one in table.alive:
        outcome = one.session.outcome
        assert outcome is not None
        assert outcome.reason == "unrevealed"
        assert silent not in outcome.winners
        assert one.finished
        assert audited(one) is Verdict.COMPLETE


def test_who_shows_its_cards_late_is_waited_for_until_all_have_signed_the_other_end(table: Gossiping) -> None:
    silent = until_it_owes_a_reveal(table)
    table.kill(silent)
    table.settle()
    lose_patience(table)
    late = table.restart(silent)
    table.heal()
    while not any(said.kind is Kind.REVEAL for said in late.session.referee.statements[silent]):
        assert table.step()
    assert not late.finished
    table.settle()
    assert table.equal()
    for one in table.seats:
        assert one.finished
        outcome = one.session.outcome
        assert outcome is not None
        assert outcome.reason != "unrevealed"
        assert audited(one) is Verdict.COMPLETE
