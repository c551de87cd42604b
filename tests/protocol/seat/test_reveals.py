"""A REVEAL of hundreds of slots: in parts, each judged by the chain alone, in any order."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

import pytest

from p2p_stratego.core.game import Choose, Commit, Decision
from protocol.audit import proof
from protocol.audit.proof import Fault
from protocol.audit.verdict import Verdict, audit
from protocol.errors import Misplaced, Violation
from protocol.record.asks.base import Decided
from protocol.record.asks.open import Opening
from protocol.record.evidence import read_record
from protocol.record.referee import Referee
from protocol.record.statements import Kind, Statement
from protocol.seat import replies
from protocol.seat.session import Session
from protocol.wire.encoding import Frame
from protocol.wire.messages import MAX_SLOTS
from tests.helpers.cheats.bout import Bout
from tests.helpers.games.scripted import Scripted
from tests.helpers.seats.pair import Table

_BAGS: Final = [tuple(range(start, start + MAX_SLOTS)) for start in (1000, 300, 2000)]
_FACES: Final = tuple(sorted([1, 2] * (MAX_SLOTS // 2)))
GAME: Final = Scripted(
    [Commit(0, bag, _FACES, exactly=True) for bag in _BAGS] + [Commit(1, (1, 2, 3), (1, 2, 3), exactly=True)],
    [Choose(1, ("on",))],
)
GAMES: Final[dict[str, Any]] = {GAME.name: GAME}


def lays(_: Session, decision: Decision, rng: random.Random) -> Decided:
    if isinstance(decision, Choose):
        return next(iter(decision.options))
    return tuple(rng.sample(list(decision.faces), len(decision.slots)))


def false_bag(session: Session, decision: Decision, rng: random.Random) -> Decided:
    """One face too many of a kind, in the bag whose slots come last."""
    true = lays(session, decision, rng)
    if isinstance(decision, Commit) and 2000 in decision.slots:
        assert isinstance(true, tuple)
        return (3 - true[0], *true[1:]) if true[0] == 1 else (1, *true[1:])
    return true


def revealed(referee: Referee, seat: int) -> list[Statement]:
    return [statement for statement in referee.statements[seat] if statement.kind is Kind.REVEAL]


def test_more_slots_than_one_part_holds_are_revealed_in_parts() -> None:
    table = Table(0, game=GAME, decide=lays).play()
    for seat in table.seats:
        parts = [statement.content for statement in revealed(seat.session.referee, 0)]
        assert [(number, len(openings)) for number, openings in parts] == [(0, 256), (1, 256), (2, 256)]
        assert [statement.content[0] for statement in revealed(seat.session.referee, 1)] == [0]
        for every in (False, True):
            assert audit(seat.transcript, GAMES, every_signature=every).verdict is Verdict.COMPLETE


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_each_part_stands_for_itself_and_all_of_them_settle(order: tuple[int, ...]) -> None:
    """Signed in any order, by a program that prefers another one."""
    bout = ended()
    referee = {seat.seat: seat.session.referee for seat in bout.honest}[1]
    for number in order:
        assert referee.unsettled == (0,)
        assert referee.outcome is None
        bout.tell(part(bout, number))
    assert referee.unsettled == ()
    bout.run()
    assert [report.verdict for report in judged(bout)] == [Verdict.COMPLETE]


def ended(decide: Any = lays) -> Bout:
    """Play is over, and the liar (seat 0) owes its REVEAL."""
    bout = Bout(0, game=GAME, liar=0, decide=lays, crook=decide)
    assert bout.run(lambda b: b.liar.seat in b.liar.referee.unsettled)
    return bout


def openings(bout: Bout, number: int) -> tuple[Opening, ...]:
    liar = bout.liar
    return replies.openings(liar.secrets, liar.referee, 0, liar.session.known, number)


def part(bout: Bout, number: int, change: Callable[[Any], Any] = lambda content: content) -> Frame:
    return bout.liar.statement(Kind.REVEAL, (number, change(openings(bout, number))))


def judged(bout: Bout) -> list[Any]:
    return [audit(seat.transcript, GAMES, every_signature=True) for seat in bout.honest]


def test_a_part_that_was_revealed_can_be_revealed_again() -> None:
    bout = ended()
    for number in (0, 0, 1, 1, 2):
        bout.tell(part(bout, number))
    bout.run()
    assert [report.verdict for report in judged(bout)] == [Verdict.COMPLETE]


WRONG: Final[dict[str, tuple[str, Callable[[Bout], Frame]]]] = {
    "an opening too few": ("wrong-count", lambda b: part(b, 1, lambda content: content[1:])),
    "a part that does not exist": (
        "wrong-count",
        lambda b: b.liar.statement(Kind.REVEAL, (3, openings(b, 0)[:1])),
    ),
    "a part far beyond all slots": (
        "wrong-count",
        lambda b: b.liar.statement(Kind.REVEAL, (2**32 - 1, openings(b, 0))),
    ),
    "another part than it says": (
        "wrong-opening",
        lambda b: b.liar.statement(Kind.REVEAL, (0, openings(b, 1))),
    ),
    "two openings exchanged": (
        "wrong-opening",
        lambda b: part(b, 2, lambda content: (content[1], content[0], *content[2:])),
    ),
}


@pytest.mark.parametrize("why", WRONG)
def test_a_wrong_part_is_a_fault_of_its_seat(why: str) -> None:
    rule, lie = WRONG[why]
    bout = ended()
    bout.tell(part(bout, 0))
    fault = Fault(0, "statement", bout.liar.referee.count, rule)
    for refusal in bout.lie([lie(bout)]):
        assert isinstance(refusal, Violation)
    (report,) = judged(bout)
    assert (report.verdict, report.fault) == (Verdict.CHEATED, fault)
    assert proof.check(report.proof, GAMES) == fault


def test_a_claim_that_a_later_part_disproves_is_proven_by_all_parts() -> None:
    bout = ended(false_bag)
    for number in range(3):
        bout.tell(part(bout, number))
    bout.run()
    (report,) = judged(bout)
    fault = Fault(0, "entry", 2, "wrong-faces")
    assert (report.verdict, report.fault) == (Verdict.CHEATED, fault)
    assert proof.check(report.proof, GAMES) == fault


def test_a_seat_that_stops_between_two_parts_still_owes() -> None:
    bout = ended()
    bout.tell(part(bout, 0))
    bout.tell(part(bout, 2))
    (report,) = judged(bout)
    assert (report.verdict, report.unsettled) == (Verdict.INCOMPLETE, (0,))
    with pytest.raises(Misplaced):
        bout.honest[0].session.receive(read_record(bout.liar.statement(Kind.END, ((), "draw"))))
    bout.tell(part(bout, 1))
    bout.run()
    assert [report.verdict for report in judged(bout)] == [Verdict.COMPLETE]


@pytest.mark.parametrize("kept", [0, 1, 2, 3])
def test_a_crash_between_two_parts_loses_none_and_repeats_none(kept: int) -> None:
    """The disk holds the first parts; the seat reveals those that it had not written."""
    table = Table(0, game=GAME, decide=lays)
    while not table.seats[0].session.over:
        table.step()
    seat = table.seats[0]
    frames = [part.frame for part in revealed(seat.session.referee, 0)]
    seat.log = [frame for frame in seat.log if frame not in frames[kept:]]
    seat.restart()
    seat.session.go_live()
    seat.persist()
    assert [s.content[0] for s in revealed(seat.session.referee, 0)] == [0, 1, 2]
    assert [frame for frame in seat.log if frame in frames] == frames
