"""Copies that show together what none of them shows alone, in whatever order they are named."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import Any, Final

import pytest

from protocol.audit import proof
from protocol.audit.comparison import Comparison, compare
from protocol.audit.proof import Fault
from protocol.audit.verdict import Report, Verdict
from protocol.record import statements
from protocol.record.asks.choose import Choice
from protocol.record.statements import Content, Kind
from protocol.wire import labels
from protocol.wire.encoding import STATEMENT, Frame, encode
from protocol.wire.transcript import write
from tests.helpers.cheats.bout import Bout, judge
from tests.helpers.cheats.tables import ALL_GAMES, CLAIMING, false_hand, openings, resigned

TOYS: Final[dict[str, Any]] = CLAIMING["two"]


def found(copies: list[Report]) -> Comparison:
    """What the copies show, which must not depend on the order of their names."""
    every = [compare(order) for order in permutations(copies)]
    assert len({(one.agree, one.fault, one.proof) for one in every}) == 1
    if every[0].proof is not None:
        assert proof.check(every[0].proof, ALL_GAMES) == every[0].fault
    return every[0]


def under_way() -> Bout:
    """A match in which the liar owes a choice, and the honest seat has said nothing but its consent."""
    for seed in range(20):
        bout = Bout(seed, **TOYS)
        if bout.run(lambda b: b.liar.owes is not None and b.liar.owes.message is Choice):
            return bout
    raise AssertionError("no such match")


def honest_word(bout: Bout, index: int, kind: Kind, content: Content = (), count: int | None = None) -> Frame:
    """A statement by the honest seat that its own session knows nothing of."""
    seat = bout.honest[0]
    referee = seat.session.referee
    count = referee.count if count is None else count
    body = statements.body(seat.seat, index, (count, referee.heads[count]), kind, content)
    return Frame(STATEMENT, body + seat.identity.sign(labels.SIGN_STATEMENT, bout.begun.id + body))


def copy(bout: Bout, *more: Frame, log: Iterable[Frame] | None = None) -> Report:
    """The audit of a copy with what the honest seat has, and `more`."""
    return judge(write(bout.begun.body, [*(bout.honest[0].log if log is None else log), *more]))


def test_of_several_equivocations_the_first_place_counts() -> None:
    """Two versions of the liar's first line, and of the second of the honest seat, which is lower."""
    bout = under_way()
    lines = [
        [honest_word(bout, 1 + at, Kind.CHAT, (text,)) for at, text in enumerate(mine)]
        + [bout.liar.statement(Kind.CHAT, (theirs,))]
        for mine, theirs in (("ab", "x"), ("ac", "x"), ("ab", "y"))
    ]
    copies = [copy(bout, *more) for more in lines]
    assert [report.verdict for report in copies] == [Verdict.INCOMPLETE] * 3
    assert found(copies).fault == Fault(bout.liar.seat, "statement", 1, "equivocation")


def test_a_refused_record_is_held_against_what_others_admitted() -> None:
    """The liar's second statement is a line of chat; the other copy was sent a REVEAL, far too early."""
    bout = under_way()
    copies = [
        copy(bout, bout.liar.statement(Kind.CHAT, ("hello",))),
        copy(bout, bout.liar.statement(Kind.REVEAL, (openings(bout),))),
    ]
    assert [report.verdict for report in copies] == [Verdict.INCOMPLETE, Verdict.TAMPERED]
    assert found(copies).fault == Fault(bout.liar.seat, "statement", 1, "equivocation")


def test_a_fault_in_one_copy_hides_none_that_only_both_show() -> None:
    """In one copy the liar breaks a rule; in the other its opponent had resigned before it went on."""
    bout = under_way()
    seat = bout.honest[0]
    entries = seat.session.referee.entries
    last = next(entry.number for entry in reversed(entries) if entry.seat == seat.seat)
    cut = {entry.payload for entry in entries[last:]}
    copies = [
        copy(bout, bout.liar.entry(Choice("nowhere"))),
        copy(
            bout,
            honest_word(bout, 1, Kind.RESIGN, count=last),
            log=[frame for frame in seat.log if frame.payload not in cut],
        ),
    ]
    assert [report.fault and report.fault.seat for report in copies] == [bout.liar.seat, None]
    assert found(copies).fault == Fault(seat.seat, "entry", last, "went-on")


@pytest.mark.parametrize("answered", [True, False])
def test_a_claim_and_its_answer_complete_each_other(*, answered: bool) -> None:
    """Nobody did anything wrong: the cable was cut, one claims, the other's answer is in its own copy."""
    bout = under_way()
    before = list(bout.honest[0].log)
    bout.honest[0].session.claim_away(600)
    claim = bout.honest[0].persist()
    answer = [bout.liar.entry(bout.liar.truth())] if answered else []
    copies = [copy(bout, *claim, log=before), copy(bout, *answer, log=before)]
    assert [report.verdict for report in copies] == [Verdict.UNRESPONSIVE, Verdict.INCOMPLETE]
    shown = found(copies)
    assert (shown.agree, shown.fault) == (not answered, None)
    assert shown.whole is not None
    assert shown.whole.verdict is (Verdict.INCOMPLETE if answered else Verdict.UNRESPONSIVE)


def test_copies_that_name_different_cheats_do_not_agree_but_complete_each_other() -> None:
    """Both seats laid what was not theirs to lay; each copy has only one of the REVEALs."""
    bout = resigned(1, {**TOYS, "decide": false_hand}, crook=false_hand)
    own = [frame for frame in bout.honest[0].log if frame.kind == STATEMENT][-1]
    before = [frame for frame in bout.honest[0].log if frame is not own]
    theirs = bout.liar.statement(Kind.REVEAL, (openings(bout),))
    copies = [copy(bout, own, log=before), copy(bout, theirs, log=before)]
    assert [report.verdict for report in copies] == [Verdict.CHEATED] * 2
    assert [report.fault and report.fault.seat for report in copies] == [bout.honest[0].seat, bout.liar.seat]
    shown = found(copies)
    assert (shown.agree, shown.fault) == (False, None)
    assert shown.whole is not None
    faults = [report.fault for report in copies if report.fault]
    assert shown.whole.fault == min(faults, key=lambda fault: fault.number)


def test_row_47_refused_records_of_seats_that_there_are_not_are_no_part_of_it() -> None:
    """Anybody can append such a one to a copy; nobody can have signed it."""
    bout = under_way()
    junk = [Frame(STATEMENT, encode([7, 0, 0, bout.begun.id, 1, text]) + bytes(64)) for text in ("x", "y")]
    copies = [copy(bout, one) for one in junk]
    assert [report.verdict for report in copies] == [Verdict.TAMPERED] * 2
    shown = found(copies)
    assert (shown.agree, shown.fault) == (True, None)
