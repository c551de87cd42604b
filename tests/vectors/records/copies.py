"""Vectors of several copies of one match, and what they come to together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.reports.describe import come_to
from p2p_stratego.registry import GAMES
from protocol.audit.comparison import Copies
from protocol.record import receipts
from protocol.record.asks.choose import Choice
from protocol.record.statements import Kind
from protocol.wire import transcript
from protocol.wire.encoding import ENTRY, Frame
from tests.helpers.seats.pair import Table
from tests.vectors.primitives import Vector
from tests.vectors.records.matches import ended, fault_of, match_of
from tests.vectors.records.open_points import Copy
from tests.vectors.records.players import REAL, WALL, player

EACH: Final = "every_signature"
"""Another right answer: that of an auditor that verifies every signature (SPEC 12.4.5)."""


def cases() -> Iterator[tuple[str, list[bytes]]]:
    """By a name that begins with the verdict on all of them: the copies."""
    yield from _of_one_record()
    yield from _of_two()
    yield from _of_three()
    yield "differ-unsigned", _unsigned()


def files() -> Iterator[tuple[str, bytes]]:
    """The copies, by the names of their files."""
    for name, copies in cases():
        for number, data in enumerate(copies):
            yield f"{name}-{number}.p2ps", data


def answers() -> Vector:
    """By the name of the case: its files, and what must be answered."""
    vectors: Vector = {}
    for name, copies in cases():
        files = [f"{name}-{number}.p2ps" for number in range(len(copies))]
        plain, thorough = (_answer(copies, every_signature=every) for every in (False, True))
        more = {} if plain == thorough else {EACH: thorough}
        vectors[name] = {"files": files, "match": match_of(copies[0]), **plain, **more}
    return vectors


def _answer(copies: Sequence[bytes], *, every_signature: bool) -> Vector:
    together = Copies(GAMES, every_signature=every_signature)
    for data in copies:
        together.add(data)
    result = together.compare()
    verdict, code = come_to(result)
    whole = result.whole
    outcome = None if whole is None else whole.outcome
    return {
        "verdict": verdict,
        "exit_code": int(code),
        "fault": None if result.fault is None else fault_of(result.fault),
        "together": None if whole is None else whole.verdict.value,
        "winners": None if outcome is None else sorted(outcome.winners),
        "reason": None if outcome is None else outcome.reason,
    }


def _table(name: str, seats: int, steps: int) -> Table:
    decide = [player(f"vector copies {name}-{seat}") for seat in range(seats)]
    return Table(5, game=REAL, options=WALL, seats=seats, decide=decide).play(steps=steps).hold()


def _cut(made: Table, seat: int, count: int) -> bytes:
    return transcript.write(made.begun.body, made.seats[seat].log[:count])


def _of_one_record() -> Iterator[tuple[str, list[bytes]]]:
    """Copies that are parts of one record."""
    two = ended("flag")
    whole = [seat.transcript for seat in two.seats]
    yield "agree-two-whole", whole
    yield "agree-two-one-cut", [_cut(two, 0, 30), whole[1]]
    log = two.seats[0].log
    spoilt = Frame(log[20].kind, log[20].payload[:-1] + bytes((log[20].payload[-1] ^ 1,)))
    forged = transcript.write(two.begun.body, [*log[:20], spoilt, *log[21:24]])
    yield "agree-two-one-tampered", [forged, whole[1]]
    three = _table("three", 3, 40)
    yield "agree-three-cut", [_cut(three, seat, 10 + 9 * seat) for seat in range(3)]
    yield "agree-three-whole", [seat.transcript for seat in _table("whole 3", 3, 1_000_000).seats]


def _of_two() -> Iterator[tuple[str, list[bytes]]]:
    made = _table("two", 2, 24)
    log = list(made.seats[0].log)
    begun = Copy(made, log)
    owed = begun.referee.owed
    assert owed is not None
    owner, other = owed.seat, 1 - owed.seat
    resigned = [Copy(made, log).say(seat, Kind.RESIGN).transcript for seat in range(2)]
    yield "together-two-resigned", resigned
    head = begun.referee.head
    receipt = receipts.sign(made.seats[owner].identity, made.begun, owner, begun.referee.count, head)
    away = Copy(made, log).say(other, Kind.AWAY, owner, 600, receipt)
    late = next(frame for frame in made.play(steps=6).hold().seats[0].log[len(log) :] if frame.kind == ENTRY)
    answered = Copy(made, log).tell(late).transcript
    yield "together-two-away-and-answered", [away.transcript, answered]
    yield "cheated-two-went-on", [resigned[owner], answered]
    choices = [Copy(made, log).enter(owner, Choice(f"guess {rank}")).transcript for rank in (1, 2)]
    yield "equivocated-two-entry", choices


def _of_three() -> Iterator[tuple[str, list[bytes]]]:
    made = _table("three", 3, 40)
    copies = [Copy(made, made.seats[0].log) for _ in range(3)]
    for copy, text in zip(copies, ("we are friends", "we are not", "we are friends"), strict=True):
        copy.say(1, Kind.CHAT, text)
    yield "equivocated-three-statement", [copy.transcript for copy in copies]


def _unsigned() -> list[bytes]:
    """Two whole copies in which one seat says different things before its END, and signs that END alone."""
    made = ended("flag")
    log = list(made.seats[0].log)
    outcome = made.seats[0].session.outcome
    assert outcome is not None
    copies = []
    for texts in (("we are friends",), ("we are not", "and never were")):
        copy = Copy(made, log[:-2])
        for text in texts:
            copy.say(0, Kind.CHAT, text)
            frame = copy.frames[-1]
            copy.frames[-1] = Frame(frame.kind, frame.payload[:-64] + bytes(64))
        for seat in range(2):
            copy.say(seat, Kind.END, tuple(sorted(outcome.winners)), outcome.reason)
        copies.append(copy.transcript)
    return copies
