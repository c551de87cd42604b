"""Spoils transcripts at random and audits them: no changed meaning is accepted, nobody honest is blamed.

Two opponents spoil: a stranger with no key, and one of the players, who can sign what it writes itself.
`python -m tests.campaigns.mutations --seed 1 --count 100000` for more than the ordinary tests do.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from protocol import labels, statements
from protocol.audit import Report, Verdict, audit
from protocol.encoding import ENTRY, GENESIS, STATEMENT, Frame, decode, encode
from protocol.errors import Malformed, Refusal
from protocol.genesis import Genesis
from protocol.keys import SIGNATURE_BYTES, Identity
from protocol.referee import Entry, parse_entry
from protocol.statements import Statement
from protocol.transcript import MAGIC
from tests.helpers.pair import Table, any_decision
from tests.helpers.players import honest

_LABELS = {ENTRY: labels.SIGN_ENTRY, STATEMENT: labels.SIGN_STATEMENT}


@dataclass(frozen=True)
class Original:
    """An unspoiled transcript, what it means, and the keys of those who played it."""

    begun: Genesis
    frames: tuple[Frame, ...]
    report: Report
    identities: tuple[Identity, ...]

    @property
    def bodies(self) -> frozenset[bytes]:
        """Every entry and statement of it, without signatures."""
        return frozenset(frame.payload[:-SIGNATURE_BYTES] for frame in self.frames)


Spoiler = Callable[[list[Frame], random.Random, Sequence[Original]], object]


def originals(count: int) -> list[Original]:
    """Finished and unfinished matches, honest and crooked ones, some with chat and resignations."""
    made = []
    for seed in range(count):
        table = Table(seed, decide=any_decision if seed % 3 == 2 else honest)
        if seed % 2:
            table.play(steps=20 + seed)
            first, second = (seat.session for seat in table.seats)
            first.say("Good luck!")
            if seed % 4 == 1 and not second.over:
                second.resign()
        table.play(steps=30 if seed % 5 == 1 else 1_000_000)
        seat = table.seats[seed % 2]
        report = audit(seat.transcript)
        identities = tuple(seat.identity for seat in table.seats)
        made.append(Original(table.begun, tuple(seat.log), report, identities))
    return made


# What a stranger can do to a list of frames (the first is the genesis)


def drop(frames: list[Frame], rng: random.Random, _: Sequence[Original]) -> None:
    del frames[rng.randrange(len(frames))]


def repeat(frames: list[Frame], rng: random.Random, _: Sequence[Original]) -> None:
    frames.insert(rng.randrange(len(frames) + 1), rng.choice(frames))


def swap(frames: list[Frame], rng: random.Random, _: Sequence[Original]) -> None:
    one = rng.randrange(len(frames) - 1)
    frames[one], frames[one + 1] = frames[one + 1], frames[one]


def cut(frames: list[Frame], rng: random.Random, _: Sequence[Original]) -> None:
    del frames[rng.randrange(1, len(frames)) :]


def shuffle(frames: list[Frame], rng: random.Random, _: Sequence[Original]) -> None:
    start = rng.randrange(1, len(frames))
    some = frames[start : start + 6]
    rng.shuffle(some)
    frames[start : start + 6] = some


def splice(frames: list[Frame], rng: random.Random, others: Sequence[Original]) -> None:
    frames[rng.randrange(len(frames))] = rng.choice(rng.choice(others).frames)


def graft(frames: list[Frame], rng: random.Random, others: Sequence[Original]) -> None:
    other = rng.choice(others)
    at = rng.randrange(1, len(frames))
    frames[at:] = other.frames[at - 1 :]


def flip(frames: list[Frame], rng: random.Random, _: Sequence[Original]) -> None:
    at = rng.randrange(len(frames))
    payload = bytearray(frames[at].payload)
    payload[rng.randrange(len(payload))] ^= 1 << rng.randrange(8)
    frames[at] = Frame(frames[at].kind, bytes(payload))


def edit(frames: list[Frame], rng: random.Random, _: Sequence[Original]) -> None:
    """Change one field and encode it properly, under the old signature."""
    at = rng.randrange(len(frames))
    frame = frames[at]
    tail = b"" if frame.kind == GENESIS else frame.payload[-SIGNATURE_BYTES:]
    body = frame.payload[: len(frame.payload) - len(tail)]
    frames[at] = Frame(frame.kind, encode(changed(decode(body), rng)) + tail)


def relabel(frames: list[Frame], rng: random.Random, _: Sequence[Original]) -> None:
    at = rng.randrange(len(frames))
    frames[at] = Frame(rng.choice((0, 1, 2, 3, 16, 255)), frames[at].payload)


STRANGER: tuple[Spoiler, ...] = (drop, repeat, swap, cut, shuffle, splice, graft, flip, edit, relabel)


def changed(value: Any, rng: random.Random) -> Any:
    """`value` with one leaf of it replaced by another, mostly plausible one."""
    if isinstance(value, list) and value:
        at = rng.randrange(len(value))
        return [*value[:at], changed(value[at], rng), *value[at + 1 :]]
    if isinstance(value, int):
        return rng.choice([n for n in (value + 1, max(0, value - 1), 0, 1, 2**32) if n != value])
    if isinstance(value, bytes):
        return rng.choice([bytes(len(value)), rng.randbytes(len(value)), value[1:], value + b"\0"])
    if isinstance(value, str):
        return rng.choice([value + "x", value[:-1], "guess 1", "token", "mark 12", ""])
    return [0]


def forge(frames: list[Frame], rng: random.Random, identity: Identity, game: bytes, seat: int) -> None:
    """A player changes a record of its own, or writes a new one, and signs it properly."""
    own = [at for at, frame in enumerate(frames) if at and _seat(frame) == seat]
    at = rng.choice(own)
    frame = frames[at]
    value = decode(frame.payload[:-SIGNATURE_BYTES])
    for _ in range(rng.randint(1, 2)):
        value = changed(value, rng)
    try:
        body = encode(value)
        decode(body)
    except Malformed:
        return
    made = Frame(frame.kind, body + identity.sign(_LABELS[frame.kind], game + body))
    if rng.random() < 0.5:
        frames[at] = made
    else:
        frames.insert(rng.randrange(at, len(frames)) + 1, made)


def _seat(frame: Frame) -> int:
    """Whose record it is."""
    read = parse_entry if frame.kind == ENTRY else statements.parse
    return read(frame.payload).seat


# What must hold


def spoil(original: Original, others: Sequence[Original], rng: random.Random) -> tuple[bytes, frozenset[int]]:
    """A spoiled transcript, and the seats that may be blamed for it."""
    frames = [Frame(GENESIS, original.begun.body), *original.frames]
    blamable = frozenset[int]()
    if rng.random() < 0.35:
        seat = rng.randrange(len(original.identities))
        forge(frames, rng, original.identities[seat], original.begun.id, seat)
        blamable = frozenset({seat})
    if not blamable or rng.random() < 0.2:
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            if len(frames) > 1:
                rng.choice(STRANGER)(frames, rng, others)
    data = bytearray(MAGIC + b"".join(map(bytes, frames)))
    if rng.random() < 0.15:
        at = rng.randrange(len(data))
        data[at:] = bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :] if rng.random() < 0.5 else b""
    return bytes(data), blamable


def judge(original: Original, data: bytes, blamable: frozenset[int]) -> str:
    """What the audit came to; raises AssertionError if it believes, or blames, what it must not."""
    try:
        report = audit(data)
    except Refusal as refusal:
        return type(refusal).__name__
    truth = original.report
    blamed = None if report.fault is None else report.fault.seat
    crook = None if truth.fault is None else truth.fault.seat
    assert blamed is None or blamed == crook or blamed in blamable, f"seat {blamed} is blamed"
    if report.genesis.id != original.begun.id:
        # Another match: one that was spliced in whole, or one that nobody has signed anything of.
        assert report.checks.entries == 0 or report.verdict is not Verdict.COMPLETE
        return "another match"
    said = [s for known in report.referee.statements for s in known]
    records: list[Entry | Statement] = [*report.referee.entries, *said]
    for record in records:
        assert record.body in original.bodies or record.seat in blamable, "a record nobody made is believed"
    if report.verdict is Verdict.COMPLETE and not blamable:
        assert truth.outcome == report.outcome, "another end is believed"
    return report.verdict.value


def campaign(seed: int, count: int, progress: Callable[[int], None] = lambda _: None) -> Counter[str]:
    """Spoil and judge `count` times; how often what came of it."""
    rng = random.Random(seed)
    matches = originals(12)
    came: Counter[str] = Counter()
    for number in range(count):
        original = rng.choice(matches)
        data, blamable = spoil(original, matches, rng)
        try:
            came[judge(original, data, blamable)] += 1
        except Exception as error:
            error.add_note(f"mutation {number} of seed {seed}: {data.hex()}")
            raise
        progress(number)
    return came


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100_000)
    options = parser.parse_args()

    def progress(number: int) -> None:
        if number % 1000 == 999 and sys.stderr.isatty():
            sys.stderr.write(f"\r{number + 1} of {options.count}")

    came = campaign(options.seed, options.count, progress)
    sys.stdout.write("".join(f"{times:8} {what}\n" for what, times in came.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
