"""A clock that lies: what a seat can say of another one's time, and what that is worth (threat 91)."""

from __future__ import annotations

from typing import Final

import pytest

from p2p_stratego.core.game import Outcome
from protocol.audit.verdict import Verdict
from protocol.record.asks.choose import Choice
from protocol.record.statements import OUT_OF_TIME, Kind
from protocol.record.time_control import TimeControl
from protocol.wire import transcript
from tests.helpers.cheats.bout import Bout, compare, judge, owing
from tests.helpers.seats.receipts import give_receipts

CLOCKS: Final = (TimeControl(900, 10), TimeControl(60))


def a_match(clock: TimeControl | None = CLOCKS[0]) -> Bout:
    bout = Bout(7, clock=clock)
    assert bout.run(owing(Choice))
    return bout


def the_others_turn(bout: Bout) -> None:
    """The liar does what it owes; then the honest seat owes a choice, and has signed that it knows."""
    bout.tell(bout.liar.entry(bout.liar.truth()))
    assert bout.run(lambda bout: bout.honest[0].session.decision is not None)
    give_receipts(bout.liar.session, {bout.honest[0].seat: bout.honest[0].identity})


@pytest.mark.parametrize("clock", CLOCKS)
def test_the_word_that_time_is_over_ends_a_match_as_any_silence_does(clock: TimeControl) -> None:
    bout = a_match(clock)
    bout.claims_away(901, of_time=True)
    (report,) = bout.reports()
    assert (report.verdict, report.out_of_time) == (Verdict.UNRESPONSIVE, (bout.liar.seat,))
    assert report.outcome is not None
    assert report.outcome == Outcome(frozenset({bout.honest[0].seat}), "unresponsive")


def test_row_91_a_claim_too_early_is_void_with_the_next_move() -> None:
    bout = a_match()
    the_others_turn(bout)
    accused, copy = bout.honest[0], bout.liar.session.copy
    claim = bout.liar.statement(Kind.AWAY, (accused.seat, 1, copy.receipt(accused.seat) or b"", OUT_OF_TIME))
    assert bout.lie([claim]) == [None]
    claimed = judge(accused.transcript)
    assert (claimed.verdict, claimed.out_of_time) == (Verdict.UNRESPONSIVE, (accused.seat,))
    assert accused.session.decision is not None  # the accused is still asked, and may answer
    decision = accused.session.decision
    accused.session.decide(bout.decide(accused.session, decision, bout.rng))
    accused.persist()
    answered = judge(accused.transcript)
    assert (answered.verdict, answered.fault, answered.out_of_time) == (Verdict.INCOMPLETE, None, ())
    assert compare([claimed, answered]).fault is None


def test_row_91_time_is_claimed_for_an_entry_alone_and_by_another_seat() -> None:
    bout = a_match()
    other = bout.honest[0].seat  # which owes nothing: it is the liar's turn
    claim = bout.liar.statement(Kind.AWAY, (other, 901, b"", OUT_OF_TIME))
    bout.lie([claim])
    (report,) = bout.reports()
    assert report.fault is not None
    assert (report.fault.seat, report.fault.rule) == (bout.liar.seat, "false-away")


def test_row_91_no_receipt_no_claim() -> None:
    bout = a_match()
    bout.tell(bout.liar.entry(bout.liar.truth()))
    assert bout.run(lambda bout: bout.honest[0].session.decision is not None)
    bare = bout.liar.statement(Kind.AWAY, (bout.honest[0].seat, 901, b"", OUT_OF_TIME))
    bout.lie([bare])
    (report,) = bout.reports()
    assert (report.verdict, report.outcome, report.fault) == (Verdict.INCOMPLETE, None, None)


def test_row_91_both_claim_and_neither_is_believed() -> None:
    """Each has a copy in which the other one's clock has run out."""
    bout = a_match()
    before, liar, accused = list(bout.honest[0].log), bout.liar, bout.honest[0]
    bout.claims_away(901, of_time=True)
    answer = liar.entry(liar.truth())
    liar.follow(answer)
    claim = liar.statement(Kind.AWAY, (accused.seat, 901, b"", OUT_OF_TIME))
    own = judge(transcript.write(bout.begun.body, [*before, answer, claim]))
    judgement = judge(accused.transcript)
    assert (judgement.verdict, judgement.out_of_time) == (Verdict.UNRESPONSIVE, (liar.seat,))
    for copies in ([judgement, own], [own, judgement]):
        comparison = compare(copies)
        assert (comparison.agree, comparison.fault) == (False, None)
        assert comparison.whole is not None
        assert (comparison.whole.outcome, comparison.whole.contested) == (None, (0, 1))


@pytest.mark.parametrize("cause", [0, 2, 2**32, b"", "time"])
def test_row_91_a_cause_that_nobody_knows_is_refused(cause: object) -> None:
    bout = a_match()
    the_others_turn(bout)
    liar, accused = bout.liar, bout.honest[0]
    statement = liar.statement(Kind.AWAY, (accused.seat, 901, b"", cause))
    (refusal,) = bout.lie([statement])
    assert refusal is not None
    (report,) = bout.reports()
    assert (report.verdict, report.fault) == (Verdict.INCOMPLETE, None)


def test_row_91_without_a_clock_nobody_is_out_of_time() -> None:
    bout = a_match(None)
    bout.claims_away(901, of_time=True)  # an honest program says no more than that nothing came
    (report,) = bout.reports()
    assert (report.verdict, report.out_of_time) == (Verdict.UNRESPONSIVE, ())
    bout = a_match(None)
    the_others_turn(bout)
    statement = bout.liar.statement(Kind.AWAY, (bout.honest[0].seat, 901, b"", OUT_OF_TIME))
    (refusal,) = bout.lie([statement])
    assert refusal is not None
    assert bout.reports()[0].verdict is Verdict.INCOMPLETE
