"""Hashes to scalars and points, by the first values that were computed for them."""

from __future__ import annotations

import pytest

from protocol.crypto.group.backend import group
from protocol.crypto.group.hashing import Context, to_bytes, to_point, to_scalar
from protocol.crypto.group.received import ProofError, written
from protocol.crypto.proofs import card, keys

FIRST = b"p2p-stratego/1 "
"""Another prefix than our labels have: the values below were computed before this protocol had version 2."""


def test_scalars_and_points_are_those_of_the_first_values() -> None:
    assert written(to_scalar(FIRST + b"shuffle seed")([1, b"ab"])).hex() == (
        "a748100655128eda644f5dbc45d74352a872c16c70cb31a5831b136732fbe00c"
    )
    generators = [to_point(FIRST + b"shuffle generator")([i]).hex() for i in (0, 1)]
    assert generators == [
        "4c90a25c3034c1bdcdeb02c857fc008e4c9eaeed7bc6c1e1878145eebef8e432",
        "e8b6ba30353e0906b5be8dd14b2ee8924451636fc7b27cd7cdf400e94ef56048",
    ]
    assert card.marker(9).hex() == "20706fd788b2720a1ed2a5dad4952b01f413bcf0e7564de8cdc816689e2db95f"


def test_a_proof_of_possession_is_that_of_the_first_values(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = bytes.fromhex(
        "77aa85cea9d4765212826ced3ed19afcf1b0047d8ed172a25804279524f8ab09"
        "048115403946db4c4e67e1379fa856e4e36109fa1ca3e544b1084e2a49f05703"
    )
    statement = (Context(bytes(32), 0, 0), group().base(2), proof)
    with pytest.raises(ProofError):
        keys.check(*statement)
    monkeypatch.setattr(keys, "challenge", to_scalar(FIRST + b"proof key"))
    keys.check(*statement)


def test_one_label_hashes_to_one_value_and_another_label_to_another() -> None:
    assert to_bytes(b"a")([1]) == to_bytes(b"a")([1])
    assert len({to_bytes(label)(value) for label in (b"a", b"b") for value in ([1], [2], 1, b"\1")}) == 8
    assert {len(to_bytes(b"a")(value)) for value in ([1], b"")} == {64}
