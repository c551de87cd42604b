"""How figures are printed: a line each, with its spread, its floor, its target, and whether it was met."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from benchmarks.measure import Measure


class Result(Enum):
    """The result of a measurement against its target."""

    NONE = ""
    """There is no target."""
    MET = "met"
    MISSED = "MISSED"
    NOISY = "noisy"
    """The machine was too busy to tell."""


@dataclass(frozen=True, slots=True)
class Target:
    """A target for `of`: to be at most, or at least, `limit`; `shown`: how people read it."""

    of: Measure
    limit: float
    shown: str
    at_least: bool = False

    @property
    def result(self) -> Result:
        """Whether the target was met, if the machine lets that be told."""
        if self.of.noisy(self.limit):
            return Result.NOISY
        above = self.of.median - self.limit
        return Result.MET if above == 0 or (above > 0) == self.at_least else Result.MISSED


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure: its name, its value, the value for people, and its floor and target."""

    name: str
    measure: Measure
    write: Callable[[float], str]
    floor: str = ""
    target: Target | None = None

    @property
    def result(self) -> Result:
        """Whether its target was met."""
        return Result.NONE if self.target is None else self.target.result


def at_most(of: Measure, limit: float, shown: str) -> Target:
    """`of` must not be more than `limit`."""
    return Target(of, limit, shown)


def at_least(of: Measure, limit: float, shown: str) -> Target:
    """`of` must not be less than `limit`."""
    return Target(of, limit, shown, at_least=True)


def times(ratio: Measure, limit: float) -> Target:
    """`ratio` must be at most `limit`; its own value stands beside."""
    return at_most(ratio, limit, f"≤ {limit:g} x: {ratio.median:.2f} x{spread(ratio)}")


def times_over(ratio: Measure, limit: float) -> Target:
    """`ratio` must be at least `limit`; its own value stands beside."""
    return at_least(ratio, limit, f"≥ {limit:g} x: {ratio.median:.2f} x{spread(ratio)}")


def spread(measure: Measure) -> str:
    """How far the middle half of the rounds lies around the median; nothing for a single one."""
    return f" ±{measure.spread * 100:.0f} %" if len(measure.samples) > 1 else ""


def machine() -> str:
    """The machine on which the figures were measured."""
    model = next(
        (line.split(":", 1)[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")),
        platform.processor() or platform.machine(),
    )
    return f"{model}, {platform.system()} {platform.release()}, Python {platform.python_version()}"


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()
    except OSError:
        return []


def show(figures: list[Figure]) -> bool:
    """Print all figures as a table; whether no target was missed."""
    rows = [("figure", "measured, median", "floor, same run", "target", ""), *map(_row, figures)]
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    for row in rows:
        sys.stdout.write(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        )
        sys.stdout.write("\n")
    results = [figure.result for figure in figures]
    if noisy := results.count(Result.NOISY):
        sys.stdout.write(
            f"\n{noisy} of {len(figures)} figures are noisy: other work disturbed the rounds. "
            "Measure again on a quiet machine.\n"
        )
    return Result.MISSED not in results


def _row(figure: Figure) -> tuple[str, str, str, str, str]:
    value = f"{figure.write(figure.measure.median)}{spread(figure.measure)}"
    target = "" if figure.target is None else figure.target.shown
    return (figure.name, value, figure.floor, target, figure.result.value)


def micro(seconds: float) -> str:
    """`seconds` as microseconds for people."""
    return f"{seconds * 1e6:.1f} µs"


def whole(value: float) -> str:
    """A large number for people."""
    return f"{value:,.0f}"
