"""Talk: to all, or to one seat alone."""

from __future__ import annotations

import pytest

from protocol.audit.verdict import Verdict, audit
from protocol.errors import Malformed, Refusal
from protocol.failures import NotNow, Why
from protocol.record.statements import Kind, Statement, parse
from protocol.seat.effects import Duty
from protocol.seat.session import Session
from tests.helpers.cheats.bout import Bout
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.seats.pair import Table
from tests.helpers.seats.whispering import GAMES, WHISPERING, box, whispering


def heard(session: Session, writer: int) -> list[str | None]:
    """What a session makes of all that `writer` has said."""
    spoken = session.referee.statements[writer]
    return [
        session.talk.heard(statement) for statement in spoken if statement.kind in (Kind.CHAT, Kind.SEALED)
    ]


def test_one_seat_reads_what_another_says_to_it_alone() -> None:
    table = whispering()
    first, second, third = (seat.session for seat in table.seats)
    first.say("meet me in Prague", 1)
    first.say("I trust nobody")
    table.hold()
    assert heard(first, 0) == heard(second, 0) == ["meet me in Prague", "I trust nobody"]
    assert heard(third, 0) == [None, "I trust nobody"]
    (sealed,) = [statement for statement in third.referee.statements[0] if statement.kind is Kind.SEALED]
    assert sealed.content[0] == 1
    assert b"Prague" not in b"".join(bytes(frame) for seat in table.seats for frame in seat.log)


def test_both_still_know_it_after_a_restart() -> None:
    table = whispering()
    table.seats[0].session.say("nach Süden, Ω", 1)
    table.hold()
    for seat in table.seats:
        seat.restart()
    assert [heard(seat.session, 0) for seat in table.seats] == [["nach Süden, Ω"], ["nach Süden, Ω"], [None]]


def test_the_words_are_persisted_before_the_record_that_seals_them() -> None:
    table = whispering()
    table.seats[0].session.say("quietly", 2)
    assert [output.duty for output in table.seats[0].session.outputs()] == [Duty.SECRET, Duty.SEND]


def test_words_that_were_kept_and_never_said_are_not_shown_for_others() -> None:
    """A crash between the two: the next statement of that number says something else, or to somebody else."""
    table = whispering()
    seat = table.seats[0]
    seat.session.say("lost in a crash", 1)
    seat.vault.append(seat.session.outputs()[0].data)
    seat.restart()
    seat.session.go_live()
    seat.session.say("said to all")
    table.hold()
    assert heard(seat.session, 0) == ["said to all"]
    (chat,) = [statement for statement in seat.session.referee.statements[0] if statement.kind is Kind.CHAT]
    other = table.seats[2].session
    assert other.talk.heard(chat) == "said to all"
    seat.session.say("to Cleo", 2)
    table.hold()
    assert heard(seat.session, 0) == ["said to all", "to Cleo"]


def test_a_match_in_which_two_talked_alone_is_judged_like_any_other() -> None:
    table = whispering()
    for text in ("a", "b" * 500, "Ω" * 500):
        table.seats[1].session.say(text, 0)
    table.play()
    reports = [audit(seat.transcript, GAMES) for seat in table.seats]
    assert {report.verdict for report in reports} == {Verdict.COMPLETE}


def test_talk_to_one_counts_as_talk_does() -> None:
    """600 statements are for talk and offers; the last 400 of a seat are kept for what a match may need."""
    session = whispering().seats[0].session
    for _ in range(599):  # and the consent
        session.say("again", 1)
    with pytest.raises(NotNow) as refused:
        session.say("again", 1)
    assert refused.value.why is Why.FULL


@pytest.mark.parametrize(
    ("text", "reader", "why"),
    [
        ("", 1, Why.BAD_TEXT),
        ("x" * 501, 1, Why.BAD_TEXT),
        ("hello", 0, Why.NOBODY_THERE),
        ("hello", 3, Why.NOBODY_THERE),
        ("hello", -1, Why.NOBODY_THERE),
    ],
)
def test_what_cannot_be_said_to_one(text: str, reader: int, why: Why) -> None:
    session = whispering().seats[0].session
    with pytest.raises(NotNow) as refused:
        session.say(text, reader)
    assert refused.value.why is why
    assert session.outputs() == []


def test_nothing_is_said_alone_where_all_talk_is_open() -> None:
    table = Table(1, game=TOY, seats=3, decide=honest).hold()
    with pytest.raises(NotNow) as refused:
        table.seats[0].session.say("hello", 1)
    assert refused.value.why is Why.OPEN_TALK


def test_nothing_is_said_to_a_seat_that_has_left() -> None:
    table = whispering()
    table.seats[1].session.resign()
    while table.seats[0].session.referee.left_at(1) is None:
        assert table.step()
    with pytest.raises(NotNow) as refused:
        table.seats[0].session.say("are you there?", 1)
    assert refused.value.why is Why.READER_GONE


def sealed(bout: Bout, reader: int, made: bytes) -> Statement:
    """What the liar sends; every honest seat takes it."""
    frame = bout.liar.statement(Kind.SEALED, (reader, made))
    assert bout.lie([frame]) == [None] * len(bout.honest)
    bout.liar.follow(frame)
    return parse(frame.payload)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b"", {}),
        (b"x" * 501, {}),
        (b"\xff\xfe", {}),
        ("e\u0301".encode(), {}),
        (b"of another match", {"game": bytes(32)}),
        (b"as another seat", {"writer": 2}),
        (b"to another seat", {"reader": 2}),
        (b"of an earlier statement", {"number": 0}),
    ],
)
def test_row_77_what_does_not_open_to_a_text_is_nobodys_fault(text: bytes, place: dict[str, object]) -> None:
    bout = Bout(1, game=WHISPERING, seats=3)
    frame = sealed(bout, 1, box(bout.liar, 1, text, **place))
    for seat in bout.honest:
        assert seat.session.talk.heard(frame) is None
    bout.run()
    for seat in bout.honest:
        assert audit(seat.transcript, GAMES).verdict is Verdict.COMPLETE


def test_row_77_anothers_box_passed_on_as_ones_own_opens_to_nobody() -> None:
    bout = Bout(1, game=WHISPERING, seats=3)
    first, second = (seat.session for seat in bout.honest)
    first.say("for Cleo alone", 2)
    bout.spread()
    (true,) = [statement for statement in second.referee.statements[1] if statement.kind is Kind.SEALED]
    assert second.talk.heard(true) == "for Cleo alone"
    frame = sealed(bout, 2, true.content[1])
    assert [seat.session.talk.heard(frame) for seat in bout.honest] == [None, None]
    again = sealed(bout, 1, true.content[1])  # back to its writer
    assert first.talk.heard(again) is None


@pytest.mark.parametrize("reader", [0, 3, 2**32 - 1])
def test_row_77_talk_to_no_other_seat_is_refused_and_blames_nobody(reader: int) -> None:
    bout = Bout(1, game=WHISPERING, seats=3)
    made = box(bout.liar, 1, b"hello")
    answers = bout.lie([bout.liar.statement(Kind.SEALED, (reader, made))])
    assert {type(answer) for answer in answers} == {Malformed}
    bout.run()
    assert all(seat.session.fault is None for seat in bout.honest)
    assert audit(bout.honest[0].transcript, GAMES).verdict is Verdict.COMPLETE


@pytest.mark.parametrize("length", [0, 1, 48, 303, 305, 2095, 2097])
def test_row_77_a_box_of_another_length_is_refused_and_blames_nobody(length: int) -> None:
    bout = Bout(1, game=WHISPERING, seats=3)
    answers = bout.lie([bout.liar.statement(Kind.SEALED, (1, bytes(length)))])
    assert {type(answer) for answer in answers} == {Malformed}


def test_row_77_talk_alone_is_refused_where_all_talk_is_open() -> None:
    bout = Bout(1, game=TOY, seats=3)
    answers = bout.lie([bout.liar.statement(Kind.SEALED, (1, bytes(304)))])
    assert {type(answer) for answer in answers} == {Malformed}


@pytest.mark.parametrize("key", [(), (bytes(32),), (b"\x01" + bytes(31),), (b"\xff" * 32,)])
def test_row_77_a_consent_with_a_wrong_key_for_talk_is_no_consent(key: tuple[bytes, ...]) -> None:
    bout = Bout(1, game=WHISPERING, seats=3, agreeing=False)
    answers = bout.lie([bout.liar.statement(Kind.AGREE, key)])
    assert {type(answer) for answer in answers} == {Malformed}
    assert not any(seat.session.referee.agreed for seat in bout.honest)
    assert bout.lie([bout.liar.statement(Kind.AGREE, bout.liar.session.talk.key)]) == [None, None]
    assert all(seat.session.referee.agreed for seat in bout.honest)


def test_row_77_a_consent_carries_no_key_where_all_talk_is_open() -> None:
    bout = Bout(1, game=TOY, seats=3, agreeing=False)
    with pytest.raises(Refusal):
        raise bout.lie([bout.liar.statement(Kind.AGREE, (b"\x09" + bytes(31),))])[0] or AssertionError
