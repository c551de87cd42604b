"""What nobody can be blamed for must leave no trace: the match goes on as if it had never been said."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from typing import Any, Final

import pytest

from protocol.crypto.keys import SIGNATURE_BYTES, Identity
from protocol.errors import Equivocation, Forged, Malformed, Misplaced, Refusal, Violation
from protocol.limits import MAX_ENTRY
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.open import Opening
from protocol.record.asks.roll import Share
from protocol.record.asks.together import HiddenChoice, ShownChoice
from protocol.record.entries import parse_entry
from protocol.record.referee import Duplicate, Referee
from protocol.record.statements import Kind, parse_record
from protocol.record.statements import parse as parse_statement
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, GENESIS, MAX_PAYLOAD, STATEMENT, Frame, encode
from tests.helpers.cheats.bout import Bout, Liar, judge, owing
from tests.helpers.cheats.lies import MESSAGES
from tests.helpers.cheats.tables import LIARS
from tests.helpers.games.toy import TOY
from tests.helpers.seats.pair import Table

STRANGER: Final = Identity(b"nobody at this table, 32 bytes!!")
Noise = Callable[[Liar, Frame], Frame]


def _payload(change: Callable[[bytes], bytes]) -> Noise:
    """The true record with other bytes."""
    return lambda _, true: replace(true, payload=change(true.payload))


def _flip(at: int) -> Noise:
    return _payload(lambda p: p[:at] + bytes((p[at] ^ 1,)) + (p[at + 1 :] if at != -1 else b""))


def _reencoded(change: Callable[[bytes], bytes]) -> Noise:
    """The true entry in other bytes for the same values, properly signed."""

    def noise(liar: Liar, true: Frame) -> Frame:
        body = change(true.payload[:-SIGNATURE_BYTES])
        return Frame(ENTRY, liar.signed(body, labels.SIGN_ENTRY))

    return noise


def _padded_number(body: bytes) -> bytes:
    """The entry's number, a fixint or uint8, as a uint32."""
    at, size = (2, 1) if body[1] == 0xCC else (1, 1)
    return body[:1] + b"\xce\0\0\0" + body[at : at + size] + body[at + size :]


def _message(value: Any) -> Noise:
    return lambda liar, _: liar.entry(value)


def _elsewhere(**changes: Any) -> Noise:
    """A well-made entry in a place where there is none."""
    return lambda liar, _: liar.entry(liar.truth(), **changes)


def _spliced(liar: Liar, _: Frame) -> Frame:
    """The liar's own, well-signed first entry of another match of the same two keys."""
    twin = Table(4711, game=liar.begun.game, seats=len(liar.begun.players))
    other = Liar(twin.seats[liar.seat], lambda *_: "pass", random.Random(0))
    other.identity = liar.identity
    return other.entry(Share(bytes(32)), number=liar.referee.count, previous=liar.referee.head)


def _honest_seat(liar: Liar) -> int:
    return (liar.seat + 1) % len(liar.begun.players)


ENTRY_NOISE: Final[dict[str, tuple[type[Refusal], Noise]]] = {
    "nothing": (Malformed, _payload(lambda _: b"")),
    "a signature alone": (Malformed, _payload(lambda p: p[-SIGNATURE_BYTES:])),
    "a byte cut off": (Refusal, _payload(lambda p: p[:-1])),
    "a byte added": (Refusal, _payload(lambda p: p + b"\0")),
    "half of it": (Refusal, _payload(lambda p: p[: len(p) // 2])),
    "a bit of the number flipped": (Forged, _flip(1)),
    "a bit of the head flipped": (Forged, _flip(20)),
    "a bit of R flipped": (Forged, _flip(-SIGNATURE_BYTES)),
    "a bit of S flipped": (Forged, _flip(-1)),
    "zeros for a signature": (Forged, _payload(lambda p: p[:-SIGNATURE_BYTES] + bytes(SIGNATURE_BYTES))),
    "an array16 for a fixarray": (Malformed, _reencoded(lambda b: b"\xdc\0\x04" + b[1:])),
    "a padded number": (Malformed, _reencoded(_padded_number)),
    "a long form of the head": (Malformed, _reencoded(lambda b: b.replace(b"\xc4\x20", b"\xc5\0\x20", 1))),
    "a value behind the entry": (Malformed, _reencoded(lambda b: b + b"\xc0")),
    "a map for a message": (Malformed, _message({})),
    "nil for a message": (Malformed, _message(None)),
    "a float in the message": (Malformed, _message([1.0])),
    "a boolean in the message": (Malformed, _message([True])),
    "a negative number": (Malformed, _message([-1])),
    "a number over 2^53": (Malformed, _message([2**53])),
    "a text not in NFC": (Malformed, _message([1, "e\u0301"])),
    "nine arrays in each other": (Malformed, _message([[[[[[[[[]]]]]]]]])),
    "five hundred": (Malformed, _reencoded(lambda b: b[:-3] + b"\x91" * 500 + b"\x90")),
    "257 digests": (Malformed, _message([4, [bytes(32)] * 257])),
    "a field too few": (Malformed, _reencoded(lambda _: encode([0, 0, bytes(32)]))),
    "a number as text": (Malformed, _reencoded(lambda _: encode(["0", 0, bytes(32), [1, "x"]]))),
    "a seat as text": (Malformed, _reencoded(lambda _: encode([0, "0", bytes(32), [1, "x"]]))),
    "a head of 31 bytes": (Malformed, _reencoded(lambda _: encode([0, 0, bytes(31), [1, "x"]]))),
    "no array": (Malformed, _reencoded(lambda _: encode(7))),
    "over 16 KiB": (Malformed, _message([1, "x" * MAX_ENTRY])),
    "all that a frame can hold": (Malformed, lambda *_: Frame(ENTRY, bytes(MAX_PAYLOAD))),
    "signed by a stranger": (Forged, _elsewhere(identity=STRANGER)),
    "signed for another match": (Forged, _elsewhere(game=bytes(32))),
    "signed as a statement": (Forged, _elsewhere(label=labels.SIGN_STATEMENT)),
    "signed under no label": (Forged, _elsewhere(label=b"")),
    "in an honest seat's name": (Forged, lambda liar, _: liar.entry(liar.truth(), seat=_honest_seat(liar))),
    "in the name of seat 9": (Malformed, _elsewhere(seat=9)),
    "a number too far": (Misplaced, lambda liar, _: liar.entry(liar.truth(), number=liar.referee.count + 1)),
    "the largest number": (Misplaced, _elsewhere(number=2**53 - 1)),
    "over another head": (Misplaced, _elsewhere(previous=bytes(32))),
    "over an earlier head": (
        Misplaced,
        lambda liar, _: liar.entry(liar.truth(), previous=liar.referee.heads[liar.referee.count - 1]),
    ),
    "spliced from another match": (Forged, _spliced),
    "a kind of frame that does not exist": (Malformed, lambda _, true: replace(true, kind=7)),
    "a second genesis": (Malformed, lambda liar, _: Frame(GENESIS, liar.begun.body)),
    "a frame of the channel": (Malformed, lambda _, true: replace(true, kind=16)),
    "an entry called a statement": (Refusal, lambda _, true: replace(true, kind=STATEMENT)),
}


def _statement(*args: Any, **changes: Any) -> Noise:
    return lambda liar, _: liar.statement(*args, **changes)


def _last(liar: Liar) -> int:
    return len(liar.referee.statements[liar.seat])


STATEMENT_NOISE: Final[dict[str, tuple[type[Refusal], Noise]]] = {
    "a gap": (Misplaced, lambda liar, _: liar.statement(Kind.CHAT, ("a",), index=_last(liar) + 1)),
    "over a head to come": (
        Misplaced,
        lambda liar, _: liar.statement(Kind.CHAT, ("a",), count=liar.referee.count + 1),
    ),
    "over another head": (Misplaced, _statement(Kind.CHAT, ("a",), head=bytes(32))),
    "in an honest seat's name": (
        Forged,
        lambda liar, _: liar.statement(Kind.RESIGN, seat=_honest_seat(liar), index=1),
    ),
    "in the name of seat 9": (Malformed, _statement(Kind.RESIGN, seat=9)),
    "signed by a stranger": (Forged, _statement(Kind.RESIGN, identity=STRANGER)),
    "signed for another match": (Forged, _statement(Kind.RESIGN, game=bytes(32))),
    "an unknown kind": (Malformed, _statement(8)),
    "a field too many": (Malformed, _statement(Kind.RESIGN, (1,))),
    "a field too few": (Malformed, _statement(Kind.CHAT)),
    "chat that is empty": (Malformed, _statement(Kind.CHAT, ("",))),
    "chat of 501 characters": (Malformed, _statement(Kind.CHAT, ("x" * 501,))),
    "chat as bytes": (Malformed, _statement(Kind.CHAT, (b"hello",))),
    "chat not in NFC": (Malformed, _statement(Kind.CHAT, ("e\u0301",))),
    "a seat too large": (Malformed, _statement(Kind.AWAY, (2**32, 1, b""))),
    "winners that descend": (Malformed, _statement(Kind.END, ((1, 0), "flag"))),
    "winners twice": (Malformed, _statement(Kind.END, ((0, 0), "flag"))),
    "a reason too long": (Malformed, _statement(Kind.END, ((0,), "x" * 33))),
    "a reason beyond ASCII": (Malformed, _statement(Kind.END, ((0,), "é"))),
    "an end that has not come": (Misplaced, _statement(Kind.END, ((0,), "flag"))),
    "a resignation of nobody's": (Misplaced, _statement(Kind.END, ((0,), "resigned"))),
    "a draw that was not agreed": (Misplaced, _statement(Kind.END, ((), "agreed-draw"))),
    "a REVEAL in the middle": (Misplaced, _statement(Kind.REVEAL, (0, (Opening(1, bytes(32)),)))),
    "a REVEAL of nothing": (Malformed, _statement(Kind.REVEAL, (0, ()))),
    "a REVEAL that is none": (Malformed, _statement(Kind.REVEAL, (0, (1,)))),
    "a statement called an entry": (
        Refusal,
        lambda liar, _: replace(liar.statement(Kind.RESIGN), kind=ENTRY),
    ),
}
WORDS: Final[dict[Kind, tuple[Any, ...]]] = {
    Kind.CHAT: ("hello",),
    Kind.RESIGN: (),
    Kind.OFFER_DRAW: (),
    Kind.ACCEPT_DRAW: (1, 1),
    Kind.AWAY: (1, 600, b""),
    Kind.END: ((0,), "resigned"),
}
NOISE: Final = {f"{name}": row for name, row in ENTRY_NOISE.items()} | {
    f"statement: {name}": row for name, row in STATEMENT_NOISE.items()
}


def _middle(bout: Bout) -> bool:
    return bout.liar.referee.count > 8 and bout.liar.owes is not None


def _transcripts(bout: Bout) -> list[bytes]:
    return [seat.transcript for seat in bout.honest]


@pytest.mark.parametrize("table", LIARS.values(), ids=LIARS)
def test_noise_of_every_sort_leaves_no_trace(table: dict[str, Any]) -> None:
    undisturbed = Bout(1, **table)
    undisturbed.run()
    bout = Bout(1, **table)
    assert bout.run(_middle)
    true = bout.liar.entry(bout.liar.truth())
    for name, (refusal, noise) in NOISE.items():
        for taken in bout.lie([noise(bout.liar, true)]):
            assert isinstance(taken, refusal), name
            assert not isinstance(taken, Violation | Equivocation), name
    bout.run()
    assert _transcripts(bout) == _transcripts(undisturbed)
    assert all(judge(transcript).exit_code == 0 for transcript in _transcripts(bout))


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("table", LIARS.values(), ids=LIARS)
def test_a_message_cut_flipped_or_said_too_early_leaves_no_trace(table: dict[str, Any], kind: type) -> None:
    """Every byte of one true entry of each kind, cut and flipped."""
    bout = next(b for seed in range(30) if (b := Bout(seed, **table)).run(owing(kind)))
    true = bout.liar.entry(bout.liar.truth())
    positions = [(seat.session.position(), len(seat.log)) for seat in bout.honest]
    for at in range(len(true.payload)):
        flipped = bytearray(true.payload)
        flipped[at] ^= 1 << at % 8
        for payload in (true.payload[:at], bytes(flipped)):
            for taken in bout.lie([Frame(ENTRY, payload)]):
                assert isinstance(taken, Malformed | Forged | Misplaced)
    assert [(seat.session.position(), len(seat.log)) for seat in bout.honest] == positions
    bout.tell(true)
    assert all(seat.session.referee.head == bout.liar.referee.head for seat in bout.honest)


def test_what_was_said_before_may_be_said_again() -> None:
    """After a reconnect both sides may repeat themselves: no harm, no second copy in the record."""
    bout = Bout(1)
    bout.run(_middle)
    seat = bout.honest[0]
    log, record = list(seat.log), [record.frame for record in seat.session.referee.record]
    theirs = [r.frame for r in seat.session.referee.record if r.seat == bout.liar.seat]
    assert bout.lie(theirs) == [None]
    assert seat.log == log
    assert [record.frame for record in seat.session.referee.record] == record


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_entries_are_admitted_in_one_order_only(order: tuple[int, ...]) -> None:
    """Three entries that follow each other, in all orders: those that come too early are dropped."""
    log = Table(1).play(steps=60).seats[1].log
    first = next(at for at, frame in enumerate(log) if frame.kind == ENTRY)
    referee = Referee(Table(1).begun)
    for frame in log[:first]:
        referee.admit_statement(parse_statement(frame.payload))
    for at in order:
        if at == referee.count:
            referee.admit_entry(parse_entry(log[first + at].payload))
        else:
            with pytest.raises(Misplaced):
                referee.admit_entry(parse_entry(log[first + at].payload))
    inversions = [at for place, at in enumerate(order) if any(b > at for b in order[:place])]
    assert (referee.count == 3) is not bool(inversions)


def test_a_repetition_is_told_from_a_misplaced_record() -> None:
    bout = Bout(1)
    bout.run(_middle)
    referee = bout.honest[0].session.referee
    with pytest.raises(Duplicate):
        referee.admit_entry(parse_entry(referee.entries[3].payload))
    with pytest.raises(Duplicate):
        referee.admit_statement(parse_statement(referee.statements[0][0].payload))


def test_nobody_moves_before_all_have_agreed() -> None:
    """An entry, or a word about the match, before every consent: dropped, whoever's it is."""
    bout = Bout(1, game=TOY, seats=3, liar=0, agreeing=False)
    liar, referee = bout.liar, Referee(bout.begun)
    early = [
        liar.entry(Share(bytes(32))),
        *(liar.statement(kind, content, index=1) for kind, content in WORDS.items()),
    ]
    referee.admit_statement(parse_statement(liar.statement(Kind.AGREE).payload))
    for frame in early:
        with pytest.raises(Misplaced):
            referee.admit(parse_record(frame))
    assert not referee.agreed


def test_the_liar_was_able_to_tell_the_truth() -> None:
    """The tests above would pass for a liar that nobody ever believes."""
    owed: set[type] = set()
    for seed in range(6):
        bout = Bout(seed)
        bout.run(lambda b: bool(b.liar.owes and owed.add(b.liar.owes.message)))  # type: ignore[func-returns-value]  # set.add is called for its effect
        assert {report.exit_code for report in bout.reports()} == {0}
    assert owed == {Choice, HiddenChoice, ShownChoice, Commitments, Opening, Share}
