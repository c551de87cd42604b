"""A match asks for so much and no more: whoever audits its record comes to an end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from p2p_stratego.core.game import Ask, Choose, Commit, Draw, Lay, NewDeck, Shuffle
from protocol.crypto.proofs.verification import keeping
from protocol.record.asks.base import MOST_SLOTS
from tests.helpers.games.scripted import Scripted
from tests.helpers.seats.pair import Table

FACES = (1, 2, 3, 4)


@pytest.fixture(autouse=True)
def checked_once() -> Iterator[None]:
    with keeping():
        yield


def played(*asks: Ask, proofs: bool = True) -> Table:
    """A match of two in which the rules ask for so much before and after its only choice."""
    turns = (), [NewDeck(0, FACES), *asks] if proofs else [*asks], [Choose(0, ("on",))]
    return Table(game=Scripted(*turns, needs_proofs=proofs)).play()


def test_rules_shuffle_as_often_as_they_say() -> None:
    game = Scripted()
    table = played(*[Shuffle(0)] * game.most_shuffles)
    assert table.seats[0].session.outcome is not None
    assert table.seats[0].session.referee.table.cards.shuffles == 2 * game.most_shuffles
    with pytest.raises(RuntimeError, match="shuffle more often"):
        played(*[Shuffle(0)] * (game.most_shuffles + 1))


@pytest.mark.parametrize("slot", [-1, MOST_SLOTS, MOST_SLOTS + 1])
def test_cards_lie_in_slots_of_which_a_match_has_so_many(slot: int) -> None:
    for ask in (Draw(0, ((1, (slot,)),)), Lay(0, (slot,))):
        with pytest.raises(RuntimeError, match="not so many"):
            played(ask)
    for proofs in (False, True):
        with pytest.raises(RuntimeError, match="not so many"):
            played(Commit(0, (slot,), frozenset(FACES)), proofs=proofs)


def test_every_slot_is_used_once() -> None:
    last = MOST_SLOTS - 1
    assert played(Lay(0, (last,))).seats[1].session.outcome is not None
    with pytest.raises(RuntimeError, match="twice"):
        played(Lay(0, (last,)), Draw(0, ((1, (last,)),)))
