"""Arithmetic on edwards25519 (RFC 8032, section 5.1) in plain integers, to build the keys and signatures that
no library makes.  Slow, not constant in time, and independent of the libraries under test.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final, TypeAlias

Point: TypeAlias = tuple[int, int]
Extended: TypeAlias = tuple[int, int, int, int]
"""X, Y, Z and T of x = X / Z, y = Y / Z and xy = T / Z."""

P: Final = 2**255 - 19
L: Final = 2**252 + 27742317777372353535851937790883648493
"""Order of the base point."""
D: Final = -121665 * pow(121666, -1, P) % P
IDENTITY: Final = (0, 1)


def add(a: Point, b: Point) -> Point:
    (x1, y1), (x2, y2) = a, b
    k = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + k, -1, P)
    y = (y1 * y2 + x1 * x2) * pow(1 - k, -1, P)
    return x % P, y % P


def multiply(n: int, point: Point) -> Point:
    """With a single division at the end: in the extended coordinates of RFC 8032, section 5.1.4."""
    product, power = (0, 1, 1, 0), (*point, 1, point[0] * point[1] % P)
    while n:
        if n & 1:
            product = _sum(product, power)
        power = _sum(power, power)
        n >>= 1
    x, y, z, _ = product
    inverse = pow(z, -1, P)
    return x * inverse % P, y * inverse % P


def _sum(a: Extended, b: Extended) -> Extended:
    (x1, y1, z1, t1), (x2, y2, z2, t2) = a, b
    m, n = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = t1 * 2 * D * t2 % P, z1 * 2 * z2 % P
    e, f, g, h = n - m, d - c, d + c, n + m
    return e * f % P, g * h % P, f * g % P, e * h % P


def recover_x(y: int, odd: int) -> int | None:
    """The x of that parity for `y`, if the curve has one; an odd 0 is refused as in RFC 8032."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    root = pow(square, (P + 3) // 8, P)
    if root * root % P != square:
        root = root * pow(2, (P - 1) // 4, P) % P
    if root * root % P != square or (root == 0 and odd):
        return None
    return root if root & 1 == odd else P - root


BASE: Final[Point] = (recover_x(4 * pow(5, -1, P) % P, 0) or 0, 4 * pow(5, -1, P) % P)


def encode(point: Point) -> bytes:
    """32 bytes: y, and the parity of x in the highest bit."""
    return raw(point[1], point[0] & 1)


def raw(y: int, odd: int) -> bytes:
    """32 bytes for y (up to 2^255 − 1, reduced or not) and that bit."""
    return (y | odd << 255).to_bytes(32, "little")


def torsion() -> tuple[Point, ...]:
    """The eight points of small order, beginning with the identity; each next adds one of order eight."""
    for y in range(2, 100):
        x = recover_x(y, 0)
        if x is not None and multiply(4, generator := multiply(L, (x, y))) != IDENTITY:
            return tuple(multiply(k, generator) for k in range(8))
    raise AssertionError("an eighth of all points would do")


def small_order_encodings() -> Iterator[tuple[str, bytes]]:
    """All fourteen byte strings that a lenient decoder takes for a point of small order, by name.

    Eight are canonical; the others have a y that is not reduced, or a sign for an x that is 0.
    """
    for k, point in enumerate(torsion()):
        yield f"torsion point {k}", encode(point)
    for name, y in (("1", 1), ("-1", P - 1)):
        yield f"y = {name} with the sign of x set, which is 0", raw(y, 1)
    for odd in (0, 1):
        yield f"y = p, not reduced, sign {odd}", raw(P, odd)
        yield f"y = p + 1, not reduced, sign {odd}", raw(P + 1, odd)


def decode(data: bytes) -> Point:
    """The point that a lenient decoder takes 32 bytes for: y reduced if need be, an odd 0 taken for 0."""
    number = int.from_bytes(data, "little")
    y = number % 2**255 % P
    x = recover_x(y, number >> 255)
    return (0 if x is None else x), y


def scalar(data: bytes) -> int:
    return int.from_bytes(hashlib.sha512(data).digest(), "little") % L


def sign(secret: int, data: bytes, *, key: bytes, nonce: Point, nonce_scalar: int) -> bytes:
    """A signature with any R: `nonce`: the point sent for [nonce_scalar]B; `secret` belongs to `key`."""
    r = encode(nonce)
    s = (nonce_scalar + scalar(r + key + data) * secret) % L
    return r + s.to_bytes(32, "little")
