"""Silence: it always has an owner, it is never cheating, and claiming it is one side's word."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

import pytest

from p2p_stratego.registry import GAMES
from protocol.audit.proof import check
from protocol.audit.verdict import Verdict
from protocol.errors import Violation
from protocol.failures import NotNow, Why
from protocol.record import receipts
from protocol.record.asks.choose import Choice
from protocol.record.evidence import read_record
from protocol.record.statements import Content, Kind
from protocol.wire import transcript
from protocol.wire.encoding import Frame
from tests.helpers.cheats.bout import Bout, compare, judge
from tests.helpers.cheats.tables import CLAIMING, LIARS, openings
from tests.helpers.games.toy import TOY

LONG: Final = 200
TWO: Final = {name: table for name, table in LIARS.items() if "seats" not in table}
MORE: Final = {name: table for name, table in LIARS.items() if "seats" in table}


def _owes_after(length: int, bout: Bout) -> bool:
    return bout.liar.owes is not None and bout.liar.referee.count >= length


def _leaves_from_anywhere(table: dict[str, Any]) -> Iterator[Bout]:
    """The liar, silent for ever from each of its entries on; what it owes then is on record."""
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
        yield bout
    assert places >= 6


@pytest.mark.parametrize("table", TWO.values(), ids=TWO)
def test_row_06_leaving_at_any_step_is_on_record_with_what_was_owed(table: dict[str, Any]) -> None:
    """Also right after chance was seen."""
    for bout in _leaves_from_anywhere(table):
        bout.claims_away(600)
        for report in bout.reports():
            assert report.verdict is Verdict.UNRESPONSIVE
            assert report.exit_code == 31
            assert report.fault is None
            assert report.outcome is not None
            assert report.outcome.winners == frozenset(seat.seat for seat in bout.honest)


@pytest.mark.parametrize("table", MORE.values(), ids=MORE)
def test_row_06_three_and_four_go_on_without_the_one_that_leaves_at_any_step(table: dict[str, Any]) -> None:
    """It is gone from the place of what it owed, and those that are left play to the end."""
    for bout in _leaves_from_anywhere(table):
        place = bout.liar.referee.count
        bout.liar.follow(bout.claims_away(600))
        for seat in bout.honest[1:]:  # the decider, the last one, takes it out then
            seat.session.claim_away(600)
            bout.spread()
        bout.run()
        for report in bout.reports():
            assert report.verdict is Verdict.COMPLETE
            assert report.fault is None
            assert report.outcome is not None
            assert bout.liar.seat not in report.outcome.winners
            assert dict(report.referee.table.gone) == {bout.liar.seat: place}


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


# Two stories of who vanished


def _vanished() -> tuple[Bout, list[Frame], bytes]:
    """A match whose liar owes a choice, the records up to there, and the honest seat's copy with its AWAY."""
    bout = Bout(1)
    bout.run(lambda b: b.liar.owes is not None and b.liar.owes.message is Choice)
    before = list(bout.honest[0].log)
    bout.claims_away(600)
    return bout, before, bout.honest[0].transcript


def _own_story(bout: Bout, before: list[Frame]) -> bytes:
    """The liar's copy: its late answer, made alone, and then an AWAY against the honest seat."""
    liar = bout.liar
    answer = liar.entry(liar.truth())
    liar.follow(answer)
    away = liar.statement(Kind.AWAY, (bout.honest[0].seat, 600, b""))
    return transcript.write(bout.begun.body, [*before, answer, away])


def test_whoever_vanished_first_wins_nothing_by_answering_alone_and_accusing_the_other() -> None:
    bout, before, honest = _vanished()
    alone, judgement = judge(_own_story(bout, before)), judge(honest)
    assert judgement.verdict is Verdict.UNRESPONSIVE
    assert alone.verdict is Verdict.INCOMPLETE, "the accused has signed nothing over that head"
    assert alone.outcome is None
    assert alone.contested == ()
    for copies in ([judgement, alone], [alone, judgement]):
        comparison = compare(copies)
        assert not comparison.agree
        assert comparison.fault is None
        assert comparison.whole is not None
        assert comparison.whole.verdict is Verdict.INCOMPLETE
        assert comparison.whole.contested == (0, 1)


@pytest.mark.parametrize("claimed", [False, True], ids=["who is not told", "who has claimed"])
def test_whoever_resigns_alone_wins_nothing_by_accusing_the_winner_of_hiding(*, claimed: bool) -> None:
    """The honest seat signed the last entry, and never heard of the resignation: it cannot reveal."""
    bout = Bout(1, **CLAIMING["two"])
    bout.run(lambda b: b.liar.owes is not None and b.liar.referee.count > 12)
    liar, story = bout.liar, list(bout.honest[0].log)
    if claimed:
        bout.claims_away(600)
    for kind in (Kind.RESIGN, Kind.REVEAL, Kind.AWAY):
        contents: dict[Kind, Content] = {Kind.AWAY: (0, 600, b"")}
        if kind is Kind.REVEAL:
            contents[kind] = (0, openings(bout))
        frame = liar.statement(kind, contents.get(kind, ()))
        liar.follow(frame)
        story.append(frame)
    alone = judge(transcript.write(bout.begun.body, story))
    judgement = judge(bout.honest[0].transcript)
    for copies in ([alone], [judgement, alone], [alone, judgement]):
        whole = compare(copies).whole
        assert whole is not None
        assert (whole.verdict, whole.outcome, whole.unsettled) == (Verdict.INCOMPLETE, None, (0,))
    # The honest seat hears of it after all, and settles what it claimed.
    for frame in story[-3:]:
        bout.honest[0].session.receive(read_record(frame))
    bout.honest[0].persist()
    (report,) = bout.reports()
    assert report.outcome is not None
    assert (report.verdict, report.outcome.reason) == (Verdict.COMPLETE, "resigned")
    assert report.outcome.winners == {0}


def test_a_receipt_takes_the_own_claim_back() -> None:
    """The honest seat came back, had the answer and signed for it, and then it vanished itself."""
    bout, before, honest = _vanished()
    liar, accused = bout.liar, bout.honest[0]
    answer = liar.entry(liar.truth())
    liar.follow(answer)
    referee = liar.referee
    receipt = receipts.sign(accused.identity, bout.begun, accused.seat, referee.count, referee.head)
    away = liar.statement(Kind.AWAY, (accused.seat, 600, receipt))
    own = judge(transcript.write(bout.begun.body, [*before, answer, away]))
    assert own.verdict is Verdict.UNRESPONSIVE
    whole = compare([judge(honest), own]).whole
    assert whole is not None
    assert whole.outcome is not None
    assert whole.outcome.winners == {liar.seat}


def test_a_receipt_that_the_accused_did_not_sign_is_the_claimants_fault() -> None:
    bout = Bout(1)
    bout.run(lambda b: b.liar.owes is None and b.honest[0].session.decision is not None)
    liar, accused = bout.liar, bout.honest[0].seat
    referee = liar.referee
    receipt = receipts.sign(liar.identity, bout.begun, accused, referee.count, referee.head)
    (answer,) = bout.lie([liar.statement(Kind.AWAY, (accused, 600, receipt))])
    assert isinstance(answer, Violation)
    assert (answer.seat, answer.rule) == (liar.seat, "false-away")
    (report,) = bout.reports()
    assert report.verdict is Verdict.CHEATED
    assert report.proof is not None
    assert check(report.proof, GAMES) == report.fault


def test_no_seat_is_accused_that_never_confirmed_what_it_owes() -> None:
    bout = Bout(1)
    bout.run(lambda b: b.liar.owes is not None and b.liar.owes.message is Choice)
    with pytest.raises(NotNow, match=Why.NOT_ACKNOWLEDGED.value):
        bout.honest[0].session.claim_away(600)
