"""`python -m benchmarks`: every figure with its floor; exit 1 if a target is missed.

A figure that the machine disturbed is called noisy: it neither meets nor misses its target.
"""

from __future__ import annotations

import sys

from benchmarks import (
    cards,
    conquest,
    core,
    decks,
    endurance,
    homes,
    keys,
    network,
    program,
    relaying,
    spies_rules,
    stratego_match,
    stratego_rules,
    table,
    ways,
    whole,
)
from benchmarks.report import Figure, machine, show

ROOMS = (
    *(core, cards, decks, network, ways, relaying, table, program, keys, conquest, homes),
    *(stratego_rules, stratego_match, spies_rules, whole, endurance),
)


def main() -> int:
    sys.stdout.write(f"{machine()}\n\n")
    figures: list[Figure] = []
    try:
        for room in ROOMS:
            figures += room.figures()
    finally:
        met = show(figures)  # those before a room that fails, too
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
