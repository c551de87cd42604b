"""What ends a match that has claims to settle: a breach at once, an END only the true one, and no claim that
somebody is away who has said everything.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from p2p_stratego.core.game import Choose, Decision
from protocol.audit import proof
from protocol.audit.proof import Fault
from protocol.audit.verdict import Verdict
from protocol.errors import Violation
from protocol.record import statements
from protocol.record.asks.base import Decided
from protocol.record.endings import breach_outcome
from protocol.record.entries import Entry, parse_entry
from protocol.record.judgement import NoProof
from protocol.record.referee import Referee
from protocol.record.statements import Kind, Statement
from protocol.record.statements import parse as parse_statement
from protocol.seat.session import Session
from protocol.wire.encoding import Frame
from tests.helpers.cheats.bout import Bout
from tests.helpers.cheats.tables import ALL_GAMES, CLAIMING, openings, revealing, settling
from tests.helpers.games.players import honest

AT = pytest.mark.parametrize("table", CLAIMING.values(), ids=CLAIMING)


def taboo_cards(session: Session, decision: Decision, rng: random.Random) -> Decided:
    """Both cards are the forbidden one; but the hand is what it must be."""
    if isinstance(decision, Choose) or decision.exactly:
        return honest(session, decision, rng)
    return (session.referee.table.state.taboo,) * len(decision.slots)


@AT
def test_a_breach_is_the_end_at_once_whoever_still_has_something_to_reveal(table: dict[str, Any]) -> None:
    bout = Bout(2, **table, crook=taboo_cards)
    bout.run(lambda b: b.liar.referee.ended_by_rules is not None)
    fault = Fault(bout.liar.seat, "entry", bout.liar.referee.count - 1, "laid the taboo face")
    expected = breach_outcome(bout.begun.sides, bout.liar.seat, fault.rule, None)
    assert bout.liar.referee.table.ledger.due(bout.liar.seat, bout.liar.referee.count)
    for seat, report in zip(bout.honest, bout.reports(), strict=True):
        assert seat.session.outcome == expected
        assert not any(s.kind is Kind.REVEAL for s in seat.session.referee.statements[seat.seat])
        assert (report.verdict, report.outcome, report.fault) == (Verdict.CHEATED, expected, fault)
        assert report.unsettled == ()
        assert report.proof is not None
        assert proof.check(report.proof, ALL_GAMES) == fault
        last = bout.liar.statement(Kind.REVEAL, (0, openings(bout)))
        with pytest.raises(NoProof, match="goes on after"):
            proof.check(report.proof + bytes(last), ALL_GAMES)


def _settled(table: dict[str, Any]) -> tuple[Bout, int]:
    """A match that the rules have ended and all have settled; the liar is to sign its END."""
    for seed in range(20):
        bout = Bout(seed, **table)
        if bout.run(revealing) and bout.liar.referee.ended_by_rules is not None:
            bout.tell(bout.liar.statement(Kind.REVEAL, (0, openings(bout))))
            return bout, bout.liar.referee.count
    raise AssertionError("no such match")


@AT
@pytest.mark.parametrize("every", [False, True], ids=["short", "every signature"])
def test_a_false_end_of_a_settled_match_is_blamed(table: dict[str, Any], *, every: bool) -> None:
    bout, count = _settled(table)
    fault = Fault(bout.liar.seat, "statement", count, "false-end")
    lies = [
        statements.end_content(
            breach_outcome(bout.begun.sides, bout.honest[0].seat, "laid the taboo face", None)
        ),
        ((bout.liar.seat,), "no such reason"),
    ]
    for lie in lies:
        twin, _ = _settled(table)
        for taken in twin.lie([twin.liar.statement(Kind.END, lie)]):
            assert isinstance(taken, Violation)
        for report in twin.reports(every_signature=every):
            assert (report.verdict, report.fault) == (Verdict.CHEATED, fault)
            assert report.proof is not None
            assert proof.check(report.proof, ALL_GAMES) == fault


@AT
def test_a_false_end_is_no_proof_without_what_shows_that_it_is_false(table: dict[str, Any]) -> None:
    """With claims open, the END could be true: whoever holds only the chain blames nobody."""
    bout, _ = _settled(table)
    bout.lie([end := bout.liar.statement(Kind.END, ((bout.liar.seat,), "no such reason"))])
    chain: list[Frame] = [entry.frame for entry in bout.liar.referee.entries]
    with pytest.raises(NoProof):
        proof.check(proof.prove(bout.begun.body, [*chain, end]), ALL_GAMES)


@pytest.mark.parametrize("first", ["the reveal", "the claim"])
def test_whoever_has_revealed_is_not_away_whatever_one_says_who_has_not(first: str) -> None:
    """The liar resigned, does not reveal, and claims that somebody who did is away."""
    bout = settling(1, CLAIMING["two"])
    accused = bout.honest[0].seat
    claim = bout.liar.statement(Kind.AWAY, (accused, 600, b""))
    bout.lie([claim])
    for seat, report in zip(bout.honest, bout.reports(), strict=True):
        assert seat.session.outcome is None
        assert (report.verdict, report.unsettled) == (Verdict.INCOMPLETE, (bout.liar.seat,))
    reader, words = Referee(bout.begun), bout.liar.referee.record
    revealed = [word for word in words if isinstance(word, Statement) and word.kind is Kind.REVEAL]
    assert accused in [statement.seat for statement in revealed]
    for word in words:
        if isinstance(word, Entry):
            reader.admit_entry(parse_entry(word.payload))
        elif word not in revealed:
            reader.admit_statement(parse_statement(word.payload))
    rest = [claim.payload, *(statement.payload for statement in revealed)]
    for payload in rest if first == "the claim" else reversed(rest):
        reader.admit_statement(parse_statement(payload))
    assert reader.outcome is None
    assert reader.waited_for == (bout.liar.seat,)


def test_the_first_cheat_counts_for_players_as_for_auditors() -> None:
    """Somebody has lost by a breach; what another signs after that changes nothing."""
    bout = Bout(2, **CLAIMING["three"], crook=taboo_cards)
    bout.run(lambda b: b.liar.referee.ended_by_rules is not None)
    expected = breach_outcome(bout.begun.sides, bout.liar.seat, "laid the taboo face", None)
    bout.lie([bout.liar.statement(Kind.AWAY, (bout.honest[0].seat, 60, b""))])
    for seat, report in zip(bout.honest, bout.reports(), strict=True):
        assert seat.session.fault is not None
        assert seat.session.outcome == report.outcome == expected
