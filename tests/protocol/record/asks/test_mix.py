"""Mixing: new commitments, dead slots, and a claim that both show the same."""

from __future__ import annotations

from typing import Final

import pytest

from p2p_stratego.core.game import Ask, Choose, Commit, Mix, Open
from protocol.record.asks.base import Obligation
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.mix import Mixed, faces_laid
from protocol.record.asks.open import Opening
from protocol.record.claims import RecordedClaim
from protocol.seat.secrets import MatchSecrets
from tests.helpers.games.scripts import SALT, Match

COMMIT: Final = Commit(0, (3, 4), (1, 2, 3))
MIX: Final = Mix(0, (3, 4), (5, 6), "changed it")
OWN: Final = {3: 1, 4: 2}


def laid(*asks: Ask) -> Match:
    match = Match([COMMIT, *asks])
    return match.say(Commitments((match.commitment(0, 3, 1), match.commitment(0, 4, 2))))


def mixed(match: Match, left: int = 2, right: int = 1) -> Mixed:
    return Mixed((match.commitment(0, 5, left), match.commitment(0, 6, right)))


def test_a_mix_is_one_message_and_lays_new_slots() -> None:
    match = laid(MIX, Open(5))
    assert match.owed == Obligation(0, Mixed, MIX, MIX)
    match.say(mixed(match))
    assert match.owes() == (0, Opening)
    assert (match.table.hidden[5].seat, set(match.table.hidden[5].faces)) == (0, {1, 2, 3})
    assert match.table.dead.keys() == {3, 4}
    assert match.table.faces == {}
    assert match.say(Opening(2, SALT)).table.state == ([None, None, 2],)


def test_that_nothing_was_changed_is_a_claim() -> None:
    match = laid(MIX)
    match.say(mixed(match))
    assert match.table.ledger.claims == [
        RecordedClaim(0, "changed it", (5, 6), (), exactly=True, number=1, same_as=(3, 4))
    ]
    assert match.table.ledger.due(0, 2) == (3, 4, 5, 6)


def test_a_slot_that_lies_open_takes_its_face_along() -> None:
    match = laid(Open(3), MIX).say(Opening(1, SALT))
    match.say(mixed(match))
    assert set(match.table.hidden[5].faces) == {1, 2, 3}
    match = laid(Open(3), Open(4), MIX).say(Opening(1, SALT), Opening(2, SALT))
    match.say(mixed(match))
    assert set(match.table.hidden[5].faces) == {1, 2}


@pytest.mark.parametrize("count", [1, 3, 256])
def test_there_is_one_commitment_for_each_new_slot(count: int) -> None:
    match = laid(MIX)
    assert match.breaks(Mixed(tuple(bytes([i]) * 32 for i in range(count)))) == "wrong-count"


def test_row_05_no_commitment_stands_again() -> None:
    match = laid(MIX)
    old = match.commitment(0, 3, 1)
    assert match.breaks(Mixed((old, bytes(32)))) == "repeated-commitment"
    assert laid(MIX).breaks(Mixed((bytes(32), bytes(32)))) == "repeated-commitment"


@pytest.mark.parametrize(
    "ask",
    [
        Mix(1, (3, 4), (5, 6), "not its own"),
        Mix(0, (3, 3), (5, 6), "one twice"),
        Mix(0, (3, 4), (5,), "two into one"),
        Mix(0, (), (), "nothing"),
        Mix(0, (3, 9), (5, 6), "never laid"),
        Mix(0, (3, 4), (5, 3), "laid again under the same slot"),
        Mix(0, (3, 4), (5, 5), "one new slot twice"),
    ],
    ids=lambda ask: ask.rule,
)
def test_rules_cannot_mix_what_cannot_be_mixed(ask: Mix) -> None:
    def play() -> None:
        match = laid(ask)
        match.say(mixed(match))

    with pytest.raises(RuntimeError, match="rules"):
        play()


@pytest.mark.parametrize(
    "after", [Open(3), Mix(0, (4, 5), (7, 8), "again"), Commit(0, (3,), (1,))], ids=["open", "mix", "commit"]
)
def test_rules_cannot_ask_anything_of_a_dead_slot(after: Ask) -> None:
    def play() -> None:
        match = laid(MIX, after)
        match.say(mixed(match)).say(Commitments((bytes(32),)))

    with pytest.raises(RuntimeError, match="slot"):
        play()


def test_an_order_that_is_not_chosen_follows_from_the_secrets_and_the_place() -> None:
    old, new = tuple(range(20)), tuple(range(20, 40))
    ask, own = Mix(0, old, new, "mixed"), {slot: slot for slot in old}
    secrets = MatchSecrets(bytes(range(32)))
    orders = [
        faces_laid(made, game, serial, seat_of, own)
        for made in (secrets, MatchSecrets(bytes(32)))
        for game in (bytes(32), bytes([1]) * 32)
        for serial in (0, 1)
        for seat_of in (ask, Mix(1, old, new, "mixed"))
    ]
    assert all(order is not None and sorted(order) == list(old) for order in orders)
    assert len(set(orders)) == len(orders)
    assert faces_laid(MatchSecrets(bytes(range(32))), bytes(32), 0, ask, own) == orders[0]


def test_a_chosen_order_waits_for_the_player() -> None:
    secrets, ask = MatchSecrets(bytes(32)), Mix(0, (3, 4), (5, 6), "mixed", chosen=True)
    assert faces_laid(secrets, bytes(32), 7, ask, OWN) is None
    secrets.decided[7] = (2, 1)
    assert faces_laid(secrets, bytes(32), 7, ask, OWN) == (2, 1)


def test_like_faces_in_another_order_make_other_commitments() -> None:
    """Nobody can tell from the bytes that nothing has moved: the salt is the new slot's own."""
    match = laid(MIX)
    assert not {match.commitment(0, 3, 1), match.commitment(0, 4, 2)} & set(mixed(match, 1, 2).digests)


def test_a_seat_that_leaves_lays_nothing_again() -> None:
    """Its old slots are not dead, its new ones were never laid: both stay closed for ever."""
    match = laid(MIX, Open(5), Open(3), Choose(1, ("on",)))
    match.leave()
    assert match.owes() == (1, Choice)
    assert match.table.dead == {}
    assert match.table.never_laid.keys() == {5, 6}
    assert match.table.ledger.claims == []


def test_a_seat_that_is_gone_is_asked_for_no_mix() -> None:
    match = laid(Choose(0, ("on",)), MIX, Mix(0, (5, 6), (7, 8), "again"), Choose(1, ("on",)))
    match.leave()
    assert match.owes() == (1, Choice)
    assert match.table.never_laid.keys() == {5, 6, 7, 8}
