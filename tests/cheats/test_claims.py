"""Claims about slots: false ones, and REVEALs that are wrong, late, or cross what others say."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

import pytest

from p2p_stratego.core.game import Ask, Breach, Choose, Commit, Decision, Open, Outcome
from p2p_stratego.core.sides import without
from protocol.audit import proof
from protocol.audit.proof import Fault
from protocol.audit.verdict import Verdict, audit
from protocol.crypto.proofs.verification import keeping
from protocol.errors import Misplaced, Refusal, Violation
from protocol.failures import NotNow, Why
from protocol.record.asks.base import Decided
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.open import Opening
from protocol.record.asks.registry import CODEC
from protocol.record.entries import parse_entry
from protocol.record.referee import Referee
from protocol.record.statements import Kind
from protocol.record.statements import parse as parse_statement
from protocol.seat.session import Session
from protocol.wire import transcript
from protocol.wire.encoding import ENTRY
from tests.helpers.cheats.bout import Bout, owing
from tests.helpers.cheats.tables import ALL_GAMES, CLAIMING, false_hand, openings, revealing, settling
from tests.helpers.games.cups import CUPS, HIGH
from tests.helpers.games.cups import GAMES as DECKS
from tests.helpers.games.players import honest
from tests.helpers.games.scripted import Scripted
from tests.helpers.seats.pair import Table


@pytest.mark.parametrize("end", ["by the rules", "by resigning"])
@pytest.mark.parametrize("table", CLAIMING.values(), ids=CLAIMING)
def test_a_false_claim_is_blamed_at_the_entry_that_made_it(table: dict[str, Any], end: str) -> None:
    if end == "by resigning":
        bout = settling(1, table, crook=false_hand)
    else:
        bout = next(b for seed in range(20) if (b := Bout(seed, **table, crook=false_hand)).run(revealing))
    assert all(seat.session.outcome is None for seat in bout.honest)
    bout.tell(bout.liar.statement(Kind.REVEAL, (0, openings(bout))))
    laid = next(
        e.number
        for e in bout.liar.referee.entries
        if e.seat == bout.liar.seat and isinstance(CODEC.parse(e.message), Commitments)
    )
    bout.run()
    fault = Fault(bout.liar.seat, "entry", laid, "wrong-faces")
    for seat, report in zip(bout.honest, bout.reports(), strict=True):
        assert (report.verdict, report.fault) == (Verdict.CHEATED, fault)
        assert report.outcome is not None
        assert report.outcome == seat.session.outcome
        ended = seat.session.referee.provisional
        assert ended is not None
        winners = without(bout.begun.sides, bout.liar.seat, ended.winners)
        breach = Breach(bout.liar.seat, "wrong-faces")
        assert (report.outcome.winners, report.outcome.breach) == (winners, breach)
        assert report.proof is not None
        assert proof.check(report.proof, ALL_GAMES) == fault


def test_of_several_liars_no_side_wins_and_the_earliest_is_named() -> None:
    """Also if the rules made one of them the winner: the sacrifice of another does not save it."""
    table = {name: value for name, value in CLAIMING["three"].items() if name != "liar"}
    ended = set()
    for seed in range(4):
        made = Table(seed, **table, decide=[honest, false_hand, false_hand]).play()
        for seat in made.seats:
            session = seat.session
            assert session.referee.provisional is not None
            assert session.outcome is not None
            assert session.outcome.winners == session.referee.provisional.winners - {1, 2}
            assert session.outcome.breach == Breach(1, "wrong-faces")
            report = audit(seat.transcript, ALL_GAMES)
            assert (report.verdict, report.outcome) == (Verdict.CHEATED, session.outcome)
            assert report.checks.ends == 3
            ended.add(session.referee.provisional.winners)
    assert frozenset({2}) in ended


@pytest.mark.parametrize("seats", [2, 3])
def test_row_100_a_claim_that_openings_disprove_ends_play_at_once_in_every_copy(seats: int) -> None:
    """More records change no winner: a copy that is cut where it shows, or goes further, says the same."""
    asked: list[Ask] = [Commit(0, (1, 2), (1, 2), exactly=True), Open(1), Open(2), Choose(1, ("on",))]
    game = Scripted(asked, [Choose(1, ("on",))])
    decide = [lambda *_: (1, 1), *[lambda *_: "on"] * (seats - 1)]
    made = Table(1, game=game, seats=seats, decide=decide).play()  # type: ignore[arg-type]  # lambdas
    fault, breach = Fault(0, "entry", 0, "wrong-faces"), Breach(0, "wrong-faces")
    winners = frozenset({1}) if seats == 2 else frozenset[int]()
    records = list(transcript.Records(made.seats[1].transcript))
    shown = max(number for number, frame in enumerate(records) if frame.kind == ENTRY)
    for seat in made.seats:
        assert seat.session.outcome == Outcome(winners, "cheated", breach)
        assert not seat.session.referee.unsettled
        assert seat.session.decision is None
    for stop in range(shown + 1, len(records) + 1):
        data = transcript.write(made.begun.body, records[:stop])
        report = audit(data, {game.name: game}, every_signature=True)
        assert (report.verdict, report.fault) == (Verdict.CHEATED, fault)
        assert report.outcome == Outcome(winners, "cheated", breach)
        assert report.proof is not None
        assert proof.check(report.proof, {game.name: game}) == fault


def test_a_claim_about_single_cards_is_settled_too() -> None:
    """The caller said that its other card is not taboo; it is."""

    def taboo_right(session: Session, decision: Decision, rng: random.Random) -> Decided:
        if isinstance(decision, Choose):
            return "left" if "left" in decision.options else rng.choice(list(decision.options))
        if decision.exactly:
            return honest(session, decision, rng)
        taboo = session.referee.table.state.taboo
        return taboo % 6 + 1, taboo

    bout = next(
        b
        for seed in range(40)
        if (b := Bout(seed, **CLAIMING["two"], crook=taboo_right)).run(
            lambda b: any(
                claim.seat == 1 and not claim.exactly for claim in b.liar.referee.table.ledger.claims
            )
        )
    )
    bout.run()
    (report,) = bout.reports()
    assert report.verdict is Verdict.CHEATED
    assert report.fault is not None
    assert (report.fault.seat, report.fault.rule) == (1, "called a taboo card clean")
    assert report.proof is not None
    assert proof.check(report.proof, ALL_GAMES) == report.fault


WRONG: Final[dict[str, tuple[str, Callable[[tuple[Opening, ...]], tuple[Opening, ...]]]]] = {
    "one too few": ("wrong-count", lambda o: o[:-1]),
    "one too many": ("wrong-count", lambda o: (*o, o[0])),
    "another face": ("wrong-opening", lambda o: (Opening(o[0].face % 3 + 1, o[0].salt), *o[1:])),
    "another salt": ("wrong-opening", lambda o: (Opening(o[0].face, bytes(32)), *o[1:])),
    "in another order": ("wrong-opening", lambda o: (o[1], o[0], *o[2:])),
    "the last one wrong": ("wrong-opening", lambda o: (*o[:-1], Opening(o[-1].face % 3 + 1, o[-1].salt))),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("table", CLAIMING.values(), ids=CLAIMING)
def test_a_wrong_reveal_is_blamed(
    table: dict[str, Any], wrong: tuple[str, Callable[[tuple[Opening, ...]], tuple[Opening, ...]]]
) -> None:
    rule, change = wrong
    bout = settling(1, table)
    count = bout.liar.referee.count
    faces = [dict(seat.session.referee.table.faces) for seat in bout.honest]
    for taken in bout.lie([bout.liar.statement(Kind.REVEAL, (0, change(openings(bout))))]):
        assert isinstance(taken, Violation)
    assert [seat.session.referee.table.faces for seat in bout.honest] == faces
    for report in bout.reports():
        assert report.fault == Fault(bout.liar.seat, "statement", count, rule)
        assert report.proof is not None
        assert proof.check(report.proof, ALL_GAMES) == report.fault


def test_whoever_does_not_reveal_owes_it_and_can_be_said_to_be_away() -> None:
    bout = settling(1, CLAIMING["two"])
    for report in bout.reports():
        assert report.verdict is Verdict.INCOMPLETE
        assert bout.liar.seat in report.unsettled
        assert report.owed is None
    claim = bout.claims_away(60)
    assert {report.verdict for report in bout.reports()} == {Verdict.UNRESPONSIVE}
    # Nobody can turn that claim against whoever made it, with the chain alone or with all that is known.
    seat = bout.honest[0]
    chain = [entry.frame for entry in seat.session.referee.entries]
    with pytest.raises(Refusal):
        proof.check(proof.prove(bout.begun.body, [*chain, claim]), ALL_GAMES)
    # The REVEAL that crossed the claim settles the match after all.
    reveal = bout.liar.statement(Kind.REVEAL, (0, openings(bout)))
    bout.lie([reveal])
    for report in bout.reports():
        assert report.verdict is Verdict.COMPLETE
        assert report.outcome is not None
        assert report.outcome.reason == "resigned"


def test_a_claim_of_absence_that_crosses_the_reveal_blames_nobody() -> None:
    """As the accused sees it: its own REVEAL first, then the claim over the same head."""
    bout = settling(1, CLAIMING["two"])
    claim = bout.claims_away(60)
    accused = bout.liar.referee
    accused.admit_statement(parse_statement(bout.liar.statement(Kind.REVEAL, (0, openings(bout))).payload))
    accused.admit_statement(parse_statement(claim.payload))
    assert accused.outcome is not None
    assert accused.outcome.reason == "resigned"


def test_whoever_does_not_reveal_gains_nothing_by_accusing_one_who_has() -> None:
    """By the chain alone the accused owed a REVEAL; that is in the record, and answers the claim."""
    bout = Bout(1, **{**CLAIMING["two"], "liar": 0})
    bout.run(lambda b: b.liar.owes is not None and b.liar.referee.count > 12)
    accused, *_ = bout.honest
    accused.session.resign()
    bout.spread()
    assert bout.liar.referee.unsettled == (0,)
    bout.tell(bout.liar.statement(Kind.AWAY, (accused.seat, 600, b"")))
    assert {report.verdict for report in bout.reports()} == {Verdict.INCOMPLETE}
    with pytest.raises(NotNow, match=Why.NOT_ACKNOWLEDGED.value):
        bout.claims_away(600)  # nothing that the liar signed shows that it knows of the resignation


def test_a_claim_of_absence_before_the_resignation_is_known_blames_nobody() -> None:
    """That the accused owes a REVEAL follows from its resignation, which is not in the chain."""
    bout = Bout(1, **CLAIMING["two"])
    bout.run(lambda b: b.liar.owes is None and b.liar.referee.count > 12)
    bout.tell(bout.liar.statement(Kind.RESIGN))
    claim, reader = bout.claims_away(60), Referee(bout.begun, agreed=True)
    for entry in bout.liar.referee.entries:
        reader.admit_entry(parse_entry(entry.payload))
    assert reader.owed is not None
    assert reader.owed.seat != bout.liar.seat
    with pytest.raises(Misplaced):
        reader.judge_statement(parse_statement(claim.payload), last=True)


def test_a_reveal_repeats_what_was_revealed_so_that_each_stands_alone() -> None:
    """A proof holds the chain and the accused's statement: no honest REVEAL may look wrong in it."""
    bout = settling(1, CLAIMING["three"])
    first = bout.liar.statement(Kind.REVEAL, (0, openings(bout)))
    bout.tell(first)
    second = bout.liar.statement(Kind.REVEAL, (0, openings(bout)))
    assert bout.lie([second]) == [None, None]
    chain = [entry.frame for entry in bout.liar.referee.entries]
    for reveal in (first, second):
        with pytest.raises(Refusal):
            proof.check(proof.prove(bout.begun.body, [*chain, reveal]), ALL_GAMES)


def test_a_reveal_is_dropped_while_the_match_goes_on_and_an_early_end_while_claims_are_open() -> None:
    bout = Bout(1, **CLAIMING["two"])
    bout.run(owing(Opening))
    assert all(
        isinstance(taken, Misplaced)
        for taken in bout.lie([bout.liar.statement(Kind.REVEAL, (0, openings(bout)))])
    )
    bout = settling(1, CLAIMING["two"])
    end = bout.liar.statement(Kind.END, ((0,), "resigned"))
    assert all(isinstance(taken, Misplaced) for taken in bout.lie([end]))


@pytest.mark.parametrize("seats", [2, 3])
def test_a_false_word_about_an_open_card_loses_the_match(seats: int) -> None:
    """It needs no proof, and no message tells it from a true one: what all see settles it."""
    with keeping():  # all seats live in this process: what one has checked holds for all
        bout = Bout(5, game=CUPS, seats=seats, liar=1, decide=honest, options={"rounds": 2})
        assert bout.run(lambda b: b.liar.owes is not None and b.liar.owes.part == Choose(1, tuple(HIGH)))
        number, true = bout.liar.referee.count, bout.liar.truth()
        assert isinstance(true, Choice)
        bout.tell(bout.liar.entry(Choice(next(word for word in HIGH if word != true.move))))
        fault = Fault(1, "entry", number, "false-size")
        assert audit(bout.honest[0].transcript, DECKS).fault == fault, "an auditor names it at once"
        bout.run()
        for seat in bout.honest:
            assert seat.session.outcome is not None
            assert seat.session.outcome.reason == "cheated"
            assert 1 not in seat.session.outcome.winners
        report = audit(bout.honest[0].transcript, DECKS)
        assert (report.verdict, report.fault) == (Verdict.CHEATED, fault)
        assert report.proof is not None
        assert proof.check(report.proof, DECKS) == fault
