"""Entries behind every kind of last word: who signs one is caught, and the proof stands by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from protocol.audit import proof
from protocol.audit.proof import Fault
from protocol.audit.verdict import Verdict
from protocol.errors import Violation
from protocol.record import statements
from protocol.record.asks.choose import Choice
from protocol.record.endings import Endings
from protocol.record.statements import Kind, Statement
from protocol.wire.encoding import Frame
from protocol.wire.transcript import write
from tests.helpers.cheats.bout import Bout, judge
from tests.helpers.cheats.tables import ALL_GAMES, CLAIMING, openings


def _owing_a_choice(table: dict[str, Any]) -> Bout:
    for seed in range(20):
        bout = Bout(seed, **table)
        if bout.run(lambda b: b.liar.owes is not None and b.liar.owes.message is Choice):
            return bout
    raise AssertionError("no such match")


def _ended(bout: Bout) -> Frame:
    """The honest seat resigns, and the liar signs the END to that."""
    bout.honest[0].session.resign()
    bout.spread()
    if bout.liar.seat in bout.liar.referee.unsettled:
        bout.tell(bout.liar.statement(Kind.REVEAL, (0, openings(bout))))
    outcome = bout.liar.referee.outcome
    assert outcome is not None
    return bout.liar.statement(Kind.END, statements.end_content(outcome))


def _accepted(bout: Bout) -> Frame:
    bout.honest[0].session.offer_draw()
    bout.spread()
    honest = bout.honest[0]
    return bout.liar.statement(Kind.ACCEPT_DRAW, (honest.seat, len(bout.liar.referee.statements[0]) - 1))


def _revealed(bout: Bout) -> Frame:
    bout.honest[0].session.resign()
    bout.spread()
    return bout.liar.statement(Kind.REVEAL, (0, openings(bout)))


WORDS: dict[str, tuple[str, Callable[[Bout], Frame]]] = {
    "resigned": ("two", lambda bout: bout.liar.statement(Kind.RESIGN)),
    "accepted a draw": ("two", _accepted),
    "revealed": ("two", _revealed),
    "signed the end": ("two", _ended),
}


@pytest.mark.parametrize(("table", "word"), WORDS.values(), ids=WORDS)
def test_whoever_goes_on_behind_a_last_word_is_caught_with_a_proof(
    table: str, word: Callable[[Bout], Frame]
) -> None:
    bout = _owing_a_choice(CLAIMING[table])
    entry = bout.liar.entry(bout.liar.truth())
    number = bout.liar.referee.count
    last = word(bout)
    bout.tell(last)
    for taken in bout.lie([entry]):
        assert isinstance(taken, Violation)
    fault = Fault(bout.liar.seat, "entry", number, "went-on")
    for report in bout.reports():
        assert (report.verdict, report.fault) == (Verdict.CHEATED, fault)
        assert report.proof is not None
        assert proof.check(report.proof, ALL_GAMES) == fault


def test_row_47_acceptances_by_the_hundred_are_each_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a thousand of them would keep an auditor, and the other side, busy for minutes (row 47)."""
    bout = Bout(1, **CLAIMING["three"])
    bout.run(lambda b: b.liar.owes is None and b.liar.referee.count > 12)
    judged = 0
    accept = Endings.accept

    def counted(self: Endings, offer: Statement, acceptance: Statement) -> None:
        nonlocal judged
        judged += 1
        accept(self, offer, acceptance)

    monkeypatch.setattr(Endings, "accept", counted)
    log = list(bout.honest[0].log)
    for _ in range(300):  # of an offer of its own that is to come
        frame = bout.liar.statement(Kind.ACCEPT_DRAW, (bout.liar.seat, 301))
        bout.liar.follow(frame)
        log.append(frame)
    offer = bout.liar.statement(Kind.OFFER_DRAW)
    bout.liar.follow(offer)
    assert judged == 300
    report = judge(write(bout.begun.body, [*log, offer]), every_signature=True)
    assert report.verdict is Verdict.INCOMPLETE
    assert judged == 600
