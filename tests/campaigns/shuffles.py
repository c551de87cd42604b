"""Crooked shuffles by the thousand, each refused by its rule; and whether true ones come in uniform orders.

`python -m tests.campaigns.shuffles crooked --seed 1 --count 1000`, `… orders --count 100000`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from math import factorial, sqrt
from typing import Final

from protocol.crypto.group.backend import ORDER
from protocol.crypto.group.nonces import Nonces
from protocol.crypto.group.received import ProofError
from protocol.crypto.proofs import card, shuffle
from tests.helpers.crypto.crooked import WAYS, crooked
from tests.helpers.crypto.deck import Seats

CARDS: Final = 4
"""Of a deck whose orders are counted: 24 orders."""
SIZES: Final = (2, 3, 5, 8)
FAR: Final = 4.0
"""Standard deviations of chi-square at which orders do not pass for uniform: one run in some 10,000."""


def crooked_ones(seed: int, count: int) -> list[str]:
    """What went wrong with so many crooked shuffles, in lines; nothing if each was refused by its rule."""
    seats = Seats(3, f"campaign {seed}")
    decks = [seats.shuffled(seats.deck([number // 2 for number in range(size)])) for size in SIZES]
    decks.append(seats.deck(range(SIZES[-1])))
    wrong = []
    for number, (why, made, rule) in enumerate(crooked(seats.context(0, 1), seats.joint, decks, seed, count)):
        result = "passed"
        try:
            shuffle.check(made.ctx, made.key, card.unchecked(made.before), made.after, made.proof)
        except ProofError as error:
            result = error.rule
        if result != rule:
            wrong.append(f"number {number}, {why}: {result}, not {rule}")
    return wrong


def orders(count: int) -> tuple[Counter[tuple[int | None, ...]], float]:
    """The orders of so many whole shuffles, with the system's randomness, and their distance from uniform.

    The distance is that of chi-square from its mean, in standard deviations.
    """
    seats = Seats(1)
    nonces = Nonces(seats.masters[0], seats.game, 0)
    deck = seats.deck(range(CARDS))
    counts: Counter[tuple[int | None, ...]] = Counter()
    for serial in range(count):
        after, _ = shuffle.shuffle(seats.context(serial, 0), seats.joint, deck, nonces)
        counts[tuple(card.read(seats.secrets[0] % ORDER, closed) for closed in card.unchecked(after))] += 1
    kinds = factorial(CARDS)
    expected = count / kinds
    missing = (kinds - len(counts)) * expected
    chi_square = missing + sum((seen - expected) ** 2 / expected for seen in counts.values())
    return counts, (chi_square - (kinds - 1)) / sqrt(2 * (kinds - 1))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.shuffles")
    parser.add_argument("what", choices=("crooked", "orders"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    options = parser.parse_args(arguments)
    if options.what == "crooked":
        wrong = crooked_ones(options.seed, options.count)
        print(
            "\n".join(wrong)
            or f"{options.count} crooked shuffles in {len(WAYS)} ways, each refused by its rule"
        )
        return bool(wrong)
    counts, distance = orders(options.count)
    print(
        f"{options.count} shuffles of {CARDS}: {len(counts)} orders, {min(counts.values())} to "
        f"{max(counts.values())} times; {distance:+.2f} standard deviations from uniform"
    )
    return len(counts) != factorial(CARDS) or abs(distance) > FAR


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
