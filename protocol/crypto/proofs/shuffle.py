"""Cards in another order under fresh randomness, with a proof that they are the same cards.

The proof of Terelius and Wikström ("Proofs of restricted shuffles", AFRICACRYPT 2010) in the form of Haenni,
Locher, Koenig and Dubuis ("Pseudo-code algorithms for verifiable re-encryption mix-nets", FC 2017
workshops), machine-checked by Haines, Goré and Tiwari (USENIX Security 2023).  The generators come from
hashes of public texts, and so have no trapdoor; the challenges hang on the whole statement; nothing is
checked in a batch.  Letters are those of SPEC D6.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from functools import cache, reduce
from operator import mul
from typing import Final, NamedTuple

from protocol.crypto.group.backend import ORDER, group, total
from protocol.crypto.group.hashing import Context, to_point, to_scalar
from protocol.crypto.group.nonces import Nonces, Stream
from protocol.crypto.group.received import NOT_A_MESSAGE, ProofError, cut, points, scalars, written
from protocol.crypto.proofs.card import CARD_BYTES, Card, joined, parse, unchecked
from protocol.crypto.proofs.verification import settle
from protocol.wire import labels

FEWEST: Final = 2
"""Cards of a shuffle; one card is moved."""
_WORTH_A_PART: Final = 8
"""Cards: the check of fewer is done before another process has read its job."""

_generator = to_point(labels.SHUFFLE_GENERATOR)
_seed = to_scalar(labels.SHUFFLE_SEED)
_weight = to_scalar(labels.SHUFFLE_CHALLENGE)
_challenge = to_scalar(labels.PROOF_SHUFFLE)


def proof_bytes(count: int) -> int:
    """The length of a proof for `count` cards."""
    return 128 * count + 160


@cache
def _h(i: int) -> bytes:
    """Generator h_i, of which nobody knows a discrete logarithm to any other or to G."""
    return _generator((i,))


@cache
def _sum_of_generators(count: int) -> bytes:
    return total([_h(i) for i in range(1, count + 1)])


class _Statement(NamedTuple):
    """The statement to prove, as it stands in the hashes; cards and commitments joined."""

    ctx: Context
    key: bytes
    before: bytes
    after: bytes
    committed: bytes

    def weights(self, places: Iterable[int]) -> list[int]:
        """u at `places`, from 0 on: one scalar a card, which nobody knows before the statement is fixed."""
        root = written(_seed(self))
        return [_weight((root, i + 1)) for i in places]


def shuffle(ctx: Context, key: bytes, cards: Sequence[Card], nonces: Nonces) -> tuple[bytes, bytes]:
    """The same cards under `key`, in a uniform order that only the caller's randomness knows, and the proof.

    `cards`: FEWEST or more.  Returns 64 bytes a card, and `proof_bytes` of the count.
    """
    return arrange(ctx, key, cards, uniform(ctx, key, cards, nonces), nonces)


def uniform(ctx: Context, key: bytes, cards: Sequence[Card], nonces: Nonces) -> Sequence[int]:
    """A uniform order for `arrange`, of which only the caller's randomness knows."""
    return nonces.serve(labels.SHUFFLE_SEED, (ctx, key, joined(cards))).permutation(len(cards))


def arrange(
    ctx: Context, key: bytes, cards: Sequence[Card], order: Sequence[int], source: Nonces | Preparation
) -> tuple[bytes, bytes]:
    """The same in a given order: place i takes `cards[order[i]]`.

    A Preparation as `source` is for this key and as many cards or more, and was never used before.
    """
    m = len(cards)
    if m < FEWEST:
        raise ValueError("one card has no order to hide")
    before = joined(cards)
    if isinstance(source, Nonces):
        statement = (ctx, key, before, tuple(order))
        source = _multiplied(key, m, source.serve(labels.PROOF_SHUFFLE, statement))
    places = source.places[:m]
    add = group().add
    after = joined(
        Card(add(cards[j].a, place.r_base), add(cards[j].b, place.r_key))
        for j, place in zip(order, places, strict=True)
    )
    return after, _prove(_Statement(ctx, key, before, after, b""), order, source.ends, places)


class _Place(NamedTuple):
    """The random scalars of place i, and their products, in which there is no card."""

    r: int
    rho: int
    rho_hat: int
    w_hat: int
    w_out: int
    r_base: bytes
    r_key: bytes
    rho_base: bytes
    rho_hat_base: bytes
    w_hat_base: bytes
    w_out_h: bytes
    """w' times h_i."""


class _Ends(NamedTuple):
    """The four random scalars of the whole, and the products with which t_1 to t_5 begin."""

    w: tuple[int, ...]
    products: tuple[bytes, ...]


class Preparation(NamedTuple):
    """The part of a shuffle and its proof that depends on no card: 6 of the 10 multiplications for a card.

    For one shuffle only: a second shuffle under the same scalars would reveal the order of both.
    """

    key: bytes
    ends: _Ends
    places: tuple[_Place, ...]

    def __repr__(self) -> str:
        """Nothing of the scalars (threat 38)."""
        return f"<prepared for {len(self.places)} cards>"


def _multiplied(key: bytes, count: int, stream: Stream) -> Preparation:
    """A Preparation for `count` cards with scalars from `stream`."""
    base, multiply = group().base, group().multiply
    r, rho, rho_hat = (stream.scalars(count) for _ in range(3))
    w, w_hat, w_out = stream.scalars(4), stream.scalars(count), stream.scalars(count)
    places = tuple(
        _Place(
            r_i,
            rho_i,
            rho_hat_i,
            w_hat_i,
            w_out_i,
            base(r_i),
            multiply(r_i, key),
            base(rho_i),
            base(rho_hat_i),
            base(w_hat_i),
            multiply(w_out_i, _h(i)),
        )
        for i, (r_i, rho_i, rho_hat_i, w_hat_i, w_out_i) in enumerate(
            zip(r, rho, rho_hat, w_hat, w_out, strict=True), 1
        )
    )
    last = -w[3] % ORDER
    ends = _Ends(tuple(w), (*map(base, w[:3]), base(last), multiply(last, key)))
    return Preparation(key, ends, places)


def _prove(statement: _Statement, order: Sequence[int], ends: _Ends, places: Sequence[_Place]) -> bytes:
    add, multiply, m = group().add, group().multiply, len(order)
    committed = [b""] * m
    for i, j in enumerate(order):
        committed[j] = add(places[j].rho_base, _h(i + 1))
    statement = statement._replace(committed=b"".join(committed))
    u = statement.weights(range(m))
    u_out = [u[j] for j in order]
    chain = [_h(0)]
    for place, u_i in zip(places, u_out, strict=True):
        chain.append(add(place.rho_hat_base, multiply(u_i, chain[-1])))
    after = cut(statement.after)
    t_1, t_2, t_3, t_4, t_5 = ends.products
    commitments = [
        t_1,
        t_2,
        total([t_3, *(place.w_out_h for place in places)]),
        total([t_4, *(multiply(place.w_out, a) for place, a in zip(places, after[::2], strict=True))]),
        total([t_5, *(multiply(place.w_out, b) for place, b in zip(places, after[1::2], strict=True))]),
        *(
            add(place.w_hat_base, multiply(place.w_out, c))
            for place, c in zip(places, chain, strict=False)  # the last link has no place behind it
        ),
    ]
    x = _challenge((*statement, b"".join(chain[1:]), b"".join(commitments)))
    k_2, v = 0, 1
    for place, u_i in zip(reversed(places), reversed(u_out), strict=True):
        k_2 += place.rho_hat * v
        v = v * u_i % ORDER
    rho = [place.rho for place in places]
    known = (
        sum(rho),
        k_2,
        sum(map(mul, rho, u)),
        sum(place.r * u_i for place, u_i in zip(places, u_out, strict=True)),
    )
    nonces = (*ends.w, *(place.w_hat for place in places), *(place.w_out for place in places))
    secret = (*known, *(place.rho_hat for place in places), *u_out)
    answers = [(nonce + x * x_i) % ORDER for nonce, x_i in zip(nonces, secret, strict=True)]
    return b"".join((statement.committed, *chain[1:], written(x, *answers)))


class PreparationJob(NamedTuple):
    """The making of a Preparation, for up to `most` cards under `key`: a job for another process.

    `head`: the head of the record at this moment (32 bytes).  The scalars depend on the head, as those of a
    proof depend on its statement: once a shuffle with them is in the record, that head never comes again, so
    a failing generator repeats nothing (nonces.py).
    """

    head: bytes
    key: bytes
    most: int
    nonces: Nonces

    def run(self) -> Preparation:
        """The products."""
        stream = self.nonces.serve(labels.SHUFFLE_PREPARATION, (self.head, self.key, self.most))
        return _multiplied(self.key, self.most, stream)


class ShuffleJob(NamedTuple):
    """The making of a shuffle as a value that another process can run; holds the seat's secret nonces.

    `cards`: 64 bytes each, joined; `order`: as in `arrange`, or None for a drawn order; `prepared`: a
    Preparation for this key and as many cards or more, or None.
    """

    ctx: Context
    key: bytes
    cards: bytes
    order: tuple[int, ...] | None
    nonces: Nonces
    prepared: Preparation | None = None

    def __repr__(self) -> str:
        """Nothing of the order (threat 38)."""
        return f"<shuffling of {len(self.cards) // CARD_BYTES} cards>"

    def run(self) -> tuple[bytes, bytes]:
        """The cards in their new order, joined, and the proof."""
        cards = unchecked(self.cards)
        order = uniform(self.ctx, self.key, cards, self.nonces) if self.order is None else self.order
        return arrange(self.ctx, self.key, cards, order, self.prepared or self.nonces)


class ShuffleProof(NamedTuple):
    """Cards before and after, 64 bytes each and joined, the key they are under, and the proof."""

    ctx: Context
    key: bytes
    before: bytes
    after: bytes
    proof: bytes

    def verify(self) -> None:
        """Raise ProofError unless the proof holds."""
        self.conclude([part.run() for part in self.parts(1)])

    def parts(self, most: int) -> list[CheckPart]:
        """The check in at most `most` parts, for several processes at one time.  Raises ProofError."""
        m = len(self.before) // CARD_BYTES
        if m < FEWEST or len(self.after) != len(self.before) or len(self.proof) != proof_bytes(m):
            raise ProofError(NOT_A_MESSAGE)
        count = max(1, min(most, m // _WORTH_A_PART))
        ends = [m * i // count for i in range(count + 1)]
        return [CheckPart(self, first, last) for first, last in itertools.pairwise(ends)]

    def conclude(self, sums: Sequence[Sums]) -> None:
        """Raise ProofError unless the proof holds, given the results of all `parts` in order."""
        g, statement = group(), self.statement()
        m = len(self.before) // CARD_BYTES
        x, s = self.scalars()
        minus_x, minus_s = -x % ORDER, -s[3] % ORDER
        product = reduce(lambda left, right: left * right % ORDER, statement.weights(range(m)))
        sum_c = g.subtract(total([part.committed for part in sums]), _sum_of_generators(m))
        last = g.subtract(self.proof[64 * m - 32 : 64 * m], g.multiply(product, _h(0)))
        commitments = (
            g.add(g.base(s[0]), g.multiply(minus_x, sum_c)),
            g.add(g.base(s[1]), g.multiply(minus_x, last)),
            total([g.base(s[2]), *(part.t_3 for part in sums)]),
            total([g.base(minus_s), *(part.t_4 for part in sums)]),
            total([g.multiply(minus_s, self.key), *(part.t_5 for part in sums)]),
            *(part.t_hat for part in sums),
        )
        if x != _challenge((*statement, self.proof[32 * m : 64 * m], b"".join(commitments))):
            raise ProofError("wrong-shuffle")

    def statement(self) -> _Statement:
        """The input of the hashes."""
        committed = self.proof[: len(self.before) // 2]
        return _Statement(self.ctx, self.key, self.before, self.after, committed)

    def scalars(self) -> tuple[int, list[int]]:
        """x, and the answers s_1 to s_4, ŝ, s'.  Raises ProofError."""
        x, *answers = scalars(self.proof[len(self.before) :], len(self.before) // 32 + 5)
        return x, answers


class Sums(NamedTuple):
    """The share of some places in t_1 (what −x will multiply), t_3, t_4 and t_5, and their t̂, joined."""

    committed: bytes
    t_3: bytes
    t_4: bytes
    t_5: bytes
    t_hat: bytes


class CheckPart(NamedTuple):
    """The check of a shuffle at the places from `first` up to `last`, but for what hangs on all places."""

    shuffled: ShuffleProof
    first: int
    last: int

    def run(self) -> Sums:
        """t_1 to t_5 and t̂, as they follow from the proof.  Raises ProofError."""
        g, here, places = group(), self.shuffled, range(self.first, self.last)
        add, multiply = g.add, g.multiply
        m = len(here.before) // CARD_BYTES
        before = unchecked(self._of(here.before, CARD_BYTES))
        after = parse(self._of(here.after, CARD_BYTES), len(places))
        committed = points(self._of(here.proof, 32), len(places))
        chain = points(self._of(here.proof[32 * m :], 32), len(places))
        link = points(here.proof[32 * (m + self.first - 1) :][:32], 1)[0] if self.first else _h(0)
        x, answers = here.scalars()
        s_hat, s_out = (answers[start + self.first : start + self.last] for start in (4, 4 + m))
        weights = here.statement().weights(places)
        minus, minus_x = [-x * u_i % ORDER for u_i in weights], -x % ORDER
        sides = [*zip(s_out, after, strict=True), *zip(minus, before, strict=True)]
        return Sums(
            total(committed),
            total(
                [
                    *(multiply(s_i, _h(i + 1)) for s_i, i in zip(s_out, places, strict=True)),
                    *map(multiply, minus, committed),
                ]
            ),
            total([multiply(k, card.a) for k, card in sides]),
            total([multiply(k, card.b) for k, card in sides]),
            b"".join(
                add(add(g.base(z), multiply(s_i, link_i)), multiply(minus_x, link_next))
                for z, s_i, (link_i, link_next) in zip(
                    s_hat, s_out, itertools.pairwise([link, *chain]), strict=True
                )
            ),
        )

    def _of(self, data: bytes, size: int) -> bytes:
        """The part of `data`, with so many bytes a place, for these places."""
        return data[size * self.first : size * self.last]


def check(ctx: Context, key: bytes, cards: Sequence[Card], after: bytes, proof: bytes) -> tuple[Card, ...]:
    """The cards in `after` (64 bytes each), which are `cards` (FEWEST or more) in another order under `key`.

    `cards` and `key` are verified ones; `proof`: `proof_bytes` of their count.  Raises ProofError.
    """
    checked = settle(ShuffleProof(ctx, key, joined(cards), after, proof))
    return unchecked(after) if checked else parse(after, len(cards))
