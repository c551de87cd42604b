"""The vectors of a table's frames beside its record: CARD, HAVE and REMATCH."""

from __future__ import annotations

import json
from typing import Any

import pytest

from p2p_stratego.registry import GAMES
from protocol.channel.channel import CARD, HAVE, REMATCH
from protocol.crypto.keys import Identity
from protocol.errors import Malformed
from protocol.record import genesis
from protocol.record.genesis import Genesis
from protocol.rendezvous.address_cards import AddressCard, read_card
from protocol.replication.holdings import Counts, Have, read_have
from protocol.replication.rematch import Rematch
from protocol.storage.route import Place
from protocol.wire import labels, transcript
from protocol.wire.addresses import read
from tests.helpers.machine.modules import VECTORS

LINKS: Any = json.loads((VECTORS / "links.json").read_text(encoding="utf-8"))


def raw(text: str) -> bytes:
    return bytes.fromhex(text)


@pytest.fixture(name="begun", scope="module")
def _begun() -> Genesis:
    read = transcript.read((VECTORS / "transcripts" / LINKS["transcript"]).read_bytes())
    return genesis.parse(read.genesis, GAMES)


def test_kinds() -> None:
    kinds = LINKS["kinds"]
    assert (kinds["CARD"], kinds["HAVE"], kinds["REMATCH"]) == (CARD, HAVE, REMATCH)


@pytest.mark.parametrize("case", LINKS["cards"])
def test_a_card(case: Any, begun: Genesis) -> None:
    place = Place(tuple(map(read, case["addresses"])), raw(case["certificate"]))
    expected = AddressCard(case["seat"], case["serial"], place if case["addresses"] else None)
    assert read_card(raw(case["payload"]), begun) == expected
    assert raw(case["signed"]) == labels.SIGN_CARD + b"\0" + begun.id + raw(case["payload"])[:-64]


@pytest.mark.parametrize("case", LINKS["bad cards"], ids=lambda case: case["why"])
def test_a_bad_card(case: Any, begun: Genesis) -> None:
    with pytest.raises(Malformed):
        read_card(raw(case["payload"]), begun)


@pytest.mark.parametrize("case", LINKS["haves"])
def test_a_have(case: Any) -> None:
    at = Counts(case["count"], case["statements"])
    have = Have(at, case["receipts"], tuple(case["links"]), tuple(case["wanted"]))
    assert read_have(raw(case["payload"]), case["seats"]) == have
    assert have.frame.payload == raw(case["payload"])


@pytest.mark.parametrize("case", LINKS["bad haves"], ids=lambda case: case["why"])
def test_a_bad_have(case: Any) -> None:
    with pytest.raises(Malformed):
        read_have(raw(case["payload"]), 3)


def test_rematches(begun: Genesis) -> None:
    wishes, own = Rematch(begun, 0), raw(LINKS["rematches"][0]["master"])
    number, _ = wishes.ask(Identity(bytes(32)), lambda _: own)  # signed by any key: nobody reads it
    for case in LINKS["rematches"]:
        heard = Rematch(begun, 1 - case["seat"])
        assert heard.take(raw(case["payload"])) == (case["seat"], case["number"])
        assert heard.take(raw(case["payload"])) is None
        assert raw(case["signed"]) == labels.SIGN_REMATCH + b"\0" + begun.id + raw(case["payload"])[:-64]
    assert number == LINKS["rematches"][0]["number"]
    wishes.take(raw(LINKS["rematches"][1]["payload"]))
    agreed = wishes.agreed(None)
    assert agreed is not None
    assert [case.key for case in agreed.players] == [case.key for case in reversed(begun.players)]
