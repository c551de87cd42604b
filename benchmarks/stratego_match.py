"""Figures of whole Stratego matches through the protocol: admission, audit, and the size of a move."""

from __future__ import annotations

from statistics import mean

from benchmarks.core import admitting
from benchmarks.matches import match
from benchmarks.measure import exact, rounds, timed
from benchmarks.report import Figure, at_least, micro, times, whole
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import audit
from protocol.record.asks.choose import Choice
from protocol.record.asks.registry import CODEC
from protocol.record.entries import parse_entry
from protocol.wire import transcript
from protocol.wire.encoding import ENTRY, Frame

SIGNATURE_AND_HASH = 64 + 32
LONG = 1000
MATCHES = 3
ROUNDS = 9


def _moves(log: list[Frame]) -> list[int]:
    """Bytes in the file of every entry that is a move."""
    return [
        len(frame)
        for frame in log
        if frame.kind == ENTRY and isinstance(CODEC.parse(parse_entry(frame.payload).message), Choice)
    ]


def figures() -> list[Figure]:
    """All figures of this room, of classic matches between two recruits."""
    played = [match(GAMES["stratego"], seed, options={"army": "classic"}) for seed in range(MATCHES)]
    files = [transcript.write(begun.body, log) for begun, log in played]
    entries = sum(audit(data, GAMES).checks.entries for data in files)
    others = [match(GAMES["spies-and-lies"], seed) for seed in range(4)]
    audits, cost, other = rounds(
        ROUNDS,
        timed(lambda: [audit(data, GAMES) for data in files]),
        lambda: mean(admitting(begun, log) for begun, log in played),
        lambda: mean(admitting(begun, log) for begun, log in others),
    )
    rate = audits.rate(entries / LONG)
    size = exact(mean(length for _, log in played for length in _moves(log)))
    bare = f"signature + hash {SIGNATURE_AND_HASH} B"
    return [
        Figure(
            "Stratego: audit, 1,000 entries, a second",
            rate,
            whole,
            f"of {entries / len(files):.0f} entries",
            at_least(rate, 30, "≥ 30"),
        ),
        Figure(
            "Stratego: admit one entry",
            cost,
            micro,
            f"Spies & Lies {micro(other.median)}",
            times(cost.over(other), 1.5),
        ),
        Figure(
            "Stratego: a move in the file",
            size,
            lambda length: f"{length:.1f} B",
            bare,
            times(size.over(exact(SIGNATURE_AND_HASH)), 1.3),
        ),
    ]
