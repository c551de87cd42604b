"""Copies that show together what none of them shows alone, in whatever order they are named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.audit import proof
from protocol.audit.comparison import Comparison
from protocol.audit.proof import Fault
from protocol.audit.verdict import Verdict
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.record import statements
from protocol.record.asks.choose import Choice
from protocol.record.entries import parse_entry
from protocol.record.statements import Content, Kind
from protocol.wire import labels
from protocol.wire.encoding import STATEMENT, Frame, encode
from protocol.wire.transcript import write
from tests.helpers.cheats.bout import Bout, Copy, compare, judge
from tests.helpers.cheats.tables import ALL_GAMES, CLAIMING, false_hand, openings, settling
from tests.helpers.machine.examples import examples

TOYS: Final[dict[str, Any]] = CLAIMING["two"]


def compared(copies: list[Copy]) -> Comparison:
    """What the copies show, which must not depend on the order of their names."""
    every = [compare(order) for order in permutations(copies)]
    assert len({(report.agree, report.fault, report.proof) for report in every}) == 1
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


def honest_word(
    bout: Bout,
    kind: Kind,
    content: Content = (),
    count: int | None = None,
    before: Sequence[Frame] = (),
) -> Frame:
    """A statement by the honest seat that its own session knows nothing of, nor of those `before` it."""
    seat = bout.honest[0]
    referee = seat.session.referee
    index, head = len(referee.statement_heads[seat.seat]) - 1, referee.statement_heads[seat.seat][-1]
    for frame in before:
        index, head = index + 1, statements.statement_hash(frame.payload[:-SIGNATURE_BYTES])
    count = referee.count if count is None else count
    body = statements.body(seat.seat, (index, head), (count, referee.heads[count]), kind, content)
    return Frame(STATEMENT, body + seat.identity.sign(labels.SIGN_STATEMENT, bout.begun.id + body))


def chatted(bout: Bout, letters: str) -> list[Frame]:
    """A line of chat by the honest seat for each letter."""
    frames: list[Frame] = []
    for letter in letters:
        frames.append(honest_word(bout, Kind.CHAT, (letter,), before=frames))
    return frames


def copy(bout: Bout, *more: Frame, log: Iterable[Frame] | None = None) -> Copy:
    """The audit of a copy with what the honest seat has, and `more`."""
    return judge(write(bout.begun.body, [*(bout.honest[0].log if log is None else log), *more]))


def test_of_several_equivocations_the_first_place_counts() -> None:
    """Two versions of the liar's first line, and of the second of the honest seat, which is lower."""
    bout = under_way()
    lines = [
        [*chatted(bout, mine), bout.liar.statement(Kind.CHAT, (theirs,))]
        for mine, theirs in (("ab", "x"), ("ac", "x"), ("ab", "y"))
    ]
    copies = [copy(bout, *more) for more in lines]
    assert [report.verdict for report in copies] == [Verdict.INCOMPLETE] * 3
    assert compared(copies).fault == Fault(bout.liar.seat, "statement", 1, "equivocation")


def test_a_refused_record_is_held_against_what_others_admitted() -> None:
    """The liar's second statement is a line of chat; the other copy was sent a REVEAL, far too early."""
    bout = under_way()
    copies = [
        copy(bout, bout.liar.statement(Kind.CHAT, ("hello",))),
        copy(bout, bout.liar.statement(Kind.REVEAL, (0, openings(bout)))),
    ]
    assert [report.verdict for report in copies] == [Verdict.INCOMPLETE, Verdict.TAMPERED]
    assert compared(copies).fault == Fault(bout.liar.seat, "statement", 1, "equivocation")


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
            honest_word(bout, Kind.RESIGN, count=last),
            log=[frame for frame in seat.log if frame.payload not in cut],
        ),
    ]
    assert [report.fault and report.fault.seat for report in copies] == [bout.liar.seat, None]
    assert compared(copies).fault == Fault(seat.seat, "entry", last, "went-on")


@pytest.mark.parametrize("answered", [True, False])
def test_a_claim_and_its_answer_complete_each_other(*, answered: bool) -> None:
    """Nobody did anything wrong: the cable was cut, one claims, the other's answer is in its own copy."""
    bout = under_way()
    before = list(bout.honest[0].log)
    claim = [bout.claims_away(600)]
    answer = [bout.liar.entry(bout.liar.truth())] if answered else []
    copies = [copy(bout, *claim, log=before), copy(bout, *answer, log=before)]
    assert [report.verdict for report in copies] == [Verdict.UNRESPONSIVE, Verdict.INCOMPLETE]
    shown = compared(copies)
    assert (shown.agree, shown.fault) == (not answered, None)
    assert shown.whole is not None
    assert shown.whole.verdict is (Verdict.INCOMPLETE if answered else Verdict.UNRESPONSIVE)


def test_copies_that_name_different_cheats_do_not_agree_but_complete_each_other() -> None:
    """Both seats laid what was not theirs to lay; each copy has only one of the REVEALs."""
    bout = settling(1, {**TOYS, "decide": false_hand}, crook=false_hand)
    own = [frame for frame in bout.honest[0].log if frame.kind == STATEMENT][-1]
    before = [frame for frame in bout.honest[0].log if frame is not own]
    theirs = bout.liar.statement(Kind.REVEAL, (0, openings(bout)))
    copies = [copy(bout, own, log=before), copy(bout, theirs, log=before)]
    assert [report.verdict for report in copies] == [Verdict.CHEATED] * 2
    assert [report.fault and report.fault.seat for report in copies] == [bout.honest[0].seat, bout.liar.seat]
    shown = compared(copies)
    assert (shown.agree, shown.fault) == (False, None)
    assert shown.whole is not None
    faults = [report.fault for report in copies if report.fault]
    assert shown.whole.fault == min(faults, key=lambda fault: fault.number)


def test_row_47_refused_records_of_seats_that_there_are_not_are_no_part_of_it() -> None:
    """Anybody can append such a one to a copy; nobody can have signed it."""
    bout = under_way()
    junk = [Frame(STATEMENT, encode([7, 0, 0, bout.begun.id, 1, text]) + bytes(64)) for text in ("x", "y")]
    copies = [copy(bout, lie) for lie in junk]
    assert [report.verdict for report in copies] == [Verdict.TAMPERED] * 2
    shown = compared(copies)
    assert (shown.agree, shown.fault) == (True, None)


# Forged copies, which anybody can make


def equivocating() -> tuple[Bout, list[Frame], Fault]:
    """A match, two versions of one line that the liar signed, and the fault that this is."""
    bout = under_way()
    lines = [bout.liar.statement(Kind.CHAT, (text,)) for text in ("yes", "no")]
    return bout, lines, Fault(bout.liar.seat, "statement", 1, "equivocation")


def test_row_49_a_junk_signature_in_the_file_named_first_hides_no_equivocation() -> None:
    bout, lines, fault = equivocating()
    forged = copy(bout, unsigned(lines[0]))
    assert forged.verdict is Verdict.TAMPERED
    assert compared([forged, *(copy(bout, line) for line in lines)]).fault == fault


def test_row_49_a_version_that_only_ends_vouch_for_hides_no_equivocation_either() -> None:
    """Anybody can spoil one signature of a whole copy, and it is complete as before."""
    bout = under_way()
    truth = bout.liar.truth()
    assert isinstance(truth, Choice)
    entry, other = bout.liar.entry(truth), bout.liar.entry(Choice("another move"))
    before = list(bout.honest[0].log)
    bout.tell(entry)
    bout.run()
    whole = [unsigned(frame) if frame == entry else frame for frame in bout.honest[0].log]
    copies = [copy(bout, log=whole), copy(bout), copy(bout, other, log=before)]
    assert [report.verdict for report in copies[:2]] == [Verdict.COMPLETE] * 2
    assert compared(copies).fault == Fault(
        bout.liar.seat, "entry", parse_entry(entry.payload).number, "equivocation"
    )


def test_a_fault_in_a_refused_record_is_part_of_what_copies_come_to() -> None:
    """One copy tells of the end; to the other, before that, the liar spoke out of turn."""
    bout = Bout(1, **TOYS)
    honest = bout.honest[0].seat
    bout.run(
        lambda b: (
            (owed := b.liar.referee.owed) is not None and owed.seat == honest and b.liar.referee.count > 4
        )
    )
    before = list(bout.honest[0].log)
    wrong = bout.liar.entry(Choice("nowhere"))
    bout.run()
    copies = [copy(bout), copy(bout, wrong, log=before)]
    assert [report.verdict for report in copies] == [Verdict.COMPLETE, Verdict.CHEATED]
    shown = compared(copies)
    assert (shown.agree, shown.fault) == (False, None)  # it is told of the second copy already
    assert shown.whole is not None
    assert (shown.whole.verdict, shown.whole.fault) == (Verdict.CHEATED, copies[1].fault)
    assert shown.whole.proof is not None
    assert proof.check(shown.whole.proof, ALL_GAMES) == copies[1].fault


@examples(16, 160)
@given(data=st.data())
def test_row_49_forged_copies_in_any_order_make_nothing_milder(data: st.DataObject) -> None:
    """True copies, and copies in which any signatures are junk, shuffled: nothing gets milder."""
    bout, lines, fault = equivocating()
    base = list(bout.honest[0].log)
    wrong = bout.liar.entry(Choice("nowhere"))
    nothing: list[Frame] = []
    pairs = [([lines[0]], [lines[1]]), ([lines[0]], nothing), ([wrong], [lines[0]]), (nothing, nothing)]
    true = data.draw(st.sampled_from(pairs))
    copies = [copy(bout, *more, log=base) for more in true]
    honest = compare(copies)
    forged = []
    for _ in range(data.draw(st.integers(1, 3))):
        log = [*base, data.draw(st.sampled_from([*lines, wrong]))]
        spoilt = data.draw(st.sets(st.integers(0, len(log) - 1), min_size=1))
        forged.append(
            copy(bout, log=[unsigned(frame) if at in spoilt else frame for at, frame in enumerate(log)])
        )
    shown = compare(data.draw(st.permutations([*copies, *forged])))
    if honest.fault is not None:
        assert (shown.fault, shown.proof) == (fault, honest.proof)
    elif lines[0] in true[0]:
        assert shown.fault in (None, fault)  # a forger who holds the other line cannot but show it
    assert gravity(shown) >= gravity(honest)


def gravity(shown: Comparison) -> int:
    """How bad the verdict on all copies together is, by its exit code."""
    if shown.fault is not None:
        return 21 if shown.fault.rule == "equivocation" else 20
    return 0 if shown.whole is None else shown.whole.exit_code % 40


def unsigned(frame: Frame) -> Frame:
    """The same body with a signature of nobody's."""
    return Frame(frame.kind, frame.payload[:-SIGNATURE_BYTES] + bytes(SIGNATURE_BYTES))
