"""Keys for cards: their owners know the secrets, and nobody can choose one against the others."""

from __future__ import annotations

import pytest

from protocol.crypto.group.backend import IDENTITY, ORDER, group
from protocol.crypto.group.hashing import to_scalar
from protocol.crypto.group.received import ProofError, written
from protocol.crypto.proofs import keys
from protocol.crypto.proofs.verification import deferring
from protocol.wire import labels
from tests.helpers.crypto.deck import GAME, Seats

SEATS = Seats(3)
CTX = SEATS.context(0, 2)


def test_every_key_is_proved_in_its_place() -> None:
    for seat in range(3):
        ctx = SEATS.context(0, seat)
        key, proof = keys.prove(ctx, SEATS.secrets[seat], SEATS.nonces[seat])
        keys.check(ctx, key, proof, SEATS.keys[:seat])
        assert (key, len(proof)) == (SEATS.keys[seat], keys.PROOF_BYTES)


def test_row_67_the_last_seat_cannot_choose_a_key_against_the_others() -> None:
    """It would read all cards: the joint key is then one whose secret it knows."""
    g = group()
    rogue = g.subtract(g.base(7), g.add(*SEATS.keys[:2]))
    assert keys.joint((*SEATS.keys[:2], rogue)) == g.base(7)
    for x in (7, 1, ORDER - 1):
        _, proof = keys.prove(CTX, x, SEATS.nonces[2])
        with pytest.raises(ProofError, match="wrong-key"):
            keys.check(CTX, rogue, proof)
    # A challenge chosen first fits no statement, as the key is in its hash.
    challenge = to_scalar(labels.PROOF_KEY)((CTX, SEATS.keys[2], g.base(5)))
    with pytest.raises(ProofError, match="wrong-key"):
        keys.check(CTX, rogue, written(challenge, 5))


def test_row_67_nobody_takes_another_seat_s_key_or_one_that_cancels() -> None:
    key, proof = keys.prove(CTX, SEATS.secrets[0], SEATS.nonces[2])
    with pytest.raises(ProofError, match="wrong-key"):
        keys.check(CTX, key, proof, SEATS.keys[:2])
    with pytest.raises(ProofError, match="wrong-key"):
        keys.joint((group().base(9), group().base(ORDER - 9)))


def test_row_72_the_identity_is_no_key_also_where_nothing_is_proved_yet() -> None:
    with pytest.raises(ProofError, match="not-a-message"):
        keys.check(CTX, IDENTITY, written(0, 0))
    with deferring(), pytest.raises(ProofError, match="not-a-message"):
        keys.check(CTX, IDENTITY, written(0, 0))


def test_a_released_secret_is_the_one_of_the_key() -> None:
    assert keys.read_secret(written(SEATS.secrets[0]), SEATS.keys[0]) == SEATS.secrets[0]
    for wrong in (written(SEATS.secrets[1]), bytes(32)):
        with pytest.raises(ProofError, match="wrong-key"):
            keys.read_secret(wrong, SEATS.keys[0])
    for none in (written(SEATS.secrets[0])[:-1], b"", (SEATS.secrets[0] + ORDER).to_bytes(32, "little")):
        with pytest.raises(ProofError, match="not-a-message"):
            keys.read_secret(none, SEATS.keys[0])


def test_keys_differ_by_match_and_seat() -> None:
    other = Seats(3, game=bytes(32))
    assert bytes(32) != GAME
    assert len({*SEATS.keys, *other.keys}) == 6
