"""Matches with decks between real sessions: whole, interrupted, left by one seat with and without escrow."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from p2p_stratego.core.game import Game, Outcome, Sides
from p2p_stratego.registry import GAMES
from protocol.audit import proof
from protocol.audit.verdict import ProofPolicy, Report, Verdict, audit, replay
from protocol.crypto.group.backend import IDENTITY, ORDER
from protocol.crypto.group.received import written
from protocol.crypto.proofs import card, escrow, verification
from protocol.crypto.proofs.party import Prover
from protocol.crypto.proofs.verification import keeping
from protocol.errors import Malformed, Violation
from protocol.record import genesis, statements
from protocol.record.asks.proofs.ground import context
from protocol.record.asks.proofs.keys import Escrowed, Keys, can_be_spared, can_spare
from protocol.record.asks.proofs.shuffled import Shuffled
from protocol.record.asks.registry import CODEC
from protocol.record.entries import parse_entry
from protocol.record.evidence import read_record
from protocol.record.statements import Kind
from protocol.record.statements import parse as parse_statement
from protocol.seat.secrets import MatchSecrets
from protocol.wire import labels
from protocol.wire.encoding import ENTRY
from protocol.wire.messages import Message
from tests.helpers.cheats.bout import Bout, owing
from tests.helpers.crypto.proved import hold
from tests.helpers.games.cups import CARDS, CUP, CUPS, Cups
from tests.helpers.games.cups import GAMES as CUP_GAMES
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.machine.examples import examples, runs
from tests.helpers.seats.leavers import left
from tests.helpers.seats.pair import Seat, Table

EVERY = {**GAMES, **CUP_GAMES, TOY.name: TOY}


@pytest.fixture(autouse=True)
def checked_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(verification, "REMEMBERED", 100_000)
    with keeping():
        yield


def cups(seats: int, seed: int = 0, **more: Any) -> Table:
    return Table(seed, game=CUPS, seats=seats, decide=honest, options={"rounds": 2}, **more)


def audited(transcript: bytes) -> Report:
    """The audit of a match whose proofs its seats have checked in this process."""
    return audit(transcript, EVERY, proving=ProofPolicy(hold=hold))


def secret(seat: Seat) -> int:
    return MatchSecrets(seat.master).deck_key(seat.begun.id, seat.seat)


def face_under(x: int, closed: card.Card) -> int:
    face = card.read(x, closed)
    assert face is not None
    return face


def whole_deck(seat: Seat, *others: Seat) -> Counter[int]:
    """The faces of the deck, as all seats together read them."""
    secrets = [secret(holder) for holder in (seat, *others)]
    x = sum(secrets)
    deck = seat.session.referee.table.cards.decks[CUP]
    return Counter(face_under(x % ORDER, closed) for closed in deck)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_whole_match_is_the_same_for_all_and_its_deck_is_whole(seats: int) -> None:
    table = cups(seats, seats).play()
    first = table.seats[0].session
    assert first.outcome is not None
    for seat in table.seats:
        assert (seat.session.outcome, seat.session.referee.head) == (first.outcome, first.referee.head)
    report = audited(table.seats[-1].transcript)
    assert (report.verdict, report.checks.settled) == (Verdict.COMPLETE, report.checks.claims)
    assert audit(table.seats[0].transcript, EVERY, every_signature=True).verdict is Verdict.COMPLETE
    assert whole_deck(*table.seats) == Counter(CARDS)


def test_each_card_is_read_by_its_drawer_and_with_no_other_key() -> None:
    table = cups(4, 7).play(steps=40)
    read = 0
    for entry in table.seats[0].session.referee.table.cards.log:
        for seat in table.seats:
            assert (card.read(secret(seat), entry.card) is not None) == (seat.seat == entry.seat)
            if seat.seat == entry.seat:
                assert seat.session.known[entry.slot] == card.read(secret(seat), entry.card)
        read += 1
    assert read > 12
    for closed in table.seats[0].session.referee.table.cards.decks[CUP]:
        assert not any(card.read(secret(seat), closed) for seat in table.seats)


def all_cards(seats: list[Seat]) -> Counter[int]:
    """The faces of the cards in the cup, in hands and in the middle, as all seats together read them."""
    table = seats[0].session.referee.table
    deck = whole_deck(*seats)
    for slot, hidden in table.hidden.items():
        drawn = slot < 10_000 and (slot % 100 == 99 or slot % 10 < 2)
        if drawn and slot not in table.dead:
            x = secret(seats[hidden.seat]) if hidden.seat is not None else sum(map(secret, seats)) % ORDER
            deck[face_under(x, card.unchecked(hidden.commitment)[0])] += 1
    return deck


@given(seed=some.integers(0, 2**32), count=some.integers(2, 4), often=some.sampled_from([0.02, 0.3]))
@examples(2, 20)
def test_no_card_is_lost_or_made_by_any_run_of_draws_shows_returns_and_crashes(
    seed: int, count: int, often: float
) -> None:
    with keeping():
        table, chance = cups(count, seed), random.Random(seed)
        while table.step():
            seat = chance.choice(table.seats)
            if chance.random() < often:
                seat.restart()
                seat.session.go_live()
            cards = table.seats[0].session.referee.table.cards
            if CUP in cards.decks and chance.random() < 0.2:
                assert all_cards(table.seats) == Counter(CARDS)
        assert all_cards(table.seats) == Counter(CARDS)
        assert {seat.session.referee.head for seat in table.seats} == {table.seats[0].session.referee.head}


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("stratego", 2, {"army": "duel"}),
        ("spies-and-lies", 2, {}),
        ("spies-and-lies", 4, {}),
        ("conquest", 3, {"rounds": 2}),
        ("toy", 3, {"claims": "yes", "looks": "yes"}),
    ],
)
def test_a_game_of_hashes_is_played_with_proofs_and_does_not_notice(
    game: str, seats: int, options: dict[str, Any]
) -> None:
    rules: Game[Any] = EVERY[game]
    table = Table(3, game=rules, seats=seats, options=options, decide=honest, proofs=True).play()
    session = table.seats[0].session
    assert session.fault is None
    assert session.outcome is not None
    assert not session.referee.unsettled
    assert all(
        statement.kind is not Kind.REVEAL for of_seat in session.referee.statements for statement in of_seat
    )
    assert audited(table.seats[1].transcript).verdict is Verdict.COMPLETE


@pytest.mark.parametrize("seed", range(runs(1, 10)))
def test_a_crash_at_any_place_makes_nothing_twice(seed: int) -> None:
    """A seat is started anew from its disk after every step: what was sent is read, never made again."""
    table, chance = cups(3, seed), random.Random(seed)
    while table.step():
        seat = chance.choice(table.seats)
        seat.restart()
        seat.session.go_live()
    for seat in table.seats:
        assert seat.session.outcome is not None
        signed = [entry.body for entry in seat.session.referee.entries]
        assert len(signed) == len(set(signed))
    assert {seat.session.referee.head for seat in table.seats} == {table.seats[0].session.referee.head}
    assert audited(table.seats[0].transcript).verdict is Verdict.COMPLETE


# A seat leaves


@pytest.mark.parametrize("after", range(3, 75, runs(14, 1)))
def test_who_resigns_gives_its_key_and_the_others_play_on(after: int) -> None:
    table = cups(3 + after % 3, after).play(steps=after)
    leaver = table.seats[after % len(table.seats)]
    leaver.session.resign()
    table.play()
    outcomes = {seat.session.outcome for seat in table.seats}
    assert len(outcomes) == 1
    assert all(outcome is not None and leaver.seat not in outcome.winners for outcome in outcomes)
    report = audited(table.seats[0].transcript)
    assert (report.verdict, report.fault) == (Verdict.COMPLETE, None)
    assert whole_deck(*table.seats) == Counter(CARDS)
    state = table.seats[0].session.referee.table.state
    assert all(face is not None for _, face in state.shown)


def test_a_resignation_with_another_key_or_none_is_refused() -> None:
    for content in ((bytes(31) + b"\1",), (bytes(32),), (b"\xff" * 32,), ()):
        bout = Bout(3, game=CUPS, seats=3, liar=1, decide=honest)
        assert bout.run(lambda b: b.liar.referee.count > 20)
        for refusal in bout.lie([bout.liar.statement(Kind.RESIGN, content)]):
            assert isinstance(refusal, Violation)
            assert (refusal.seat, refusal.rule) == (1, "wrong-key")
        report = bout.reports()[0]
        assert report.proof is not None
        assert proof.check(report.proof, EVERY) == report.fault


@pytest.mark.parametrize("after", [30, 150])
def test_row_101_without_its_key_the_decks_are_dead_and_nobody_wins(after: int) -> None:
    """Nobody wins by a friend's silence who could not have won by play."""
    match = left(after, 4, "dead", after, CUPS)
    ends = {seat.session.outcome for seat in match.living}
    assert len(ends) == 1
    for end in ends:
        assert end is not None
        assert (end.reason, end.winners) == ("unresponsive", frozenset())
    reports = [audited(seat.transcript) for seat in match.living]
    assert {(report.verdict, report.keyless) for report in reports} == {(Verdict.UNRESPONSIVE, match.leaver)}


class Pairs(Cups):
    """The same game for two sides: the seats opposite each other win together."""

    def sides(self, seats: int) -> Sides:
        return tuple(frozenset(range(first, seats, 2)) for first in (0, 1))


def test_row_101_of_two_sides_the_other_one_wins_without_a_key() -> None:
    match = left(30, 4, "dead", 30, Pairs())
    ends = {seat.session.outcome for seat in match.living}
    others = frozenset({0, 2} if match.leaver in (1, 3) else {1, 3})
    assert ends == {Outcome(others, "unresponsive")}
    for seat in match.living:
        assert seat.session.referee.keyless == match.leaver


@pytest.mark.parametrize(("threshold", "after"), [(2, 75), (2, 140)])
def test_with_an_escrow_the_others_get_the_key_and_play_on(threshold: int, after: int) -> None:
    match = left(after, 4, "dead", after, CUPS, escrow=threshold)
    ends = {seat.session.outcome for seat in match.living}
    assert len(ends) == 1
    for end in ends:
        assert end is not None
        assert end.reason in ("points", "draw")
        assert match.leaver not in end.winners
    cards = match.living[0].session.referee.table.cards
    assert cards.released[match.leaver] == secret(match.mesh.seats[match.leaver])
    assert {audited(seat.transcript).verdict for seat in match.living} == {Verdict.COMPLETE}


def test_who_is_lost_before_a_card_lies_under_its_key_is_played_on_without() -> None:
    """Its key counts for nothing, and the shares that others deal it afterwards stay hidden."""
    made = _without(1, Escrowed)
    cards = made[0].session.referee.table.cards
    assert (cards.keys[1], cards.released[1]) == (IDENTITY, 0)
    dealt = cards.deals[2]
    assert escrow.share(dealt, 1, MatchSecrets(made[1].master).share_key(made[1].begun.id, 1)) is not None
    assert escrow.share(dealt, 1, 0) is None
    report = audited(made[0].transcript)
    assert (report.verdict, report.outcome) == (Verdict.COMPLETE, made[2].session.outcome)


def test_a_late_resignation_of_a_seat_whose_key_was_dropped_is_judged_by_the_key_it_sent() -> None:
    made = _without(1, Escrowed, until=20)
    place = made[0].session.referee.table.gone[1]
    for content, rule in (((written(secret(made[1])),), None), ((written(3),), "wrong-key")):
        referee = replay(made[0].transcript, EVERY).referee
        spoken = referee.statements[1]
        over = place, referee.heads[place]
        body = statements.body(1, (len(spoken), referee.statement_heads[1][-1]), over, Kind.RESIGN, content)
        signed = body + made[1].identity.sign(labels.SIGN_STATEMENT, made[1].begun.id + body)
        if rule is None:
            referee.admit_statement(parse_statement(signed))
            assert referee.statements[1][-1].kind is Kind.RESIGN
            assert referee.table.cards.released[1] == 0
        else:
            with pytest.raises(Violation, match="key for cards"):
                referee.admit_statement(parse_statement(signed))


def _without(silent: int, message: type[Message], until: int = 1000) -> list[Seat]:
    """Three seats with an escrow, of which one is silent from its first such message on."""
    table = Table(5, game=CUPS, seats=3, decide=honest, escrow=2)
    muted = False
    for _ in range(until):
        frames = [(seat, frame) for seat in table.seats for frame in seat.persist()]
        for sender, frame in frames:
            if frame.kind == ENTRY and sender.seat == silent:
                muted = muted or isinstance(CODEC.parse(parse_entry(frame.payload).message), message)
            for seat in table.seats:
                if seat is not sender and not (muted and silent in (seat.seat, sender.seat)):
                    seat.session.receive(read_record(frame))
        living = [seat for seat in table.seats if not (muted and seat.seat == silent)]
        if frames:
            continue
        owed = living[0].session.referee.owed
        if owed is not None and owed.seat == silent and muted:
            for seat in living:
                seat.session.claim_away(600)
                for frame in seat.persist():
                    for other in living:
                        if other is not seat:
                            other.session.receive(read_record(frame))
            continue
        deciding = next((seat for seat in living if seat.session.decision is not None), None)
        if deciding is None:
            break
        session, decision = deciding.session, deciding.session.decision
        assert decision is not None
        session.decide(honest(session, decision, table.rng))
    return table.seats


@pytest.mark.parametrize(("escrow_of", "spared"), [(0, False), (2, True), (3, True)])
def test_who_can_be_spared_is_who_s_key_the_others_have_or_who_has_none(escrow_of: int, spared: bool) -> None:
    bout = Bout(3, game=CUPS, seats=4, liar=1, decide=honest, escrow=escrow_of)
    table = bout.liar.referee.table
    assert bout.run(owing(Keys))
    assert can_be_spared(table, 1)
    assert bout.run(owing(Shuffled))
    assert can_be_spared(table, 1) is spared
    assert can_spare(table, range(4)) == (4 - escrow_of if escrow_of else 0)
    assert can_spare(table, range(3)) == (3 - escrow_of if escrow_of else 0)
    assert can_be_spared(table, 1, left=(2,)) is (spared and escrow_of == 2)
    table.gone[2] = 0
    assert can_be_spared(table, 1) is (spared and escrow_of == 2)
    table.cards.deals.pop(3, None)
    assert not can_spare(table, (0, 1, 3))


def test_shares_of_seats_that_have_left_stay_closed_so_too_few_others_end_the_match() -> None:
    match = left(75, 4, "dead", 75, CUPS, escrow=3)
    (end,) = {seat.session.outcome for seat in match.living}
    table = match.living[0].session.referee.table
    assert len(table.gone) == 2
    assert end is not None
    assert (end.reason, end.winners) == ("unresponsive", frozenset())
    assert table.cards.missing in table.gone
    assert {audited(seat.transcript).verdict for seat in match.living} == {Verdict.UNRESPONSIVE}


def test_a_share_that_does_not_fit_is_complained_of_and_blamed_on_its_dealer() -> None:
    bout = Bout(3, game=CUPS, seats=4, liar=1, decide=honest, escrow=2)
    assert bout.run(owing(Escrowed))
    message = bout.liar.truth()
    assert isinstance(message, Escrowed)
    number = bout.liar.referee.count
    crooked = Escrowed(message.commitments, message.ephemeral, bytes(32) + message.pads[32:])
    assert bout.lie([bout.liar.entry(crooked)]) == [None] * 3
    complaint = bout.honest[0].log[-1]
    for seat in bout.honest[1:]:
        with pytest.raises(Violation):
            seat.session.receive(read_record(complaint))
        seat.persist()
    for seat in bout.honest:
        fault = seat.session.fault
        assert isinstance(fault, Violation)
        assert (fault.seat, fault.rule, fault.number) == (1, "wrong-share", number)
    report = bout.reports()[0]
    assert report.proof is not None
    assert proof.check(report.proof, EVERY) == report.fault


@pytest.mark.parametrize(
    ("escrow_of", "share_key"), [(0, bytes(32)), (2, b""), (2, bytes(32)), (2, b"\1" * 32), (2, bytes(64))]
)
def test_a_key_for_shares_comes_with_an_escrow_and_is_a_point(escrow_of: int, share_key: bytes) -> None:
    bout = Bout(3, game=CUPS, seats=3, liar=1, decide=honest, escrow=escrow_of)
    assert bout.run(owing(Keys))
    message = bout.liar.truth()
    assert isinstance(message, Keys)
    for refusal in bout.lie([bout.liar.entry(Keys(message.key, message.proof, share_key))]):
        assert isinstance(refusal, Violation)
        assert (refusal.seat, refusal.rule) == (1, "not-a-message")


def test_a_complaint_of_a_share_that_fits_is_the_complainers_fault() -> None:
    bout = Bout(3, game=CUPS, seats=3, liar=2, decide=honest, escrow=2)
    assert bout.run(owing(Escrowed))
    referee = bout.liar.referee
    number, dealt = next((n, referee.table.cards.deals[s]) for n, s in referee.table.cards.deals_at.items())
    z = bout.liar.secrets.share_key(bout.begun.id, 2)
    who = Prover(context(referee.table, 2), z, bout.liar.secrets.nonces(bout.begun.id, 2))
    content = (number, *escrow.complain(who, dealt))
    for refusal in bout.lie([bout.liar.statement(Kind.COMPLAIN, content)]):
        assert isinstance(refusal, Violation)
        assert (refusal.seat, refusal.rule) == (2, "false-complaint")


# The genesis


@pytest.mark.parametrize(
    ("game", "seats", "proofs", "escrow_of"),
    [(CUPS, 3, 1, 3), (CUPS, 3, 1, 1), (CUPS, 2, 1, 2), (TOY, 4, 1, 2), (CUPS, 4, 1, -1)],
)
def test_an_escrow_that_cannot_be_is_no_genesis(
    game: Game[Any], seats: int, proofs: int, escrow_of: int
) -> None:
    with pytest.raises(Malformed):
        genesis.read_profile(proofs, escrow_of, game, seats)


def test_a_game_with_decks_has_proofs() -> None:
    assert genesis.read_profile(1, 2, CUPS, 3) == (True, 2)
    assert genesis.read_profile(0, 0, TOY, 2) == (False, 0)
    for bad in (0, 2, True, b"1"):
        with pytest.raises(Malformed):
            genesis.read_profile(bad, 0, CUPS, 3)
