"""Records that seats forged together, with all their keys: an audit of them ends with a verdict, never in an
error of the rules, which only ever meet what proofs have shown.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from protocol.audit import proof
from protocol.audit.comparison import compare
from protocol.audit.verdict import Report, Verdict, audit, replay
from protocol.crypto.group.backend import group
from protocol.crypto.proofs.verification import keeping
from protocol.errors import Misplaced, Violation
from protocol.record import genesis
from protocol.record.asks.base import Obligation
from protocol.record.asks.proofs.opened import Opened
from protocol.record.asks.proofs.tokens import Tokens
from protocol.record.evidence import read_record
from protocol.record.referee import Referee
from protocol.record.statements import parse_record
from protocol.seat.follower import Follower
from protocol.wire import transcript
from tests.helpers.forgery.hostile import EVERY, SORTS, Forgery, Sort, honest_match, played_by_liars
from tests.helpers.machine.examples import every, runs

FACES = (0, 12, 23, 50, 100, 127)
PROVED = [sort for sort in SORTS if sort.proofs and sort.game in ("stratego", "conquest", "spies-and-lies")]
CUPS = Sort("cups", 3, proofs=True)
RULE = {Opened: "wrong-opening", Tokens: "wrong-token"}


@pytest.fixture(autouse=True)
def each_proof_is_checked_once() -> Iterator[None]:
    with keeping():
        yield


def named(sort: Sort) -> str:
    return f"{sort.game} for {sort.seats}"


def owed(sort: Sort) -> list[Obligation | None]:
    """By entry, what it answers."""
    source = honest_match(sort, 0)
    referee, obligations = Referee(source.begun), list[Obligation | None]()
    for frame in source.logs[0]:
        obligations += [referee.owed] * (len(obligations) == referee.count and referee.agreed)
        referee.admit(parse_record(frame))
    return obligations


def forged(sort: Sort, kind: type[Opened | Tokens], change: Callable[[int], bytes]) -> Iterator[bytes]:
    """The match with another first field in one entry of this kind: in each that has one card; every time
    alone, and the true records behind it.
    """
    for number, record in enumerate(owed(sort)):
        if record is not None and record.message is kind:
            forgery = Forgery(random.Random(0), honest_match(sort, 0))
            true = forgery.entries[number].value
            if len(true[1]) in (1, 32) and true[1] != change(number):
                true[1] = change(number)
                yield forgery.data


def is_proven(report: Report, rule: str) -> bool:
    """Whether somebody has broken `rule`, and the proof of it holds."""
    fault = report.fault
    proven = report.proof is not None and proof.check(report.proof, EVERY) == fault
    return report.verdict is Verdict.CHEATED and fault is not None and fault.rule == rule and proven


@pytest.mark.parametrize("sort", PROVED, ids=named)
def test_row_108_a_face_that_no_piece_has_is_a_wrong_opening(sort: Sort) -> None:
    copies = [*forged(sort, Opened, lambda number: bytes((FACES[number % len(FACES)],)))]
    assert len(copies) > 1
    for data in every(copies, 5):  # not six: the faces come in turns of six
        report = audit(data, EVERY)
        assert report.verdict is Verdict.COMPLETE or is_proven(report, "wrong-opening")
        assert is_proven(audit(data, EVERY, every_signature=True), "wrong-opening")


def test_row_108_a_false_token_as_the_last_of_an_open_is_a_wrong_token() -> None:
    copies = [*forged(CUPS, Tokens, lambda number: group().base(10**9 + number))]
    assert len(copies) > 2
    for data in copies:
        assert is_proven(audit(data, EVERY, every_signature=True), "wrong-token")


def test_row_108_copies_of_such_a_match_are_judged_too() -> None:
    sort = PROVED[0]
    true = transcript.write(honest_match(sort, 0).begun.body, honest_match(sort, 0).logs[0])
    for data in forged(sort, Opened, lambda number: bytes((FACES[number % len(FACES)],))):
        comparison = compare([true, data], EVERY)
        assert comparison.fault is not None  # whoever signed both versions


@pytest.mark.parametrize("kind", [Opened, Tokens])
def test_row_108_a_copy_that_is_played_refuses_and_blames(kind: type[Opened | Tokens]) -> None:
    sort = PROVED[0] if kind is Opened else CUPS
    for data in forged(sort, kind, lambda _: b"\x64" if kind is Opened else group().base(10**9)):
        follower = Follower(genesis.parse(transcript.read(data).genesis, EVERY))
        for frame in transcript.read(data).frames:
            with suppress(Violation, Misplaced):
                follower.admit(read_record(frame))
        assert isinstance(follower.fault, Violation)
        assert follower.fault.rule == RULE[kind]
        assert follower.complete


def test_row_108_a_bug_of_the_rules_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """With every check on, whatever the rules raise is raised."""
    source = honest_match(PROVED[0], 0)
    data = transcript.write(source.begun.body, source.logs[0])

    def fail(*_: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(type(source.begun.game), "outcome", fail)
    with pytest.raises(KeyError, match="a bug"):
        replay(data, EVERY)


@pytest.mark.parametrize("number", range(runs(12, 48)))
def test_row_108_what_liars_play_together_has_a_verdict(number: int) -> None:
    """`make hostile` makes more of them."""
    rng = random.Random(f"liars {number}")
    proved = [sort for sort in SORTS if sort.proofs]
    data = played_by_liars(proved[number % len(proved)], rng, rng.choice((0.02, 0.1)))
    for thorough in (False, True):
        report = audit(data, EVERY, every_signature=thorough)
        assert report.proof is None or proof.check(report.proof, EVERY) == report.fault
