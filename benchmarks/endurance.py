"""The worst legal files for an auditor: memory and time, each in a process of its own (threat 47)."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Final

from benchmarks import long_files
from benchmarks.matches import match
from benchmarks.measure import Measure, exact, rounds, timed
from benchmarks.report import Figure, at_most, times
from p2p_stratego.registry import GAMES
from protocol.audit.comparison import compare
from protocol.audit.verdict import audit
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.wire import transcript
from protocol.wire.encoding import ENTRY, Frame

MEMORY: Final = 200e6
SECONDS: Final = 60.0
COPIES: Final = 200


def _audited(path: Path) -> tuple[Measure, Measure]:
    """Processor seconds, and bytes at the most, that an audit takes."""
    command = (sys.executable, "-m", "benchmarks.endurance", str(path))
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return exact(float(told[0])), exact(float(told[1]))


def _peak() -> int:
    """The most memory (bytes) that this process has had.

    Not ru_maxrss where there is a better one: on Linux that begins with what the parent had (getrusage(2)).
    """
    with suppress(OSError):
        fields = dict(
            line.split(":", 1) for line in Path("/proc/self/status").read_text("ascii").splitlines()
        )
        return int(fields["VmHWM"].split()[0]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _figures(name: str, path: Path) -> list[Figure]:
    seconds, memory = _audited(path)
    size = f"{path.stat().st_size / 1e6:.1f} MB"
    return [
        Figure(f"audit of {name}", seconds, _seconds, size, at_most(seconds, SECONDS, "< 60 s")),
        Figure("  and its memory", memory, _megabytes, size, at_most(memory, MEMORY, "< 200 MB")),
    ]


def comparison(count: int) -> Figure:
    """So many copies of one match, in each of which another signature is junk, against one audit of each."""
    begun, log = match(GAMES["spies-and-lies"], 1)
    entries = [at for at, frame in enumerate(log) if frame.kind == ENTRY]
    copies = []
    for number in range(count):
        spoilt = list(log)
        at = entries[number % len(entries)]
        payload = log[at].payload[:-SIGNATURE_BYTES] + number.to_bytes(SIGNATURE_BYTES, "big")
        spoilt[at] = Frame(ENTRY, payload)
        copies.append(transcript.write(begun.body, spoilt))
    both, alone = rounds(
        3, timed(lambda: compare(copies, GAMES)), timed(lambda: [audit(data, GAMES) for data in copies])
    )
    name = f"compare {count} copies of a match"
    return Figure(name, both, _seconds, f"audit each {_seconds(alone.median)}", times(both.over(alone), 1.5))


def _seconds(value: float) -> str:
    return f"{value:.1f} s"


def _megabytes(value: float) -> str:
    return f"{value / 1e6:.0f} MB"


def figures() -> list[Figure]:
    """All figures of this room."""
    found: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "worst.p2ps"
        chase = long_files.long_chase().transcript
        path.write_bytes(chase)
        found += _figures("a chase of 100,000 moves", path)
        path.write_bytes(long_files.without_ends(chase))
        del chase
        found += _figures("the same without its ENDs", path)
        makers: dict[str, Callable[[], bytes]] = {
            "as much chat as there can be": long_files.much_chat,
            "as many ENDs as there can be": long_files.many_statements,
            "1.8 million empty records": long_files.empty_records,
        }
        for name, make in makers.items():
            path.write_bytes(make())
            found += _figures(name, path)
    return [*found, comparison(COPIES)]


if __name__ == "__main__":
    began = process_time()
    audit(Path(sys.argv[1]).read_bytes(), GAMES)
    sys.stdout.write(f"{process_time() - began} {_peak()}\n")
