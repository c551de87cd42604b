"""A match that its seats have signed as ended, and all that others can sign to undo the end."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import pytest

from p2p_stratego.core.game import Decision
from p2p_stratego.core.sides import side_of
from p2p_stratego.registry import GAMES as REAL
from protocol.audit import proof
from protocol.audit.verdict import Verdict
from protocol.errors import Misplaced
from protocol.record import statements
from protocol.record.asks.base import Decided
from protocol.record.asks.registry import CODEC
from protocol.record.evidence import read_record
from protocol.record.silence.gone import Gone
from protocol.record.silence.rules import ChainPlace
from protocol.record.statements import Kind
from protocol.seat import replies
from protocol.seat.faces import Faces
from protocol.seat.session import Session
from protocol.wire import labels, transcript
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, encode
from tests.helpers.cheats.bout import Copy, compare, judge
from tests.helpers.games.players import honest
from tests.helpers.games.toy import GAMES as TOYS
from tests.helpers.games.toy import TOY
from tests.helpers.seats.pair import Seat, Table

GAMES: Final = {**REAL, **TOYS}


# How a match ends


def _toy(seats: int, **options: str) -> Table:
    return Table(seats, game=TOY, options={"rounds": 2, **options}, seats=seats, decide=honest)


def _owing(table: Table) -> int:
    owed = table.hold().seats[0].session.referee.owed
    assert owed is not None
    return owed.seat


def by_rules() -> Table:
    return _toy(3).play()


def by_rules_after_a_resignation() -> Table:
    """One that owed nothing any more had resigned."""
    for steps in range(50, 400):  # before that it owes something more
        table = _toy(4).play(steps=steps)
        quitter = table.seats[2].session
        if not quitter.over:
            quitter.resign()
            table.play()
            if quitter.referee.ended_by_rules and 2 not in quitter.referee.table.gone:
                return table
    raise AssertionError("it always owed something more")


def by_rules_of_four() -> Table:
    return _toy(4).play()


def by_a_breach() -> Table:
    def taboo(session: Session, decision: Decision, rng: random.Random) -> Decided:
        face = session.referee.table.state.taboo
        return (face, face) if face in getattr(decision, "faces", ()) else honest(session, decision, rng)

    return Table(1, game=TOY, options={}, seats=3, decide=[honest, taboo, honest]).play()


def by_a_draw() -> Table:
    table = _toy(4).play(steps=25)
    owner = _owing(table)
    first, *others = [seat for seat in range(4) if seat != owner]
    table.seats[first].session.offer_draw()
    for seat in (*others, owner):
        table.hold().seats[seat].session.accept_draw()
    return table.play()


def by_a_draw_after_a_resignation() -> Table:
    table = _toy(4).play(steps=25)
    owner = _owing(table)
    first, second, left = [seat for seat in range(4) if seat != owner]
    table.seats[left].session.resign()
    table.hold().seats[first].session.offer_draw()
    for seat in (second, owner):
        table.hold().seats[seat].session.accept_draw()
    return table.play()


def by_a_resignation_of_the_seat_that_owes() -> Table:
    """In Spies & Lies of three the single one gives up: the pair has won."""
    table = Table(2, game=REAL["spies-and-lies"], options={}, seats=3, decide=honest)
    single = next(min(side) for side in table.begun.sides if len(side) == 1)
    table.hold()
    while _owing(table) != single:
        table.play(steps=1)
    table.seats[single].session.resign()
    return table.play()


def deserted() -> Table:
    table = _toy(4).play(steps=25)
    for other in (0, 2, 3):
        if not table.hold().seats[other].session.over:
            table.seats[other].session.resign()
    return table.play()


def unrevealed() -> Table:
    """A draw is agreed, and one that claims something never shows it."""
    table = _toy(4, claims="yes").play(steps=25)
    owner = _owing(table)
    *others, hider = sorted({0, 1, 2, 3} - {owner})
    living = [seat for seat in table.seats if seat.seat != hider]
    table.seats[owner].session.offer_draw()
    table.hold().seats[hider].session.accept_draw()
    table.hold()
    for other in others:
        table.seats[other].session.accept_draw()
    _carry(living)
    for seat in living:
        assert seat.session.referee.unsettled == (hider,)
        seat.session.claim_away(600)
        _carry(living)
    return table


def _hider(table: Table) -> int:
    """The seat that never shows what it claims."""
    return next(seat.session.referee.unsettled[0] for seat in table.seats if seat.session.referee.unsettled)


def _carry(living: Sequence[Seat]) -> None:
    while frames := [(seat, frame) for seat in living for frame in seat.persist()]:
        for sender, frame in frames:
            for seat in living:
                if seat is not sender:
                    seat.session.receive(read_record(frame))


ENDS: Final[dict[str, Callable[[], Table]]] = {
    "the rules": by_rules,
    "the rules, of four": by_rules_of_four,
    "the rules behind a resignation": by_rules_after_a_resignation,
    "a breach": by_a_breach,
    "a draw": by_a_draw,
    "a draw behind a resignation": by_a_draw_after_a_resignation,
    "a resignation": by_a_resignation_of_the_seat_that_owes,
    "nobody else left": deserted,
    "a REVEAL withheld": unrevealed,
}


# What all others can sign


def _signed(table: Table, seat: int, label: bytes, body: bytes) -> bytes:
    return body + table.seats[seat].identity.sign(label, table.begun.id + body)


def _undoing(table: Table, copy: Copy) -> Iterator[tuple[ChainPlace, int, Frame]]:
    """For each place of the chain: the Gone of its owner, with the word of all who have to say it."""
    referee = copy.referee
    for number, entry in enumerate(referee.entries):
        place = referee.absences.place(number)
        if not place.many or not referee.absences.stands(number):
            continue
        head, content = referee.heads[number], (place.owner, 600, b"")
        aways = [
            _signed(
                table,
                seat,
                labels.SIGN_STATEMENT,
                statements.body(seat, (1, bytes(32)), (number, head), Kind.AWAY, content),
            )
            for seat in sorted(place.accusers)
        ]
        message = CODEC.value(Gone(place.owner, tuple(aways)))
        body = encode((number, place.decider, head, message))
        assert entry.seat == place.owner
        yield place, number, Frame(ENTRY, _signed(table, place.decider, labels.SIGN_ENTRY, body))


def _is_end(frame: Frame, seats: Sequence[int]) -> bool:
    if frame.kind != STATEMENT:
        return False
    statement = statements.parse(frame.payload)
    return statement.kind is Kind.END and statement.seat in seats


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_row_95_what_every_seat_has_signed_as_the_end_stands_for_ever(end: Callable[[], Table]) -> None:
    """All but the owner of an entry sign that it went there, at any place: one of them is at fault, and only
    its side loses by it.
    """
    table = end()
    witness = next(seat for seat in table.seats if seat.session.outcome and not seat.session.left)
    # A seat that has resigned may have gone home before the end.
    log = [frame for frame in witness.log if not _is_end(frame, witness.session.referee.resigned)]
    signed = judge(transcript.write(table.begun.body, log))
    outcome, sides = signed.outcome, table.begun.sides
    assert (signed.verdict, signed.fault is None) == (
        Verdict.CHEATED if end is by_a_breach else Verdict.COMPLETE,
        end is not by_a_breach,
    )
    assert outcome is not None
    tried = 0
    for place, number, gone in _undoing(table, signed):
        if set(signed.referee.signers) <= {place.owner}:
            continue  # all others have left, and it alone has signed the end
        tried += 1
        # Behind all records, and in a copy of its own that knows nothing of what it undoes.
        forged = judge(transcript.write(table.begun.body, [*log, gone]))
        before = [
            frame
            for frame, record in zip(log, signed.referee.record, strict=True)
            if getattr(record, "count", getattr(record, "number", -1) + 1) <= number
        ]
        alone = judge(transcript.write(table.begun.body, [*before, gone]))
        for verdict in (forged, compare([signed, alone]).whole, compare([alone, signed]).whole):
            assert verdict is not None
            assert verdict.verdict is Verdict.CHEATED
            assert verdict.fault is not None
            assert verdict.outcome is not None
            if end is by_a_breach:
                assert verdict.outcome == outcome
                continue
            assert verdict.fault.rule == "both-ways"
            assert verdict.fault.seat in place.present - {place.owner}
            guilty = side_of(sides, verdict.fault.seat)
            left = outcome.winners - guilty if len(sides) > 2 else frozenset(range(3)) - guilty
            assert verdict.outcome.winners == left
        assert forged.proof is not None
        assert proof.check(forged.proof, GAMES) == forged.fault
    assert tried or end is deserted


def test_row_110_who_has_signed_that_its_reveal_was_withheld_reveals_nothing_any_more() -> None:
    """All have signed that the sides of the others have won: it cannot win with its own after all."""
    table = unrevealed()
    hider = _hider(table)
    witness = next(seat for seat in table.seats if seat.seat != hider)
    referee, secrets = witness.session.referee, table.seats[hider].secrets
    outcome = witness.session.outcome
    assert outcome is not None
    statement = _said(table, witness, hider, Kind.END, statements.end_content(outcome))
    witness.session.receive(read_record(statement))
    parts = replies.parts(referee, hider)
    opened = replies.openings(secrets, referee, hider, Faces(referee, hider, secrets).own, parts[0])
    reveal = _said(table, witness, hider, Kind.REVEAL, (parts[0], opened))
    with pytest.raises(Misplaced):
        witness.session.receive(read_record(reveal))
    assert witness.session.outcome == outcome
    witness.persist()
    report = judge(transcript.write(table.begun.body, [*witness.log, statement, reveal]))
    assert report.verdict is Verdict.TAMPERED
    assert (
        compare([judge(transcript.write(table.begun.body, [*witness.log, statement])), report]).fault is None
    )


def _said(table: Table, witness: Seat, seat: int, kind: Kind, content: statements.Content) -> Frame:
    """The next statement of a seat, over all entries that `witness` has."""
    referee = witness.session.referee
    after = len(referee.statements[seat]), referee.statement_heads[seat][-1]
    body = statements.body(seat, after, (referee.count, referee.head), kind, content)
    return Frame(STATEMENT, _signed(table, seat, labels.SIGN_STATEMENT, body))
