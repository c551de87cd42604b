"""Decisions taken back where the genesis allows it: the match goes on in order; nothing else goes back."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from typing import Any, Final, cast

import pytest

from p2p_stratego.core.game import Choose, NewDeck, Shuffle
from p2p_stratego.registry import ENTRIES, GAMES, make_bot
from protocol.audit import proof
from protocol.audit.verdict import Verdict, audit
from protocol.crypto.proofs import escrow
from protocol.crypto.proofs.party import Prover
from protocol.errors import Violation
from protocol.failures import NotNow, Why
from protocol.record.asks import takeback
from protocol.record.asks.open import Opening
from protocol.record.asks.proofs.keys import Escrowed
from protocol.record.asks.registry import CODEC
from protocol.record.asks.roll import Share
from protocol.record.asks.takeback import Lasting, TakeBack, is_takeback
from protocol.record.asks.together import HiddenChoice
from protocol.record.entries import Entry
from protocol.record.evidence import read_record
from protocol.record.statements import Kind
from protocol.wire import transcript
from tests.helpers.cheats.bout import Bout, Liar, compare, judge, judge_all, owing
from tests.helpers.games.players import honest
from tests.helpers.games.scripted import Scripted
from tests.helpers.games.toy import TOY
from tests.helpers.seats.crash import Frail, assert_finished, once
from tests.helpers.seats.mesh import Mesh
from tests.helpers.seats.pair import Seat, Table
from tests.helpers.seats.takebacks import take_back_at_random, takers

TOYS: Final[dict[str, Any]] = {"game": TOY, "options": {"rounds": 2}, "decide": honest, "takebacks": True}
FULL: Final = {"rounds": 2, "looks": "yes", "claims": "yes"}


def blamed(table: Table, seat: Seat, message: object) -> str:
    """The rule that `seat` breaks by signing `message` as the next entry: by the other, an audit, a proof."""
    liar, other = Liar(seat, honest, random.Random(0), seat.log), table.seats[1 - seat.seat]
    with pytest.raises(Violation) as caught:
        other.session.receive(read_record(liar.entry(message)))
    other.persist()
    report = judge(other.transcript)
    assert report.verdict is Verdict.CHEATED
    assert report.fault is not None
    assert report.proof is not None
    assert (report.fault.seat, report.fault.rule) == (seat.seat, caught.value.rule)
    assert proof.check(report.proof, {TOY.name: TOY}) == report.fault
    return caught.value.rule


def takeable_of(seat: Seat, owner: int) -> list[int]:
    referee = seat.session.referee
    return [number for number in referee.table.takeable if referee.entries[number].seat == owner]


# In order


@pytest.mark.parametrize("proofs", [False, True], ids=["hashes", "proofs"])
@pytest.mark.parametrize("options", [{"rounds": 2}, FULL], ids=["plain", "looks and claims"])
def test_a_match_with_takebacks_ends_in_order_and_every_copy_tells_the_same(
    options: dict[str, str], *, proofs: bool
) -> None:
    table = Table(4, **{**TOYS, "options": options}, proofs=proofs)
    taken = take_back_at_random(table, 4, random.Random(1))
    reports = judge_all(table.seats, every_signature=True)
    assert [report.verdict for report in reports] == [Verdict.COMPLETE] * 2
    assert taken > 2
    assert {report.checks.takebacks for report in reports} == {taken}
    assert compare(reports).agree


@pytest.mark.parametrize(
    ("game", "seats", "often"),
    [("stratego", 2, 30), ("spies-and-lies", 3, 10), ("conquest", 2, 20)],
)
def test_in_every_game_decisions_are_taken_back_and_a_restart_finds_the_same_view(
    game: str, seats: int, often: int
) -> None:
    bots = [make_bot(game, list(ENTRIES[game].bots)[-1], random.Random(seat)) for seat in range(seats)]
    table = Table(
        3,
        game=GAMES[game],
        options={"army": "1-0-0-0-0-0-0-1-1-0-1-1"} if game == "stratego" else {},
        seats=seats,
        decide=lambda session, _decision, _rng: bots[session.seat].decide(session.long_view),
        takebacks=True,
    )
    chance, taken = random.Random(2), 0
    for seat in takers(table):
        if chance.randrange(often) == 0:
            seat.session.take_back()
            taken += 1
            table.hold()
            for end in table.seats:
                if end.session.referee.table.state is not None:
                    before = end.session.long_view
                    end.restart()
                    end.session.go_live()
                    assert end.session.long_view == before
                    assert end.session.answerable
            if taken == 3:
                break
    table.play()
    assert taken == 3
    assert {report.verdict for report in judge_all(table.seats)} == {Verdict.COMPLETE}


def test_the_rules_ask_anew_and_remember_nothing_of_what_was_taken_back() -> None:
    table = Table(4, **TOYS)
    seat = next(takers(table))
    number = seat.session.referee.takeable(seat.seat)
    assert number is not None
    state, known, asked = seat.session.view.state, seat.session.known, seat.session.referee.table.serial
    seat.session.take_back()
    after = seat.session.referee
    assert after.entries[-1].number > number
    assert is_takeback(after.entries[-1])
    assert after.table.serial > asked
    assert after.table.state == state or seat.session.known.keys() < known.keys()
    assert seat.session.decision is not None


def test_chance_falls_alike_again_so_nobody_takes_back_for_luck() -> None:
    table = Table(4, **TOYS)
    rolled: dict[int, Any] = {}
    again = 0
    for seat in takers(table):
        tossed = seat.session.referee.table.tossed
        assert all(tossed[at] == shares for at, shares in rolled.items())
        rolled = dict(enumerate(tossed))
        if again < 20 and len(tossed) > 2:
            seat.session.take_back()
            again += 1
            table.hold()
    shares = [CODEC.parse(entry.message) for entry in table.seats[0].session.referee.entries]
    assert sum(isinstance(message, Share) for message in shares) == 2 * len(rolled)
    assert again == 20


def test_a_slot_that_is_laid_again_has_another_salt() -> None:
    """Else the salt that was shown would tell what is laid there now."""
    table = Table(4, **TOYS)
    salts: set[bytes] = set()
    shown = 0
    chance = random.Random(3)
    for seat in takers(table):
        for entry in seat.session.referee.entries[shown:]:
            message = CODEC.parse(entry.message)
            if isinstance(message, Opening):
                salts.add(message.salt)
        shown = seat.session.referee.count
        if chance.randrange(3) == 0:
            seat.session.take_back()
            table.hold()
    laid = [
        end.secrets.salt(table.begun.id, end.seat, slot, hidden.taken_back)
        for end in table.seats
        for slot, hidden in end.session.referee.table.hidden.items()
        if hidden.seat == end.seat and slot not in end.session.referee.table.faces
    ]
    assert salts
    assert laid
    assert salts.isdisjoint(laid)


def test_after_a_takeback_a_hidden_choice_that_nobody_showed_binds_nobody() -> None:
    table = Table(4, **TOYS)
    for seat in takers(table):
        owed = seat.session.referee.owed
        if seat.seat == 1 and owed is not None and owed.message is HiddenChoice:
            seat.session.take_back()
            table.hold()
            break
    table.seats[0].restart()
    assert table.seats[0].session.answerable


@pytest.mark.parametrize("persisted", [False, True], ids=["before persisting", "before sending"])
@pytest.mark.parametrize("victim", [0, 1])
def test_row_30_killed_around_a_takeback_a_seat_goes_on_and_never_signs_a_place_twice(
    victim: int, *, persisted: bool
) -> None:
    def whole(strike: Any) -> Frail:
        table, taken = Frail(4, **TOYS).prepare(strike), 0
        for seat in takers(table):
            if taken < 2 and seat.seat == victim:
                seat.session.take_back()
                taken += 1
                table.hold()
        return table

    total = whole(lambda *_: False).given[victim]
    for moment in range(4, total, 7):
        table = whole(once((victim, moment, persisted)))
        assert table.crashes == 1
        assert_finished(table)


# Cheats


def test_row_123_where_the_genesis_allows_none_a_takeback_is_a_fault_of_its_signer() -> None:
    table = Table(4, **{**TOYS, "takebacks": False}).play(steps=9)
    owed = table.hold().seats[0].session.referee.owed
    assert owed is not None
    seat = table.seats[owed.seat]
    with pytest.raises(NotNow, match=Why.NOTHING_TO_TAKE_BACK.value):
        seat.session.take_back()
    own = seat.session.referee.decided_at[seat.seat][-1]
    assert blamed(table, seat, TakeBack(own)) == "wrong-message"


@pytest.mark.parametrize(
    "number",
    [
        lambda seat: takeable_of(seat, 1 - seat.seat)[-1],
        lambda seat: seat.session.referee.count,
        lambda _seat: 2**40,
        lambda _seat: 0,
    ],
    ids=["of another seat", "the one that it owes", "one that does not exist", "a share"],
)
def test_row_123_only_a_decision_of_ones_own_is_taken_back(number: Callable[[Seat], int]) -> None:
    table = Table(4, **TOYS)
    seat = next(takers(table))
    assert blamed(table, seat, TakeBack(number(seat))) == "false-takeback"


def test_row_123_a_decision_is_taken_back_once_and_with_it_all_behind() -> None:
    table = Table(4, **TOYS)
    seat = next(taker for taker in takers(table) if len(takeable_of(taker, taker.seat)) == 3)
    first, *later = takeable_of(seat, seat.seat)
    frame = Liar(seat, honest, random.Random(0), seat.log).entry(TakeBack(first))
    seat.log.append(frame)
    seat.restart()
    seat.session.go_live()
    table.seats[1 - seat.seat].session.receive(read_record(frame))
    for end in table.hold().seats:
        assert set(takeable_of(end, seat.seat)).isdisjoint([first, *later])
    again = next(taker for taker in takers(table) if taker.seat == seat.seat)
    assert blamed(table, again, TakeBack(later[-1])) == "false-takeback"


def test_row_123_in_the_place_of_what_a_program_owes_nothing_is_taken_back() -> None:
    table = Table(4, **TOYS).play()
    places = [
        (at, record)
        for at, record in enumerate(map(read_record, table.seats[0].log))
        if isinstance(record, Entry) and isinstance(CODEC.parse(record.message), Opening)
    ]
    at, opened = places[-1]
    liar = Liar(table.seats[opened.seat], honest, random.Random(0), table.seats[0].log[:at])
    frame = liar.entry(TakeBack(liar.referee.decided_at[opened.seat][-1]))
    with pytest.raises(Violation) as caught:
        liar.follow(frame)
    assert (caught.value.seat, caught.value.rule) == (opened.seat, "wrong-message")


def test_row_123_a_verifier_keeps_few_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(takeback, "TAKEN_BACK_WITHIN", 3)
    table = Table(4, **TOYS)
    most = 0
    for seat in takers(table):
        most = max(most, len(seat.session.referee.table.takeable))
    assert most == 3
    assert len(table.seats[0].session.referee.decided_at[0]) > 3


def test_row_123_a_verifier_restores_few_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocol.record.referee.MAX_TAKEBACKS", 2)
    monkeypatch.setattr(takeback, "MAX_TAKEBACKS", 2)
    table = Table(4, **TOYS)
    for seat in takers(table):
        if len(table.seats[0].session.referee.table.takeable) > 4:
            seat.session.take_back()
            table.hold()
        if seat.session.referee.table.taken_back == 2:
            break
    owed = table.seats[0].session.referee.owed
    assert owed is not None
    again = table.seats[owed.seat]
    with pytest.raises(NotNow, match=Why.NOTHING_TO_TAKE_BACK.value):
        again.session.take_back()
    assert again.session.referee.lasting(again.seat) is Lasting.MOST
    assert blamed(table, again, TakeBack(takeable_of(again, owed.seat)[-1])) == "false-takeback"


def test_the_referee_tells_why_a_decision_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("protocol.record.referee", "protocol.record.asks.takeback"):
        monkeypatch.setattr(f"{module}.TAKEN_BACK_WITHIN", 1)
    table, reasons = Table(4, **{**TOYS, "seats": 3}), set()
    while table.step():
        for seat in table.hold().seats:
            referee, own = seat.session.referee, seat.session.referee.decided_at[seat.seat]
            asked = referee.owed is not None and referee.owed.seat == seat.seat
            if asked and seat.session.decision is not None and referee.takeable(seat.seat) is None:
                reasons.add((bool(own), bool(referee.table.gone), referee.lasting(seat.seat)))
        if (True, False, Lasting.FAR) in reasons and not table.seats[2].session.referee.has_left(2):
            table.seats[2].session.resign()
    assert {(False, False, Lasting.NONE), (True, False, Lasting.FAR), (True, True, Lasting.LEFT)} == reasons


def test_a_takeback_undoes_what_others_decided_at_the_same_time() -> None:
    for seat in (seat for seed in range(20) for seat in takers(Table(seed, **TOYS)) if seat.seat == 1):
        referee = seat.session.referee
        newest = [takeable_of(seat, number)[-1] for number in (0, 1) if takeable_of(seat, number)]
        messages = [CODEC.parse(referee.entries[at].message) for at in newest]
        if len(newest) == 2 and all(isinstance(message, HiddenChoice) for message in messages):
            break
    assert newest[0] < newest[1]
    seat.session.take_back()
    assert set(newest).isdisjoint(seat.session.referee.table.takeable)


def test_a_seat_that_left_does_not_come_back() -> None:
    table = Table(4, **{**TOYS, "seats": 3})
    seat = next(taker for taker in takers(table) if len(taker.session.referee.table.takeable) > 3)
    other = table.seats[(seat.seat + 1) % 3]
    other.session.resign()
    for _ in takers(table):
        if other.seat in table.seats[0].session.referee.table.gone:
            break
    referee = table.seats[0].session.referee
    gone = referee.table.gone[other.seat]
    assert all(number > gone for number in referee.table.takeable)
    take_back_at_random(table, 3, random.Random(5))
    assert table.seats[0].session.referee.table.gone.keys() == {other.seat}
    assert {report.verdict for report in judge_all(table.seats)} == {Verdict.COMPLETE}


def test_row_123_a_complaint_and_a_takeback_that_cross_come_to_the_same_in_either_order() -> None:
    table = Table(4, **{**TOYS, "options": FULL})
    for seat in takers(table):
        looks = seat.session.referee.table.looks
        if looks:
            break
    viewer = table.seats[next(iter(looks.values())).place.viewer]
    number = next(iter(looks))
    liar = Liar(viewer, honest, random.Random(0), viewer.log)
    complaint = liar.statement(Kind.COMPLAIN, (number, bytes(32)))
    with pytest.raises(Violation) as before:
        liar.follow(complaint)
    while looks.keys() & seat.session.referee.table.looks.keys():
        seat.session.take_back()
        table.hold()
        seat = next(takers(table)) if seat.session.referee.takeable(seat.seat) is None else seat
    with pytest.raises(Violation) as behind:
        table.seats[1 - viewer.seat].session.receive(read_record(complaint))
    assert (behind.value.seat, behind.value.rule) == (before.value.seat, before.value.rule)
    assert behind.value.rule == "false-complaint"


CARDS: Final = Scripted(
    (Choose(0, ("on",)),), (NewDeck(0, (1, 2, 3)), Choose(0, ("on",)), Shuffle(0)), needs_proofs=True
)
"""The last deal of a key stands before a decision of seat 0, and seat 1 has signed no entry between them."""


@pytest.mark.parametrize("liar", [1, 2], ids=["a false complaint", "a false share"])
def test_row_123_a_complaint_of_a_share_and_a_takeback_that_cross_come_to_the_same_in_either_order(
    liar: int,
) -> None:
    bout = Bout(3, game=CARDS, seats=3, liar=liar, decide=lambda *_: "on", escrow=2, takebacks=True)
    taker, other = bout.honest
    if liar == 2:
        assert bout.run(owing(Escrowed))
        deal = cast("Escrowed", bout.liar.truth())
        pads = deal.pads[:32] + bytes(32) + deal.pads[64:]
        dealt = bout.liar.entry(replace(deal, pads=pads))
        for seat in bout.honest:
            seat.session.receive(read_record(dealt))
        *_, complaint = other.persist()
    else:
        assert bout.run(lambda _: taker.session.decision is not None and taker.session.referee.count > 3)
        table, secrets = bout.liar.referee.table, bout.liar.secrets
        number = max(table.cards.deals_at)
        z, nonces = secrets.share_key(bout.begun.id, 1), secrets.nonces(bout.begun.id, 1)
        key = table.cards.deals[2]
        who = Prover(key.dealer.ctx._replace(seat=1), z, nonces)
        complaint = bout.liar.statement(Kind.COMPLAIN, (number, *escrow.complain(who, key)))
    taker.persist()
    before = [*taker.log]
    taker.session.take_back()
    *_, taken_back = taker.persist()
    with pytest.raises(Violation) as crossed:
        taker.session.receive(read_record(complaint))
    faults = {
        audit(transcript.write(bout.begun.body, [*before, *crossing]), {CARDS.name: CARDS}).fault
        for crossing in permutations((complaint, taken_back))
    }
    (fault,) = faults
    assert fault is not None
    assert (fault.seat, fault.rule) == (crossed.value.seat, crossed.value.rule)
    assert (fault.seat, fault.rule) == (liar, "false-complaint" if liar == 1 else "wrong-share")


WORDS: Final[dict[str, Callable[[Seat], None]]] = {
    "resign": lambda seat: seat.session.resign(),
    "away": lambda seat: seat.session.claim_away(60),
    "draw": lambda seat: seat.session.accept_draw(),
}


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("word", WORDS)
def test_row_123_no_word_that_crosses_a_takeback_makes_an_honest_seat_a_cheat(word: str, seats: int) -> None:
    """Claims stand, and slots are laid again: a REVEAL behind the word would be judged by another table."""
    crossed = 0
    for seed in range(6):
        chance = random.Random(seed)
        mesh = Mesh(seed, **{**TOYS, "options": FULL}, seats=seats)
        while events := mesh.events():
            chance.choice(events)()
            mesh.carry(chance)
            able = [s for s in mesh.seats if s.session.referee.takeable(s.seat) is not None]
            if able and len(able[0].session.referee.table.ledger.claims) > seed // 2:
                taker, other = able[0], mesh.seats[(able[0].seat + 1) % seats]
                if word == "draw":
                    taker.session.offer_draw()
                    mesh.carry(chance)
                while taker.session.referee.takeable(taker.seat) is not None:
                    taker.session.take_back()
                WORDS[word](other)
                crossed += 1
                break
        mesh.run(chance)
        assert [seat.session.fault for seat in mesh.seats] == [None] * seats
        assert [report.fault for report in judge_all(mesh.seats)] == [None] * seats
    assert crossed > 3
