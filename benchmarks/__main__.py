"""`python -m benchmarks`: every figure with its floor; exit 1 if a target is missed."""

from __future__ import annotations

import sys

from benchmarks import core, network, program
from benchmarks.report import machine, show


def main() -> int:
    sys.stdout.write(f"{machine()}\n\n")
    return 0 if show([*core.figures(), *network.figures(), *program.figures()]) else 1


if __name__ == "__main__":
    sys.exit(main())
