"""Cheats in a game of mates: one of three or four seats breaks a rule that only mates have."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress

import pytest

from p2p_stratego.core.game import Breach, Choose, Commit, Decision, OpenTo, Together
from p2p_stratego.registry import GAMES
from p2p_stratego.spies_and_lies.rules.checks import EXHAUSTED, TWICE
from p2p_stratego.spies_and_lies.rules.observation import seen_line
from p2p_stratego.spies_and_lies.rules.state import place, slot
from protocol.audit import proof
from protocol.audit.verdict import Verdict
from protocol.crypto import sealed
from protocol.crypto.commitment import hide_choice
from protocol.errors import Violation
from protocol.record.asks.base import Decided
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.open import Opening
from protocol.record.asks.open_to import LookKey, SealedOpening
from protocol.record.asks.together import HiddenChoice, ShownChoice
from protocol.record.evidence import read_record
from protocol.record.statements import Kind
from protocol.seat.session import Session
from tests.helpers.cheats.bout import Bout, Until, owing
from tests.helpers.games.players import honest

GAME = GAMES["spies-and-lies"]
SIDES = {seats: GAME.sides(seats) for seats in (3, 4)}
RED_A, BLUE_A, RED_B, BLUE_B = range(4)


def bout(liar: int, seats: int = 4, seed: int = 1, crook: Callable[..., Decided] | None = None) -> Bout:
    """A match of mates in which `liar` lies."""
    return Bout(seed, game=GAME, seats=seats, liar=liar, crook=crook)


def enemies(seat: int, seats: int = 4) -> frozenset[int]:
    return SIDES[seats][1 - seat % 2]


def assert_caught(of: Bout, breach: Breach, seats: int = 4) -> None:
    """Every honest seat names the breach, its side's enemies have won, and every audit says the same."""
    for seat in of.honest:
        end = seat.session.outcome
        assert end is not None
        assert (end.winners, end.reason, end.breach) == (enemies(breach.seat, seats), "cheated", breach)
    for report in of.reports():
        assert report.outcome is not None
        assert (report.verdict, report.outcome.breach) == (Verdict.CHEATED, breach)
        assert report.proof is not None
        verdict = proof.check(report.proof, GAMES)
        assert (verdict.seat, verdict.rule) == (breach.seat, breach.rule)


# Cards that cannot be there: seen when they are opened


def lays(line: Callable[[Session, Commit], tuple[int, ...]]) -> Callable[..., Decided]:
    """A player that lays what `line` says on day 1, and is honest otherwise."""

    def decide(session: Session, decision: Decision, rng: random.Random) -> Decided:
        if isinstance(decision, Commit) and session.view.state.day == 1:
            return line(session, decision)
        return honest(session, decision, rng)

    return decide


def _exhausted(session: Session, _: Commit) -> tuple[int, ...]:
    [tired] = session.view.state.exhausted[session.seat % 2]
    return tired, 10 if tired != 10 else 9


def _same(session: Session, commit: Commit) -> tuple[int, ...]:
    [tired] = session.view.state.exhausted[session.seat % 2]
    return (9 if tired != 9 else 8,) * len(commit.slots)


def _mates(session: Session, _: Commit) -> tuple[int, ...]:
    first, second, *_rest = seen_line(session.view)
    assert first is not None
    assert second is not None
    return first, second


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize(
    ("liar", "line", "rule"),
    [(RED_A, _exhausted, EXHAUSTED), (RED_A, _same, TWICE), (RED_B, _mates, TWICE), (RED_B, _same, TWICE)],
)
def test_an_impossible_card_loses_for_the_side_of_the_mate_that_laid_it(
    seats: int, liar: int, line: Callable[[Session, Commit], tuple[int, ...]], rule: str
) -> None:
    match = bout(liar, seats, crook=lays(line))
    match.run()
    assert_caught(match, Breach(liar, rule), seats)


# Looks


def test_a_seat_that_shows_its_mate_another_card_than_it_laid_is_found_out_by_its_mate() -> None:
    match = bout(RED_A)
    assert match.run(owing(SealedOpening))
    liar, referee = match.liar, match.liar.referee
    owed, table = referee.owed, referee.table
    assert owed is not None
    ask = owed.part
    assert isinstance(ask, OpenTo)
    face = liar.session.known[ask.slot] % 10 + 1
    at = sealed.LookContext(match.begun.id, ask.seat, RED_A, ask.slot, table.serial)
    salt = liar.secrets.salt(match.begun.id, RED_A, ask.slot)
    box = sealed.seal(at, table.look_key, bytes(range(32)), face, salt)
    frame = liar.entry(SealedOpening(*box))
    for seat in match.honest:
        seat.session.receive(read_record(frame))
    spread(match)
    assert_caught(match, Breach(RED_A, "wrong-opening"))


def spread(match: Bout) -> None:
    """Bring what the honest seats say to each other, as long as anything is said; it may blame somebody."""
    while frames := [(seat, frame) for seat in match.honest for frame in seat.persist()]:
        for seat, frame in frames:
            for other in match.honest:
                if other is not seat:
                    with suppress(Violation):
                        other.session.receive(read_record(frame))


def test_a_seat_that_complains_of_a_true_look_is_at_fault_and_all_know_the_card() -> None:
    match = bout(RED_B)
    assert match.run(lambda at: bool(at.liar.referee.table.looks) and at.liar.owes is not None)
    liar = match.liar
    [(number, look), *_] = liar.referee.table.looks.items()
    secret = liar.secrets.look_secret(match.begun.id, RED_B, look.place.serial)
    taken = match.lie([liar.statement(Kind.COMPLAIN, (number, secret))])
    assert all(isinstance(refusal, Violation) for refusal in taken)
    assert_caught(match, Breach(RED_B, "false-complaint"))


def test_a_seat_that_lays_before_it_has_looked_breaks_the_chain() -> None:
    match = bout(RED_B)
    assert match.run(owing(LookKey))
    salts = (bytes(32), bytes(range(32)))
    taken = match.lie([match.liar.entry(Commitments(salts))])
    assert all(isinstance(refusal, Violation) for refusal in taken)
    assert_caught(match, Breach(RED_B, "wrong-message"))


def test_only_the_mate_reads_the_sealed_cards() -> None:
    match = bout(BLUE_B)
    assert match.run(lambda at: (state := at.liar.referee.table.state) and state.phase == "intel")
    for seat in match.honest:
        mine = {name for name in seat.session.view.known if place(name)[1] == seat.seat % 2}
        theirs = set(seat.session.view.known) - mine
        assert theirs == set()
        assert mine == {slot(1, seat.seat % 2, m) for m in ((1, 2, 3, 4) if seat.seat > 1 else (1, 2))}


# A mate in the other one's place


def asked(seat: int, option: str, mission: int = 1) -> Until:
    """The moment when this seat is asked for a choice with this first option, at this mission."""

    def until(match: Bout) -> bool:
        owed, state = match.liar.referee.owed, match.liar.referee.table.state
        ask = owed.part if owed is not None else None
        if not isinstance(ask, Choose) or state.mission != mission:
            return False
        return ask.seat == seat and next(iter(ask.options)) == option

    return until


@pytest.mark.parametrize(
    ("liar", "mate", "owes", "choice"),
    [
        (RED_B, RED_A, "guess 1", Choice("guess 5")),
        (BLUE_B, BLUE_A, "token", Choice("token")),
        (RED_A, RED_B, "guess 1", Choice("guess 5")),
    ],
)
def test_a_mate_that_answers_for_the_other_one_is_out_of_turn(
    liar: int, mate: int, owes: str, choice: Choice
) -> None:
    match = bout(liar)
    assert match.run(asked(mate, owes, mission=1 if mate in (RED_A, BLUE_A) else 3))
    taken = match.lie([match.liar.entry(choice)])
    assert all(isinstance(refusal, Violation) for refusal in taken)
    assert_caught(match, Breach(liar, "out-of-turn"))


def test_a_mate_that_opens_the_other_ones_card_is_out_of_turn() -> None:
    match = bout(RED_B)
    assert match.run(asked(BLUE_A, "guess 1", mission=2))  # red-a's card, which is opened next
    taken = match.lie([match.liar.entry(Opening(5, bytes(32)))])
    assert all(isinstance(refusal, Violation) for refusal in taken)
    assert_caught(match, Breach(RED_B, "out-of-turn"))


def test_a_seat_that_marks_its_mates_mission_says_what_is_not_offered() -> None:
    match = bout(RED_A)
    assert match.run(owing(HiddenChoice))
    liar, owed = match.liar, match.liar.owes
    assert owed is not None
    assert isinstance(owed.ask, Together)
    salt = bytes(range(32))
    serial = liar.referee.table.serial
    hidden = HiddenChoice(hide_choice(match.begun.id, RED_A, serial, "mark 3", salt))
    match.tell(liar.entry(hidden))
    assert match.run(owing(ShownChoice))
    taken = match.lie([liar.entry(ShownChoice("mark 3", salt))])
    assert all(isinstance(refusal, Violation) for refusal in taken)
    assert_caught(match, Breach(RED_A, "illegal-choice"))


@pytest.mark.parametrize(("liar", "copied"), [(RED_B, RED_A), (BLUE_B, RED_A)])
def test_a_seat_that_copies_commitments_even_its_mates_is_at_fault(liar: int, copied: int) -> None:
    match = bout(liar)
    assert match.run(owing(Commitments))
    theirs = [match.liar.referee.table.hidden[slot(1, copied % 2, mission)] for mission in (1, 2)]
    copy = Commitments(tuple(hidden.commitment for hidden in theirs))
    taken = match.lie([match.liar.entry(copy)])
    assert all(isinstance(refusal, Violation) for refusal in taken)
    assert_caught(match, Breach(liar, "repeated-commitment"))
