"""A whole `demo` of Conquest with four bots, each a process: entries, bytes, seconds, memory of a seat.

`python -m benchmarks.conquest ARGUMENTS` is the program, and tells then of the largest process that it began.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
from typing import Any, Final

from benchmarks.measure import Measure, exact
from benchmarks.report import Figure
from cli.__main__ import main

SEATS: Final = 4
SEEDS: Final = (1, 2)
"""Of the matches: with a seed the bots play the same one each time."""


def demos() -> list[Figure]:
    """One game a seed."""
    with tempfile.TemporaryDirectory() as home:
        played = [_demo(home, seed) for seed in SEEDS]
    entries, size = (sum(one[key] for one in played) / len(played) for key in ("entries", "bytes"))
    each = statistics.median(one["seconds"] / one["entries"] for one in played)
    seconds, memory = (Measure(tuple(one[key] for one in played)) for key in ("seconds", "memory"))
    loaded = _megabytes(_loaded())
    return [
        Figure(
            f"a whole demo of Conquest, {SEATS} bots, audited",
            seconds,
            lambda value: f"{value:.1f} s",
            f"{entries:.0f} entries, {each * 1e3:.0f} ms each",
        ),
        Figure(
            "  its record", exact(size), lambda value: f"{value:,.0f} B", f"{size / entries:.0f} B an entry"
        ),
        Figure("  the memory of a seat, at most", memory, _megabytes, f"{loaded} before it sits down"),
    ]


def _demo(home: str, seed: int) -> dict[str, Any]:
    """What the program tells of one game, and `memory`: the bytes of the largest of the four players."""
    options = ("--seats", str(SEATS), "--seed", str(seed), "--fast", "--json", "--home", home)
    command = (sys.executable, "-m", "benchmarks.conquest", "demo", "conquest", *options)
    told, memory = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {**json.loads(told), "memory": int(memory)}


def _loaded() -> int:
    """Bytes of a process that has loaded what a bot needs, and plays nothing."""
    bot = "import cli.play.bots.bot_process"
    loading = f"import subprocess, sys; subprocess.run((sys.executable, '-c', '{bot}'))"
    telling = "import resource; print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    command = (sys.executable, "-c", f"{loading}; {telling}")  # a small parent: see below
    return _in_bytes(int(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def _in_bytes(peak: int) -> int:
    """`ru_maxrss` in bytes: macOS has them, other systems KiB (getrusage(2))."""
    return peak * (1 if sys.platform == "darwin" else 1024)


def _megabytes(value: float) -> str:
    return f"{value / 1e6:.0f} MB"


def figures() -> list[Figure]:
    """All figures of this room."""
    return demos()


if __name__ == "__main__":
    code = main()
    # A child begins with what its parent had, which is less than what a player loads.
    sys.stdout.write(f"{_in_bytes(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)}\n")
    sys.exit(code)
