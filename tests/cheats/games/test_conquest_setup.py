"""Cheats in Conquest from the first draw to the first turn, and silence at its end."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Final

import pytest

from p2p_stratego.conquest.rules.draft import fillings
from p2p_stratego.conquest.rules.notation import fill
from p2p_stratego.conquest.rules.pieces import ARMY, FACE_NAMED
from p2p_stratego.core.game import Commit, Decision, Seat
from p2p_stratego.core.sides import each_alone, without
from p2p_stratego.registry import GAMES
from protocol.audit import proof
from protocol.audit.proof import Fault
from protocol.audit.verdict import Verdict
from protocol.crypto.commitment import hide_choice
from protocol.errors import Equivocation, Misplaced, Violation
from protocol.record.asks.base import Decided
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.open import Opening
from protocol.record.asks.registry import CODEC
from protocol.record.asks.roll import Share
from protocol.record.asks.together import HiddenChoice, ShownChoice
from protocol.record.evidence import read_record
from protocol.record.statements import Kind
from protocol.seat.session import Session
from protocol.wire.encoding import Frame
from tests.helpers.cheats.bout import Bout, compare, owing
from tests.helpers.cheats.conquest import Foray, Plan
from tests.helpers.cheats.lies import JUNK
from tests.helpers.cheats.tables import revealing
from tests.helpers.games.players import honest

AT: Final = pytest.mark.parametrize(("seat", "seats"), [(1, 2), (2, 3), (1, 4)])


def begun(seat: Seat, seats: int, *, garrison: str = "free", two_kings: bool = False) -> Bout:
    """A match of one round; `two_kings`: the cheat lays another king for its flag."""

    def crook(session: Session, decision: Decision, rng: random.Random) -> Decided:
        if isinstance(decision, Commit) and session.view.state.phase == "army":
            return tuple(FACE_NAMED["king"] if face == FACE_NAMED["flag"] else face for face in ARMY)
        return honest(session, decision, rng)

    options: dict[str, int | str] = {"rounds": 1, "garrison": garrison}
    game = GAMES["conquest"]
    return Bout(1, game=game, options=options, seats=seats, liar=seat, crook=crook if two_kings else None)


def assert_blamed(match: Bout, rule: str, number: int, winners: frozenset[Seat]) -> None:
    """All honest seats, all audits, and all copies together blame the cheat for this; it is proven."""
    fault = Fault(match.liar.seat, "entry", number, rule)
    for seat, report in zip(match.honest, match.reports(), strict=True):
        assert seat.session.outcome is not None
        assert seat.session.outcome.winners == winners
        assert (report.verdict, report.fault, report.outcome) == (
            Verdict.CHEATED,
            fault,
            seat.session.outcome,
        )
        assert report.proof is not None
        assert proof.check(report.proof, GAMES) == fault
    together = compare(match.reports()).whole
    assert together is not None
    assert together.fault == fault


def assert_refused(match: Bout, frame: Frame, rule: str) -> None:
    """Give this entry of the cheat to all: each blames it at once."""
    number = match.liar.referee.count
    assert all(isinstance(taken, Violation) for taken in match.lie([frame]))
    assert_blamed(match, rule, number, without(each_alone(len(match.honest) + 1), match.liar.seat, None))


# The army


@AT
def test_cheat_01_an_army_of_seventeen_is_found_at_once(seat: Seat, seats: int) -> None:
    match = begun(seat, seats)
    assert match.run(owing(Commitments))
    truth = match.liar.truth()
    assert isinstance(truth, Commitments)
    assert_refused(match, match.liar.entry(Commitments(truth.digests[1:])), "wrong-count")


@AT
def test_cheat_01_two_kings_and_no_flag_are_found_at_the_end(seat: Seat, seats: int) -> None:
    """At the latest: if both are opened, or one runs, the match ends there."""
    match = begun(seat, seats, two_kings=True)
    match.run()
    ended = match.honest[0].session.referee.table.state.ended
    assert ended is not None
    assert ended.breach is None
    own = [entry for entry in match.liar.referee.entries if entry.seat == seat]
    laid = next(entry.number for entry in own if type(CODEC.parse(entry.message)) is Commitments)
    assert_blamed(match, "wrong-faces", laid, without(each_alone(seats), seat, ended.winners))


@AT
def test_cheat_02_copied_commitments_are_found_at_once(seat: Seat, seats: int) -> None:
    match = begun(seat, seats)
    assert match.run(owing(Commitments))
    hidden = match.liar.referee.table.hidden
    copied = Commitments(tuple(hidden[slot].commitment for slot in range(18)))  # red has laid before
    assert_refused(match, match.liar.entry(copied), "repeated-commitment")


# The zones

FILLED: Final = {
    "17 pieces": ("zones 00001ffff", "zones 01ffff"),
    "19 pieces": ("zones 00007ffff", "zones 07ffff"),
    "a zone of somebody else": ("zones 100003ffff", "zones 1003fffe"),
    "not in its spelling": ("zones 00003FFFF", "zones 03FFFF"),
}


@pytest.mark.parametrize(("seat", "seats"), [(0, 2), (1, 2), (1, 3)])
@pytest.mark.parametrize("why", [*FILLED, "an empty territory"])
def test_cheat_03_zones_that_the_army_cannot_fill_are_found_when_shown(
    why: str, seat: Seat, seats: int
) -> None:
    """Four players fill all that they have, unasked."""
    match = begun(seat, seats, garrison="all" if why == "an empty territory" else "free")
    assert match.run(owing(HiddenChoice))
    filled = FILLED[why][seats - 2] if why in FILLED else _leaves_one_empty(match)
    liar = match.liar
    hidden = hide_choice(match.begun.id, seat, liar.referee.table.serial, filled, JUNK)
    match.tell(liar.entry(HiddenChoice(hidden)))
    assert match.run(owing(ShownChoice))
    assert_refused(match, liar.entry(ShownChoice(filled, JUNK)), "illegal-choice")


def _leaves_one_empty(match: Bout) -> str:
    """18 of the own zones, none of them in one of the own territories."""
    options = fillings(match.liar.referee.table.state, match.liar.seat)
    empty = options.groups()[0]
    filling = fill([place for place in range(len(options.zones)) if place not in empty][:18], options.digits)
    assert filling not in options
    return filling


@pytest.mark.parametrize(("seat", "seats"), [(1, 2), (2, 3)])
def test_cheat_04_zones_changed_after_the_others_are_known_are_found(seat: Seat, seats: int) -> None:
    match = begun(seat, seats)
    assert match.run(owing(ShownChoice))
    truth = match.liar.truth()
    assert isinstance(truth, ShownChoice)
    other = ("zones 00003ffff", "zones 03ffff")[seats - 2]
    assert other != truth.move
    assert_refused(match, match.liar.entry(ShownChoice(other, truth.salt)), "wrong-opening")


# The draft, and chance


@AT
def test_cheat_05_a_taken_territory_is_found_at_once(seat: Seat, seats: int) -> None:
    match = begun(seat, seats)
    state = match.liar.referee.table.state
    assert match.run(lambda bout: owing(Choice)(bout) and bout.liar.referee.table.state.picks > 0)
    state = match.liar.referee.table.state
    taken = next("ABCDEFGHIJKLMNOPQRSTUVWX"[at] for at, owner in enumerate(state.taken) if owner is not None)
    assert_refused(match, match.liar.entry(Choice(f"take {taken}")), "illegal-choice")


@AT
def test_cheat_05_a_territory_taken_out_of_turn_is_found_at_once(seat: Seat, seats: int) -> None:
    match = begun(seat, seats)
    assert match.run(_anothers_pick)
    assert_refused(match, match.liar.entry(Choice("take A")), "out-of-turn")


def _anothers_pick(match: Bout) -> bool:
    owed = match.liar.referee.owed
    return owed is not None and owed.message is Choice and owed.seat != match.liar.seat


@AT
def test_cheat_06_a_share_of_ones_liking_is_found_at_once(seat: Seat, seats: int) -> None:
    match = begun(seat, seats)
    assert match.run(owing(Share))
    assert_refused(match, match.liar.entry(Share(JUNK)), "wrong-link")


# Going, and saying nothing


@pytest.mark.parametrize(("seat", "seats"), [(1, 2), (2, 3), (3, 4)])
def test_cheat_07_who_resigns_as_chance_is_seen_is_gone_and_proven_nothing(seat: Seat, seats: int) -> None:
    """The bag is laid, all other Shares are out: the drawer knows what it would draw."""
    plan = Plan(cards="surprise", cheat_bag="baron spy", cheat_says="play surprise")
    match = Foray(plan, seat, seats)
    assert match.run(lambda bout: owing(Share)(bout) and _last_share(bout))
    match.tell(match.liar.statement(Kind.RESIGN))
    match.run()
    for witness, report in zip(match.honest, match.reports(), strict=True):
        assert (report.fault, witness.session.fault) == (None, None)
        outcome = witness.session.outcome
        assert outcome is not None
        assert seat not in outcome.winners
        assert (
            outcome.reason == ("resigned" if seats == 2 else "flag" if seats == 3 else "rounds") or seats > 2
        )


def _last_share(match: Bout) -> bool:
    """The liar's Share is the last one of a Roll of two sides: the draw from the bag of two."""
    owed = match.liar.owes
    assert owed is not None
    entries = match.liar.referee.entries
    seats = len(match.honest) + 1
    before = [entry.seat for entry in entries[len(entries) - seats + 1 :]]
    return getattr(owed.ask, "sides", 0) == 2 and match.liar.seat not in before


@pytest.mark.parametrize(("seat", "seats"), [(0, 2), (1, 2)])
def test_cheat_18_who_does_not_open_is_on_record_and_wins_nothing(seat: Seat, seats: int) -> None:
    match = Foray(Plan("a1 count, b2 duke, c2 flag", cheat_says="c2d2"), seat, seats)
    assert match.run(owing(Opening))
    for report in match.reports():
        assert (report.verdict, report.fault) == (Verdict.INCOMPLETE, None)
        assert report.owed is not None
        assert (report.owed.seat, report.owed.message) == (seat, Opening)
    match.claims_away(600)
    [report] = match.reports()
    assert (report.verdict, report.fault) == (Verdict.UNRESPONSIVE, None)
    assert report.outcome is not None
    assert report.outcome.winners == {match.victim}


def call_away(match: Bout) -> None:
    """All honest seats say that the cheat does not answer."""
    match.liar.follow(match.claims_away(600))
    for seat in match.honest[1:]:
        seat.session.claim_away(600)
        match.spread()


@pytest.mark.parametrize(("seat", "seats"), [(1, 3), (3, 4)])
def test_cheat_18_among_more_the_others_go_on_without_who_does_not_open(seat: Seat, seats: int) -> None:
    match = Foray(Plan("a1 count, b2 duke, c2 flag", cheat_says="c2d2"), seat, seats)
    assert match.run(owing(Opening))
    place = match.liar.referee.count
    call_away(match)
    match.run()
    for report in match.reports(every_signature=True):
        assert (report.verdict, report.fault) == (Verdict.COMPLETE, None)
        assert report.outcome is not None
        assert seat not in report.outcome.winners
        assert report.referee.table.gone == {seat: place}
    assert compare(match.reports()).agree


@pytest.mark.parametrize(("seat", "seats"), [(0, 2), (1, 2)])
def test_cheat_27_who_settles_nothing_is_on_record_and_wins_nothing(seat: Seat, seats: int) -> None:
    plan = Plan("a1 count, b2 duke, c2 flag", cheat_says="c2c3", victim_says="l4l5")
    match = Foray(plan, seat, seats)
    assert match.run(revealing)
    [report] = match.reports()
    assert (report.verdict, report.fault) == (Verdict.INCOMPLETE, None)
    match.claims_away(600)
    [report] = match.reports()
    assert (report.verdict, report.fault) == (Verdict.UNRESPONSIVE, None)
    assert report.outcome is not None
    assert report.outcome.winners == {match.victim}


@pytest.mark.parametrize(("seat", "seats"), [(1, 3), (3, 4)])
def test_cheat_27_among_more_who_settles_nothing_is_taken_out_of_the_winners(seat: Seat, seats: int) -> None:
    plan = Plan("a1 count, b2 duke, c2 flag", cheat_says="c2c3", victim_says="l4l5")
    match = Foray(plan, seat, seats)
    assert match.run(revealing)
    call_away(match)
    for report in match.reports(every_signature=True):
        assert (report.verdict, report.fault) == (Verdict.COMPLETE, None)
        assert report.outcome is not None
        assert report.outcome.reason == "unrevealed"
        assert seat not in report.outcome.winners
    assert compare(match.reports()).agree


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("builds", [False, True], ids=["and waits", "and builds on its entry"])
def test_cheat_29_who_calls_a_living_seat_silent(seats: int, builds: bool) -> None:
    """Alone it moves nothing; if it goes on behind the entry that it called missing, that is a fault."""
    match = begun(0, seats)

    def answered(bout: Bout) -> bool:
        entries = bout.liar.referee.entries
        return bool(entries) and entries[-1].seat != 0 and bout.liar.owes is not None

    assert match.run(answered)
    number = match.liar.referee.count - 1
    living = match.liar.referee.entries[number].seat
    away = match.liar.statement(Kind.AWAY, (living, 600, b""), count=number)
    if builds:
        entry = match.liar.entry(match.liar.truth())
        assert all(isinstance(taken, Violation) for taken in match.lie([away, entry]))
        assert_blamed(match, "both-ways", number + 1, frozenset())
    else:
        match.tell(away)
        for report in match.reports():
            assert (report.verdict, report.fault) == (Verdict.INCOMPLETE, None)
            assert report.referee.table.gone == {}
            assert report.referee.count == number + 1


# Two stories


@pytest.mark.parametrize(("seat", "seats"), [(0, 2), (1, 3), (3, 4)])
def test_cheat_26_two_moves_for_one_place_are_proof_for_all(seat: Seat, seats: int) -> None:
    match = Foray(Plan(), seat, seats).play()
    number = match.liar.referee.count
    choice, second = (match.liar.entry(Choice(move)) for move in ("b2b3", "b2b1"))
    first, *others = match.honest
    assert match.lie([choice], to=[first.seat]) == [None]
    if others:
        assert match.lie([second], to=[other.seat for other in others]) == [None] * len(others)
    taken = match.lie([second], to=[first.seat])
    assert isinstance(taken[0], Equivocation)
    for other in others:
        for frame in first.session.copy.evidence:
            with suppress(Equivocation, Misplaced):
                other.session.receive(read_record(frame))
        other.persist()
    fault = Fault(seat, "entry", number, "equivocation")
    for report in match.reports():
        assert (report.verdict, report.fault) == (Verdict.EQUIVOCATED, fault)
        assert report.outcome is not None
        assert report.outcome.winners == match.winners(ended=False)


@pytest.mark.parametrize(("seat", "seats"), [(0, 2), (1, 2)])
def test_cheat_28_who_resigns_and_plays_on_is_found_at_once(seat: Seat, seats: int) -> None:
    """With three or more seats the RESIGN itself takes the place of the entry: test_leaving, row 66."""
    match = Foray(Plan(), seat, seats).play()
    frames = [match.liar.statement(Kind.RESIGN), match.liar.entry(Choice("b2b3"))]
    number = match.liar.referee.count
    assert all(isinstance(taken, Violation) for taken in match.lie(frames))
    [report] = match.reports()
    assert report.fault == Fault(seat, "entry", number, "went-on")
    assert report.outcome is not None
    assert report.outcome.winners == {match.victim}
