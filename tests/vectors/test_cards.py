"""Every proof in the vectors holds, or breaks the rule that stands beside it, with either group."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from protocol.crypto.group.backend import ORDER, Group, group, using
from protocol.crypto.group.hashing import to_bytes, to_point, to_scalar
from protocol.crypto.group.nonces import deck_key
from protocol.crypto.group.received import ProofError, points, scalars, written
from protocol.crypto.proofs import keys
from protocol.crypto.proofs.card import marker
from protocol.wire import labels
from protocol.wire.encoding import encode
from tests.helpers.crypto.integers import Integers
from tests.helpers.crypto.proved import CHECKS, HOLDS, judged
from tests.helpers.machine.modules import VECTORS

TEXTS = frozenset(("rule", "why", "label"))


@pytest.fixture(params=("libsodium", "integers"))
def implementation(request: pytest.FixtureRequest) -> Iterator[str]:
    used: Group = group() if request.param == "libsodium" else Integers()
    with using(used):
        yield request.param


def load(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def raw(value: Any) -> Any:
    """Texts as the bytes that their hexadecimal digits stand for."""
    if isinstance(value, dict):
        return {name: text if name in TEXTS else raw(text) for name, text in value.items()}
    if isinstance(value, list):
        return [raw(text) for text in value]
    return bytes.fromhex(value) if isinstance(value, str) else value


PROOFS = load("cards.json")


def test_there_are_vectors_of_every_kind() -> None:
    assert set(PROOFS) == set(CHECKS)
    assert all(proof["good"] and len(proof["bad"]) > 5 for proof in PROOFS.values())


@pytest.mark.parametrize("kind", CHECKS)
def test_every_proof_that_should_hold_does(implementation: str, kind: str) -> None:
    for fields in raw(PROOFS[kind]["good"]):
        assert judged(kind, fields) == ("wrong-share" if kind == "complaints" else HOLDS)


@pytest.mark.parametrize("kind", CHECKS)
def test_every_other_breaks_its_rule(implementation: str, kind: str) -> None:
    base = raw(PROOFS[kind]["good"][0])
    bad = PROOFS[kind]["bad"]
    for change in bad if implementation == "libsodium" else bad[::9]:
        assert judged(kind, {**base, **raw(change["change"])}) == change["rule"], change["why"]


def test_the_group(implementation: str) -> None:
    vectors = raw(load("ristretto.json"))
    assert [group().base(k) for k in range(16)] == vectors["multiples of G"]
    for case in vectors["bad points"]:
        with pytest.raises(ProofError):
            points(case["point"], 1)
    for case in vectors["bad scalars"]:
        with pytest.raises(ProofError):
            scalars(case["scalar"], 1)
    for case in vectors["one-way map"]:
        assert group().from_hash(case["digest"]) == case["point"]
    assert [to_point(labels.SHUFFLE_GENERATOR)((i,)) for i in range(5)] == vectors["generators"]
    for face in vectors["faces"]:
        assert group().base(face["face"] + 1) == face["point"]


def test_hashes_and_keys_for_cards() -> None:
    vectors = raw(load("ristretto.json"))
    for scalar in vectors["scalars"]:
        assert written(to_scalar(scalar["label"].encode())(scalar["value"])) == scalar["scalar"]
        assert encode(scalar["value"]) == scalar["encoding"]
    pad = vectors["pad"]
    where = (pad["game"], pad["serial"], pad["dealer"]), pad["receiver"], pad["shared"]
    assert to_bytes(labels.ESCROW_PAD)(where) == pad["hash"]
    for case in vectors["deck keys"]:
        x = deck_key(case["master"], case["game"], case["seat"])
        assert written(x) == case["secret"]
        assert 0 < x < ORDER
    assert [marker(face["face"]) for face in vectors["faces"]] == [face["point"] for face in vectors["faces"]]


def test_keys_that_cancel_each_other_have_no_sum() -> None:
    first, second = group().base(5), group().base(ORDER - 5)
    assert keys.joint((first, group().base(7))) == group().base(12)
    with pytest.raises(ProofError, match="wrong-key"):
        keys.joint((first, second))


def test_no_flipped_bit_in_a_statement_or_its_proof_leaves_it_true() -> None:
    """Nor does it raise anything but the rule.  The pads of a deal alone are for their receivers to judge.

    A complaint with reason becomes a false one.
    """
    rng = Random(1)
    for kind in CHECKS:
        for fields in raw(PROOFS[kind]["good"]):
            names = [name for name, value in fields.items() if isinstance(value, bytes) and name != "pads"]
            for _ in range(20):
                name = rng.choice(names)
                spoilt = bytearray(fields[name])
                spoilt[rng.randrange(len(spoilt))] ^= 1 << rng.randrange(8)
                assert judged(kind, {**fields, name: bytes(spoilt)}) != judged(kind, fields), (kind, name)
