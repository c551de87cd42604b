"""Transcripts changed at random, one by one and in pairs; promises.py checks the audits of them.

Some changes are blind, some know the format, and some are made by a player with a key of its own (forge.py).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from p2p_stratego.core.game import Seat
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Malformed
from protocol.wire import labels, transcript
from protocol.wire.encoding import ENTRY, GENESIS, STATEMENT, Frame, decode, encode
from tests.helpers.forgery.corpus import Source, sources
from tests.helpers.forgery.forge import Forger

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
    at, other = rng.randrange(len(frames)), rng.randrange(len(frames))
    frames[at], frames[other] = frames[other], frames[at]
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
    """Give a record another kind."""
    at = rng.randrange(len(frames))
    frames[at] = replace(frames[at], kind=rng.choice((GENESIS, ENTRY, STATEMENT, 4, 16, 64, 255)))
    return frames


def _splice(rng: random.Random, frames: Frames) -> Frames:
    """Put a record of another match in, or go on with one from somewhere.

    Never of a match that the sources hold in two versions: together they prove equivocation.
    """
    played = Counter(source.begun.id for source in sources())
    other = rng.choice(rng.choice([source for source in sources() if played[source.begun.id] == 1]).logs)
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


def spoilt(rng: random.Random, data: bytes) -> bytes:
    """Change bytes of the file blindly."""
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
    """Change a field of a record; the cheater signs it anew, also in another seat's name."""
    at = rng.randrange(len(frames))
    frame = frames[at]
    try:
        value = decode(frame.payload[:-SIGNATURE_BYTES])
        body = encode(_edit(rng, value))
    except Malformed:
        return frames
    signature = frame.payload[-SIGNATURE_BYTES:]
    if cheater is not None and frame.kind in _LABELS:
        signature = source.players[cheater].identity.sign(_LABELS[frame.kind], source.begun.id + body)
    frames[at] = replace(frame, payload=body + signature)
    return frames


@dataclass(frozen=True)
class Mutant:
    """Changed bytes of a copy of a match; `cheater`: the seat with whose key something was signed anew."""

    source: Source
    copy: int
    data: bytes
    cheater: Seat | None
    how: str


@dataclass(frozen=True)
class Pair:
    """Two copies of one match, at least the second changed; at most one seat signed anything anew."""

    source: Source
    copies: tuple[Mutant, Mutant]
    cheater: Seat | None

    @property
    def how(self) -> str:
        return " | ".join(made.how for made in self.copies)


def mutant(seed: int | str, among: Sequence[Source] = ()) -> Mutant:
    """The mutant of this number: always the same.  `among`: the sources, if not all."""
    rng = random.Random(seed)
    source = rng.choice(among or sources())
    return _mutant(rng, source, _somebody(rng, source))


def pair(seed: int) -> Pair:
    """The pair of this number: always the same."""
    rng = random.Random(f"pair {seed}")
    source = rng.choice(sources())
    cheater = _somebody(rng, source)
    copy = rng.randrange(len(source.logs))
    first = intact(source, copy) if rng.random() < 0.6 else _mutant(rng, source, cheater)
    second = _mutant(rng, source, cheater)
    signed = {made.cheater for made in (first, second)} - {None}
    return Pair(source, (first, second), cheater if signed else None)


def intact(source: Source, copy: int) -> Mutant:
    """An unchanged copy."""
    data = transcript.write(source.begun.body, source.logs[copy])
    return Mutant(source, copy, data, None, f"{source.name}: as it is")


def _somebody(rng: random.Random, source: Source) -> Seat:
    """The seat of a possible cheater."""
    return rng.randrange(len(source.players)) if source.culprit is None else source.culprit


def _mutant(rng: random.Random, source: Source, somebody: Seat) -> Mutant:
    copy = rng.randrange(len(source.logs))
    frames, how, cheater = list(source.logs[copy]), list[str](), None
    if rng.random() < 0.5:
        cheater = somebody
        forger = Forger(rng, source, cheater, frames)
        how += [forger.change() for _ in range(rng.choice((1, 1, 2, 3)))]
        frames = forger.sealed(consistent=rng.random() < 0.8)
    for _ in range(rng.choice((0, 0, 0, 1)) if how else rng.choice((1, 1, 1, 2, 3))):
        if not frames:
            break
        kind = rng.randrange(10)
        if kind < 6:
            change = rng.choice(BLIND)
            frames, name = change(rng, frames), change.__name__
        elif kind < 8:
            frames, name = _edited(rng, source, frames, None), "edited"
        else:
            cheater = somebody
            frames, name = _edited(rng, source, frames, cheater), "signed anew"
        how.append(name)
    begun = source.begun.body
    if rng.random() < 0.04:
        begun = encode(_edit(rng, decode(begun)))
        how.append("genesis")
    data = transcript.write(begun, frames)
    if rng.random() < 0.08:
        data, how = spoilt(rng, data), [*how, "raw"]
    return Mutant(source, copy, data, cheater, f"{source.name}: {', '.join(how)}")
