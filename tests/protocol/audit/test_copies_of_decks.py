"""Copies of one match with decks: what they show together; proofs of its faults stand alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import permutations
from typing import Any

import pytest

from p2p_stratego.core.game import Shuffle
from protocol.audit import proof
from protocol.audit.comparison import compare
from protocol.audit.proof import Fault
from protocol.audit.verdict import Verdict, audit
from protocol.crypto.group.backend import ORDER
from protocol.crypto.group.received import written
from protocol.crypto.proofs.verification import forget, keeping
from protocol.errors import Violation
from protocol.record.asks.base import Obligation
from protocol.record.asks.proofs.keys import Released
from protocol.record.asks.proofs.shuffled import Shuffled
from protocol.record.asks.proofs.tokens import Tokens
from protocol.record.asks.registry import CODEC
from protocol.record.entries import parse_entry
from protocol.record.evidence import read_record
from protocol.record.judgement import NoProof
from protocol.seat.session import Session
from protocol.wire import labels, transcript
from protocol.wire.encoding import ENTRY, GENESIS, Frame, decode, encode, read_frame
from protocol.wire.messages import Message
from tests.helpers.cheats.bout import Bout, owing
from tests.helpers.games.cups import CUPS, GAMES
from tests.helpers.games.players import honest
from tests.helpers.seats.leavers import left
from tests.helpers.seats.pair import Seat, Table

LIAR = 1


@pytest.fixture(autouse=True)
def checked_once() -> Iterator[None]:
    with keeping():
        yield


@cache
def fair() -> tuple[bytes, ...]:
    """The transcripts of an honest match, every seat's."""
    table = Table(3, game=CUPS, seats=3, decide=honest).play()
    return tuple(seat.transcript for seat in table.seats)


def behind(data: bytes, records: int) -> bytes:
    """The copy of a seat that has so many records only."""
    whole = transcript.read(data)
    return transcript.write(whole.genesis, whole.frames[:records])


# Several copies


def test_equal_copies_agree_in_any_order() -> None:
    for copies in permutations(fair()):
        comparison = compare(copies, GAMES)
        assert comparison.agree
        assert comparison.fault is None
        assert comparison.whole is not None
        assert comparison.whole.verdict is Verdict.COMPLETE


@pytest.mark.parametrize("share", [0.1, 0.4, 0.7])
def test_a_copy_that_is_behind_agrees_with_the_whole_one(share: float) -> None:
    first, second, _ = fair()
    short = behind(second, int(share * len(transcript.read(second).frames)))
    assert audit(short, GAMES).verdict is Verdict.INCOMPLETE
    for copies in ((first, short), (short, first)):
        comparison = compare(copies, GAMES)
        assert comparison.agree
        assert comparison.whole is not None
        assert comparison.whole.verdict is Verdict.COMPLETE


def test_of_copies_that_are_all_behind_the_longest_tells() -> None:
    copies = [behind(data, 30 + 9 * number) for number, data in enumerate(fair())]
    comparison = compare(copies, GAMES)
    assert comparison.agree
    assert comparison.whole is not None
    assert (comparison.whole.verdict, comparison.whole.outcome) == (Verdict.INCOMPLETE, None)
    assert comparison.whole.checks.entries == max(audit(copy, GAMES).checks.entries for copy in copies)


def is_deck(owed: Obligation) -> bool:
    return owed.message is Shuffled and isinstance(owed.part, Shuffle)


def test_two_orders_of_one_deck_are_an_equivocation_that_no_copy_shows_alone() -> None:
    """Each is a true shuffle: whoever sees one of them sees nothing wrong."""
    bout = Bout(3, game=CUPS, seats=3, liar=LIAR, decide=honest)
    assert bout.run(lambda b: (owed := b.liar.owes) is not None and is_deck(owed))
    number = bout.liar.referee.count
    entry, other = (bout.liar.entry(bout.liar.truth()) for _ in range(2))
    assert entry.payload != other.payload
    first, second = (seat.seat for seat in bout.honest)
    assert bout.lie([entry], to=[first]) == bout.lie([other], to=[second]) == [None]
    copies = [seat.transcript for seat in bout.honest]
    for data in copies:
        report = audit(data, GAMES)
        assert (report.verdict, report.fault) == (Verdict.INCOMPLETE, None)
    fault = Fault(LIAR, "entry", number, "equivocation")
    proofs = set()
    for order in (copies, copies[::-1]):
        comparison = compare(order, GAMES)
        assert (comparison.agree, comparison.fault) == (False, fault)
        assert comparison.proof is not None
        proofs.add(comparison.proof)
        assert proof.check(comparison.proof, GAMES) == fault
    (only,) = proofs
    assert [frame.kind for frame in frames_of(only)] == [GENESIS, ENTRY, ENTRY]


# Proofs that stand alone


def frames_of(data: bytes) -> list[Frame]:
    """The frames of a proof, the genesis first."""
    at, frames = len(proof.MAGIC), []
    while frame := read_frame(data, at):
        frames.append(frame)
        at += len(frame)
    return frames


def false_shuffle(message: Shuffled) -> Shuffled:
    return replace(message, proof=message.proof[:-32] + bytes(32))


def false_token(tokens: Tokens) -> Tokens:
    return replace(tokens, proof=tokens.proof[:-32] + bytes(32))


@pytest.mark.parametrize(
    ("message", "lie", "rule"),
    [(Shuffled, false_shuffle, "wrong-shuffle"), (Tokens, false_token, "wrong-token")],
)
def test_a_proof_of_a_fault_with_a_deck_needs_nothing_else(
    message: type[Message], lie: Callable[[Any], Message], rule: str
) -> None:
    bout = Bout(4, game=CUPS, seats=3, liar=LIAR, decide=honest)
    assert bout.run(owing(message))
    for refusal in bout.lie([bout.liar.entry(lie(bout.liar.truth()))]):
        assert isinstance(refusal, Violation)
    report = bout.reports()[0]
    assert report.proof is not None
    forget()
    fault = Fault(LIAR, "entry", bout.liar.referee.count, rule)
    assert proof.check(report.proof, GAMES) == fault
    first, *records = frames_of(report.proof)
    assert (first.kind, first.payload) == (GENESIS, bout.begun.body)
    assert [record.kind for record in records] == [ENTRY] * (fault.number + 1)
    for left_out in range(len(records)):
        kept = records[:left_out] + records[left_out + 1 :]
        with pytest.raises(NoProof):
            proof.check(proof.prove(first.payload, kept), GAMES)
    own = proof.prove(first.payload, [*records[:-1], bout.liar.entry(bout.liar.truth())])
    with pytest.raises(NoProof):
        proof.check(own, GAMES)


# A share of a key


def test_row_75_a_false_share_of_the_key_of_a_seat_that_is_gone_is_its_givers_fault() -> None:
    match = left(75, 4, "dead", 75, CUPS, escrow=2)
    copy = match.living[0].log
    given = [at for at, frame in enumerate(copy) if says(frame, Released)]
    assert len(given) > 1
    at = given[0]
    entry = parse_entry(copy[at].payload)
    giver = match.mesh.seats[entry.seat]
    share = CODEC.parse(entry.message)
    second = CODEC.parse(parse_entry(copy[given[1]].payload).message)
    assert isinstance(share, Released)
    assert isinstance(second, Released)
    receiver = next(seat for seat in match.living if seat is not giver)
    del receiver.log[receiver.log.index(copy[at]) :]
    for false in (written((int.from_bytes(share.share, "little") + 1) % ORDER), second.share, bytes(32)):
        fields = decode(entry.body)
        assert isinstance(fields, list)
        fields[3] = CODEC.value(Released(false))
        body = encode(fields)
        lie = Frame(ENTRY, body + giver.identity.sign(labels.SIGN_ENTRY, giver.begun.id + body))
        fault = Fault(entry.seat, "entry", entry.number, "wrong-share")
        report = audit(transcript.write(giver.begun.body, [*copy[:at], lie]), GAMES)
        assert (report.verdict, report.fault) == (Verdict.CHEATED, fault)
        assert report.proof is not None
        assert proof.check(report.proof, GAMES) == fault
        with pytest.raises(Violation) as refused:
            again(receiver).receive(read_record(lie))
        assert (refused.value.seat, refused.value.rule) == (entry.seat, "wrong-share")


def says(frame: Frame, message: type[Message]) -> bool:
    """Whether a record is an entry with such a message."""
    return frame.kind == ENTRY and isinstance(CODEC.parse(parse_entry(frame.payload).message), message)


def again(seat: Seat) -> Session:
    """A session of a seat anew from its records."""
    seat.restart()
    seat.session.go_live()
    return seat.session
