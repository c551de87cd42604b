"""A seat that signs two different things for one place: found at once, or when copies are compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from p2p_stratego.core.game import Breach
from protocol.audit import proof
from protocol.audit.proof import Fault
from protocol.audit.verdict import Verdict
from protocol.errors import Equivocation, Misplaced
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.open import Opening
from protocol.record.asks.roll import Share
from protocol.record.asks.together import HiddenChoice, ShownChoice
from protocol.record.entries import parse_entry
from protocol.record.evidence import read_record
from protocol.record.judgement import check_equivocation
from protocol.record.statements import Kind, parse
from protocol.wire import transcript
from protocol.wire.encoding import ENTRY, Frame
from protocol.wire.messages import Message
from tests.helpers.cheats.bout import Bout, Copy, compare, judge, owing
from tests.helpers.cheats.lies import JUNK, MESSAGES
from tests.helpers.cheats.tables import ALL_GAMES, LIARS, winners
from tests.helpers.games.toy import TOY

OTHERS: Final[dict[type[Message], Message]] = {
    Choice: Choice("another move"),
    HiddenChoice: HiddenChoice(JUNK),
    ShownChoice: ShownChoice("another move", JUNK),
    Commitments: Commitments((JUNK,)),
    Opening: Opening(0, JUNK),
    Share: Share(JUNK),
}
THREE: Final[dict[str, Any]] = {"seats": 3, "game": TOY, "options": {"rounds": 2}, "liar": 1}


def blamed(bout: Bout, fault: Fault, frames: list[Frame]) -> None:
    """Every honest record shows the fault, proves it, and goes no further."""
    for seat, report in zip(bout.honest, bout.reports(), strict=True):
        outcome = seat.session.outcome
        assert outcome is not None
        assert (outcome.winners, outcome.breach) == (
            winners(bout, seat.session),
            Breach(fault.seat, "equivocation"),
        )
        assert (report.verdict, report.fault, report.exit_code) == (Verdict.EQUIVOCATED, fault, 21)
        assert report.outcome is not None
        assert report.outcome.winners == outcome.winners
        assert report.proof == proof.prove(bout.begun.body, frames)
        assert proof.check(report.proof, ALL_GAMES) == fault
        seat.restart()
        assert seat.session.outcome == outcome


@pytest.mark.parametrize("table", LIARS.values(), ids=LIARS)
@pytest.mark.parametrize("later", [0, 7], ids=["at once", "seven entries later"])
@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
def test_a_second_version_of_an_entry_is_proof(
    kind: type[Message], later: int, table: dict[str, Any]
) -> None:
    bout = next(b for seed in range(30) if (b := Bout(seed, **table)).run(owing(kind)))
    true, false = bout.liar.entry(bout.liar.truth()), bout.liar.entry(OTHERS[kind])
    number = parse_entry(true.payload).number
    bout.tell(true)
    bout.run(lambda b: b.liar.referee.count > number + later)
    for taken in bout.lie([false]):
        assert isinstance(taken, Equivocation)
        assert (taken.seat, taken.what, taken.number) == (bout.liar.seat, "entry", number)
    blamed(bout, Fault(bout.liar.seat, "entry", number, "equivocation"), [true, false])


def test_a_second_version_over_another_head_is_proof_all_the_same() -> None:
    bout = Bout(1)
    bout.run(owing(Choice))
    true = bout.liar.entry(bout.liar.truth())
    bout.tell(true)
    number = parse_entry(true.payload).number
    false = bout.liar.entry(Choice("x"), number=number, previous=JUNK)
    assert all(isinstance(taken, Equivocation) for taken in bout.lie([false]))
    blamed(bout, Fault(bout.liar.seat, "entry", number, "equivocation"), [true, false])


STATEMENTS: Final[dict[str, tuple[Callable[[Bout, int], Frame], Callable[[Bout, int], Frame]]]] = {
    "other words": (
        lambda b, i: b.liar.statement(Kind.CHAT, ("yes",), index=i),
        lambda b, i: b.liar.statement(Kind.CHAT, ("no",), index=i),
    ),
    "another kind": (
        lambda b, i: b.liar.statement(Kind.OFFER_DRAW, index=i),
        lambda b, i: b.liar.statement(Kind.RESIGN, index=i),
    ),
    "over another count": (
        lambda b, i: b.liar.statement(Kind.CHAT, ("yes",), index=i),
        lambda b, i: b.liar.statement(Kind.CHAT, ("yes",), index=i, count=3),
    ),
}


@pytest.mark.parametrize("table", LIARS.values(), ids=LIARS)
@pytest.mark.parametrize("versions", STATEMENTS.values(), ids=STATEMENTS)
def test_a_second_version_of_a_statement_is_proof(
    versions: tuple[Callable[[Bout, int], Frame], Callable[[Bout, int], Frame]], table: dict[str, Any]
) -> None:
    bout = Bout(1, **table)
    bout.run(lambda b: b.liar.referee.count >= 8)
    true, false = (make(bout, 1) for make in versions)
    bout.tell(true)
    for taken in bout.lie([false]):
        assert isinstance(taken, Equivocation)
        assert (taken.seat, taken.what, taken.number) == (bout.liar.seat, "statement", 1)
    blamed(bout, Fault(bout.liar.seat, "statement", 1, "equivocation"), [true, false])


def test_two_signatures_of_one_body_are_no_second_version() -> None:
    """Ed25519 signatures can be made with another nonce: the record is its body (threat 28)."""
    bout = Bout(1)
    bout.run(owing(Choice))
    bout.tell(bout.liar.entry(bout.liar.truth()))
    again = bout.liar.referee.entries[-1]
    assert check_equivocation(bout.begun, again.frame, again.frame) is None
    assert bout.lie([again.frame]) == [None]


@pytest.mark.parametrize("kind", [Choice, HiddenChoice, Commitments], ids=lambda kind: kind.__name__)
def test_row_08_two_faces_to_two_peers_come_out_when_their_copies_are_compared(kind: type[Message]) -> None:
    """Each copy alone is a match under way."""
    bout = next(b for seed in range(30) if (b := Bout(seed, **THREE)).run(owing(kind)))
    true, false = bout.liar.entry(bout.liar.truth()), bout.liar.entry(_plausible(bout, kind))
    number = parse_entry(true.payload).number
    assert bout.lie([true], to=[0]) == bout.lie([false], to=[2]) == [None]
    first, second = bout.reports()
    assert first.verdict is second.verdict is Verdict.INCOMPLETE
    for reports in (
        [first, second],
        [second, first],
        [first, first, second],
        [_shorter(bout), first, second],
    ):
        comparison = compare(reports)
        assert not comparison.agree
        assert comparison.fault == Fault(1, "entry", number, "equivocation")
        assert comparison.proof is not None
        assert proof.check(comparison.proof, ALL_GAMES) == comparison.fault
    assert compare([first, first]).agree
    assert compare([_shorter(bout), first]).agree


def _plausible(bout: Bout, kind: type[Message]) -> Message:
    """Another message that the rules would admit here, where there is one."""
    truth = bout.liar.truth()
    if isinstance(truth, Choice):
        part = bout.liar.owes
        assert part is not None
        return Choice(next(move for move in part.part.options if move != truth.move))  # type: ignore[union-attr]  # a Choice is owed for a Choose
    if isinstance(truth, Commitments):
        return Commitments((JUNK, *truth.digests[1:]))
    return OTHERS[kind]


def _shorter(bout: Bout) -> Copy:
    """A copy of the same match that stops before the fork."""
    consents = [frame for frame in bout.honest[0].log if frame.kind != ENTRY]
    return judge(transcript.write(bout.begun.body, consents))


def test_row_08_whoever_was_shown_the_other_version_blames_nobody_alone() -> None:
    """The next honest entry names a head that the other does not know, and that is all that can be told."""
    bout = next(b for seed in range(30) if (b := Bout(seed, **THREE)).run(owing(HiddenChoice)))
    bout.lie([bout.liar.entry(bout.liar.truth())], to=[0])
    bout.lie([bout.liar.entry(HiddenChoice(JUNK))], to=[2])
    second = bout.honest[1]
    second_choice = second.session.decision
    if second_choice is not None:
        second.session.decide(bout.decide(second.session, second_choice, bout.rng))
    frames = second.persist()
    assert frames
    for frame in frames:
        with pytest.raises(Misplaced):
            bout.honest[0].session.receive(read_record(frame))
    assert bout.honest[0].session.outcome is None
    assert all(report.verdict is Verdict.INCOMPLETE for report in bout.reports())


def test_two_versions_of_a_statement_come_out_when_copies_are_compared() -> None:
    bout = Bout(1, **THREE)
    bout.run(lambda b: b.liar.referee.count >= 8)
    versions = [bout.liar.statement(Kind.CHAT, (text,), index=1) for text in ("we are friends", "we are not")]
    for version, seat in zip(versions, (0, 2), strict=True):
        assert bout.lie([version], to=[seat]) == [None]
    comparison = compare(bout.reports())
    assert comparison.fault == Fault(1, "statement", 1, "equivocation")
    assert comparison.proof is not None
    assert proof.check(comparison.proof, ALL_GAMES) == comparison.fault
    assert [parse(version.payload).index for version in versions] == [1, 1]


def test_a_proof_before_the_end_of_play_makes_a_match_void_and_one_behind_it_takes_the_culprit_out() -> None:
    """What comes first decides, so two copies may name other winners, but the same culprit."""
    table = {**THREE, "liar": 2}  # the highest seat makes the last entry of the toy game
    whole = Bout(1, **table)
    whole.run()
    last = whole.liar.referee.count - 1
    bout = Bout(1, **table)
    bout.run(lambda b: b.liar.referee.count == last)
    entry = bout.liar.entry(bout.liar.truth())
    true, false = (bout.liar.statement(Kind.CHAT, (text,), index=1) for text in ("yes", "no"))
    bout.tell(true)
    void, ranked = bout.honest
    bout.lie([false], to=[void.seat])
    bout.lie([entry, false], to=[ranked.seat])
    ended = ranked.session.referee.provisional
    assert ended is not None
    assert void.session.referee.provisional is None
    first, second = bout.reports()
    assert first.fault == second.fault == Fault(2, "statement", 1, "equivocation")
    assert first.outcome is not None
    assert second.outcome is not None
    assert (first.outcome.winners, second.outcome.winners) == (frozenset(), ended.winners - {2})
    for order in ([first, second], [second, first]):
        assert compare(order).fault == first.fault
