"""Figures of the installed program as a person meets it: how soon it answers, how long a demo takes."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from time import perf_counter

from benchmarks.report import Figure


def _seconds(*command: str, rounds: int) -> float:
    """The best wall-clock time of a command over some rounds."""
    best = float("inf")
    for _ in range(rounds):
        began = perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        best = min(best, perf_counter() - began)
    return best


def figures() -> list[Figure]:
    """All figures of this room."""
    program = (sys.executable, "-m", "cli")
    floor = _seconds(sys.executable, "-c", "pass", rounds=5)
    answer = _seconds(*program, "--help", rounds=5)
    with tempfile.TemporaryDirectory() as home:
        demo = _seconds(*program, "demo", "--home", home, rounds=3)
    return [
        Figure("--help", f"{answer:.3f} s", f"python -c pass: {floor:.3f} s", "< 0.25 s", answer < 0.25),
        Figure("a whole demo game, audited", f"{demo:.2f} s", "", "< 3 s", demo < 3),
    ]
