"""Secrets: derived, the same after a crash, different everywhere else, and never printed."""

from __future__ import annotations

import hashlib
import hmac
import re
import traceback
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_stratego.core.game import Choose, Commit, Open, Roll, Together
from protocol.crypto.coin_toss import follows
from protocol.crypto.permutation import permutation
from protocol.errors import Malformed
from protocol.record.asks import base
from protocol.record.asks.base import HiddenSlot, Obligation
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.open import Opening
from protocol.record.asks.roll import Share
from protocol.record.asks.together import HiddenChoice, ShownChoice
from protocol.record.genesis import chain_length
from protocol.seat import replies
from protocol.seat.secrets import (
    MASTER_BYTES,
    STALE,
    MatchSecrets,
    decode_decision,
    encode_decision,
    encode_words,
)
from protocol.wire import labels
from protocol.wire.encoding import encode
from tests.helpers.machine.examples import examples
from tests.helpers.seats.pair import Table

MASTER: Final = bytes(range(32))
GAME: Final = bytes(32)


def expand(label: bytes, *place: Any) -> bytes:
    """HKDF-Expand (RFC 5869) for one block, from HMAC alone."""
    return hmac.digest(MASTER, label + b"\0" + encode(list(place)) + b"\x01", hashlib.sha256)


def test_every_secret_is_derived_as_the_specification_says() -> None:
    secrets = MatchSecrets(MASTER)
    assert secrets.nonce == expand(labels.KDF_NONCE)
    assert secrets.salt(GAME, 1, 23) == expand(labels.KDF_SALT, GAME, 1, 23)
    assert secrets.choice_salt(GAME, 1, 5) == expand(labels.KDF_CHOICE_SALT, GAME, 1, 5)
    assert secrets.look_secret(GAME, 1, 5) == expand(labels.KDF_LOOK, GAME, 1, 5)
    assert secrets.seal_secret(GAME, 1, 5) == expand(labels.KDF_SEAL, GAME, 1, 5)
    assert secrets.talk_secret(GAME, 1) == expand(labels.KDF_TALK, GAME, 1)
    assert secrets.mix_order(GAME, 1, 5, 17) == permutation(expand(labels.KDF_MIX, GAME, 1, 5), 17)
    assert secrets.faces_seed(GAME, 1, 5) == expand(labels.KDF_FACES, GAME, 1, 5)
    links = secrets.links(1, 16)
    assert links[-1] == expand(labels.KDF_CHANCE, 1)
    assert all(follows(1, link, links[place]) for place, link in enumerate(links[1:]))


def test_row_02_no_salt_is_ever_the_same() -> None:
    """50,000 here; `make salts` does a million."""
    secrets = MatchSecrets(MASTER)
    salts = {
        secrets.salt(game, seat, slot)
        for game in (GAME, bytes([1]) * 32)
        for seat in range(5)
        for slot in range(5000)
    }
    assert len(salts) == 50_000
    choices = {secrets.choice_salt(GAME, seat, serial) for seat in range(5) for serial in range(1000)}
    assert len(choices) == 5000
    assert not choices & salts
    assert MatchSecrets(bytes(32)).salt(GAME, 0, 0) not in salts


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_master_secret_has_32_bytes(size: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        MatchSecrets(bytes(size))
    assert MASTER_BYTES == 32


@given(serial=st.integers(0, 10_000), faces=st.lists(st.integers(0, 127), max_size=40))
@examples(16, 160)
def test_a_decision_is_read_as_it_was_written(serial: int, faces: list[int]) -> None:
    for decided in (tuple(faces), "a move"):
        assert decode_decision(encode_decision(serial, decided)) == (serial, decided)


def test_words_to_one_seat_are_remembered_and_the_last_of_one_index_count() -> None:
    secrets = MatchSecrets(MASTER)
    for record in (
        encode_words(3, 1, "never said"),
        encode_decision(0, "a move"),
        encode_words(3, 2, "said"),
    ):
        secrets.remember(record)
    assert secrets.words == {3: (2, "said")}
    assert secrets.decided == {0: "a move"}
    assert not secrets.stale
    secrets.remember(STALE)
    assert secrets.stale


@pytest.mark.parametrize("record", [[3, 1, 7], [3, "1", "x"], [3, 1, "x", 0], [b"3", 1, "x"]])
def test_what_are_no_words(record: Any) -> None:
    with pytest.raises(Malformed):
        MatchSecrets(MASTER).remember(encode(record))


@pytest.mark.parametrize(
    "value", [7, [], [1], ["1", "move"], [1, 7], [1, b"move"], [1, ["2"]], [1, [[2]]], [1, "move", 2]]
)
def test_what_is_no_decision(value: Any) -> None:
    with pytest.raises(Malformed):
        decode_decision(encode(value))


def test_a_reply_waits_for_the_player_and_is_then_always_the_same() -> None:
    """A crash between deciding and sending must not lead to another salt (threat 30)."""
    referee = Table(0).seats[0].session.referee
    game = referee.genesis.id
    choose, commit = Choose(0, ("left", "right")), Commit(0, (3, 4), range(9))
    owed = {
        Choice: Obligation(0, Choice, choose, choose),
        HiddenChoice: Obligation(0, HiddenChoice, Together((choose,)), choose),
        ShownChoice: Obligation(0, ShownChoice, Together((choose,)), choose),
        Commitments: Obligation(0, Commitments, commit, commit),
    }
    for kind, due in owed.items():
        decisions = []
        for _ in range(2):
            secrets = MatchSecrets(MASTER)
            assert replies.reply(secrets, referee, due, {}) is None
            secrets.decided[0] = (5, 6) if kind is Commitments else "left"
            decisions.append(replies.reply(secrets, referee, due, {}))
        assert decisions[0] == decisions[1]
        assert type(decisions[0]) is kind
    referee.table.hidden[3] = HiddenSlot(0, bytes(32), range(9))
    for _ in range(2):
        opened = replies.reply(
            MatchSecrets(MASTER), referee, Obligation(0, Opening, Open(3), Open(3)), {3: 5}
        )
        assert opened == Opening(5, MatchSecrets(MASTER).salt(game, 0, 3))
        share = replies.reply(MatchSecrets(MASTER), referee, Obligation(0, Share, Roll(6), Roll(6)), {})
        assert share == Share(MatchSecrets(MASTER).links(0, chain_length(referee.genesis.game))[1])


def test_row_38_secrets_print_nothing_also_in_a_traceback_with_all_variables() -> None:
    secrets = MatchSecrets(MASTER)
    secrets.decided[0] = (1, 2, 3, 4)
    canaries = [MASTER.hex(), repr(MASTER)[2:-1], secrets.salt(GAME, 0, 0).hex(), "(1, 2, 3, 4)"]
    texts = [repr(secrets), str(secrets), f"{secrets!r:>40}", repr([secrets]), repr({"x": secrets})]
    with pytest.raises(ZeroDivisionError) as crash:
        _crash(secrets)
    crashed = crash.value.__traceback__
    assert crashed is not None
    seen = traceback.TracebackException(ZeroDivisionError, crash.value, crashed.tb_next, capture_locals=True)
    texts.append("".join(seen.format()))
    assert "owner = <match secrets>" in texts[-1]
    assert not [text for text in canaries for shown in texts if text in shown]


def _crash(owner: MatchSecrets) -> float:
    return 1 / (owner is None)


def test_row_38_a_forced_crash_while_committing_shows_no_face_and_no_salt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As a user would see it: our program fails in the middle of its most secret work."""
    secrets = MatchSecrets(MASTER)
    secrets.decided[0] = (101, 102)
    referee, ask = Table(0).seats[0].session.referee, Commit(0, (3, 4), range(128))

    def fail(*_: object) -> bytes:
        raise RuntimeError("forced")

    monkeypatch.setattr(base, "hide_face", fail)
    with pytest.raises(RuntimeError) as crash:
        replies.reply(secrets, referee, Obligation(0, Commitments, ask, ask), {})
    report = re.sub(r"line \d+", "", "".join(traceback.format_exception(crash.value)))
    salts = [secrets.salt(referee.genesis.id, 0, slot).hex() for slot in (3, 4)]
    assert "forced" in report
    assert not [text for text in ("101", "102", MASTER.hex(), *salts) if text in report]


def test_row_38_a_session_shows_none_of_its_secrets() -> None:
    table = Table(0).play(steps=60)
    for seat in table.seats:
        text = repr(seat.session) + repr(seat.session.__dict__)
        assert seat.master.hex() not in text
        assert repr(seat.master)[2:-1] not in text
