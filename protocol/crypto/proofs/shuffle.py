"""Cards in another order under fresh randomness, with a proof that they are the same cards.

The proof of Terelius and Wikström ("Proofs of restricted shuffles", AFRICACRYPT 2010) in the form of Haenni,
Locher, Koenig and Dubuis ("Pseudo-code algorithms for verifiable re-encryption mix-nets", FC 2017
workshops), machine-checked by Haines, Goré and Tiwari (USENIX Security 2023).  The generators come from
hashes of public texts, and so have no trapdoor; the challenges hang on the whole statement; nothing is
checked in a batch.  Letters are those of SPEC.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import mul
from typing import Final, NamedTuple

from protocol.crypto.group.backend import ORDER, group, total
from protocol.crypto.group.hashing import Context, to_point, to_scalar
from protocol.crypto.group.nonces import Nonces, Stream
from protocol.crypto.group.received import NOT_A_MESSAGE, ProofError, cut, points, scalars, written
from protocol.crypto.proofs.card import CARD_BYTES, Card, joined, parse, unchecked
from protocol.crypto.proofs.checking import settle
from protocol.wire import labels

FEWEST: Final = 2
"""Cards of a shuffle; one card is moved."""

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
    """What is proved, as it stands in the hashes; cards and commitments joined."""

    ctx: Context
    key: bytes
    before: bytes
    after: bytes
    committed: bytes

    def weights(self, count: int) -> list[int]:
        """u: one scalar a card, which nobody knows before the whole statement is fixed."""
        root = written(_seed(self))
        return [_weight((root, i)) for i in range(1, count + 1)]


def shuffle(ctx: Context, key: bytes, cards: Sequence[Card], nonces: Nonces) -> tuple[bytes, bytes]:
    """The same cards under `key`, in a uniform order that only the caller's randomness knows, and the proof.

    `cards`: FEWEST or more.  Returns 64 bytes a card, and `proof_bytes` of the count.
    """
    return arrange(ctx, key, cards, uniform(ctx, key, cards, nonces), nonces)


def uniform(ctx: Context, key: bytes, cards: Sequence[Card], nonces: Nonces) -> Sequence[int]:
    """A uniform order for `arrange`, of which only the caller's randomness knows."""
    return nonces.serve(labels.SHUFFLE_SEED, (ctx, key, joined(cards))).permutation(len(cards))


def arrange(
    ctx: Context, key: bytes, cards: Sequence[Card], order: Sequence[int], source: Nonces | Prepared
) -> tuple[bytes, bytes]:
    """The same in a given order: place i takes `cards[order[i]]`.

    A Prepared `source` is for this key and as many cards or more, and was never used before.
    """
    m = len(cards)
    if m < FEWEST:
        raise ValueError("one card has no order to hide")
    before = joined(cards)
    if isinstance(source, Nonces):
        statement = (ctx, key, before, tuple(order))
        source = _multiplied(key, m, source.serve(labels.PROOF_SHUFFLE, statement))
    made = source.places[:m]
    add = group().add
    after = joined(
        Card(add(cards[j].a, place.r_base), add(cards[j].b, place.r_key))
        for j, place in zip(order, made, strict=True)
    )
    return after, _prove(_Statement(ctx, key, before, after, b""), order, source.ends, made)


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


class Prepared(NamedTuple):
    """The part of a shuffle and its proof that hangs on no card: 6 of the 10 multiplications of a card.

    For one shuffle only: a second one under the same scalars would tell how both go.
    """

    key: bytes
    ends: _Ends
    places: tuple[_Place, ...]

    def __repr__(self) -> str:
        """Nothing of the scalars (threat 38)."""
        return f"<prepared for {len(self.places)} cards>"


def _multiplied(key: bytes, count: int, stream: Stream) -> Prepared:
    """`Prepared` with scalars from `stream`."""
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
    return Prepared(key, ends, places)


def _prove(statement: _Statement, order: Sequence[int], ends: _Ends, made: Sequence[_Place]) -> bytes:
    add, multiply, m = group().add, group().multiply, len(order)
    committed = [b""] * m
    for i, j in enumerate(order):
        committed[j] = add(made[j].rho_base, _h(i + 1))
    statement = statement._replace(committed=b"".join(committed))
    u = statement.weights(m)
    u_out = [u[j] for j in order]
    chain = [_h(0)]
    for place, u_i in zip(made, u_out, strict=True):
        chain.append(add(place.rho_hat_base, multiply(u_i, chain[-1])))
    after = cut(statement.after)
    t_1, t_2, t_3, t_4, t_5 = ends.products
    commitments = [
        t_1,
        t_2,
        total([t_3, *(place.w_out_h for place in made)]),
        total([t_4, *(multiply(place.w_out, a) for place, a in zip(made, after[::2], strict=True))]),
        total([t_5, *(multiply(place.w_out, b) for place, b in zip(made, after[1::2], strict=True))]),
        *(
            add(place.w_hat_base, multiply(place.w_out, c))
            for place, c in zip(made, chain, strict=False)  # the last link has no place behind it
        ),
    ]
    x = _challenge((*statement, b"".join(chain[1:]), b"".join(commitments)))
    k_2, v = 0, 1
    for place, u_i in zip(reversed(made), reversed(u_out), strict=True):
        k_2 += place.rho_hat * v
        v = v * u_i % ORDER
    rho = [place.rho for place in made]
    known = (
        sum(rho),
        k_2,
        sum(map(mul, rho, u)),
        sum(place.r * u_i for place, u_i in zip(made, u_out, strict=True)),
    )
    nonces = (*ends.w, *(place.w_hat for place in made), *(place.w_out for place in made))
    secret = (*known, *(place.rho_hat for place in made), *u_out)
    answers = [(nonce + x * each) % ORDER for nonce, each in zip(nonces, secret, strict=True)]
    return b"".join((statement.committed, *chain[1:], written(x, *answers)))


class Preparing(NamedTuple):
    """The making of `Prepared` as a value that another process can run, for up to `most` cards under `key`.

    `head`: that of the record when it is made (32 bytes).  The scalars hang on it, as those of a proof hang
    on its statement: once a shuffle with them is in the record, that head does not come again, so a generator
    that fails repeats nothing (see nonces.py).
    """

    head: bytes
    key: bytes
    most: int
    nonces: Nonces

    def run(self) -> Prepared:
        """The products."""
        stream = self.nonces.serve(labels.SHUFFLE_PREPARATION, (self.head, self.key, self.most))
        return _multiplied(self.key, self.most, stream)


class Shuffling(NamedTuple):
    """The making of a shuffle as a value that another process can run; it holds the seat's secret source.

    `cards`: 64 bytes each, joined; `order`: as in `arrange`, or None for one that nobody chose; `prepared`:
    see there.
    """

    ctx: Context
    key: bytes
    cards: bytes
    order: tuple[int, ...] | None
    nonces: Nonces
    prepared: Prepared | None = None

    def __repr__(self) -> str:
        """Nothing of the order (threat 38)."""
        return f"<shuffling of {len(self.cards) // CARD_BYTES} cards>"

    def run(self) -> tuple[bytes, bytes]:
        """The cards in their new order, joined, and the proof."""
        cards = unchecked(self.cards)
        order = uniform(self.ctx, self.key, cards, self.nonces) if self.order is None else self.order
        return arrange(self.ctx, self.key, cards, order, self.prepared or self.nonces)


class Shuffled(NamedTuple):
    """Cards before and after, 64 bytes each and joined, the key they are under, and the proof."""

    ctx: Context
    key: bytes
    before: bytes
    after: bytes
    proof: bytes

    def verify(self) -> None:
        """Raise ProofError unless the proof holds."""
        before, proof = unchecked(self.before), self.proof
        m = len(before)
        if m < FEWEST or len(proof) != proof_bytes(m):
            raise ProofError(NOT_A_MESSAGE)
        after = parse(self.after, m)
        received = points(proof[: 32 * m], m), points(proof[32 * m : 64 * m], m)
        x, *answers = scalars(proof[64 * m :], 2 * m + 5)
        statement = _Statement(self.ctx, self.key, self.before, self.after, proof[: 32 * m])
        commitments = _recomputed(statement, before, after, received, (x, answers))
        if x != _challenge((*statement, proof[32 * m : 64 * m], b"".join(commitments))):
            raise ProofError("wrong-shuffle")


def check(ctx: Context, key: bytes, cards: Sequence[Card], after: bytes, proof: bytes) -> tuple[Card, ...]:
    """The cards in `after` (64 bytes each), which are `cards` (FEWEST or more) in another order under `key`.

    `cards` and `key` are verified ones; `proof`: `proof_bytes` of their count.  Raises ProofError.
    """
    checked = settle(Shuffled(ctx, key, joined(cards), after, proof))
    return unchecked(after) if checked else parse(after, len(cards))


def _recomputed(
    statement: _Statement,
    before: Sequence[Card],
    after: Sequence[Card],
    received: tuple[list[bytes], list[bytes]],
    scalars_of_proof: tuple[int, list[int]],
) -> list[bytes]:
    """t_1 to t_5 and t̂, as they follow from the proof."""
    g, m = group(), len(before)
    base, add, subtract, multiply = g.base, g.add, g.subtract, g.multiply
    (committed, chain), (x, answers) = received, scalars_of_proof
    s, s_hat, s_out = answers[:4], answers[4 : 4 + m], answers[4 + m :]
    u = statement.weights(m)
    minus = [-x * u_i % ORDER for u_i in u]
    minus_x = -x % ORDER
    product = 1
    for u_i in u:
        product = product * u_i % ORDER
    sum_c = subtract(total(committed), _sum_of_generators(m))
    last = subtract(chain[-1], multiply(product, _h(0)))
    links = [_h(0), *chain]
    scaled = [multiply(minus_x, link) for link in chain]
    return [
        add(base(s[0]), multiply(minus_x, sum_c)),
        add(base(s[1]), multiply(minus_x, last)),
        total(
            [
                base(s[2]),
                *(multiply(s_i, _h(i)) for i, s_i in enumerate(s_out, 1)),
                *map(multiply, minus, committed),
            ]
        ),
        total(
            [
                base(-s[3] % ORDER),
                *(multiply(s_i, card.a) for s_i, card in zip(s_out, after, strict=True)),
                *(multiply(k, card.a) for k, card in zip(minus, before, strict=True)),
            ]
        ),
        total(
            [
                multiply(-s[3] % ORDER, statement.key),
                *(multiply(s_i, card.b) for s_i, card in zip(s_out, after, strict=True)),
                *(multiply(k, card.b) for k, card in zip(minus, before, strict=True)),
            ]
        ),
        *(
            add(add(base(z), multiply(s_i, link)), back)
            for z, s_i, link, back in zip(s_hat, s_out, links, scaled, strict=False)
        ),
    ]
