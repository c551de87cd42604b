"""The vectors of posts hold."""

from __future__ import annotations

import json
from typing import Any

import pytest

from p2p_stratego.registry import GAMES
from protocol.errors import Forged, Malformed, Refusal, Unsupported
from protocol.lobby.handshake import Person, Terms, seat_part
from protocol.post import form
from protocol.post.offer import Offer, offer_in, read_offer
from protocol.record import genesis
from protocol.record.pace import Pace
from protocol.seat.secrets import MatchSecrets
from tests.helpers.machine.modules import VECTORS

raw = bytes.fromhex


@pytest.fixture(name="vectors", scope="module")
def _vectors() -> Any:
    return json.loads((VECTORS / "post.json").read_text(encoding="utf-8"))


def test_a_post(vectors: Any) -> None:
    post, key = form.read(raw(vectors["post"])), raw(vectors["key of the writer"])
    post.check(key)
    assert [frame.kind for frame in post.frames] == vectors["kinds"]
    mark, stamp_vector = post.mark, vectors["mark"]
    assert mark is not None
    stamps = [[stamp.serial, stamp.signature.hex()] for stamp in (mark.stamp, mark.seen)]
    assert [mark.writer, mark.reader, *stamps] == list(stamp_vector.values())
    mark.check(key, raw(vectors["key of the reader"]))
    assert genesis.parse(post.genesis or b"", GAMES).id == mark.match
    assert form.text(raw(vectors["post"])) == vectors["text"]
    assert list(form.posts_in(vectors["text"].encode())) == [raw(vectors["post"])]


def test_an_offer(vectors: Any) -> None:
    offer = vectors["offer"]
    offered = offer_in(form.read(raw(offer["post"])), GAMES)
    game = GAMES[offer["game"]]
    terms = Terms(game, dict(offer["options"]), 2, offer["seat"], pace=Pace(offer["pace"]))
    person = Person(raw(offer["key"]), offer["name"])
    expected = Offer(terms, seat_part(person, game, offer["seat"], MatchSecrets(raw(offer["master"]))))
    assert offered == expected
    assert offered.payload == expected.payload


def test_bad_posts_are_refused(vectors: Any) -> None:
    for case in vectors["bad"]:
        with pytest.raises((Malformed, Unsupported, form.NotAPost)):
            form.read(raw(case["hex"]))
    for case in vectors["forged"]:
        with pytest.raises(Forged):
            form.read(raw(case["hex"])).check(raw(vectors["key of the writer"]))
    for false_stamp in vectors["false stamps"]:
        false = form.read_mark(raw(false_stamp["hex"]))
        with pytest.raises(Forged):
            false.check(raw(vectors["key of the writer"]), raw(vectors["key of the reader"]))
    for bad_offer in vectors["bad offers"]:
        with pytest.raises(Refusal):
            read_offer(raw(bad_offer["hex"]), GAMES)
