"""Audits of matches with cards: the word of all seats suffices; a false proof is found on request."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from protocol.audit.comparison import Copies
from protocol.audit.proof import check
from protocol.audit.verdict import ProofPolicy, Verdict, audit
from protocol.crypto.proofs import shuffle, verification
from protocol.crypto.proofs.verification import CardProof, all_hold, deferring, forget, keeping
from protocol.record.asks.proofs.shuffled import Shuffled
from tests.helpers.cheats.bout import Bout
from tests.helpers.games.cups import CUPS, GAMES
from tests.helpers.games.players import honest

LIAR = 1


@cache
def fair() -> tuple[bytes, ...]:
    """The transcripts of an honest match, every seat's."""
    with keeping():
        bout = Bout(3, game=CUPS, seats=3, liar=LIAR, decide=honest)
        bout.run()
    return tuple(seat.transcript for seat in bout.honest)


@cache
def colluding(ends: bool = True) -> bytes:
    """A match in which seat 1 proves a shuffle falsely, and nobody minds; all sign an END, or none does."""
    with deferring():
        bout = Bout(3, game=CUPS, seats=3, liar=LIAR, decide=honest)
        assert bout.run(lambda b: (owed := b.liar.owes) is not None and owed.message is Shuffled)
        true = bout.liar.truth()
        assert isinstance(true, Shuffled)
        false = true.proof[:-32] + bytes(32)
        bout.tell(bout.liar.entry(Shuffled(true.cards, false)))
        bout.run(lambda _: not ends)
    return bout.honest[0].transcript


class Counting:
    """Checks proofs, and counts them: all, and the most at one time."""

    def __init__(self) -> None:
        self.seen = self.most = 0

    def __call__(self, statements: Sequence[CardProof]) -> bool:
        self.seen += len(statements)
        self.most = max(self.most, len(statements))
        return all_hold(statements)


@pytest.fixture(autouse=True)
def nothing_is_known() -> None:
    """Every proof is checked, whatever another test has checked."""
    forget()


def test_the_word_of_all_seats_suffices(monkeypatch: pytest.MonkeyPatch) -> None:
    data = fair()[0]
    monkeypatch.setattr(shuffle.ShuffleProof, "verify", pytest.fail)
    counting = Counting()
    report = audit(data, GAMES, proving=ProofPolicy(hold=counting))
    assert report.verdict is Verdict.COMPLETE
    assert counting.seen == report.checks.proven == 0
    assert report.checks.proofs > 30


def test_every_proof_is_checked_on_request_or_where_every_signature_is() -> None:
    data = fair()[0]
    seen = []
    for every_signature, every_proof in ((False, True), (True, False)):
        counting = Counting()
        report = audit(
            data,
            GAMES,
            every_signature=every_signature,
            proving=ProofPolicy(every=every_proof, hold=counting),
        )
        assert report.verdict is Verdict.COMPLETE
        assert report.checks.proven == report.checks.proofs
        seen.append(counting.seen)
    assert seen[0] == seen[1] > 30


def test_row_47_an_audit_holds_a_batch_of_proofs_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "BATCH", 7)
    counting = Counting()
    report = audit(fair()[0], GAMES, proving=ProofPolicy(every=True, hold=counting))
    assert report.verdict is Verdict.COMPLETE
    assert counting.seen > 30
    assert counting.most == 7
    for ends in (True, False):
        counting = Counting()
        verdict = audit(colluding(ends), GAMES, proving=ProofPolicy(every=True, hold=counting))
        assert verdict.fault is not None
        assert (verdict.fault.seat, verdict.fault.rule) == (LIAR, "wrong-shuffle")
        assert counting.most <= 7


def test_row_68_a_false_shuffle_for_which_all_have_signed_is_found_by_whoever_checks_it() -> None:
    data = colluding()
    assert audit(data, GAMES).verdict is Verdict.COMPLETE
    for report in (
        audit(data, GAMES, proving=ProofPolicy(every=True)),
        audit(data, GAMES, every_signature=True),
    ):
        assert report.verdict is Verdict.CHEATED
        assert report.fault is not None
        assert (report.fault.seat, report.fault.rule) == (LIAR, "wrong-shuffle")
        assert report.proof is not None
        assert check(report.proof, GAMES) == report.fault


def test_a_false_shuffle_in_a_match_that_stopped_is_found_by_everybody() -> None:
    report = audit(colluding(ends=False), GAMES)
    assert report.verdict is Verdict.CHEATED
    assert report.fault is not None
    assert (report.fault.seat, report.fault.rule) == (LIAR, "wrong-shuffle")


def test_copies_of_one_match_are_compared_without_a_proof_unless_all_are_wanted() -> None:
    for every in (False, True):
        counting = Counting()
        copies = Copies(GAMES, proving=ProofPolicy(every, counting))
        for data in fair():
            copies.add(data)
        comparison = copies.compare()
        assert comparison.agree
        assert comparison.whole is not None
        assert comparison.whole.verdict is Verdict.COMPLETE
        assert (counting.seen > 0) == every


def test_players_check_what_an_auditor_may_leave_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """No player admits a proof on another's word."""
    checked: list[shuffle.ShuffleProof] = []

    def note(statement: shuffle.ShuffleProof) -> None:
        checked.append(statement)

    monkeypatch.setattr(shuffle.ShuffleProof, "verify", note)
    bout = Bout(4, game=CUPS, seats=3, liar=LIAR, decide=honest)
    assert bout.run(lambda b: b.liar.referee.table.cards.shuffles > 0)
    assert len(checked) == 3  # by each seat the first one, by its maker too
