"""Sound records, chosen or ordered so that honest ones look false: they blame nobody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from p2p_stratego.core.game import Ask, Breach, Choose, Claim, Commit, Open, Outcome
from protocol.audit import proof
from protocol.errors import Equivocation, Misplaced, Refusal, Violation
from protocol.record import judgement, statements
from protocol.record.asks.open import Opening
from protocol.record.evidence import Evidence, read_record
from protocol.record.judgement import NoProof
from protocol.record.referee import Referee
from protocol.record.statements import Kind, parse_record
from protocol.wire import labels
from protocol.wire.encoding import STATEMENT, Frame
from tests.helpers.games.scripted import Scripted
from tests.helpers.seats.pair import Seat, Table

LIAR = 0
HAND: Ask = Commit(LIAR, (1, 2), (1, 2), exactly=True)
"""The liar lays (1, 1) under it."""


def table(seats: int, *asked: Ask) -> Table:
    decide = [lambda *_: (1, 1), *[lambda *_: "on"] * (seats - 1)]
    return Table(1, game=Scripted([HAND, *asked]), seats=seats, decide=decide)  # type: ignore[arg-type]  # lambdas


def up_to(made: Table, count: int) -> Table:
    """Play until there are so many entries, and none more is on its way."""
    while made.seats[1].session.referee.count < count:
        assert made.step()
    return made


def says(known: Referee, liar: Seat, count: int, kind: Kind, *content: Any) -> Frame:
    """What the liar signs next, by a copy that knows all that it has said."""
    place = len(known.statements[LIAR]), known.statement_heads[LIAR][-1]
    body = statements.body(LIAR, place, (count, known.heads[count]), kind, content)
    return Frame(STATEMENT, body + liar.identity.sign(labels.SIGN_STATEMENT, liar.begun.id + body))


def reveal(known: Referee, liar: Seat, count: int) -> Frame:
    shown = tuple(Opening(1, liar.secrets.salt(liar.begun.id, LIAR, slot)) for slot in (1, 2))
    return says(known, liar, count, Kind.REVEAL, 0, shown)


def proves_nothing(made: Table, records: Sequence[Frame]) -> None:
    with pytest.raises(NoProof):
        proof.check(proof.prove(made.begun.body, records), {made.game.name: made.game})
    if len(made.seats) > 2:
        frame = Evidence(0, made.begun.id, tuple(records)).frame
        assert frame is not None
        with pytest.raises(Refusal) as refused:
            judgement.admit(Referee(made.begun, agreed=True), read_record(frame))
        assert not isinstance(refused.value, Violation)


@pytest.mark.parametrize("seats", [2, 3])
def test_row_99_a_reveal_in_the_middle_of_a_proof_turns_no_honest_entry_into_a_fault(seats: int) -> None:
    """No copy takes a REVEAL before the end: what it opens would end play under the entries behind it."""
    made = table(seats, Open(1), Choose(1, ("on",)), Choose(1, ("on",)))
    known = up_to(made, 4).seats[1].session.referee
    entries = [entry.frame for entry in known.entries]
    assert known.outcome is None or known.outcome.reason != "cheated"
    for stop in (3, 4):
        proves_nothing(made, [entries[0], reveal(known, made.seats[LIAR], 1), *entries[1:stop]])


def test_row_99_nor_does_a_reveal_of_a_seat_that_is_gone_make_an_honest_end_false() -> None:
    made = up_to(table(3, Choose(1, ("on",)), Choose(LIAR, ("on",)), Choose(2, ("on",))), 1)
    made.seats[LIAR].session.resign()
    while made.step():
        pass
    known = made.seats[1].session.referee
    assert LIAR in known.table.gone
    assert known.outcome == Outcome(frozenset(), "draw")
    records = [frame for entry in known.entries for frame in known.support(entry)]
    end = next(statement for statement in known.statements[1] if statement.kind is Kind.END)
    proves_nothing(made, [*records, reveal(known, made.seats[LIAR], known.count), end.frame])


def test_row_100_what_a_reveal_opens_ends_no_play_under_entries_that_cross_it() -> None:
    """Of two, entries that were under way stand behind the RESIGN and the REVEAL that they crossed."""
    asked = (
        Choose(1, ("on",)),
        Claim(LIAR, "lied", (1,), frozenset({2})),
        Choose(1, ("on",)),
        Choose(1, ("on",)),
    )
    made = up_to(table(2, *asked), 3)
    first, *crossing = [entry.frame for entry in made.seats[1].session.referee.entries]
    copy = Referee(made.begun, agreed=True)
    for known in made.seats[1].session.referee.statements:
        copy.admit(parse_record(known[0].frame))
    copy.admit(parse_record(first))
    copy.admit(parse_record(says(copy, made.seats[LIAR], 1, Kind.RESIGN)))
    copy.admit(parse_record(reveal(copy, made.seats[LIAR], 1)))
    for entry in crossing:
        copy.admit(parse_record(entry))
    assert copy.outcome == Outcome(frozenset({1}), "cheated", Breach(LIAR, "wrong-faces"))


@pytest.mark.parametrize("honest", [1, 2])
def test_row_95_two_versions_of_a_liars_last_words_make_no_honest_end_false(honest: int) -> None:
    """By its RESIGN it went with the draw, and by its REVEAL it has lied: each copy has one of them."""
    made = up_to(table(3, *[Choose(seat, ("on",)) for seat in (1, 2, 1)]), 2).hold()
    liar, first, second = made.seats
    first.session.offer_draw()
    made.hold()
    liar.session.accept_draw()
    made.hold()
    known = first.session.referee
    resigned = says(known, liar, 2, Kind.RESIGN)
    second.session.accept_draw()
    (closing,) = second.persist()
    first.session.receive(read_record(closing))
    revealed = reveal(known, liar, 3)
    words = {honest: revealed, 3 - honest: resigned}
    ends = {}
    for seat in (first, second):
        seat.session.receive(read_record(words[seat.seat]))
        (ends[seat.seat],) = seat.persist()[-1:]
    assert first.session.outcome != second.session.outcome
    for seat in (first, second):
        with pytest.raises(Misplaced):
            seat.session.receive(read_record(ends[3 - seat.seat]))
        assert seat.session.fault is None
        with pytest.raises(Equivocation):
            seat.session.receive(read_record(words[3 - seat.seat]))
