"""How figures are printed: a line each, with its floor, its target, and whether it was met."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure; `target` says what was asked for, `met` whether it holds."""

    name: str
    value: str
    floor: str
    target: str
    met: bool


def machine() -> str:
    """What the figures were measured on."""
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
    """Print all figures as a table; whether every target was met."""
    rows = [("figure", "measured", "floor, same run", "target", ""), *map(_row, figures)]
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    for row in rows:
        sys.stdout.write(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        )
        sys.stdout.write("\n")
    return all(figure.met for figure in figures)


def _row(figure: Figure) -> tuple[str, str, str, str, str]:
    return (figure.name, figure.value, figure.floor, figure.target, "" if figure.met else "MISSED")


def micro(seconds: float) -> str:
    """`seconds` as microseconds for people."""
    return f"{seconds * 1e6:.1f} µs"
