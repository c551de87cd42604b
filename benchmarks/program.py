"""Figures of the installed program as a person meets it: how soon it answers, how long a demo takes."""

from __future__ import annotations

import subprocess
import sys
import tempfile

from benchmarks.measure import Sampler, rounds, timed
from benchmarks.report import Figure, at_most

ANSWERS, DEMOS = 9, 3
"""Rounds."""


def running(*command: str) -> Sampler:
    """The wall-clock time of a command."""
    return timed(lambda: subprocess.run(command, check=True, capture_output=True))


def _seconds(value: float) -> str:
    return f"{value:.3f} s"


def figures() -> list[Figure]:
    """All figures of this room."""
    program = (sys.executable, "-m", "cli")
    floor, answer = rounds(ANSWERS, running(sys.executable, "-c", "pass"), running(*program, "--help"))
    with tempfile.TemporaryDirectory() as home:
        [demo] = rounds(DEMOS, running(*program, "demo", "--home", home))
    ratio = answer.over(floor).median
    nothing = f"python -c pass: {_seconds(floor.median)}, {ratio:.1f} x"
    return [
        Figure("--help", answer, _seconds, nothing, at_most(answer, 0.25, "< 0.25 s")),
        Figure("a whole demo game, audited", demo, _seconds, "", at_most(demo, 3, "< 3 s")),
    ]
