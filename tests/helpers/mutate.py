"""Transcripts changed at random, and what must never come of it.

Some changes are blind, some know the format, and some are made by a player with a key of its own.  Whatever
the change: what is accepted means what it meant, and nobody is blamed for what it did not sign.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from protocol import labels, transcript
from protocol.audit import Report, Verdict, compare
from protocol.encoding import ENTRY, GENESIS, STATEMENT, Frame, decode, encode
from protocol.errors import Malformed, Refusal
from protocol.keys import SIGNATURE_BYTES
from protocol.referee import entry_hash
from protocol.statements import Kind
from tests.cheats.bout import judge
from tests.helpers.corpus import Source, sources

ACCEPTED: Final = (Verdict.COMPLETE, Verdict.INCOMPLETE, Verdict.UNRESPONSIVE)


@dataclass(frozen=True)
class Mutant:
    """Changed bytes of a match; `cheater`: the seat with whose key something was signed anew, if any."""

    source: Source
    data: bytes
    cheater: int | None
    how: str


Frames = list[Frame]


def _bits(rng: random.Random, frames: Frames) -> Frames:
    """Flip bits of a payload; the checks of its frame are made to fit."""
    at = rng.randrange(len(frames))
    payload = bytearray(frames[at].payload)
    for _ in range(rng.choice((1, 1, 2, 5))):
        if payload:
            payload[rng.randrange(len(payload))] ^= 1 << rng.randrange(8)
    frames[at] = replace(frames[at], payload=bytes(payload))
    return frames


def _drop(rng: random.Random, frames: Frames) -> Frames:
    for _ in range(rng.choice((1, 1, 2, 4))):
        if frames:
            frames.pop(rng.randrange(len(frames)))
    return frames


def _swap(rng: random.Random, frames: Frames) -> Frames:
    one, other = rng.randrange(len(frames)), rng.randrange(len(frames))
    frames[one], frames[other] = frames[other], frames[one]
    return frames


def _move(rng: random.Random, frames: Frames) -> Frames:
    frame = frames.pop(rng.randrange(len(frames)))
    frames.insert(rng.randrange(len(frames) + 1), frame)
    return frames


def _repeat(rng: random.Random, frames: Frames) -> Frames:
    frames.insert(rng.randrange(len(frames) + 1), rng.choice(frames))
    return frames


def _shuffle(rng: random.Random, frames: Frames) -> Frames:
    start = rng.randrange(len(frames))
    part = frames[start : start + rng.randrange(2, 8)]
    rng.shuffle(part)
    return frames[:start] + part + frames[start + len(part) :]


def _rename(rng: random.Random, frames: Frames) -> Frames:
    """Call a record something else."""
    at = rng.randrange(len(frames))
    frames[at] = replace(frames[at], kind=rng.choice((GENESIS, ENTRY, STATEMENT, 4, 16, 64, 255)))
    return frames


def _splice(rng: random.Random, frames: Frames) -> Frames:
    """Put a record of another match in, or go on with one from somewhere."""
    other = rng.choice(sources()).log
    at, start = rng.randrange(len(frames) + 1), rng.randrange(len(other))
    if rng.random() < 0.5:
        return [*frames[:at], other[start], *frames[at + rng.choice((0, 1)) :]]
    return [*frames[:at], *other[start:]]


def _cut(rng: random.Random, frames: Frames) -> Frames:
    return frames[: rng.randrange(len(frames))]


BLIND: Final[tuple[Callable[[random.Random, Frames], Frames], ...]] = (
    _bits,
    _drop,
    _swap,
    _move,
    _repeat,
    _shuffle,
    _rename,
    _splice,
    _cut,
)


def _raw(rng: random.Random, data: bytes) -> bytes:
    """Change bytes of the file with no idea of what they are."""
    changed, at = bytearray(data), rng.randrange(len(data))
    match rng.randrange(5):
        case 0:
            changed[at] ^= 1 << rng.randrange(8)
        case 1:
            del changed[at : at + rng.randrange(1, 40)]
        case 2:
            changed[at:at] = rng.randbytes(rng.randrange(1, 40))
        case 3:
            changed[at : at + 8] = rng.randbytes(8)
        case _:
            del changed[at:]
    return bytes(changed)


# Changes that know the format


def _edit(rng: random.Random, value: Any) -> Any:
    """Another value, near the given one."""
    if isinstance(value, list) and value and rng.random() < 0.85:
        changed = list(value)
        at = rng.randrange(len(changed))
        match rng.randrange(8):
            case 0:
                changed.pop(at)
            case 1:
                changed.insert(at, rng.choice(changed))
            case _:
                changed[at] = _edit(rng, changed[at])
        return changed
    if isinstance(value, int) and rng.random() < 0.9:
        return max(0, value + rng.choice((-2, -1, 1, 2, 7, 128)))
    if isinstance(value, bytes) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        return value[:at] + bytes((value[at] ^ 1 << rng.randrange(8),)) + value[at + 1 :]
    if isinstance(value, str) and rng.random() < 0.9:
        return rng.choice(
            ("", "x", value + "x", value[:-1], "flag", "resigned", "left", "guess 1", "agreed-draw")
        )
    return rng.choice((0, 1, "", b"", [], bytes(32), "left", [1, "left"], [6, bytes(32)]))


_LABELS: Final = {ENTRY: labels.SIGN_ENTRY, STATEMENT: labels.SIGN_STATEMENT}


def _edited(rng: random.Random, source: Source, frames: Frames, cheater: int | None) -> Frames:
    """Change a field of a record; the cheater signs it anew, in whatever name."""
    at = rng.randrange(len(frames))
    frame = frames[at]
    try:
        value = decode(frame.payload[:-SIGNATURE_BYTES])
        body = encode(_edit(rng, value))
    except Malformed:
        return frames
    signature = frame.payload[-SIGNATURE_BYTES:]
    if cheater is not None and frame.kind in _LABELS:
        signature = source.identities[cheater].sign(_LABELS[frame.kind], source.begun.id + body)
    frames[at] = replace(frame, payload=body + signature)
    return frames


def _made_up(rng: random.Random, source: Source, frames: Frames, cheater: int) -> Frames:
    """A statement of the cheater's own where it pleases, over any count."""
    at = rng.randrange(len(frames) + 1)
    heads = [source.begun.id]
    index = 0
    for frame in frames[:at]:
        value: Any = decode(frame.payload[:-SIGNATURE_BYTES])
        if frame.kind == ENTRY:
            heads.append(_hash(frame))
        elif frame.kind == STATEMENT and isinstance(value, list) and value[0] == cheater:
            index += 1
    count = rng.randrange(len(heads))
    seats = len(source.identities)
    winners = sorted(rng.sample(range(seats), rng.randrange(seats)))
    contents: list[tuple[Kind, list[Any]]] = [
        (Kind.RESIGN, []),
        (Kind.OFFER_DRAW, []),
        (Kind.ACCEPT_DRAW, [rng.randrange(seats), rng.randrange(3)]),
        (Kind.AWAY, [rng.randrange(seats), 600]),
        (Kind.END, [winners, rng.choice(("resigned", "points", "draw"))]),
        (Kind.CHAT, ["made up"]),
        (Kind.REVEAL, [[[1, bytes(32)]]]),
    ]
    kind, content = rng.choice(contents)
    body = encode([cheater, index, count, heads[count], int(kind), *content])
    signature = source.identities[cheater].sign(labels.SIGN_STATEMENT, source.begun.id + body)
    return [*frames[:at], Frame(STATEMENT, body + signature), *frames[at:]]


def _rechained(rng: random.Random, source: Source, frames: Frames, cheater: int) -> Frames:
    """Change an entry of the cheater's own and sign all its later ones anew over the heads that follow."""
    heads, started, out = [source.begun.id], False, []
    for frame in frames:
        if frame.kind != ENTRY:
            out.append(frame)
            continue
        value: Any = decode(frame.payload[:-SIGNATURE_BYTES])
        if value[1] == cheater and (started or rng.random() < 0.2):
            if not started:
                value = [*value[:3], _edit(rng, value[3])]
            started = True
            body = encode([value[0], value[1], heads[-1], value[3]])
            signature = source.identities[cheater].sign(labels.SIGN_ENTRY, source.begun.id + body)
            frame = replace(frame, payload=body + signature)  # noqa: PLW2901  # the changed record takes its place
        heads.append(_hash(frame))
        out.append(frame)
    return out


def _hash(frame: Frame) -> bytes:
    return entry_hash(frame.payload[:-SIGNATURE_BYTES])


def mutant(seed: int) -> Mutant:
    """The mutant of this number: always the same."""
    rng = random.Random(seed)
    source = rng.choice(sources())
    frames = list(source.log)
    cheater: int | None = None
    how: list[str] = []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if not frames:
            break
        kind = rng.randrange(10)
        if kind < 4:
            change = rng.choice(BLIND)
            frames, name = change(rng, frames), change.__name__
        elif kind < 6:
            frames, name = _edited(rng, source, frames, None), "edited"
        else:
            cheater = rng.randrange(len(source.identities)) if cheater is None else cheater
            if source.culprit is not None:
                cheater = source.culprit
            frames, name = _signed(rng, source, frames, cheater)
        how.append(name)
    begun = source.begun.body
    if rng.random() < 0.08:
        begun = encode(_edit(rng, decode(begun)))
        how.append("genesis")
    data = transcript.write(begun, frames)
    if rng.random() < 0.15:
        data, how = _raw(rng, data), [*how, "raw"]
    return Mutant(source, data, cheater, f"{source.name}: {', '.join(how)}")


def _signed(rng: random.Random, source: Source, frames: Frames, cheater: int) -> tuple[Frames, str]:
    try:
        match rng.randrange(3):
            case 0:
                return _edited(rng, source, frames, cheater), "signed anew"
            case 1:
                return _made_up(rng, source, frames, cheater), "made up"
            case _:
                return _rechained(rng, source, frames, cheater), "rechained"
    except (Malformed, IndexError, TypeError):
        return frames, "nothing"  # an earlier change has left no format to know


# What must hold


def broken_promise(made: Mutant) -> str | None:
    """Which promise the audit of a mutant breaks; None if it keeps all."""
    try:
        report = judge(made.data)
    except Refusal:
        return None
    source = made.source
    guilty = {made.cheater, source.culprit}
    if report.fault is not None and (report.fault.seat not in guilty or report.genesis.id != source.begun.id):
        return "somebody honest is blamed"
    said = {seat: _bodies(source, seat) for seat in range(len(source.identities))}
    if report.genesis.id != source.begun.id:
        return "a match that nobody agreed to has records" if report.referee.record else None
    for seat in set(said) - {made.cheater}:
        if not said[seat] >= {record.body for record in report.referee.record if record.seat == seat}:
            return "an honest seat is made to say something else"
    if made.cheater is None and not _is_prefix(source, report):
        return "the match is told in another way"
    if report.verdict in ACCEPTED and _changed(made, report):
        return "another outcome is accepted"
    comparison = compare([source.report, report])
    if comparison.fault is not None and comparison.fault.seat not in guilty:
        return "somebody honest is blamed by comparing"
    return None


def _bodies(source: Source, seat: int) -> set[bytes]:
    bodies = (frame.payload[:-SIGNATURE_BYTES] for frame in source.log)
    return {body for body in bodies if (decode(body)[1 if _is_entry(body) else 0]) == seat}  # type: ignore[index]  # both are arrays


def _is_entry(body: bytes) -> bool:
    value = decode(body)
    return isinstance(value, list) and len(value) == 4


def _is_prefix(source: Source, report: Report) -> bool:
    """Without a key, all that is left is the chain from its beginning, and of each seat its first words."""
    chain = [frame.payload[:-SIGNATURE_BYTES] for frame in source.log if frame.kind == ENTRY]
    entries = [entry.body for entry in report.referee.entries]
    whole = source.report.referee.statements
    return entries == chain[: len(entries)] and all(
        [s.body for s in mine] == [s.body for s in theirs[: len(mine)]]
        for mine, theirs in zip(report.referee.statements, whole, strict=True)
    )


def _changed(made: Mutant, report: Report) -> bool:
    """Whether an outcome is accepted that those who signed the records did not come to."""
    source, outcome = made.source, report.outcome
    if outcome is None or outcome == source.report.outcome:
        return False
    if made.cheater is None:
        return True
    if report.verdict is Verdict.UNRESPONSIVE:
        return False  # the cheater's own word, and told as that
    # It can always give up, or hold to a draw that somebody else offered; it can never win by this.
    return made.cheater in outcome.winners
