"""Proofs: they stand alone, accuse whoever signed, and prove nothing else."""

from __future__ import annotations

import random
from typing import Any, Final

import pytest

from p2p_stratego.registry import GAMES as REAL
from protocol.audit.proof import MAGIC, Fault, check, prove
from protocol.errors import Malformed, Refusal, Unsupported
from protocol.record import judgement
from protocol.record.asks.choose import Choice
from protocol.record.judgement import NoProof
from protocol.record.statements import Kind
from protocol.wire import transcript
from protocol.wire.encoding import ENTRY, GENESIS, STATEMENT, Frame, read_frame
from tests.helpers.cheats.bout import Bout, owing
from tests.helpers.games.players import honest
from tests.helpers.games.toy import GAMES, TOY
from tests.helpers.seats.pair import Table

TOYS: Final[dict[str, Any]] = {"game": TOY, "liar": 1}


@pytest.fixture(scope="module")
def bout() -> Bout:
    """A match in which the liar owes a choice."""
    return next(b for seed in range(20) if (b := Bout(seed, **TOYS)).run(owing(Choice)))


@pytest.fixture(scope="module")
def chain(bout: Bout) -> list[Frame]:
    return [entry.frame for entry in bout.liar.referee.entries]


@pytest.fixture(scope="module")
def violation(bout: Bout, chain: list[Frame]) -> bytes:
    return prove(bout.begun.body, [*chain, bout.liar.entry(Choice("up"))])


@pytest.fixture(scope="module")
def equivocation(bout: Bout) -> bytes:
    versions = [bout.liar.statement(Kind.CHAT, (text,)) for text in ("yes", "no")]
    return prove(bout.begun.body, versions)


def test_what_proves_a_fault(bout: Bout, chain: list[Frame], violation: bytes, equivocation: bytes) -> None:
    count = bout.liar.referee.count
    assert check(violation, GAMES) == Fault(1, "entry", count, "illegal-choice")
    assert check(equivocation, GAMES) == Fault(1, "statement", 1, "equivocation")
    early = prove(bout.begun.body, [bout.liar.entry(Choice("up"), number=0)])
    assert check(early, GAMES) == Fault(1, "entry", 0, "out-of-turn")
    word = bout.liar.statement(Kind.RESIGN, count=3)
    assert check(prove(bout.begun.body, [*chain, word]), GAMES).rule == "went-on"


def test_a_proof_of_two_records_can_be_of_either_kind(bout: Bout, chain: list[Frame]) -> None:
    """Two entries of two places are a chain, not two versions."""
    after = bout.liar.entry([99], number=1)
    assert check(prove(bout.begun.body, [chain[0], after]), GAMES) == Fault(1, "entry", 1, "not-a-message")
    with pytest.raises(NoProof):
        check(prove(bout.begun.body, chain[:2]), GAMES)


def test_an_honest_match_proves_nothing_against_anybody() -> None:
    """Any part of its chain, with any statement of it, in any match with or without claims."""
    for claims in ("yes", "no"):
        table = Table(3, game=TOY, decide=honest, options={"claims": claims})
        table.play(steps=30)
        for seat in table.seats:
            if not seat.session.over:
                seat.session.offer_draw()
        table.play()
        log = table.seats[0].log
        entries = [frame for frame in log if frame.kind == ENTRY]
        words = [frame for frame in log if frame.kind == STATEMENT]
        for size in range(len(entries) + 1):
            for word in [None, *words]:
                records = [*entries[:size], *([] if word is None else [word])]
                with pytest.raises(Refusal):
                    check(prove(table.begun.body, records), GAMES)
        rng = random.Random(5)
        for _ in range(200):
            with pytest.raises(Refusal):
                check(prove(table.begun.body, rng.sample(log, 2)), GAMES)


def test_versions_by_two_seats_or_of_two_places_are_no_equivocation(bout: Bout) -> None:
    liar, other = bout.liar, bout.honest[0].session.referee.statements[0][0].frame
    chat = [liar.statement(Kind.CHAT, ("a",), index=index) for index in (1, 2)]
    entry = liar.entry(Choice("left"), number=0)
    for records in (chat, [chat[0], other], [chat[0], chat[0]], [entry, chat[0]]):
        with pytest.raises(Refusal):
            check(prove(bout.begun.body, records), GAMES)
        assert judgement.check_equivocation(bout.begun, records[0], records[1]) is None


def test_a_version_that_the_accused_did_not_sign_is_no_proof(bout: Bout) -> None:
    liar = bout.liar
    statement = liar.statement(Kind.CHAT, ("yes",))
    for forged in (
        liar.statement(Kind.CHAT, ("no",), game=bytes(32)),
        liar.statement(Kind.CHAT, ("no",), identity=bout.honest[0].identity),
        liar.statement(Kind.CHAT, ("no",), seat=0),
        liar.statement(Kind.CHAT, ("no",), seat=9),
    ):
        for records in ([statement, forged], [forged, statement]):
            with pytest.raises(NoProof):
                check(prove(bout.begun.body, records), GAMES)


def test_a_fault_in_the_middle_or_a_broken_chain_is_no_proof(bout: Bout, chain: list[Frame]) -> None:
    body, lie = bout.begun.body, bout.liar.entry(Choice("up"))
    for records in (
        [*chain, lie, lie],
        [*chain, lie, bout.liar.statement(Kind.CHAT, ("x",))],
        [*chain[1:], lie],
        [*chain[:-1], lie],
        [chain[1], chain[0], lie],
        [*chain, Frame(ENTRY, lie.payload[:-1] + b"\0")],
        [*chain, Frame(ENTRY, b"")],
        chain,
    ):
        with pytest.raises(NoProof):
            check(prove(body, records), GAMES)


def test_what_is_no_proof_at_all(bout: Bout, violation: bytes) -> None:
    body = bout.begun.body
    for data in (
        b"",
        b"hello",
        MAGIC,
        MAGIC + bytes(Frame(ENTRY, b"")),
        MAGIC + bytes(Frame(ENTRY, body)) + violation[len(MAGIC) + len(Frame(GENESIS, body)) :],
        prove(body, []),
        violation[:-1],
        violation + b"\0",
        transcript.MAGIC + violation[len(MAGIC) :],
        violation.replace(b"proof 2\n", b"proof 3\n", 1),
        prove(body, [Frame(7, b"x"), Frame(7, b"y")]),
        prove(body, [Frame(GENESIS, body), Frame(GENESIS, body)]),
    ):
        with pytest.raises(NoProof):
            check(data, GAMES)
    for data in (violation, violation[:-1], prove(body, [])):
        with pytest.raises(Unsupported):
            check(data, REAL)
    with pytest.raises(Malformed):
        check(prove(b"", [Frame(ENTRY, b"x")]), GAMES)


@pytest.mark.parametrize("proof", ["violation", "equivocation"])
def test_with_any_byte_of_it_changed_a_proof_never_blames_anybody_else(
    proof: str, request: pytest.FixtureRequest
) -> None:
    """As it stands, and with the checksums of the frames made to fit again."""
    data: bytes = request.getfixturevalue(proof)
    fault = check(data, GAMES)
    for at in range(len(data)):
        spoilt = data[:at] + bytes((data[at] ^ (1 << at % 8),)) + data[at + 1 :]
        with pytest.raises(Refusal):
            check(spoilt, GAMES)
    frames, position = [], len(MAGIC)
    while frame := read_frame(data, position):
        frames.append(frame)
        position += len(frame)
    rng = random.Random(proof)
    for _ in range(300):
        changed = list(frames)
        which = rng.randrange(len(frames))
        payload = bytearray(frames[which].payload)
        payload[rng.randrange(len(payload))] ^= 1 << rng.randrange(8)
        changed[which] = Frame(frames[which].kind, bytes(payload))
        try:
            verdict = check(MAGIC + b"".join(map(bytes, changed)), GAMES)
        except Refusal:
            continue
        assert verdict == fault
