"""ristretto255 in Python's integers: RFC 9496 as it stands, to compare libsodium with.

Some twenty times slower than libsodium.
Names are those of RFC 9496, section 4.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

P: Final = 2**255 - 19
D: Final = 37095705934669439343138083508754565189542113879843219016388785533085940283555
SQRT_M1: Final = 19681161376707505956807079304988542015446066515923890162744021073123829784752
SQRT_AD_MINUS_ONE: Final = 25063068953384623474111414158702152701244531502492656460079210482610430750235
INVSQRT_A_MINUS_D: Final = 54469307008909316920995813868745141605393597292927456921205312896311721017578
ONE_MINUS_D_SQ: Final = 1159843021668779879193775521855586647937357759715417654439879720876111806838
D_MINUS_ONE_SQ: Final = 40440834346308536858101042469323190826248399146238708352240133220865137265952


class _Element(NamedTuple):
    """A point of the curve in extended coordinates (Hisil, Wong, Carter and Dawson, ASIACRYPT 2008)."""

    x: int
    y: int
    z: int
    t: int


_ZERO: Final = _Element(0, 1, 1, 0)


def _sqrt_ratio_m1(u: int, v: int) -> tuple[bool, int]:
    """SQRT_RATIO_M1: whether u/v is a square, and the non-negative root of it, or of SQRT_M1·u/v."""
    r = u * v**3 * pow(u * v**7, (P - 5) // 8, P) % P
    check = v * r * r % P
    u %= P
    correct, flipped, flipped_i = check == u, check == -u % P, check == -u * SQRT_M1 % P
    if flipped or flipped_i:
        r = r * SQRT_M1 % P
    return correct or flipped, _abs(r)


def _abs(x: int) -> int:
    """The one of x and −x that is even, modulo P: CT_ABS."""
    return -x % P if x & 1 else x


def _decode(data: bytes) -> _Element | None:
    """Section 4.3.1."""
    s = int.from_bytes(data, "little")
    if s >= P or s & 1:
        return None
    ss = s * s % P
    u_1, u_2 = 1 - ss, 1 + ss
    v = (-D * u_1 * u_1 - u_2 * u_2) % P
    square, root = _sqrt_ratio_m1(1, v * u_2 * u_2 % P)
    den_x = root * u_2 % P
    den_y = root * den_x * v % P
    x = _abs(2 * s * den_x % P)
    y = u_1 * den_y % P
    t = x * y % P
    return None if not square or t & 1 or y == 0 else _Element(x, y, 1, t)


def _encode(p: _Element) -> bytes:
    """Section 4.3.2."""
    u_1 = (p.z + p.y) * (p.z - p.y) % P
    u_2 = p.x * p.y % P
    _, root = _sqrt_ratio_m1(1, u_1 * u_2 * u_2 % P)
    den_1, den_2 = root * u_1 % P, root * u_2 % P
    z_inv = den_1 * den_2 * p.t % P
    x, y, den_inv = p.x, p.y, den_2
    if p.t * z_inv % P & 1:
        x, y, den_inv = p.y * SQRT_M1 % P, p.x * SQRT_M1 % P, den_1 * INVSQRT_A_MINUS_D % P
    if x * z_inv % P & 1:
        y = -y
    return _abs(den_inv * (p.z - y) % P).to_bytes(32, "little")


def _map(data: bytes) -> _Element:
    """MAP of section 4.3.4: 32 bytes to a point by Elligator 2 (bit 255 is passed over)."""
    t = int.from_bytes(data, "little") & (2**255 - 1)
    r = SQRT_M1 * t * t % P
    u = (r + 1) * ONE_MINUS_D_SQ % P
    v = (-1 - r * D) * (r + D) % P
    square, s = _sqrt_ratio_m1(u, v)
    c = P - 1
    if not square:
        s, c = -_abs(s * t % P), r
    n = (c * (r - 1) * D_MINUS_ONE_SQ - v) % P
    w_0, w_1 = 2 * s * v, n * SQRT_AD_MINUS_ONE
    w_2, w_3 = 1 - s * s, 1 + s * s
    return _Element(w_0 * w_3 % P, w_2 * w_1 % P, w_1 * w_3 % P, w_0 * w_2 % P)


def _sum(p: _Element, q: _Element) -> _Element:
    """Complete addition on −x² + y² = 1 + d·x²·y² (RFC 8032, section 5.1.4)."""
    a = (p.y - p.x) * (q.y - q.x)
    b = (p.y + p.x) * (q.y + q.x)
    c, d = 2 * p.t * q.t * D, 2 * p.z * q.z
    e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
    return _Element(e * f % P, g * h % P, f * g % P, e * h % P)


def _product(k: int, p: _Element) -> _Element:
    product = _ZERO
    for bit in bin(k)[2:]:
        product = _sum(product, product)
        if bit == "1":
            product = _sum(product, p)
    return product


@cache
def _generator() -> _Element:
    """The base point of RFC 8032: y = 4/5, x even."""
    y = 4 * pow(5, -1, P) % P
    _, x = _sqrt_ratio_m1(y * y - 1, D * y * y + 1)
    return _Element(x, y, 1, x * y % P)


class Integers:
    """The group in Python's integers."""

    def is_point(self, data: bytes) -> bool:
        """Whether 32 bytes are the one encoding of a point other than the identity."""
        return any(data) and _decode(data) is not None

    def add(self, p: bytes, q: bytes) -> bytes:
        """p + q."""
        return _encode(_sum(_element(p), _element(q)))

    def subtract(self, p: bytes, q: bytes) -> bytes:
        """p − q."""
        x, y, z, t = _element(q)
        return _encode(_sum(_element(p), _Element(-x % P, y, z, -t % P)))

    def multiply(self, k: int, p: bytes) -> bytes:
        """k·p for a scalar k."""
        return _encode(_product(k, _element(p)))

    def base(self, k: int) -> bytes:
        """k·G for a scalar k."""
        return _encode(_product(k, _generator()))

    def from_hash(self, digest: bytes) -> bytes:
        """The one-way map of 64 bytes: section 4.3.4."""
        if len(digest) != 64:
            raise ValueError("the map takes 64 bytes")
        return _encode(_sum(_map(digest[:32]), _map(digest[32:])))


def _element(point: bytes) -> _Element:
    element = _decode(point)
    if element is None:
        raise ValueError("a term is no point")
    return element
