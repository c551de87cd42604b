"""Two implementations of ristretto255: each by the RFC's vectors, and both byte for byte the same."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as some

from protocol.crypto.group import backend
from protocol.crypto.group.backend import IDENTITY, ORDER, Group, group, total, using
from protocol.crypto.group.received import ProofError, points, scalars, written
from protocol.crypto.group.ristretto import load
from tests.helpers.crypto.integers import Integers
from tests.helpers.crypto.rfc9496 import INVALID, MAPPED, MULTIPLES
from tests.helpers.machine.examples import examples

GROUPS: tuple[Group, ...] = (load(), Integers())
GENERATOR = bytes.fromhex(MULTIPLES[1])
digests = some.binary(min_size=64, max_size=64)
numbers = some.integers(0, ORDER - 1) | some.sampled_from((0, 1, 2, ORDER - 1, ORDER // 2))


def both(result: object, other: object) -> object:
    assert result == other
    return result


@pytest.fixture(params=GROUPS, ids=("libsodium", "integers"))
def arithmetic(request: pytest.FixtureRequest) -> Group:
    arithmetic: Group = request.param
    return arithmetic


def test_multiples_of_the_generator(arithmetic: Group) -> None:
    assert [arithmetic.base(k).hex() for k in range(16)] == list(MULTIPLES)
    assert [arithmetic.multiply(k, GENERATOR).hex() for k in range(16)] == list(MULTIPLES)
    point = IDENTITY
    for multiple in MULTIPLES:
        assert point.hex() == multiple
        point = arithmetic.add(point, GENERATOR)
    for multiple in reversed(MULTIPLES):
        point = arithmetic.subtract(point, GENERATOR)
        assert point.hex() == multiple


def test_the_encodings_of_points_are_taken_and_no_other(arithmetic: Group) -> None:
    assert all(arithmetic.is_point(bytes.fromhex(multiple)) for multiple in MULTIPLES[1:])
    for why, encodings in INVALID.items():
        assert not any(arithmetic.is_point(bytes.fromhex(encoding)) for encoding in encodings), why


def test_row_72_the_identity_and_second_encodings_are_no_received_points(arithmetic: Group) -> None:
    """libsodium 1.0.18 passes over bit 255, and calls the identity valid."""
    assert not arithmetic.is_point(IDENTITY)
    for multiple in map(bytes.fromhex, MULTIPLES):
        assert not arithmetic.is_point(multiple[:31] + bytes((multiple[31] | 128,)))
        second = int.from_bytes(multiple, "little") + 2**255 - 19
        assert not arithmetic.is_point((second % 2**256).to_bytes(32, "little"))


def test_the_one_way_map(arithmetic: Group) -> None:
    for text, point in MAPPED:
        digest = hashlib.sha512(text.encode()).digest()
        assert arithmetic.from_hash(digest).hex() == point
        passed_over = bytearray(digest)
        passed_over[31] ^= 128
        passed_over[63] ^= 128
        assert arithmetic.from_hash(bytes(passed_over)).hex() == point
    with pytest.raises(ValueError, match="64 bytes"):
        arithmetic.from_hash(bytes(32))


def test_multiples_of_the_order_and_of_the_identity_are_the_identity(arithmetic: Group) -> None:
    assert (
        arithmetic.multiply(0, GENERATOR)
        == arithmetic.base(0)
        == arithmetic.multiply(5, IDENTITY)
        == IDENTITY
    )
    assert arithmetic.add(arithmetic.base(ORDER - 1), GENERATOR) == IDENTITY
    assert arithmetic.subtract(IDENTITY, GENERATOR) == arithmetic.base(ORDER - 1)


def test_arithmetic_on_what_is_no_point_is_a_bug_and_says_so(arithmetic: Group) -> None:
    """libsodium answers the identity and a return code, which rbcl passes over."""
    for encodings in INVALID.values():
        bad = bytes.fromhex(encodings[0])
        if bad[31] < 128:  # which libsodium 1.0.18 passes over: `is_point` does not
            for operation in (arithmetic.add, arithmetic.subtract):
                for terms in ((GENERATOR, bad), (bad, GENERATOR)):
                    with pytest.raises(ValueError, match="no point"):
                        operation(*terms)
            with pytest.raises(ValueError, match="no point"):
                arithmetic.multiply(7, bad)


@examples(10, 100)
@given(digests, digests, numbers, numbers)
def test_both_implementations_agree_on_all_operations(p: bytes, q: bytes, k: int, n: int) -> None:
    fast, slow = GROUPS
    point = both(fast.from_hash(p), slow.from_hash(p))
    two = both(fast.from_hash(q), slow.from_hash(q))
    assert isinstance(point, bytes)
    assert isinstance(two, bytes)
    assert fast.add(point, two) == slow.add(point, two)
    assert fast.subtract(point, two) == slow.subtract(point, two)
    assert fast.multiply(k, point) == slow.multiply(k, point)
    assert fast.base(n) == slow.base(n)
    assert fast.is_point(p[:32]) == slow.is_point(p[:32])
    assert fast.is_point(point) == slow.is_point(point) == (point != IDENTITY)


@examples(10, 100)
@given(digests, numbers, numbers)
def test_scalars_distribute_over_points(digest: bytes, k: int, n: int) -> None:
    arithmetic = GROUPS[0]
    point = arithmetic.from_hash(digest)
    assert arithmetic.add(
        arithmetic.multiply(k, point), arithmetic.multiply(n, point)
    ) == arithmetic.multiply((k + n) % ORDER, point)
    assert arithmetic.multiply(k, arithmetic.multiply(n, point)) == arithmetic.multiply(k * n % ORDER, point)


def test_received_points_are_checked_with_their_number() -> None:
    two = bytes.fromhex(MULTIPLES[1] + MULTIPLES[2])
    assert points(two, 2) == [two[:32], two[32:]]
    for data, count in ((two, 1), (two, 3), (two[:-1], 2), (b"", 1), (two[:32] + IDENTITY, 2)):
        with pytest.raises(ProofError, match="not-a-message"):
            points(data, count)


def test_received_scalars_are_below_the_order_with_their_number() -> None:
    assert scalars(written(0, 1, ORDER - 1), 3) == [0, 1, ORDER - 1]
    for number in (ORDER, ORDER + 1, 2**253, 2**255, 2**256 - 1):
        with pytest.raises(ProofError, match="not-a-message"):
            scalars(number.to_bytes(32, "little"), 1)
    with pytest.raises(ProofError, match="not-a-message"):
        scalars(written(1, 2), 3)


def test_the_sum_of_points() -> None:
    assert total([GENERATOR]) == GENERATOR
    assert total([bytes.fromhex(text) for text in MULTIPLES[1:6]]).hex() == MULTIPLES[15]


def test_another_implementation_is_in_use_for_a_block_only() -> None:
    before = group()
    with using(GROUPS[1]):
        assert group() is GROUPS[1]
    assert group() is before
    assert backend.group() is before
