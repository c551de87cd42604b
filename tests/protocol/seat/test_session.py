"""One seat: what it lets its player do, and what it says on its own."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from p2p_stratego.core.game import Choose
from protocol.failures import NotNow, Why
from protocol.limits import MAX_STATEMENTS
from protocol.record.asks.choose import Choice
from protocol.record.entries import parse_entry
from protocol.record.statements import Kind
from protocol.seat.effects import Duty, Output
from protocol.seat.secrets import decode_decision
from protocol.wire.encoding import ENTRY, Frame, read_frame
from tests.helpers.games.players import honest
from tests.helpers.games.scripted import Scripted
from tests.helpers.games.toy import TOY
from tests.helpers.seats.pair import Seat, Table
from tests.helpers.seats.quiet import quiet_table, running


def deciding_aloud() -> tuple[Table, Seat]:
    """A quiet match in which a seat owes a Choice, and that seat."""
    for seed in range(50):
        table = Table(seed, game=TOY, decide=honest, options={"rounds": 2})
        while table.step():
            for seat in table.seats:
                owed = seat.session.referee.owed
                if owed and owed.message is Choice and owed.seat == seat.seat and not any(table.under_way):
                    return table, seat
    raise AssertionError("no match comes to this moment")


def frames(outputs: list[Output]) -> list[Frame]:
    unsettled = []
    for output in outputs:
        if output.duty is not Duty.SECRET:
            frame = read_frame(output.data, 0)
            assert frame is not None
            unsettled.append(frame)
    return unsettled


# Acknowledging


def test_a_receipt_is_signed_only_where_the_record_does_not_show_what_its_seat_knows() -> None:
    """An entry of ours that makes us owe the next one is our signature over that head already."""
    table = Table(3, game=TOY, decide=honest, options={"rounds": 3})
    seen = set()
    while table.step():
        for seat in table.seats:
            referee = seat.session.referee
            if not any(table.under_way) and referee.agreed and referee.owed and referee.count:
                owes, ours = referee.owed.seat == seat.seat, referee.entries[-1].seat == seat.seat
                seen.add((owes, ours))
                assert (seat.session.receipt() is not None) == (owes and not ours)
                assert not ours or referee.has_acknowledged(seat.seat)
    assert (True, True) in seen
    assert (True, False) in seen


# Deciding


def test_a_decision_at_the_same_time_can_be_made_while_another_is_yet_to_act() -> None:
    """Both lay at once: seat 1 decides first, and nothing of it leaves before its turn."""
    table = quiet_table()
    first, second = (seat.session for seat in table.seats)
    decisions = [first.decision, second.decision]
    assert [decision and decision.seat for decision in decisions] == [0, 1]
    second.decide((1, 2))
    (secret,) = second.outputs()
    assert secret.duty is Duty.SECRET
    assert decode_decision(secret.data) == (1, (1, 2))
    assert second.decision is None
    assert second.known == {2: 1, 3: 2}
    table.seats[1].vault.append(secret.data)
    first.decide((3, 4))
    assert [output.duty for output in first.outputs()] == [Duty.SECRET, Duty.SEND]


def test_a_decision_is_kept_before_the_record_that_depends_on_it_is() -> None:
    """A hidden choice, or cards, could not be opened after a crash otherwise."""
    table = quiet_table()
    session = table.seats[0].session
    session.decide((1, 2))
    outputs = session.outputs()
    assert [output.duty for output in outputs] == [Duty.SECRET, Duty.SEND]
    (frame,) = frames(outputs)
    assert frame.kind == ENTRY
    assert parse_entry(frame.payload).seat == 0


def test_a_choice_aloud_needs_no_secret_record_because_the_entry_is_one() -> None:
    _, seat = deciding_aloud()
    decision = seat.session.decision
    assert isinstance(decision, Choose)
    seat.session.decide(next(iter(decision.options)))
    outputs = seat.session.outputs()
    assert outputs[0].duty is Duty.SEND
    assert all(output.duty is not Duty.SECRET for output in outputs)


def test_whoever_decides_after_the_other_has_left_is_not_the_one_who_owes() -> None:
    """Within the process that compared heads: else whoever leaves first could never be put on record."""
    table, seat = deciding_aloud()
    other = table.seats[1 - seat.seat].session.position()
    seat.session.pause()
    decision = seat.session.decision
    assert isinstance(decision, Choose)
    seat.session.decide("guess 1" if "guess 1" in decision.options else next(iter(decision.options)))
    sent = seat.persist()
    assert sent
    assert seat.session.missing(other) == sent


def test_a_choice_made_after_a_restart_without_a_connection_is_kept_and_goes_out_with_the_next_one() -> None:
    table, seat = deciding_aloud()
    seat.restart()
    session = seat.session
    decision = session.decision
    assert isinstance(decision, Choose)
    session.decide(next(iter(decision.options)))
    seat.persist()
    assert len(seat.vault) >= 1
    count = session.referee.count
    seat.restart()
    assert seat.session.decision is None
    seat.session.go_live(table.seats[1 - seat.seat].session.position())
    assert seat.session.referee.count > count


@pytest.mark.parametrize("decided", ["up", "", "LEFT", ("left",), ()])
def test_what_the_rules_do_not_offer_cannot_be_chosen(decided: Any) -> None:
    _, seat = deciding_aloud()
    with pytest.raises(NotNow, match=Why.NOT_OFFERED.value):
        seat.session.decide(decided)
    assert seat.session.outputs() == []


@pytest.mark.parametrize("decided", [(), (1,), (1, 2, 3), (0, 1), (1, 7), "12"])
def test_what_the_game_does_not_have_cannot_be_laid(decided: Any) -> None:
    session = quiet_table().seats[0].session
    with pytest.raises(NotNow, match=Why.WRONG_COUNT.value):
        session.decide(decided)
    assert session.outputs() == []


def test_nobody_decides_twice_or_when_it_is_not_asked() -> None:
    session = quiet_table().seats[1].session
    session.decide((1, 2))
    with pytest.raises(NotNow, match=Why.NOTHING_TO_DECIDE.value):
        session.decide((1, 3))
    fresh = Table(1, game=TOY).seats[0].session
    with pytest.raises(NotNow):
        fresh.decide("left")


def test_what_was_decided_before_all_had_agreed_is_kept() -> None:
    """The entry cannot follow at once, so it is no record of the decision."""
    table = Table(1, game=Scripted([Choose(0, ("a", "b"))]))
    seat = table.seats[0]
    seat.session.decide("b")
    table.deliver(seat)
    assert [decode_decision(secret) for secret in seat.vault] == [(0, "b")]
    seat.restart()
    seat.session.go_live()
    table.hold()
    assert seat.session.referee.table.state == (["b"],)


# Speaking


def test_chat_is_said_over_the_head_and_heard_by_the_other() -> None:
    table, first, second = running()
    first.say("hello")
    table.hold()
    mine, theirs = (session.referee.statements[0][-1] for session in (first, second))
    assert mine == theirs
    assert (mine.kind, mine.content, mine.count) == (Kind.CHAT, ("hello",), first.referee.count)


@pytest.mark.parametrize("text", ["", "x" * 501, "e\u0301", "half \udce9"], ids=ascii)
def test_what_is_no_chat_is_not_said(text: str) -> None:
    _, session, _ = running()
    with pytest.raises(NotNow):
        session.say(text)
    assert session.outputs() == []


def test_nothing_is_said_without_a_connection_or_before_the_match() -> None:
    _, session, _ = running()
    session.pause()
    with pytest.raises(NotNow, match=Why.NOT_CONNECTED.value):
        session.say("hello")
    alone = Table(1, game=TOY).seats[0].session
    for wish in (partial(alone.say, "hello"), alone.resign, alone.offer_draw, alone.accept_draw):
        with pytest.raises(NotNow):
            wish()
    with pytest.raises(NotNow):
        alone.claim_away(60)


def test_chat_leaves_room_for_what_must_still_be_said() -> None:
    table, session, _ = running()
    while len(session.referee.statements[0]) < MAX_STATEMENTS - 400:
        session.say("again")
    for wish in (partial(session.say, "once more"), session.offer_draw):
        with pytest.raises(NotNow, match=Why.FULL.value):
            wish()
    table.hold()
    session.resign()
    table.hold()
    assert [seat.session.outcome for seat in table.seats] == [session.outcome] * 2
    assert session.referee.statements[0][-1].kind is Kind.END


def test_a_resignation_ends_the_match_for_both() -> None:
    table, first, second = running()
    second.resign()
    table.hold()
    assert first.over
    assert first.outcome == second.outcome
    assert first.outcome is not None
    assert (first.outcome.reason, first.outcome.winners) == ("resigned", frozenset({0}))
    for session in (first, second):
        assert session.decision is None
        for wish in (session.resign, session.offer_draw, session.accept_draw):
            with pytest.raises(NotNow):
                wish()
        with pytest.raises(NotNow):
            session.claim_away(60)


def test_a_draw_is_offered_once_accepted_and_then_agreed() -> None:
    table, first, second = running()
    assert first.draw_offer is None
    first.offer_draw()
    with pytest.raises(NotNow, match=Why.OFFER_STANDS.value):
        first.offer_draw()
    with pytest.raises(NotNow, match=Why.NO_OFFER.value):
        first.accept_draw()
    table.hold()
    offer = second.draw_offer
    assert offer is not None
    assert (offer.seat, offer.kind) == (0, Kind.OFFER_DRAW)
    second.accept_draw()
    assert second.draw_offer is None
    table.hold()
    assert first.outcome == second.outcome
    assert first.outcome is not None
    assert first.outcome.reason == "agreed-draw"


def test_an_acceptance_is_not_repeated_while_others_are_asked() -> None:
    table = Table(1, game=TOY, seats=3, decide=honest)
    table.hold()
    table.seats[0].session.offer_draw()
    table.hold()
    second = table.seats[1].session
    second.accept_draw()
    assert second.draw_offer is None
    assert not second.over
    table.hold()
    assert table.seats[2].session.draw_offer is not None


def test_absence_is_claimed_of_whoever_owes_and_of_nobody_else() -> None:
    table, first, second = running()
    with pytest.raises(NotNow, match=Why.OWN_TURN.value):
        first.claim_away(60)
    second.claim_away(60)
    assert second.outcome is not None
    assert second.outcome.reason == "unresponsive"
    table.hold()
    assert second.over
    assert not first.over
    assert all(session.referee.statements[0][-1].kind is not Kind.END for session in (first, second))


def test_without_a_word_from_the_other_side_whoever_resigned_does_not_sign_the_end_yet() -> None:
    _, session, _ = running()
    session.resign()
    kinds = [statement.kind for statement in session.referee.statements[0]]
    assert kinds == [Kind.AGREE, Kind.RESIGN]
