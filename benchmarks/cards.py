"""Figures of cards: shuffles and their proofs, against LibTMCG's and against their own operations."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from typing import Final

from benchmarks.measure import Measure, Sampler, rounds, timed
from benchmarks.report import Figure, Target, at_most, spread, times
from protocol.crypto.group.backend import Group, group, using
from protocol.crypto.group.hashing import Context
from protocol.crypto.group.nonces import Nonces, deck_key
from protocol.crypto.proofs import card, membership, move, opening, shuffle, tokens
from protocol.crypto.proofs.card import Card
from protocol.crypto.proofs.checking import forget
from protocol.crypto.proofs.party import Prover
from protocol.crypto.proofs.shuffle import Preparing, Shuffled, Shuffling
from protocol.crypto.workers import Pool

ROUNDS: Final = 15
OPERATIONS: Final = 100
"""Of each kind, measured in every round."""
CARDS: Final = 52
MOST_CARDS: Final = 80
"""In the largest deck of the program's games."""

LIBTMCG_PRODUCT: Final = 34.5e-6
"""Seconds of one product of ristretto255, by libsodium, where LibTMCG was measured.  The same machine takes
34 to 74 µs for it, as others use it more or less."""


@dataclass(frozen=True)
class Libtmcg:
    """The `seconds` of LibTMCG (H. Stamer, https://www.nongnu.org/libtmcg/), in C++, for one half, `name`, of
    a shuffle of 52 cards under a key of 2048 bits, and the `part` of them that is the target.

    Measured before this program was written, on the same kind of machine.
    """

    name: str
    seconds: float
    part: float

    @property
    def products(self) -> float:
        """The same in products of that machine."""
        return self.seconds / LIBTMCG_PRODUCT

    @property
    def share(self) -> str:
        """The target for people, before a number."""
        return f"1/{1 / self.part:.0f} of LibTMCG's"

    def target(self, took: Measure) -> Target:
        """`took` must be at most that part of the seconds."""
        limit = self.seconds * self.part
        return at_most(took, limit, f"≤ {milli(limit)}: {self.share} {milli(self.seconds)}")


PROVING: Final = Libtmcg("shuffle 52 cards, with proof", 0.225, 1 / 10)
CHECKING: Final = Libtmcg("check it", 0.157, 1 / 6)

_LOADING: Final = """
import time
from protocol.crypto.group.backend import group
began = time.perf_counter()
group()
print(time.perf_counter() - began)
"""


@dataclass
class Counting:
    """A group that counts what it is asked; `calls`: by the name of the operation."""

    inner: Group
    calls: dict[str, int] = field(default_factory=dict)

    def _counted(self, name: str) -> None:
        self.calls[name] = self.calls.get(name, 0) + 1

    def is_point(self, data: bytes) -> bool:
        """See Group."""
        self._counted("is_point")
        return self.inner.is_point(data)

    def add(self, p: bytes, q: bytes) -> bytes:
        """See Group."""
        self._counted("add")
        return self.inner.add(p, q)

    def subtract(self, p: bytes, q: bytes) -> bytes:
        """See Group."""
        self._counted("add")
        return self.inner.subtract(p, q)

    def multiply(self, k: int, p: bytes) -> bytes:
        """See Group."""
        self._counted("multiply")
        return self.inner.multiply(k, p)

    def base(self, k: int) -> bytes:
        """See Group."""
        self._counted("base")
        return self.inner.base(k)

    def from_hash(self, digest: bytes) -> bytes:
        """See Group."""
        self._counted("from_hash")
        return self.inner.from_hash(digest)


def counted(work: Callable[[], object]) -> dict[str, int]:
    """How often `work` asks for each operation of the group."""
    counting = Counting(group())
    work()  # what is kept from the first time on is no part of it
    with using(counting):
        work()
    return counting.calls


def priced(calls: dict[str, int]) -> Sampler:
    """The seconds that so many operations take, each kind measured now."""
    g = group()
    p, q = g.base(2**200 + 7), g.base(2**201 + 9)
    k = 2**251 + 12345
    kinds: dict[str, Callable[[], object]] = {
        "multiply": lambda: g.multiply(k, p),
        "base": lambda: g.base(k),
        "add": lambda: g.add(p, q),
        "is_point": lambda: g.is_point(p),
    }
    samplers = {name: timed(work, OPERATIONS) for name, work in kinds.items()}
    return lambda: sum(calls.get(name, 0) * sample() for name, sample in samplers.items())


@dataclass(frozen=True)
class Place:
    """One seat of a match, and a shuffled deck under its key."""

    ctx: Context
    x: int
    nonces: Nonces
    deck: tuple[Card, ...]

    @property
    def prover(self) -> Prover:
        """The seat with its secret."""
        return Prover(self.ctx, self.x, self.nonces)


def place(count: int) -> Place:
    """A seat with a deck of so many cards, as they are after a shuffle."""
    master, game = bytes(range(32)), bytes(32)
    x, nonces, ctx = deck_key(master, game, 0), Nonces(master, game, 0), Context(game, 1, 0)
    key = group().base(x)
    deck = tuple(card.public(face, key) for face in range(count))
    after, _ = shuffle.shuffle(ctx, key, deck, nonces)
    return Place(ctx, x, nonces, card.unchecked(after))


def shuffles() -> list[Figure]:
    """52 cards: shuffle and proof, and its check."""
    at = place(CARDS)
    key = group().base(at.x)
    prove = partial(shuffle.shuffle, at.ctx, key, at.deck, at.nonces)
    prepare = Preparing(bytes(32), key, CARDS, at.nonces).run
    ready = prepare()
    finish = partial(shuffle.arrange, at.ctx, key, at.deck, range(CARDS)[::-1], ready)
    after, proof = prove()
    statement = Shuffled(at.ctx, key, card.joined(at.deck), after, proof)
    verify = statement.verify
    made = counted(prove), counted(verify)
    proved, checked, finished, prepared, product, *floors = rounds(
        ROUNDS,
        timed(prove),
        timed(verify),
        timed(finish),
        timed(prepare),
        priced({"multiply": 1}),
        *map(priced, made),
    )
    with Pool(2) as pool:
        [shared] = rounds(ROUNDS, timed(partial(anew, pool, statement)))
    left, parts = "  what is left at our turn", "  the check shared by two processes"
    return [
        *whole(PROVING, proved, product, floors[0], made[0]),
        *whole(CHECKING, checked, product, floors[1], made[1]),
        Figure("52 cards: what is prepared between shuffles", prepared, milli),
        Figure(left, finished, milli, "", PROVING.target(finished)),
        Figure(parts, shared, milli, "", CHECKING.target(shared)),
    ]


def whole(
    theirs: Libtmcg, took: Measure, product: Measure, floor: Measure, calls: dict[str, int]
) -> Iterator[Figure]:
    """Figures of one half of a shuffle in one process; `floor`: the price of its `calls`."""
    limit = theirs.products * theirs.part
    yield Figure(theirs.name, took, milli, f"one product {product.median * 1e6:.1f} µs")
    yield Figure(
        "  in products",
        took.over(product),
        lambda ratio: f"{ratio:.0f}",
        f"LibTMCG {milli(theirs.seconds)}, one product {LIBTMCG_PRODUCT * 1e6:.1f} µs",
        at_most(took.over(product), limit, f"≤ {limit:.0f}: {theirs.share} {theirs.products:,.0f}"),
    )
    yield Figure(
        "  over its operations, counted",
        took.over(floor),
        lambda ratio: f"{ratio:.2f} x",
        _shown(calls),
        times(took.over(floor), 1.25),
    )


def anew(pool: Pool, statement: Shuffled) -> None:
    """Have a proof checked that nobody remembers."""
    forget()
    pool.check(statement)


def _shown(calls: dict[str, int]) -> str:
    names = {"multiply": "products", "base": "of G", "add": "sums", "is_point": "checks"}
    return ", ".join(f"{calls[name]} {words}" for name, words in names.items() if name in calls)


def reshuffle() -> list[Figure]:
    """80 cards: what a seat waits for when a process works for it, and what the others wait for."""
    at = place(MOST_CARDS)
    key = group().base(at.x)
    job = Shuffling(at.ctx, key, card.joined(at.deck), None, at.nonces)
    with Pool(2) as pool:
        after, proof = pool.run(job)
        statement = Shuffled(at.ctx, key, card.joined(at.deck), after, proof)
        made, checked = rounds(ROUNDS, timed(partial(pool.run, job)), timed(partial(anew, pool, statement)))
    return [
        Figure("80 cards in another process: shuffle, with proof", made, milli),
        Figure("  and its check, shared by two", checked, milli),
    ]


def small() -> list[Figure]:
    """The other proofs, made and checked."""
    at = place(2)
    one, prover = at.deck[0], at.prover
    party, key = prover.party, prover.party.key
    face = card.read(at.x, one) or 0
    firsts = [each.a for each in at.deck] * 2
    tuples = [(number,) for number in range(10)]
    opened = opening.open_card(prover, one, face)
    moved = move.move(prover, one, key)
    given = tokens.give(prover, firsts)
    claimed = membership.prove(prover, [one], tuples, face)
    pairs: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "open a card": (
            lambda: opening.open_card(prover, one, face),
            opening.Opened(party, one, face, opened).verify,
        ),
        "show a card to one seat": (
            lambda: move.move(prover, one, key),
            move.Moved(party, one, key, *moved).verify,
        ),
        "tokens for a draw of four": (
            lambda: tokens.give(prover, firsts),
            tokens.Given(party, b"".join(firsts), *given).verify,
        ),
        "a claim of ten faces": (
            lambda: membership.prove(prover, [one], tuples, face),
            membership.Member(party, (one,), tuple(map(bytes, tuples)), claimed, "claim").verify,
        ),
    }
    found = []
    for name, (make, verify) in pairs.items():
        made, checked = rounds(ROUNDS, timed(make, 5), timed(verify, 5))
        found.append(Figure(f"{name}, made (checked)", made, partial(_both, checked=checked)))
    return found


def _both(made: float, checked: Measure) -> str:
    return f"{milli(made)} ({milli(median(checked.samples))}{spread(checked)})"


def milli(seconds: float) -> str:
    """`seconds` as milliseconds for people."""
    return f"{seconds * 1e3:.1f} ms"


def first_use() -> Figure:
    """The import of the library, which a match pays when it first needs cards."""

    def sample() -> float:
        told = subprocess.run([sys.executable, "-c", _LOADING], check=True, capture_output=True, text=True)
        return float(told.stdout)

    [taken] = rounds(5, sample)
    return Figure("load the library for cards", taken, milli)


def figures() -> list[Figure]:
    """All figures of this room."""
    return [*shuffles(), *reshuffle(), *small(), first_use()]
