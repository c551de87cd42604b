"""One seat: what it takes from others, how it compares copies, and what it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from p2p_stratego.core.game import Breach
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Equivocation, Forged, Malformed, Misplaced, Stale, Violation, WrongKey
from protocol.failures import NotNow, Why
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.together import HiddenChoice
from protocol.record.entries import parse_entry
from protocol.record.evidence import Evidence, read_record
from protocol.record.position import Position, StatementHead
from protocol.record.statements import Kind, statement_hash
from protocol.record.statements import parse as parse_statement
from protocol.seat import replies
from protocol.seat.effects import Duty, Output
from protocol.seat.secrets import MatchSecrets
from protocol.seat.session import Session
from protocol.wire.encoding import ENTRY, PROOF, STATEMENT, Frame
from tests.helpers.cheats.bout import Bout, owing
from tests.helpers.cheats.lies import JUNK
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.seats.pair import Seat, Table
from tests.helpers.seats.quiet import quiet_table, running


def test_a_record_is_kept_and_answered_in_that_order() -> None:
    table = Table(1, game=TOY)
    first, second = table.seats
    agree, *_ = first.persist()
    second.persist()
    second.session.receive(read_record(agree))
    outputs = second.session.outputs()
    assert outputs[0] == Output(Duty.RECORD, bytes(agree))


@pytest.mark.parametrize("kind", [0, 1, PROOF, 16, 255])
def test_a_frame_that_is_no_record_is_refused(kind: int) -> None:
    _, session, _ = running()
    frame = Evidence(0, bytes(32), (Frame(ENTRY, b"x"),)).frame if kind == PROOF else Frame(kind, b"")
    assert frame is not None
    with pytest.raises(Malformed, match="no place"):
        session.receive(read_record(frame))


def test_what_blames_nobody_is_dropped_and_what_is_known_is_passed_over() -> None:
    bout = Bout(1, game=TOY)
    bout.run(owing(Commitments))
    session, liar = bout.honest[0].session, bout.liar
    before = session.position()
    for refusal, frame in (
        (Forged, liar.entry(liar.truth(), game=JUNK)),
        (Misplaced, liar.entry(liar.truth(), number=99)),
        (Malformed, Frame(ENTRY, b"")),
        (Malformed, Frame(STATEMENT, b"")),
    ):
        with pytest.raises(refusal):
            session.receive(read_record(frame))
    session.receive(read_record(liar.referee.entries[0].frame))
    assert session.position() == before
    assert session.outputs() == []


@pytest.mark.parametrize(
    ("make", "rule"),
    [
        (lambda b: b.liar.entry([99]), "not-a-message"),
        (lambda b: b.liar.entry(Choice("x"), number=0), "equivocation"),
        (lambda b: b.liar.statement(Kind.AGREE), "no-consent-first"),
        (lambda b: b.liar.statement(Kind.CHAT, ("x",), index=0), "equivocation"),
    ],
)
def test_a_proven_fault_ends_the_match_is_kept_and_nothing_follows(
    make: Callable[[Bout], Frame], rule: str
) -> None:
    bout = Bout(1, game=TOY)
    bout.run(owing(Commitments))
    seat, liar = bout.honest[0], bout.liar
    frame = make(bout)
    with pytest.raises((Violation, Equivocation)):
        seat.session.receive(read_record(frame))
    (output,) = seat.session.outputs()
    assert output == Output(Duty.RECORD, bytes(frame))
    seat.log.append(frame)
    for _ in range(2):
        session = seat.session
        assert session.over
        assert session.fault is not None
        assert session.outcome is not None
        assert session.outcome.breach == Breach(0, rule)
        assert session.decision is None
        with pytest.raises(Misplaced, match="proven fault"):
            session.receive(read_record(liar.entry(liar.truth())))
        for wish in (partial(session.say, "oh"), session.resign, session.offer_draw, session.accept_draw):
            with pytest.raises(NotNow):
                wish()
        with pytest.raises(NotNow):
            session.claim_away(60)
        session.agree()
        session.go_live()
        assert session.outputs() == []
        seat.restart()


def test_a_fault_before_our_own_consent_leaves_nothing_to_consent_to() -> None:
    table = Table(1, game=TOY)
    begun, other = table.begun, table.seats[1]
    bout = Bout(1, game=TOY, liar=1, agreeing=False)
    session = Session(begun, 0, table.seats[0].identity, MatchSecrets(bytes(32)))
    assert begun.id == bout.begun.id
    with pytest.raises(Violation):
        session.receive(read_record(bout.liar.statement(Kind.RESIGN)))
    session.agree()
    session.go_live()
    assert [output.duty for output in session.outputs()] == [Duty.RECORD]
    assert other.session.fault is None


def test_the_end_before_our_own_consent_is_no_crash() -> None:
    """A hostile other side may say anything before we have said a word."""
    table = Table(1, game=TOY)
    bout = Bout(1, game=TOY, liar=1, agreeing=False)
    session = Session(table.begun, 0, table.seats[0].identity, MatchSecrets(bytes(32)))
    session.go_live()
    session.receive(read_record(bout.liar.statement(Kind.AGREE)))
    for kind in (Kind.RESIGN, Kind.OFFER_DRAW):
        with pytest.raises(Misplaced):
            session.receive(read_record(bout.liar.statement(kind, index=1)))
    assert session.outcome is None


def test_our_own_unknown_record_freezes_this_copy() -> None:
    """Another copy of this save has signed it (threat 31)."""
    table = quiet_table()
    seat = table.seats[0]
    twin = Seat(seat.begun, 0, seat.identity, seat.master)
    twin.log, twin.vault = list(seat.log), list(seat.vault)
    twin.restart()
    seat.session.decide((1, 2))
    (entry,) = [frame for frame in seat.persist() if frame.kind == ENTRY]
    twin.session.go_live()
    with pytest.raises(Stale):
        twin.session.receive(read_record(entry))
    assert not twin.session.live
    with pytest.raises(Stale):
        twin.session.receive(read_record(entry))
    with pytest.raises(Stale):
        twin.session.go_live(twin.session.position())
    for wish in (twin.session.resign, twin.session.offer_draw):
        with pytest.raises(NotNow, match=Why.OLD_COPY.value):
            wish()


def test_our_own_second_version_freezes_this_copy_and_blames_nobody() -> None:
    table = quiet_table()
    seat = table.seats[0]
    twin = Seat(seat.begun, 0, seat.identity, seat.master)
    twin.log, twin.vault = list(seat.log), list(seat.vault)
    twin.restart()
    twin.session.go_live()
    seat.session.decide((1, 2))
    twin.session.decide((3, 4))
    (entry,) = [frame for frame in seat.persist() if frame.kind == ENTRY]
    with pytest.raises(Stale):
        twin.session.receive(read_record(entry))
    assert twin.session.fault is None


# Comparing


def test_a_position_knows_what_it_lacks_and_what_it_covers() -> None:
    table = quiet_table()
    session = table.seats[0].session
    whole = session.position()
    nothing = Position(0, session.genesis.id, (StatementHead(0, session.genesis.id),) * 2)
    records = session.referee.record
    assert all(nothing.lacks(record) for record in records)
    assert not any(whole.lacks(record) for record in records)
    assert whole.covers(whole)
    assert whole.covers(nothing)
    assert not nothing.covers(whole)
    assert not Position(whole.count, whole.head, (nothing.statements[0], StatementHead(9, JUNK))).covers(
        whole
    )
    assert [frame.payload for frame in session.missing(nothing)] == [r.payload for r in records]
    assert session.missing(whole) == []


def test_what_is_missing_can_be_admitted_in_the_order_in_which_it_is_given() -> None:
    """From nothing, and from every prefix of what the other side may hold."""
    table = Table(3, game=TOY, decide=honest, options={"claims": "yes"})
    table.hold()
    for seat in table.seats:
        seat.session.offer_draw()
    table.play()
    source = table.seats[0]
    for size in range(len(source.log) + 1):
        copy = Seat(table.begun, 1, table.seats[1].identity, table.seats[1].master)
        copy.log, copy.vault = list(table.seats[1].log[:size]), list(table.seats[1].vault)
        copy.restart()
        missing = source.session.missing(copy.session.position())
        own = [frame for frame in missing if _seat(frame) == 1]
        for frame in missing[: missing.index(own[0]) if own else None]:
            copy.session.receive(read_record(frame))
        if own:
            with pytest.raises(Stale):
                copy.session.receive(read_record(own[0]))
        else:
            assert copy.session.referee.head == source.session.referee.head


def _seat(frame: Frame) -> int:
    return (parse_entry if frame.kind == ENTRY else parse_statement)(frame.payload).seat


def test_another_chain_is_noticed_before_anything_is_signed() -> None:
    session = quiet_table().seats[0].session
    position = session.position()
    with pytest.raises(Misplaced, match="not the same"):
        session.go_live(Position(position.count, JUNK, position.statements))
    with pytest.raises(Misplaced):
        session.missing(Position(0, JUNK, position.statements))
    with pytest.raises(Malformed, match="number of seats"):
        session.go_live(Position(position.count, position.head, position.statements[:1] * 3))


@pytest.mark.parametrize("held", [2, 1])
def test_another_history_of_a_seat_is_noticed_before_anything_is_signed(held: int) -> None:
    """Of as many statements as here, or of fewer: the hash over the first ones differs."""
    table = quiet_table()
    table.seats[0].session.say("hello")
    session = table.seats[0].session
    position = session.position()
    assert position.statements[0].count == 2
    theirs = replace(position, statements=(StatementHead(held, JUNK), position.statements[1]))
    with pytest.raises(Misplaced, match="not the same"):
        session.missing(theirs)
    with pytest.raises(Misplaced, match="not the same"):
        session.go_live(theirs)
    assert not session.live
    true = StatementHead(held, session.referee.statement_heads[0][held])
    session.go_live(replace(position, statements=(true, position.statements[1])))
    assert session.live


def test_a_statement_of_another_history_is_refused_and_blames_nobody() -> None:
    """Until the version comes that the seat signed for the place known here: then it is equivocation."""
    bout = Bout(1, game=TOY, liar=1)
    bout.run(lambda b: b.liar.referee.count >= 8)
    session = bout.honest[0].session
    known, other = (bout.liar.statement(Kind.CHAT, (text,)) for text in ("one", "two"))
    bout.tell(known)
    after = bout.liar.statement(
        Kind.CHAT, ("three",), index=2, previous=statement_hash(other.payload[:-SIGNATURE_BYTES])
    )
    with pytest.raises(Misplaced):
        session.receive(read_record(after))
    assert session.fault is None
    with pytest.raises(Equivocation) as proven:
        session.receive(read_record(other))
    assert (proven.value.seat, proven.value.what, proven.value.number) == (bout.liar.seat, "statement", 1)
    assert proven.value.payloads == (known.payload, other.payload)


def test_a_seat_signs_nothing_before_it_has_what_the_other_side_holds() -> None:
    table = quiet_table()
    first, second = table.seats
    first.session.decide((1, 2))
    for frame in first.persist():
        second.session.receive(read_record(frame))
    second.session.decide((3, 4))
    second.persist()
    first.session.pause()
    held = second.session.position()
    first.session.go_live(held)
    assert not first.session.live
    assert first.session.outputs() == []
    for frame in second.session.missing(first.session.position()):
        first.session.receive(read_record(frame))
    assert first.session.live


# Seeing


def test_a_view_holds_what_its_player_may_see_and_nothing_else() -> None:
    table = quiet_table()
    first, second = (seat.session for seat in table.seats)
    first.decide((1, 2))
    second.decide((3, 4))
    table.hold()
    assert first.view.known == {0: 1, 1: 2}
    assert second.view.known == {2: 3, 3: 4}
    assert first.view.state == second.view.state
    assert (first.view.seat, second.view.seat) == (0, 1)
    assert first.view.decision == first.decision
    assert first.view.since == second.view.since
    assert first.long_view == replace(first.view, past=first.long_view.past)


def test_a_long_view_holds_all_states_that_the_match_has_been_in() -> None:
    begun = [seat.session.view.state for seat in quiet_table().seats]
    assert [seat.session.long_view.past for seat in quiet_table().seats] == [[], []]
    table = Table(1, game=TOY, decide=honest)
    table.play()
    first, second = (seat.session.long_view for seat in table.seats)
    assert first.past == second.past
    assert len(first.past) > 1
    assert first.past[0] == begun[0]
    assert first.state not in first.past


def test_a_session_with_another_key_or_a_spoilt_record_is_refused() -> None:
    table = quiet_table()
    first, second = table.seats
    with pytest.raises(WrongKey):
        Session(table.begun, 0, second.identity, MatchSecrets(bytes(32)))
    spoilt = [*first.log[:-1], Frame(first.log[-1].kind, first.log[-1].payload[:-1] + b"\0")]
    with pytest.raises(Forged):
        Session(table.begun, 0, first.identity, MatchSecrets(first.master), spoilt)
    with pytest.raises(Malformed):
        Session(table.begun, 0, first.identity, MatchSecrets(first.master), [Frame(9, b"")])


def test_a_bug_of_our_own_is_never_dressed_up_as_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    session = quiet_table().seats[0].session
    reply = HiddenChoice(JUNK)
    monkeypatch.setattr(replies, "reply", lambda *_: reply)
    with pytest.raises(RuntimeError, match="our own record"):
        session.decide((1, 2))
