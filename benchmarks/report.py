"""How figures are shown: a row each, with its spread, its floor, its target, and whether that was met."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from benchmarks.measure import Floor, Measure, Taken, total

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs/figures.md"
HEAD: Final = ("figure", "measured, median", "floor, same run", "over it", "target", "")
Unit: TypeAlias = Callable[[float], str]


class Result(Enum):
    """The result of a measurement against its target."""

    MET = "met"
    MISSED = "MISSED"
    NOISY = "noisy"
    """The machine was too busy to tell."""


@dataclass(frozen=True, slots=True)
class Target:
    """The most that a figure may be: `limit` times its floor, or, if `alone`, `limit` of its own unit."""

    limit: float
    alone: bool = False

    def judged(self, taken: Taken) -> Result:
        """Whether it was met, if the machine lets that be told."""
        measure = taken.value if self.alone else taken.value.over(taken.floor.measure)
        if measure.noisy(self.limit):
            return Result.NOISY
        return Result.MET if measure.median <= self.limit else Result.MISSED


class Figure(NamedTuple):
    """One figure: what it is called, its unit, the most that it may be, and how it is measured."""

    name: str
    unit: Unit
    target: Target
    measured: Callable[[], Taken]
    """Raises Missing."""

    @property
    def limit(self) -> str:
        """The target for people."""
        target = self.target
        return f"≤ {self.unit(target.limit)}" if target.alone else f"≤ {target.limit:g} x"


class Row(NamedTuple):
    """A figure that was measured, for people."""

    cells: tuple[str, ...]
    result: Result


def row(figure: Figure, taken: Taken) -> Row:
    """A figure as it was measured."""
    value, floor = taken
    ratio, result = value.over(floor.measure), figure.target.judged(taken)
    under = f"{floor.words} {figure.unit(floor.measure.median)}"
    measured = f"{figure.unit(value.median)}{spread(value)}"
    over = f"{_three_digits(ratio.median)} x{spread(ratio)}"
    return Row((figure.name, measured, under, over, figure.limit, result.value), result)


def page(rows: Sequence[Row], missing: Sequence[str], command: str, measured: str) -> str:
    """docs/figures.md; `missing`: a sentence for each figure that was not measured; `command`: the one
    that writes it; `measured`: the commit.
    """
    rule = ("---",) * len(HEAD)
    table = (f"| {' | '.join(cells)} |" for cells in (HEAD, rule, *(row.cells for row in rows)))
    lines = [
        "# Figures",
        "",
        f"`{command}` writes this page; nobody else does. CONTRIBUTING.md says how a figure is read.",
        "",
        f"- Date: {datetime.now(UTC):%Y-%m-%d}",
        f"- Machine: {machine()}",
        f"- Commit: {measured}",
        "",
        *table,
        *(line for sentence in missing for line in ("", sentence)),
    ]
    return "\n".join(lines) + "\n"


def summed(parts: Mapping[str, tuple[int, Measure]]) -> Floor:
    """A floor of so many seconds of each part."""
    words = (f"{number} x {name} {duration(part.median)}" for name, (number, part) in parts.items())
    return Floor(f"{', '.join(words)}:", total(*parts.values()))


def spread(measure: Measure) -> str:
    """How far the middle half of the rounds lies around the median; nothing for a single one."""
    return f" ±{measure.spread * 100:.0f} %" if len(measure.samples) > 1 else ""


def machine() -> str:
    """The kind of machine on which the figures were measured."""
    model = next(
        (line.split(":", 1)[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")),
        platform.processor() or platform.machine(),
    )
    system = f"{platform.system()} {platform.release()}, Python {platform.python_version()}"
    return f"{os.cpu_count()} x {model}, {system}"


def commit() -> str:
    """The commit that was measured."""
    try:
        return _git("rev-parse", "--short", "HEAD") + (
            " and changes" if _git("status", "--porcelain") else ""
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(*words: str) -> str:
    command = ("git", *words)
    ran = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return ran.stdout.strip()


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def duration(seconds: float) -> str:
    """`seconds` for people."""
    return _scaled(seconds, ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")))


def size(count: float) -> str:
    """`count` bytes for people."""
    return _scaled(count, ((1e6, "MB"), (1e3, "kB"), (1.0, "B")))


def _scaled(value: float, units: Sequence[tuple[float, str]]) -> str:
    """`value` in the largest of `units` of which it has one, else in the last."""
    unit, name = next((unit for unit in units if value >= unit[0]), units[-1])
    return f"{_three_digits(value / unit)} {name}"


def _three_digits(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
