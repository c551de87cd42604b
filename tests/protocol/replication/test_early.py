"""Records that come before their time: they are tried again after each record, our own too."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.errors import Malformed
from protocol.record.statements import Kind
from tests.helpers.links.gossiping import Gossiping, graphs


def test_row_126_a_draw_that_our_own_resignation_lets_in_is_not_missed(tmp_path: Path) -> None:
    """The seat that owes accepts before seat 2, the last that was asked, has gone home."""
    table = Gossiping(tmp_path, 3, graphs(3)["mesh"]).mend_all()
    owing = table.until_owing(1)
    table.seats[0].offer_draw()
    table.settle()
    offer = owing.session.referee.statements[0][-1]
    liar, referee = table.signer(1), owing.session.referee
    accepted = liar.statement(referee, Kind.ACCEPT_DRAW, (0, offer.index))
    table.kill(1)
    table.seats[2].received([accepted], 0)
    table.seats[0].received([accepted], 2)
    table.seats[2].resign()
    table.settle()
    outcomes = [table.seats[seat].session.outcome for seat in (0, 2)]
    assert [outcome and outcome.reason for outcome in outcomes] == ["agreed-draw"] * 2
    assert table.equal((0, 2))
    table.dead.clear()
    table.close()


def test_row_126_what_we_sign_is_kept_though_a_link_goes_over_its_limit_behind_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else another record could stand in its place after a restart."""
    table = Gossiping(tmp_path, 3, graphs(3)["mesh"]).mend_all()
    owing = table.until_owing(1)
    table.seats[0].offer_draw()
    table.settle()
    offer = owing.session.referee.statements[0][-1]
    accepted = table.signer(1).statement(owing.session.referee, Kind.ACCEPT_DRAW, (0, offer.index))
    table.kill(1)
    last = table.seats[2]
    last.received([accepted], 0)

    def too_much(*_record: object) -> None:
        raise Malformed("The other side sends the same again and again.")

    for name in ("came", "came_aside"):
        monkeypatch.setattr(last.exchange.gossip, name, too_much)
    last.resign()
    (resigned,) = (
        statement for statement in last.session.referee.statements[2] if statement.kind is Kind.RESIGN
    )
    assert any(resigned.payload in path.read_bytes() for path in tmp_path.rglob("*.p2ps"))
    table.dead.clear()
    table.close()
