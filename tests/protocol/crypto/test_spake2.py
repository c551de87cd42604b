"""SPAKE2 is RFC 9382's: its points, its key schedule, and the group against slow arithmetic (threat 85)."""

from __future__ import annotations

import random
from typing import Final, NamedTuple

import pytest

from protocol.crypto import spake2
from protocol.crypto.spake2 import SpakeExchange, SpakeParty, password_scalar, schedule
from protocol.errors import Malformed
from tests.helpers.crypto import edwards
from tests.helpers.crypto import spake2 as slow
from tests.helpers.crypto.edwards import L

NAMES: Final = (b"caller", b"host")
W: Final = (123456789).to_bytes(32, "little")
OTHER_W: Final = (987654321).to_bytes(32, "little")


def both(w_of_a: bytes = W, w_of_b: bytes = W) -> tuple[SpakeExchange, SpakeExchange]:
    return SpakeExchange(SpakeParty.A, w_of_a, NAMES), SpakeExchange(SpakeParty.B, w_of_b, NAMES)


def number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def test_the_points_come_from_the_seeds_of_the_rfc() -> None:
    assert edwards.encode(slow.M) == spake2.M
    assert edwards.encode(slow.N) == spake2.N


class Published(NamedTuple):
    """A vector of RFC 9382, appendix B: over P-256, whose points are bytes to the key schedule."""

    names: tuple[bytes, bytes]
    w: str
    shares: tuple[str, str]
    k: str
    shared: str
    of_a: str
    of_b: str


PUBLISHED: Final = (
    Published(
        (b"server", b"client"),
        "2ee57912099d31560b3a44b1184b9b4866e904c49d12ac5042c97dca461b1a5f",
        (
            "04a56fa807caaa53a4d28dbb9853b9815c61a411118a6fe516a8798434751470f9010153ac33d0d5f2047ffdb1a3e42c9b4"
            "e6be662766e1eeb4116988ede5f912c",
            "0406557e482bd03097ad0cbaa5df82115460d951e3451962f1eaf4367a420676d09857ccbc522686c83d1852abfa8ed6e4a"
            "1155cf8f1543ceca528afb591a1e0b7",
        ),
        "0412af7e89717850671913e6b469ace67bd90a4df8ce45c2af19010175e37eed69f75897996d539356e2fa6a406d528501f90"
        "7e04d97515fbe83db277b715d3325",
        "0e0672dc86f8e45565d338b0540abe69",
        "58ad4aa88e0b60d5061eb6b5dd93e80d9c4f00d127c65b3b35b1b5281fee38f0",
        "d3e2e547f1ae04f2dbdbf0fc4b79f8ecff2dff314b5d32fe9fcef2fb26dc459b",
    ),
    Published(
        (b"", b"client"),
        "0548d8729f730589e579b0475a582c1608138ddf7054b73b5381c7e883e2efae",
        (
            "04a897b769e681c62ac1c2357319a3d363f610839c4477720d24cbe32f5fd85f44fb92ba966578c1b712be6962498834078"
            "262caa5b441ecfa9d4a9485720e918a",
            "04e0f816fd1c35e22065d5556215c097e799390d16661c386e0ecc84593974a61b881a8c82327687d0501862970c6456556"
            "0cb5671f696048050ca66ca5f8cc7fc",
        ),
        "048f83ec9f6e4f87cc6f9dc740bdc2769725f923364f01c84148c049a39a735ebda82eac03e00112fd6a5710682767cff5361"
        "f7e819e53d8d3c3a2922e0d837aa6",
        "642f05c473c2cd79909f9a841e2f30a7",
        "47d29e6666af1b7dd450d571233085d7a9866e4d49d2645e2df975489521232b",
        "3313c5cefc361d27fb16847a91c2a73b766ffa90a4839122a9b70a2f6bd1d6df",
    ),
    Published(
        (b"server", b""),
        "626e0cdc7b14c9db3e52a0b1b3a768c98e37852d5db30febe0497b14eae8c254",
        (
            "04f88fb71c99bfffaea370966b7eb99cd4be0ff1a7d335caac4211c4afd855e2e15a873b298503ad8ba1d9cbb9a392d2ba3"
            "09b48bfd7879aefd0f2cea6009763b0",
            "040c269d6be017dccb15182ac6bfcd9e2a14de019dd587eaf4bdfd353f031101e7cca177f8eb362a6e83e7d5e729c0732e1"
            "b528879c086f39ba0f31a9661bd34db",
        ),
        "0445ee233b8ecb51ebd6e7da3f307e88a1616bae2166121221fdc0dadb986afaf3ec8a988dc9c626fa3b99f58a7ca7c9b844b"
        "b3e8dd9554aafc5b53813504c1cbe",
        "005184ff460da2ce59062c87733c299c",
        "bc9f9bbe99f26d0b2260e6456e05a86196a3307ec6663a18bf6ac825736533b2",
        "c2370e1bf813b086dff0d834e74425a06e6390f48f5411900276dcccc5a297ec",
    ),
    Published(
        (b"", b""),
        "7bf46c454b4c1b25799527d896508afd5fc62ef4ec59db1efb49113063d70cca",
        (
            "04a65b367a3f613cf9f0654b1b28a1e3a8a40387956c8ba6063e8658563890f46ca1ef6a676598889fc28de2950ab8120b7"
            "9a5ef1ea4c9f44bc98f585634b46d66",
            "04589f13218822710d98d8b2123a079041052d9941b9cf88c6617ddb2fcc0494662eea8ba6b64692dc318250030c6af045c"
            "b738bc81ba35b043c3dcb46adf6f58d",
        ),
        "041a3c03d51b452537ca2a1fea6110353c6d5ed483c4f0f86f4492ca3f378d40a994b4477f93c64d928edbbcd3e85a7c709b7"
        "ea73ee97986ce3d1438e135543772",
        "fc6374762ba5cf11f4b2caa08b2cd1b9",
        "dfb4db8d48ae5a675963ea5e6c19d98d4ea028d8e898dad96ea19a80ade95dca",
        "d0f0609d1613138d354f7e95f19fb556bf52d751947241e8c7118df5ef0ae175",
    ),
)


@pytest.mark.parametrize("published", PUBLISHED, ids=("both names", "no A", "no B", "no names"))
def test_the_key_schedule_is_that_of_the_rfc(published: Published) -> None:
    raw = bytes.fromhex
    keys = schedule(
        published.names,
        (raw(published.shares[0]), raw(published.shares[1])),
        raw(published.k),
        raw(published.w),
        b"",
    )
    assert [part.hex() for part in keys] == [published.shared, published.of_a, published.of_b]


@pytest.mark.parametrize("seed", [1, 2])
def test_the_group_is_that_of_a_slow_reference(seed: int) -> None:
    chance = random.Random(seed)
    w, chance_a, chance_b = chance.randrange(1, L), chance.randbytes(64), chance.randbytes(64)
    scalar = w.to_bytes(32, "little")
    a, b = (
        SpakeExchange(SpakeParty.A, scalar, NAMES, chance_a),
        SpakeExchange(SpakeParty.B, scalar, NAMES, chance_b),
    )
    x, y = number(chance_a) % L, number(chance_b) % L
    share_a, share_b = slow.share(w, x, slow.M), slow.share(w, y, slow.N)
    assert (a.share, b.share) == (edwards.encode(share_a), edwards.encode(share_b))
    k = slow.common(w, x, share_b, slow.N)
    assert k == slow.common(w, y, share_a, slow.M)
    keys = schedule(NAMES, (a.share, b.share), edwards.encode(k), w.to_bytes(32, "big"), b"here")
    assert a.keys(b.share, b"here") == b.keys(a.share, b"here") == keys


def test_row_85_other_words_names_or_places_give_other_keys() -> None:
    a, b = both()
    here = a.keys(b.share, b"here")
    assert here == b.keys(a.share, b"here")
    there = b.keys(a.share, b"there")
    assert here.of_a != there.of_a
    assert here.of_b != there.of_b
    wrong_a, wrong_b = both(OTHER_W)
    assert set(wrong_a.keys(wrong_b.share, b"")).isdisjoint(wrong_b.keys(wrong_a.share, b""))
    named = SpakeExchange(SpakeParty.B, W, (b"caller", b"another host"))
    assert set(a.keys(named.share, b"")).isdisjoint(named.keys(a.share, b""))


def test_row_85_neither_end_can_be_played_back_its_own_words() -> None:
    a, b = both()
    keys = a.keys(a.share, b"")
    assert keys.of_a != keys.of_b
    assert set(keys).isdisjoint(b.keys(b.share, b""))


@pytest.mark.parametrize(
    "share",
    [
        *(encoding for _, encoding in edwards.small_order_encodings()),
        edwards.encode(edwards.add(edwards.multiply(77, edwards.BASE), edwards.torsion()[1])),
        edwards.raw(edwards.P - 2, 0),
        edwards.encode(edwards.BASE)[:31],
        edwards.encode(edwards.BASE) + b"\0",
        b"",
        b"\xff" * 32,
    ],
)
def test_row_85_a_share_outside_the_group_is_refused(share: bytes) -> None:
    for end in both():
        with pytest.raises(Malformed):
            end.keys(share, b"")


def test_row_85_a_share_that_would_give_a_known_key_is_refused() -> None:
    """Words alone, without a secret: the rest would be the identity."""
    a, b = both()
    w = number(W)
    for end, blind in ((a, slow.N), (b, slow.M)):
        with pytest.raises(Malformed):
            end.keys(edwards.encode(edwards.multiply(w, blind)), b"")


def test_a_share_is_fresh_each_time() -> None:
    assert len({end.share for _ in range(3) for end in both()}) == 6


def test_words_become_a_scalar_that_their_salt_separates() -> None:
    w = password_scalar(b"7-amber-violin", b"salt")
    assert number(w) < L
    assert w != password_scalar(b"7-amber-violin", b"pepper")
    assert w != password_scalar(b"7-amber-viola", b"salt")
