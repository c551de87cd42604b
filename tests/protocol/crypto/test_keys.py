"""Keys and signatures: exactly those count that the acceptance rule names (threats 28 and 29).

The edge cases are built after the manner of C2SP/CCTV's ed25519 vectors, with arithmetic of our own.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Final, NamedTuple

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto import keys
from protocol.crypto.keys import KEY_BYTES, SIGNATURE_BYTES, Identity, check_key, fingerprint, verify
from protocol.errors import Malformed
from protocol.failures import UnsafeLibrary
from protocol.wire import labels
from tests.helpers.crypto import edwards
from tests.helpers.crypto.edwards import BASE, IDENTITY, L, P
from tests.helpers.machine.examples import examples

LABEL: Final = labels.SIGN_ENTRY
DATA: Final = b"what is signed"
SIGNED: Final = LABEL + b"\0" + DATA
SECRET: Final = 0x1234567890ABCDEF1234567890ABCDEF
KEY: Final = edwards.encode(edwards.multiply(SECRET, BASE))
TORSION: Final = edwards.torsion()
SMALL: Final = dict(edwards.small_order_encodings())


def accepted(key: bytes) -> bool:
    try:
        check_key(key)
    except Malformed:
        return False
    return True


def signature(r: int = 4711, *, torsion: int = 0, key: bytes = KEY, secret: int = SECRET) -> bytes:
    """A signature with nonce r, its R moved by a point of small order."""
    nonce = edwards.add(edwards.multiply(r, BASE), TORSION[torsion])
    return edwards.sign(secret, SIGNED, key=key, nonce=nonce, nonce_scalar=r)


def test_the_arithmetic_of_these_tests_agrees_with_two_libraries() -> None:
    assert edwards.multiply(L, BASE) == IDENTITY
    assert accepted(KEY)
    made = signature()
    assert verify(KEY, LABEL, DATA, made)
    Ed25519PublicKey.from_public_bytes(KEY).verify(made, SIGNED)


# Keys


def test_row_29_the_fourteen_encodings_of_small_order_points_are_refused_as_keys() -> None:
    assert len(SMALL) == len(set(SMALL.values())) == 14
    assert [name for name, key in SMALL.items() if accepted(key)] == []


@pytest.mark.parametrize("k", range(1, 8))
def test_row_29_a_key_with_a_part_of_small_order_is_refused(k: int) -> None:
    mixed = edwards.add(edwards.multiply(SECRET, BASE), TORSION[k])
    assert not accepted(edwards.encode(mixed))


def test_row_29_no_point_of_a_class_outside_the_prime_order_subgroup_is_a_key() -> None:
    """Forty keys in each of the seven other classes: libsodium 1.0.20 takes all of the class of order 2."""
    rng = random.Random(29)
    for _ in range(40):
        point = edwards.multiply(rng.randrange(1, L), BASE)
        mixed = [edwards.encode(edwards.add(point, T)) for T in TORSION]
        assert [accepted(key) for key in mixed] == [True] + [False] * 7


@pytest.mark.parametrize("cofactor", [2, 4, 8])
def test_row_29_a_library_that_takes_such_points_is_noticed_before_any_key_counts(
    cofactor: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check that only asks whether [cofactor · L]P is the identity, as of libsodium 1.0.20 for 2."""

    def lenient(data: bytes) -> bool:
        point = edwards.decode(data)
        return edwards.multiply(cofactor * L, point) == IDENTITY != edwards.multiply(8, point)

    monkeypatch.setattr(keys, "crypto_core_ed25519_is_valid_point", lenient)
    monkeypatch.setattr(keys, "check_library", keys.check_library.__wrapped__)
    with pytest.raises(UnsafeLibrary):
        check_key(edwards.encode(edwards.multiply(SECRET + cofactor, BASE)))


def test_row_29_only_canonical_encodings_are_keys() -> None:
    """y from p on is y − p written another way; an x of 0 has no sign."""
    assert not any(accepted(edwards.raw(y, odd)) for y in range(P, 2**255) for odd in (0, 1))
    assert not accepted(edwards.raw(1, 1))
    assert not accepted(edwards.raw(P - 1, 1))


def test_row_29_what_is_on_no_curve_is_no_key() -> None:
    off = [y for y in range(2, 60) if edwards.recover_x(y, 0) is None]
    assert len(off) > 20
    assert not any(accepted(edwards.raw(y, odd)) for y in off for odd in (0, 1))


def test_row_29_of_the_small_y_exactly_the_points_of_the_prime_order_subgroup_are_keys() -> None:
    """Every y that decodes has a point; one in eight lies in the subgroup."""
    for y in range(2, 30):
        for odd in (0, 1):
            x = edwards.recover_x(y, odd)
            prime = x is not None and edwards.multiply(L, (x, y)) == IDENTITY
            assert accepted(edwards.raw(y, odd)) == prime


@pytest.mark.parametrize("size", [0, 1, 31, 33, 64])
def test_a_key_has_32_bytes(size: int) -> None:
    assert not accepted(KEY[:size].ljust(size, b"\0"))


@given(seed=st.binary(min_size=32, max_size=32))
@examples(20, 200)
def test_every_identity_has_a_key_that_is_accepted_and_signs_for_it(seed: bytes) -> None:
    identity = Identity(seed)
    assert len(identity.key) == KEY_BYTES
    check_key(identity.key)
    made = identity.sign(LABEL, DATA)
    assert len(made) == SIGNATURE_BYTES
    assert verify(identity.key, LABEL, DATA, made)
    assert made == Identity(seed).sign(LABEL, DATA)
    Ed25519PublicKey.from_public_bytes(identity.key).verify(made, SIGNED)


# Signatures


def test_row_28_s_must_be_below_l() -> None:
    """Adding L to S gives a second signature to a lenient verifier."""
    made = signature()
    s = int.from_bytes(made[32:], "little")
    for multiple in range(1, 16):
        if s + multiple * L < 2**256:
            assert not verify(KEY, LABEL, DATA, made[:32] + (s + multiple * L).to_bytes(32, "little"))
    for high in (L, L + 1, 2**252, 2**253, 2**255, 2**256 - 1):
        assert not verify(KEY, LABEL, DATA, made[:32] + high.to_bytes(32, "little"))


@pytest.mark.parametrize("k", range(1, 8))
def test_row_28_an_r_with_a_part_of_small_order_is_refused(k: int) -> None:
    """The cofactored equation would take it: here every verifier must say no, so that all agree."""
    assert verify(KEY, LABEL, DATA, signature())
    made = signature(torsion=k)
    r, s = made[:32], int.from_bytes(made[32:], "little")
    x = edwards.recover_x(int.from_bytes(r, "little") & (2**255 - 1), r[31] >> 7)
    assert x is not None
    nonce = x, int.from_bytes(r, "little") & (2**255 - 1)
    right = edwards.add(
        nonce, edwards.multiply(edwards.scalar(r + KEY + SIGNED), edwards.multiply(SECRET, BASE))
    )
    assert edwards.multiply(8, edwards.multiply(s, BASE)) == edwards.multiply(8, right)
    assert not verify(KEY, LABEL, DATA, made)


def test_row_28_an_r_of_small_order_is_refused() -> None:
    """With R the identity and S = h·a the plain equation holds, for whoever has the key."""
    for point in TORSION:
        assert not verify(
            KEY, LABEL, DATA, edwards.sign(SECRET, SIGNED, key=KEY, nonce=point, nonce_scalar=0)
        )
    for r in SMALL.values():
        s = edwards.scalar(r + KEY + SIGNED) * SECRET % L
        assert not verify(KEY, LABEL, DATA, r + s.to_bytes(32, "little"))
        assert not verify(KEY, LABEL, DATA, r + bytes(32))


def test_row_29_a_small_order_key_would_sign_everything_so_it_must_not_get_this_far() -> None:
    """R = identity, S = 0 satisfies the equation for the identity as key, whatever is signed."""
    identity = edwards.encode(IDENTITY)
    assert not accepted(identity)
    assert not verify(identity, LABEL, DATA, identity + bytes(32))


class Part(NamedTuple):
    """One of a key's or an R's encodings, with what it stands for: [scalar]B and a multiple of the point of
    order eight.
    """

    encoded: bytes
    scalar: int
    torsion: int


def parts(scalar: int) -> list[Part]:
    """All fourteen encodings of small order, and [scalar]B with every part of small order."""
    point = edwards.multiply(scalar, BASE)
    small = [Part(data, 0, TORSION.index(edwards.decode(data))) for data in SMALL.values()]
    mixed = [Part(edwards.encode(edwards.add(point, T)), scalar, k) for k, T in enumerate(TORSION)]
    return small + mixed


class Crafted(NamedTuple):
    """A signature that a verifier with the cofactored equation takes, if it decodes leniently."""

    key: Part
    r: Part
    data: bytes
    s: int
    h: int


def crafted() -> Iterator[Crafted]:
    """Every key with every R, with small parts that cancel and that do not, hashed as sent and as decoded."""
    for key, r in product(parts(SECRET), parts(4711)):
        if key.encoded == KEY and (r.scalar, r.torsion) == (4711, 0):
            continue  # an ordinary signature
        canonical = [edwards.encode(edwards.decode(part.encoded)) for part in (r, key)]
        for sent in dict.fromkeys((r.encoded + key.encoded, b"".join(canonical))):
            samples: dict[bool, Crafted] = {}
            for number in range(64):
                data = b"%d" % number
                h = edwards.scalar(sent + LABEL + b"\0" + data)
                s = (r.scalar + h * key.scalar) % L
                cancels = (r.torsion + h * key.torsion) % 8 == 0
                samples.setdefault(cancels, Crafted(key, r, data, s, h))
            yield from samples.values()


def test_row_29_every_combination_of_keys_and_r_with_small_parts_is_refused() -> None:
    """The edge cases of C2SP/CCTV's vectors and more, made anew; libsodium's rule takes none of them."""
    made = list(crafted())
    assert len(made) >= 914
    for sample in made[::60]:
        right = edwards.add(
            edwards.decode(sample.r.encoded), edwards.multiply(sample.h, edwards.decode(sample.key.encoded))
        )
        assert edwards.multiply(8, edwards.multiply(sample.s, BASE)) == edwards.multiply(8, right)
    taken = [
        sample
        for sample in made
        if accepted(sample.key.encoded)
        and verify(sample.key.encoded, LABEL, sample.data, sample.r.encoded + sample.s.to_bytes(32, "little"))
    ]
    assert taken == []
    assert sum(accepted(sample.key.encoded) for sample in made) > 20, "not all of them for the key's sake"


@given(at=st.integers(0, 8 * SIGNATURE_BYTES - 1))
@examples(48, 480)
def test_no_bit_of_a_signature_can_change(at: int) -> None:
    made = bytearray(signature())
    made[at // 8] ^= 1 << at % 8
    assert not verify(KEY, LABEL, DATA, bytes(made))


@pytest.mark.parametrize("size", [0, 1, 32, 63, 65, 128])
def test_a_signature_has_64_bytes(size: int) -> None:
    assert not verify(KEY, LABEL, DATA, (signature() * 2)[:size])


def test_row_28_two_libraries_agree_on_random_and_on_spoilt_signatures() -> None:
    """Ordinary keys, signatures as made and with any of their parts exchanged or random."""
    rng = random.Random(28)
    other = Ed25519PublicKey.from_public_bytes(KEY)
    made = [signature(r) for r in range(1, 9)]
    for _ in range(300):
        r, s = rng.choice(made)[:32], rng.choice(made)[32:]
        candidate = rng.choice(
            [r + s, rng.randbytes(32) + s, r + rng.randbytes(31) + b"\0", r + rng.randbytes(32)]
        )
        try:
            other.verify(candidate, SIGNED)
            agreed = True
        except InvalidSignature:
            agreed = False
        assert verify(KEY, LABEL, DATA, candidate) == agreed


def test_row_04_a_signature_holds_under_its_label_only() -> None:
    identity = Identity(bytes(32))
    for mine in labels.ALL:
        made = identity.sign(mine, DATA)
        assert [other for other in labels.ALL if verify(identity.key, other, DATA, made)] == [mine]


def test_a_label_and_what_is_signed_cannot_trade_bytes() -> None:
    identity = Identity(bytes(32))
    assert not verify(identity.key, LABEL, b"", identity.sign(LABEL[:-1], LABEL[-1:]))
    assert not verify(identity.key, LABEL + b"x", DATA, identity.sign(LABEL, b"x" + DATA))


# Fingerprints


def test_a_fingerprint_is_four_groups_of_four_letters_that_cannot_be_misread() -> None:
    prints = {fingerprint(Identity(bytes([i]) * 32).key) for i in range(64)}
    assert len(prints) == 64
    for digits in prints:
        groups = digits.split("-")
        assert [len(group) for group in groups] == [4, 4, 4, 4]
        assert not set("".join(groups)) & set("ILOU")
        assert "".join(groups).isalnum()
        assert digits.upper() == digits


def test_row_38_an_identity_prints_its_fingerprint_and_nothing_else() -> None:
    seed = bytes(range(32))
    identity = Identity(seed)
    assert repr(identity) == str(identity) == f"<identity {fingerprint(identity.key)}>"
    assert seed.hex() not in repr(identity)
    with pytest.raises(TypeError):
        vars(identity)  # slots: there is no dictionary that a debugger or a log could print
