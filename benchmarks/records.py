"""Figures of records: an entry admitted, a whole one audited, many compared, and the longest legal one."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from statistics import mean
from time import perf_counter, process_time
from typing import Final

from benchmarks import floors
from benchmarks.measure import Floor, Measure, Taken, exact, rounds, slowest, timed
from p2p_stratego.registry import GAMES
from protocol.audit.comparison import compare
from protocol.audit.verdict import audit
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.record.asks.choose import Choice
from protocol.record.asks.registry import CODEC
from protocol.record.entries import parse_entry
from protocol.record.referee import Referee
from protocol.record.statements import parse as parse_statement
from protocol.wire import transcript
from protocol.wire.encoding import ENTRY, STATEMENT, Frame
from tests.helpers.forgery.long_files import long_chase, without_ends
from tests.helpers.games.players import honest
from tests.helpers.seats.pair import Seat, Table

ROUNDS: Final = 15
MATCHES: Final = 4
COPIES: Final = 200
CHAIN: Final = 100_000
"""Moves of a chase: the longest game of Stratego that the rules allow."""


@cache
def matches(name: str) -> tuple[Seat, ...]:
    """The first seats of some matches between recruits."""
    return tuple(Table(seed, game=GAMES[name], decide=honest).play().seats[0] for seed in range(MATCHES))


def _entries(log: list[Frame]) -> list[bytes]:
    return [frame.payload for frame in log if frame.kind == ENTRY]


def _admitting(seat: Seat) -> float:
    """Seconds an entry of this match, whose statements before the first entry are admitted already."""
    referee = Referee(seat.begun)
    for frame in seat.log:
        if frame.kind == STATEMENT and not referee.agreed:
            referee.admit_statement(parse_statement(frame.payload))
    entries = _entries(seat.log)
    began = perf_counter()
    for payload in entries:
        referee.admit_entry(parse_entry(payload))
    return (perf_counter() - began) / len(entries)


def admission(*names: str) -> Taken:
    """An entry through the gate: decode, verify, rules, append without sync; the slowest of these games."""
    samplers = [lambda name=name: mean(map(_admitting, matches(name))) for name in names]
    *taken, floor = rounds(ROUNDS, *samplers, floors.verification())
    verify = Floor("verify", floor)
    return slowest({name: Taken(value, verify) for name, value in zip(names, taken, strict=True)})


def shortcut() -> Taken:
    """The audit of complete matches, whose ENDs vouch for all before, beside one that trusts no END."""
    files = [seat.transcript for seat in matches("spies-and-lies")]
    ends, every = rounds(
        ROUNDS,
        timed(lambda: [audit(data, GAMES) for data in files]),
        timed(lambda: [audit(data, GAMES, every_signature=True) for data in files]),
    )
    return Taken(ends, Floor(f"{MATCHES} matches, with every signature", every))


def move() -> Taken:
    """The bytes of a move of Stratego in the file."""
    seats = matches("stratego")
    lengths = [
        len(Frame(ENTRY, payload))
        for seat in seats
        for payload in _entries(seat.log)
        if isinstance(CODEC.parse(parse_entry(payload).message), Choice)
    ]
    return Taken(
        exact(mean(lengths)), Floor("signature and hash", exact(SIGNATURE_BYTES + sha256().digest_size))
    )


def comparison() -> Taken:
    """Copies of one match, in each of which another signature is junk, beside the audit of each."""
    seat = matches("spies-and-lies")[0]
    at = [number for number, frame in enumerate(seat.log) if frame.kind == ENTRY]
    copies = []
    for number in range(COPIES):
        spoilt, place = list(seat.log), at[number % len(at)]
        payload = spoilt[place].payload[:-SIGNATURE_BYTES] + number.to_bytes(SIGNATURE_BYTES, "big")
        spoilt[place] = Frame(ENTRY, payload)
        copies.append(transcript.write(seat.begun.body, spoilt))
    both, alone = rounds(
        5, timed(lambda: compare(copies, GAMES)), timed(lambda: [audit(data, GAMES) for data in copies])
    )
    return Taken(both, Floor("audit each", alone))


@cache
def _chain() -> tuple[float, float, float]:
    """Of an audit of the longest chain, without ENDs, in a process of its own (threat 47): processor seconds,
    and the most bytes that the process had before it and in all.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "longest.p2ps"
        path.write_bytes(without_ends(long_chase(CHAIN).transcript))
        command = (sys.executable, "-m", "benchmarks.records", str(path))
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds, before, most = map(float, printed.split())
    return seconds, before, most


def chain() -> Taken:
    """The processor time of its audit, beside the checks of its signatures."""
    [verify] = rounds(ROUNDS, floors.verification())
    return Taken(
        exact(_chain()[0]), Floor(f"verify {CHAIN:,}", Measure((verify.median * CHAIN,), verify.waiting))
    )


def chain_memory() -> Taken:
    """The memory of its audit, beside the program that has only read the file."""
    _, before, most = _chain()
    return Taken(exact(most), Floor("program and file", exact(before)))


def peak() -> int:
    """The most memory (bytes) that this process has had.

    Not ru_maxrss where there is a better one: on Linux that begins with what the parent had (getrusage(2)).
    """
    with suppress(OSError):
        fields = dict(
            line.split(":", 1) for line in Path("/proc/self/status").read_text("ascii").splitlines()
        )
        return int(fields["VmHWM"].split()[0]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    content = Path(sys.argv[1]).read_bytes()
    read, began = peak(), process_time()
    audit(content, GAMES)
    print(process_time() - began, read, peak())
