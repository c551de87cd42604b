"""A seat's key in shares: t of the other seats together can give it to all, if the seat is gone.

Feldman, "A practical scheme for non-interactive verifiable secret sharing", FOCS 1987.  Diffie-Hellman hides
each share, with a key of the receiver for shares alone: its key for cards becomes public when it leaves, and
would open every share, so that fewer than t seats could read a hand.  The dealer proves that it knows the
secret of its ephemeral point, so a complaint tells nothing else about the receiver's key (T75).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from p2p_stratego.core.game import Seat
from protocol.crypto.group.backend import ORDER, group
from protocol.crypto.group.hashing import Context, to_bytes, to_scalar
from protocol.crypto.group.received import NOT_A_MESSAGE, ProofError, cut, points, scalars, written
from protocol.crypto.proofs import tokens
from protocol.crypto.proofs.party import Party, Prover
from protocol.crypto.proofs.sigma import base_commitment, respond
from protocol.wire import labels

FEWEST: Final = 2
"""The lowest threshold: with 1, each seat alone could open the key of another."""

_challenge = to_scalar(labels.PROOF_ESCROW)
_pad = to_bytes(labels.ESCROW_PAD)


class Deal(NamedTuple):
    """The deal of a seat, checked: the commitments A_1 to A_(t−1), E, and the pad of each other seat.

    `dealer`: the context and the key of the seat; a pad is a share exclusive-or what hides it, 32 bytes.
    """

    dealer: Party
    commitments: tuple[bytes, ...]
    ephemeral: bytes
    pads: Mapping[Seat, bytes]


def deal(prover: Prover, keys: Sequence[bytes], threshold: int) -> tuple[bytes, bytes, bytes]:
    """The commitments (32 bytes each, threshold − 1), E and its proof (96), and the pads (32 a seat).

    `keys`: for shares, of all seats; `threshold`: t, 2 to n − 1; the pads are for the other seats in order.
    """
    g, ctx = group(), prover.party.ctx
    stream = prover.nonces.serve(labels.PROOF_ESCROW, (*prover.party, b"".join(keys), threshold))
    coefficients = [prover.x, *stream.scalars(threshold - 1)]
    e, w = stream.scalars(2)
    committed = b"".join(map(g.base, coefficients[1:]))
    ephemeral = g.base(e)
    c = _challenge((*prover.party, committed, ephemeral, g.base(w)))
    pads = b"".join(
        _xor(written(_at(coefficients, seat)), _mask(ctx, seat, g.multiply(e, key)))
        for seat, key in enumerate(keys)
        if seat != ctx.seat
    )
    return committed, ephemeral + written(c, respond(w, c, e)), pads


def check_deal(dealer: Party, seats: int, threshold: int, fields: tuple[bytes, bytes, bytes]) -> Deal:
    """The deal to the others of so many seats, from the three fields of `deal`.

    Raises ProofError.  Each receiver judges its own share (`share`).
    """
    committed, ephemeral, pads = fields
    commitments = points(committed, threshold - 1)
    (point,) = points(ephemeral[:32], 1)
    c, z = scalars(ephemeral[32:], 2)
    others = [seat for seat in range(seats) if seat != dealer.ctx.seat]
    if len(pads) != 32 * len(others):
        raise ProofError(NOT_A_MESSAGE)
    if c != _challenge((*dealer, committed, point, base_commitment(z, c, point))):
        raise ProofError("wrong-share")
    return Deal(dealer, tuple(commitments), point, dict(zip(others, cut(pads), strict=True)))


def share(dealt: Deal, seat: Seat, z: int) -> int | None:
    """The share of `seat`, by its secret `z`; None if the dealer cheated: then the seat complains."""
    return _unpadded(dealt, seat, group().multiply(z, dealt.ephemeral))


def fits(dealt: Deal, seat: Seat, share: int) -> bool:
    """Whether `share` is the share of `seat` in a deal: f(seat + 1)·G against the commitments."""
    g = group()
    expected, power = dealt.dealer.key, 1
    for commitment in dealt.commitments:
        power = power * (seat + 1) % ORDER
        expected = g.add(expected, g.multiply(power, commitment))
    return g.base(share) == expected


def complain(prover: Prover, dealt: Deal) -> tuple[bytes, bytes]:
    """The receiver's z·E (32 bytes) with its proof (64 bytes), with which everybody opens its pad.

    `prover`: with the secret for shares.
    """
    return tokens.give(prover, (dealt.ephemeral,))


def judge(party: Party, dealt: Deal, shared: bytes, proof: bytes) -> bool:
    """Whether the receiver complains with reason.

    True: the dealer cheated (`wrong-share`); False: the complainer did (`false-complaint`), by a false proof
    or of a share that fits.
    """
    try:
        (point,) = tokens.check(party, (dealt.ephemeral,), shared, proof)
    except ProofError:
        return False
    return _unpadded(dealt, party.ctx.seat, point) is None


def read_share(dealt: Deal, seat: Seat, data: bytes) -> int:
    """The share in 32 bytes that `seat` released.  Raises ProofError unless it is that seat's share."""
    (share,) = scalars(data, 1)
    if not fits(dealt, seat, share):
        raise ProofError("wrong-share")
    return share


def combine(shares: Mapping[Seat, int]) -> int:
    """The dealer's secret from the shares of as many seats as its threshold (Lagrange, at 0)."""
    secret = 0
    for seat, share in shares.items():
        above, below = 1, 1
        for other in shares:
            if other != seat:
                above = above * (other + 1) % ORDER
                below = below * (other - seat) % ORDER
        secret += share * above * pow(below, -1, ORDER)
    return secret % ORDER


def _at(coefficients: Sequence[int], seat: Seat) -> int:
    """The polynomial at seat + 1 (Horner)."""
    value = 0
    for coefficient in reversed(coefficients):
        value = (value * (seat + 1) + coefficient) % ORDER
    return value


def _unpadded(dealt: Deal, seat: Seat, shared: bytes) -> int | None:
    number = int.from_bytes(_xor(dealt.pads[seat], _mask(dealt.dealer.ctx, seat, shared)), "little")
    return number if number < ORDER and fits(dealt, seat, number) else None


def _mask(ctx: Context, seat: Seat, shared: bytes) -> bytes:
    return _pad((ctx, seat, shared))[:32]


def _xor(a: bytes, b: bytes) -> bytes:
    return bytes(p ^ q for p, q in zip(a, b, strict=True))
