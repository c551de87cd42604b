"""Silence: it always has an owner, it is never cheating, and claiming it is one side's word."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import pytest

from protocol.audit.verdict import Verdict
from protocol.failures import NotNow
from tests.helpers.cheats.bout import Bout, compare
from tests.helpers.cheats.tables import LIARS
from tests.helpers.toy import TOY

LONG: Final = 200


def _owes_after(length: int, bout: Bout) -> bool:
    return bout.liar.owes is not None and bout.liar.referee.count >= length


@pytest.mark.parametrize("table", LIARS.values(), ids=LIARS)
def test_row_06_leaving_at_any_step_is_on_record_with_what_was_owed(table: dict[str, Any]) -> None:
    """Also right after chance was seen: the liar, silent for ever from each of its entries on."""
    places = 0
    for length in range(LONG):
        bout = Bout(1, **{"options": {"wall": 2}, **table})
        if not bout.run(partial(_owes_after, length)):
            break
        due = bout.liar.owes
        assert due is not None
        if bout.liar.referee.count != length:
            continue
        places += 1
        for seat, report in zip(bout.honest, bout.reports(), strict=True):
            assert report.verdict is Verdict.INCOMPLETE
            assert report.exit_code == 10
            assert report.fault is None
            assert report.owed is not None
            assert (report.owed.seat, report.owed.message) == (bout.liar.seat, due.message)
            assert seat.session.outcome is None
        bout.claims_away(600)
        for report in bout.reports():
            assert report.verdict is Verdict.UNRESPONSIVE
            assert report.exit_code == 31
            assert report.fault is None
            assert report.outcome is not None
            assert report.outcome.winners == frozenset(seat.seat for seat in bout.honest)
    assert places >= 6


def test_whoever_owes_itself_or_has_ended_can_claim_nothing() -> None:
    bout = Bout(1)
    bout.run(lambda b: b.liar.owes is not None)
    bout.run(lambda b: b.liar.owes is None and b.honest[0].session.decision is not None)
    with pytest.raises(NotNow):
        bout.honest[0].session.claim_away(600)
    bout.run()
    with pytest.raises(NotNow):
        bout.honest[0].session.claim_away(600)


def test_silence_before_the_consent_is_no_match_at_all() -> None:
    """Whoever never agreed can neither owe anything nor be said to be away."""
    bout = Bout(1, agreeing=False)
    seat = bout.honest[0]
    with pytest.raises(NotNow):
        seat.session.claim_away(600)
    with pytest.raises(NotNow):
        seat.session.resign()
    (report,) = bout.reports()
    assert report.verdict is Verdict.INCOMPLETE
    assert report.owed is None


def test_row_44_a_claim_is_contradicted_by_nothing_but_goes_behind_what_arrives_late() -> None:
    """The accused's last entry, which ends the match by the rules, was under way."""
    bout = Bout(3, game=TOY, seats=2, liar=1)
    bout.run(lambda b: b.liar.owes is not None and b.liar.referee.table.faces != {})
    due = bout.liar.owes
    assert due is not None
    last = bout.liar.entry(bout.liar.truth())
    bout.liar.follow(bout.claims_away(1))
    assert bout.reports()[0].verdict is Verdict.UNRESPONSIVE
    bout.tell(last)
    (report,) = bout.reports()
    assert report.outcome is not None
    assert report.outcome.reason in ("points", "draw")
    assert report.verdict is Verdict.COMPLETE
    assert compare([report]).agree
