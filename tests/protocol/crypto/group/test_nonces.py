"""Secret scalars: uniform, never the same for two statements, and nowhere to be seen."""

from __future__ import annotations

from collections import Counter

import pytest

from protocol.crypto.group.backend import ORDER
from protocol.crypto.group.nonces import Nonces, deck_key
from tests.helpers.crypto.deck import GAME, repeated

MASTER = bytes(range(32))


def test_a_deck_key_depends_on_master_match_and_seat_and_is_no_zero() -> None:
    keys = {
        deck_key(master, game, seat)
        for master in (MASTER, bytes(32))
        for game in (GAME, bytes(32))
        for seat in (0, 1)
    }
    assert len(keys) == 8
    assert all(0 < x < ORDER for x in keys)
    assert deck_key(MASTER, GAME, 0) == deck_key(MASTER, GAME, 0)


def test_row_74_a_generator_that_fails_repeats_no_nonce_under_another_statement() -> None:
    """Two proofs with one nonce and two challenges give the key away."""
    broken = Nonces(MASTER, GAME, 0, bytes)
    statements = [(b"a", 1), (b"a", 2), (b"b", 1)]
    given = [broken.serve(label, statement).scalar() for label, statement in statements]
    assert len(set(given)) == 3
    others = (
        Nonces(MASTER, GAME, 1, bytes),
        Nonces(bytes(32), GAME, 0, bytes),
        Nonces(MASTER, bytes(32), 0, bytes),
    )
    assert all(other.serve(b"a", 1).scalar() not in given for other in others)


def test_row_74_one_statement_never_has_one_nonce_twice() -> None:
    sound = Nonces(MASTER, GAME, 0, repeated("sound"))
    stream = sound.serve(b"a", 1)
    numbers = [*stream.scalars(20), *sound.serve(b"a", 1).scalars(20)]
    assert len(set(numbers)) == 40
    assert all(0 <= number < ORDER for number in numbers)


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 2**32])
def test_numbers_below_a_bound(bound: int) -> None:
    stream = Nonces(MASTER, GAME, 0, bytes).serve(b"a", bound)
    counts = Counter(stream.below(bound) for _ in range(300))
    assert all(0 <= number < bound for number in counts)
    if bound < 10:
        assert len(counts) == bound
        assert max(counts.values()) - min(counts.values()) < 80


def test_a_permutation_holds_every_number_once() -> None:
    stream = Nonces(MASTER, GAME, 0, bytes).serve(b"a", 0)
    for length in range(9):
        assert sorted(stream.permutation(length)) == list(range(length))


def test_row_38_secrets_do_not_print_themselves() -> None:
    nonces = Nonces(MASTER, GAME, 0)
    assert repr(nonces) == "<nonces>"
    assert repr(nonces.serve(b"a", 1)) == "<stream of nonces>"
