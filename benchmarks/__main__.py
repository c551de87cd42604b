"""`python -m benchmarks [WORD ...] [--write]`: figures beside their floors; exit 1 if a target was missed.

WORD: only figures whose names have it.  A figure that the machine disturbed is called noisy: it neither meets
nor misses its target.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence

from benchmarks.figures import FIGURES
from benchmarks.measure import Missing
from benchmarks.report import HEAD, PAGE, Figure, Result, Row, commit, machine, page, row

COMMAND = "make bench WRITE=1"
WIDTHS = (max(len(figure.name) for figure in FIGURES), 16, 58, 13, 9, 6)


def main(argv: Sequence[str] | None = None, figures: Sequence[Figure] = FIGURES) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Figures beside their floors.")
    parser.add_argument("words", metavar="WORD", nargs="*", help="only figures whose names have it")
    parser.add_argument("--write", action="store_true", help=f"write all into docs/{PAGE.name}")
    arguments = parser.parse_args(argv)
    if arguments.words and arguments.write:
        parser.error("--write takes all figures")
    tree = commit()  # while figures are taken, it may go on
    rows, missing = measured(
        figure for figure in figures if all(word in figure.name for word in arguments.words)
    )
    if arguments.write:
        PAGE.write_text(page(rows, missing, COMMAND, tree), encoding="utf-8")
    results = [row.result for row in rows]
    if noisy := results.count(Result.NOISY):
        print(
            f"\n{noisy} of {len(rows)} figures are noisy: other work disturbed the rounds. "
            "Measure again on a quiet machine."
        )
    return int(Result.MISSED in results)


def measured(figures: Iterable[Figure]) -> tuple[list[Row], list[str]]:
    """Measure and print each; the rows, and a sentence for each that this machine cannot measure."""
    rows, missing = list[Row](), list[str]()
    print(f"{machine()}\n\n{_line(HEAD)}")
    for figure in figures:
        try:
            rows.append(row(figure, figure.measured()))
        except Missing as error:
            missing.append(f"{figure.name}: not measured. {error}")
            print(missing[-1], flush=True)
        else:
            print(_line(rows[-1].cells), flush=True)
    return rows, missing


def _line(cells: Sequence[str]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()


if __name__ == "__main__":
    sys.exit(main())
