"""Figures of whole Stratego matches through the protocol: admission, audit, and the size of a move."""

from __future__ import annotations

from statistics import mean

from benchmarks import floors
from benchmarks.core import admitting
from benchmarks.matches import match
from benchmarks.report import Figure, micro
from p2p_stratego import GAMES
from protocol.audit.verdict import audit
from protocol.record.entries import parse_entry
from protocol.wire import transcript
from protocol.wire.encoding import ENTRY, Frame
from protocol.wire.messages import Choice, parse

SIGNATURE_AND_HASH = 64 + 32
LONG = 1000
MATCHES = 3


def _moves(log: list[Frame]) -> list[int]:
    """Bytes in the file of every entry that is a move."""
    return [
        len(frame)
        for frame in log
        if frame.kind == ENTRY and isinstance(parse(parse_entry(frame.payload).message), Choice)
    ]


def figures() -> list[Figure]:
    """All figures of this room, of classic matches between two recruits."""
    played = [match(GAMES["stratego"], seed, options={"army": "classic"}) for seed in range(MATCHES)]
    files = [transcript.write(begun.body, log) for begun, log in played]
    entries = sum(audit(data).checks.entries for data in files)
    rate = entries / floors.seconds(lambda: [audit(data) for data in files], number=1, rounds=3) / LONG
    size = mean(length for _, log in played for length in _moves(log))
    other = min(admitting(*match(GAMES["spies-and-lies"], seed)) for seed in range(10))
    cost = min(admitting(begun, log) for begun, log in played * 3)
    return [
        Figure(
            "Stratego: audit, 1,000 entries, a second",
            f"{rate:.0f}",
            f"of {entries / len(files):.0f} entries",
            "≥ 30",
            rate >= 30,
        ),
        Figure(
            "Stratego: admit one entry",
            micro(cost),
            f"Spies & Lies {micro(other)}",
            f"≤ 1.5 x: {cost / other:.2f} x",
            cost <= 1.5 * other,
        ),
        Figure(
            "Stratego: a move in the file",
            f"{size:.1f} B",
            f"signature + hash {SIGNATURE_AND_HASH} B",
            f"≤ 1.3 x: {size / SIGNATURE_AND_HASH:.2f} x",
            size <= 1.3 * SIGNATURE_AND_HASH,
        ),
    ]
