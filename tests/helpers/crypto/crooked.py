"""Shuffles of a cheat: a prover that commits to any matrix, says any cards, and carries that through.

Written from SPEC beside the program's own prover, so that it can lie where that one cannot.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from protocol.crypto.group.backend import IDENTITY, ORDER, group, total
from protocol.crypto.group.hashing import Context, to_point, to_scalar
from protocol.crypto.group.received import written
from protocol.crypto.proofs.card import Card, joined, marker, unchecked
from protocol.crypto.proofs.shuffle import ShuffleProof
from protocol.wire import labels

_h = to_point(labels.SHUFFLE_GENERATOR)
_seed = to_scalar(labels.SHUFFLE_SEED)
_weight = to_scalar(labels.SHUFFLE_CHALLENGE)
_challenge = to_scalar(labels.PROOF_SHUFFLE)
PREFIX: Final = "p2p-stratego"

Matrix = Sequence[Sequence[int]]
"""By output, then by input: how often the input goes into the output; a permutation if honest."""


@dataclass(frozen=True)
class Lie:
    """Everything that a shuffler chooses."""

    ctx: Context
    key: bytes
    before: tuple[Card, ...]
    matrix: Matrix
    r: tuple[int, ...]
    rng: Random
    after: tuple[Card, ...] | None = None
    """The cards that it sends, if not those of the matrix."""
    k_4: int = 0
    """What it adds to the sum of its randomness."""

    @property
    def honest(self) -> tuple[Card, ...]:
        """The cards of the matrix, under fresh randomness."""
        g = group()
        cards = []
        for row, r in zip(self.matrix, self.r, strict=True):
            parts = [g.base(r)], [g.multiply(r, self.key)]
            for times, card in zip(row, self.before, strict=True):
                for terms, point in zip(parts, card, strict=True):
                    if times:
                        terms.append(g.multiply(times % ORDER, point))
            cards.append(Card(total(parts[0]), total(parts[1])))
        return tuple(cards)

    def message(self) -> ShuffleProof:
        """The message, with the best proof that the lie allows."""
        g, m, rng, sent = group(), len(self.before), self.rng, self.after or self.honest
        h = [_h((i,)) for i in range(m + 1)]
        columns = list(zip(*self.matrix, strict=True))
        rho = [rng.randrange(ORDER) for _ in range(m)]
        committed = [
            total([g.base(rho[j]), *(g.multiply(n % ORDER, h[i + 1]) for i, n in enumerate(columns[j]) if n)])
            for j in range(m)
        ]
        statement = (self.ctx, self.key, joined(self.before), joined(sent), b"".join(committed))
        root = written(_seed(statement))
        u = [_weight((root, i)) for i in range(1, m + 1)]
        u_out = [sum(n * u_j for n, u_j in zip(row, u, strict=True)) % ORDER for row in self.matrix]
        rho_hat = [rng.randrange(ORDER) for _ in range(m)]
        chain = [h[0]]
        for i in range(m):
            chain.append(g.add(g.base(rho_hat[i]), g.multiply(u_out[i], chain[i])))
        w, w_hat, w_out = ([rng.randrange(ORDER) for _ in range(count)] for count in (4, m, m))
        t = [
            g.base(w[0]),
            g.base(w[1]),
            total([g.base(w[2]), *(g.multiply(w_out[i], h[i + 1]) for i in range(m))]),
            g.subtract(total([g.multiply(w_out[i], sent[i].a) for i in range(m)]), g.base(w[3])),
            g.subtract(
                total([g.multiply(w_out[i], sent[i].b) for i in range(m)]), g.multiply(w[3], self.key)
            ),
            *(g.add(g.base(w_hat[i]), g.multiply(w_out[i], chain[i])) for i in range(m)),
        ]
        x = _challenge((*statement, b"".join(chain[1:]), b"".join(t)))
        v = [1] * m
        for i in range(m - 2, -1, -1):
            v[i] = u_out[i + 1] * v[i + 1] % ORDER
        k = (
            sum(rho),
            sum(a * b for a, b in zip(rho_hat, v, strict=True)),
            sum(a * b for a, b in zip(rho, u, strict=True)),
            sum(a * b for a, b in zip(self.r, u_out, strict=True)) + self.k_4,
        )
        s = [
            (nonce + x * secret) % ORDER
            for nonce, secret in zip((*w, *w_hat, *w_out), (*k, *rho_hat, *u_out), strict=True)
        ]
        proof = b"".join((statement[4], *chain[1:], written(x, *s)))
        return ShuffleProof(self.ctx, self.key, joined(self.before), joined(sent), proof)


def identity(m: int) -> list[list[int]]:
    """The matrix that leaves all as it is."""
    return [[int(i == j) for j in range(m)] for i in range(m)]


def permuted(m: int, rng: Random) -> list[list[int]]:
    """The matrix of a random order."""
    rows = identity(m)
    rng.shuffle(rows)
    return rows


def lie(ctx: Context, key: bytes, before: tuple[Card, ...], rng: Random) -> Lie:
    """An honest shuffle, to be made crooked."""
    m = len(before)
    r = tuple(rng.randrange(ORDER) for _ in range(m))
    return Lie(ctx, key, before, permuted(m, rng), r, rng)


def _twice(lie: Lie) -> ShuffleProof:
    rows = [list(row) for row in lie.matrix]
    rows[0] = rows[1]
    return replace(lie, matrix=rows).message()


def _left_out(lie: Lie) -> ShuffleProof:
    rows = [list(row) for row in lie.matrix]
    rows[0] = [0] * len(rows)
    return replace(lie, matrix=rows).message()


def _added(lie: Lie) -> ShuffleProof:
    """Column sums stay as they are: 2, 0 and −1 instead of 1, 0 and 0."""
    rows = [list(row) for row in lie.matrix]
    rows[0] = [a * 2 - b for a, b in zip(rows[0], rows[1], strict=True)]
    rows[1] = [2 * b - a for a, b in zip(lie.matrix[0], lie.matrix[1], strict=True)]
    return replace(lie, matrix=rows).message()


def _mixed(lie: Lie) -> ShuffleProof:
    """Two rows whose sums and column sums are those of a permutation."""
    rows = [list(row) for row in lie.matrix]
    rows[0] = [a + b for a, b in zip(*lie.matrix[:2], strict=True)]
    rows[1] = [0] * len(rows)
    return replace(lie, matrix=rows).message()


def _with_card(lie: Lie, change: Callable[[Card], Card]) -> ShuffleProof:
    cards = list(lie.honest)
    place = lie.rng.randrange(len(cards))
    cards[place] = change(cards[place])
    return replace(lie, after=tuple(cards)).message()


def _another_face(lie: Lie) -> ShuffleProof:
    return _with_card(lie, lambda card: Card(card.a, group().add(card.b, marker(lie.rng.randrange(9)))))


def _replaced(lie: Lie) -> ShuffleProof:
    g, r = group(), lie.rng.randrange(1, ORDER)
    fresh = Card(g.base(r), g.add(marker(lie.rng.randrange(9)), g.multiply(r, lie.key)))
    return _with_card(lie, lambda _: fresh)


def _multiplied(lie: Lie) -> ShuffleProof:
    g, k = group(), lie.rng.randrange(2, ORDER)
    return _with_card(lie, lambda card: Card(g.multiply(k, card.a), g.multiply(k, card.b)))


def _randomness_of_its_own(lie: Lie) -> ShuffleProof:
    return _with_card(lie, lambda card: Card(group().add(card.a, group().base(3)), card.b))


def _another_key(lie: Lie) -> ShuffleProof:
    other = group().add(lie.key, group().base(1))
    return replace(lie, after=replace(lie, key=other).honest).message()


def _wrong_sum(lie: Lie) -> ShuffleProof:
    return replace(lie, k_4=1 + lie.rng.randrange(ORDER - 1)).message()


def _exchanged(lie: Lie) -> ShuffleProof:
    made = lie.message()
    cards = list(unchecked(made.after))
    cards[0], cards[1] = cards[1], cards[0]
    return made._replace(after=joined(cards))


def _exchanged_before(lie: Lie) -> ShuffleProof:
    cards = list(lie.honest)
    cards[0], cards[1] = cards[1], cards[0]
    return replace(lie, after=tuple(cards)).message()


def _input_as_output(lie: Lie) -> ShuffleProof:
    return lie.message()._replace(after=joined(lie.before))


def _with_scalar(lie: Lie, change: Callable[[int], int]) -> ShuffleProof:
    made = lie.message()
    m = len(lie.before)
    place = 64 * m + 32 * lie.rng.randrange(2 * m + 5)
    scalar = int.from_bytes(made.proof[place : place + 32], "little")
    changed = change(scalar).to_bytes(32, "little")
    return made._replace(proof=made.proof[:place] + changed + made.proof[place + 32 :])


def _another_scalar(lie: Lie) -> ShuffleProof:
    return _with_scalar(lie, lambda scalar: (scalar + 1 + lie.rng.randrange(ORDER - 1)) % ORDER)


def _scalar_too_large(lie: Lie) -> ShuffleProof:
    return _with_scalar(lie, lambda scalar: scalar + ORDER)


def _with_point(lie: Lie, change: Callable[[bytes], bytes]) -> ShuffleProof:
    made = lie.message()
    m = len(lie.before)
    place = lie.rng.randrange(4 * m)
    data = made.after + made.proof
    changed = data[: 32 * place] + change(data[32 * place : 32 * place + 32]) + data[32 * place + 32 :]
    return made._replace(after=changed[: 64 * m], proof=changed[64 * m :])


def _another_point(lie: Lie) -> ShuffleProof:
    return _with_point(lie, lambda point: group().add(point, group().base(1)))


def _second_encoding(lie: Lie) -> ShuffleProof:
    return _with_point(lie, lambda point: point[:31] + bytes((point[31] | 128,)))


def _identity(lie: Lie) -> ShuffleProof:
    return _with_point(lie, lambda _: IDENTITY)


def _no_point(lie: Lie) -> ShuffleProof:
    def flipped(point: bytes) -> bytes:
        while group().is_point(point):
            point = hashlib.sha256(point).digest()[:31] + b"\x10"
        return point

    return _with_point(lie, flipped)


def _length(lie: Lie) -> ShuffleProof:
    made = lie.message()
    return lie.rng.choice(
        (
            made._replace(proof=made.proof[:-1]),
            made._replace(proof=made.proof + b"\0"),
            made._replace(proof=made.proof[:-32]),
            made._replace(proof=b""),
            made._replace(after=made.after[:-1]),
            made._replace(after=made.after[:-64]),
            made._replace(after=made.after + made.after[:64]),
        )
    )


def _elsewhere(lie: Lie) -> ShuffleProof:
    made = lie.message()
    ctx = lie.ctx
    key = group().base(lie.rng.randrange(1, ORDER))
    others = (
        {"ctx": ctx._replace(game=bytes(32))},
        {"ctx": ctx._replace(serial=ctx.serial + 1)},
        {"ctx": ctx._replace(seat=ctx.seat + 1)},
        {"key": key},
        {"before": made.before[64:] + made.before[:64]},
        {"before": made.after},
    )
    return made._replace(**lie.rng.choice(others))


WAYS: Final[dict[str, tuple[Callable[[Lie], ShuffleProof], str]]] = {
    "a card twice, carried through": (_twice, "wrong-shuffle"),
    "a card left out, carried through": (_left_out, "wrong-shuffle"),
    "a matrix with 2 and −1, carried through": (_added, "wrong-shuffle"),
    "two cards in one place, none in another": (_mixed, "wrong-shuffle"),
    "a card with another face": (_another_face, "wrong-shuffle"),
    "a card replaced by a fresh one": (_replaced, "wrong-shuffle"),
    "a card multiplied": (_multiplied, "wrong-shuffle"),
    "other randomness in one half of a card": (_randomness_of_its_own, "wrong-shuffle"),
    "cards under another key": (_another_key, "wrong-shuffle"),
    "a wrong sum of the randomness": (_wrong_sum, "wrong-shuffle"),
    "two cards exchanged after the proof": (_exchanged, "wrong-shuffle"),
    "two cards exchanged before the proof": (_exchanged_before, "wrong-shuffle"),
    "the input as output": (_input_as_output, "wrong-shuffle"),
    "another scalar": (_another_scalar, "wrong-shuffle"),
    "a scalar and L": (_scalar_too_large, "not-a-message"),
    "another point": (_another_point, "wrong-shuffle"),
    "a point with bit 255": (_second_encoding, "not-a-message"),
    "the identity for a point": (_identity, "not-a-message"),
    "bytes that are no point": (_no_point, "not-a-message"),
    "too few or too many bytes": (_length, "not-a-message"),
    "another place, key or input": (_elsewhere, "wrong-shuffle"),
}
"""Each way to cheat, and the rule that it breaks."""


def crooked(
    ctx: Context, key: bytes, decks: Sequence[tuple[Card, ...]], seed: int, count: int
) -> Iterator[tuple[str, ShuffleProof, str]]:
    """So many crooked shuffles of `decks`, in every way in turn: the way, the message, and the rule."""
    rng = Random(seed)
    ways = list(WAYS.items())
    for number in range(count):
        why, (way, rule) = ways[number % len(ways)]
        yield why, way(lie(ctx._replace(serial=number), key, rng.choice(decks), rng)), rule
