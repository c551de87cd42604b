"""Decks in self-play: who reads what, where each card is, and what remains when a seat has left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_stratego.core.game import (
    Ask,
    Back,
    Choose,
    Claim,
    ClaimOneOf,
    Commit,
    DeckAsk,
    Draw,
    Give,
    Lay,
    Mix,
    NewDeck,
    Open,
    OpenTo,
    Seat,
    Show,
    Shuffle,
)
from p2p_stratego.core.self_play import Dealer, FalseClaim, PlayedGame, play
from p2p_stratego.core.sides import remaining
from p2p_stratego.core.view import View
from tests.helpers.games.scripted import Scripted

SEATS = 3
FACES = (5, 6, 7, 7, 8, 9)
DEALT: tuple[Ask, ...] = (NewDeck(0, FACES), Shuffle(0), Draw(0, ((0, (10,)), (1, (11, 12)))), Lay(0, (13,)))


class Reader:
    """Says "on"; keeps the faces that it could read at its last decision."""

    def __init__(self) -> None:
        self.read: dict[int, int] = {}

    def decide(self, view: View[Any]) -> Any:
        self.read = dict(view.known)
        return "on"


def played(
    *asks: Ask, gone: Collection[Seat] = (), before: int = 0
) -> tuple[PlayedGame[Any], list[set[int]]]:
    """The game of these asks, and the slots that each seat can read at its end.  `gone` leave before one."""
    game = Scripted(asks, [Choose(seat, ("on",)) for seat in range(SEATS)], needs_proofs=True)
    readers = [Reader() for _ in range(SEATS)]
    end = play(game, readers, {}, Random(1), lambda number, _: gone if number == before else ())
    for reader in readers:
        assert all(end.faces[slot] == face for slot, face in reader.read.items())
    return end, [set(reader.read) for reader in readers]


def test_a_drawn_card_is_read_by_its_drawer_and_a_laid_one_by_nobody() -> None:
    end, read = played(*DEALT)
    assert read == [{10}, {11, 12}, set()]
    assert Counter([*end.faces.values(), *end.decks[0]]) == Counter(FACES)


def test_cards_come_from_the_top_and_go_back_to_the_bottom() -> None:
    end, _ = played(NewDeck(0, (1, 2, 3, 4)), Draw(0, ((0, (1, 2)), (2, (3,)))), Back((2, 1), 0))
    assert end.faces == {1: 1, 2: 2, 3: 3}
    assert end.decks == {0: [4, 2, 1]}


def test_a_shuffle_takes_every_order_as_often() -> None:
    dealer, orders = Dealer(1, Random(1)), Counter[tuple[int, ...]]()
    dealer.deal(NewDeck(0, (1, 2, 3)), ())
    for _ in range(6000):
        dealer.deal(Shuffle(0), ())
        orders[tuple(dealer.decks[0])] += 1
    assert len(orders) == 6
    assert all(850 < often < 1150 for often in orders.values())


def test_a_show_lays_copies_of_the_viewer_and_leaves_the_cards_with_their_holder() -> None:
    end, read = played(*DEALT, Show((11, 12), 2, (20, 21)), Show((11,), 0, (22,)))
    assert read == [{10, 11, 22}, {11, 12}, {11, 12, 20, 21}]
    assert [end.faces[slot] for slot in (20, 21, 22)] == [end.faces[slot] for slot in (11, 12, 11)]


def test_the_first_to_see_a_card_that_nobody_held_holds_it() -> None:
    _, read = played(*DEALT, Show((13,), 2, (20,)), Give((13,), 1))
    assert read == [{10}, {11, 12, 13}, {13, 20}]
    with pytest.raises(RuntimeError, match="not one holder"):
        played(*DEALT, Show((13,), 2, (20,)), Show((10, 13), 1, (21, 22)))


def test_a_card_that_went_back_is_dead() -> None:
    end, read = played(*DEALT, Open(11), Back((13, 11), 0))
    assert Counter([end.faces[10], end.faces[12], *end.decks[0]]) == Counter(FACES)
    assert 11 in read[2]
    for ask in (Open(11), Back((11,), 0), Show((11,), 2, (20,)), Draw(0, ((0, (11,)),))):
        with pytest.raises(RuntimeError):
            played(*DEALT, Open(11), Back((13, 11), 0), ask)


@pytest.mark.parametrize(
    "ask",
    [
        NewDeck(0, FACES),
        Draw(0, ((0, (10,)),)),
        Lay(0, (10,)),
        Lay(0, tuple(range(20, 23))),
        Give((10, 11), 2),
        Give((10, 10), 2),
        Give((99,), 2),
        Back((10, 13), 0),
        Show((10,), 1, (11,)),
    ],
)
def test_what_no_table_could_do_is_a_bug_of_the_rules(ask: Ask) -> None:
    with pytest.raises(RuntimeError):
        played(*DEALT, ask)


def test_a_claim_that_cards_show_one_of_some_tuples() -> None:
    end, _ = played(*DEALT)
    true = end.faces[11], end.faces[12]
    played(*DEALT, ClaimOneOf(1, "false-pair", (11, 12), ((0, 0), true)))
    with pytest.raises(FalseClaim, match="false-pair"):
        played(*DEALT, ClaimOneOf(1, "false-pair", (11, 12), ((0, 0), (true[1], true[0], 1))))


# A seat leaves, and its key is out


def test_what_a_leaver_holds_can_be_opened_and_passed_on() -> None:
    asks = (Open(11), Show((12,), 0, (20,)), Give((12,), 2), Mix(1, (11,), (21,), "mixed"), Back((21,), 0))
    end, read = played(*DEALT, *asks, gone=(1,), before=len(DEALT))
    assert end.state[0][len(DEALT)] == end.faces[11]
    assert read[0] == {10, 11, 12, 20}
    assert read[2] == {11, 12}
    assert end.decks[0][-1] == end.faces[21] == end.faces[11]


def test_nothing_is_shown_or_given_to_a_leaver() -> None:
    asks = (
        Show((10,), 1, (20,)),
        Give((10,), 1),
        OpenTo(10, 1),
        Show((13,), 1, (21,)),
        Open(20),
        Back((20, 10), 0),
    )
    end, read = played(*DEALT, *asks, gone=(1,), before=len(DEALT))
    assert end.state[0][-2] is None
    assert not {20, 21} & end.faces.keys()
    assert read[0] == read[2] | {10} == {10}
    assert len(end.decks[0]) == len(FACES) - 3


def test_a_leaver_draws_on_so_that_the_deck_is_as_the_rules_think() -> None:
    end, _ = played(*DEALT, gone=(1,), before=2)
    assert Counter([*end.faces.values(), *end.decks[0]]) == Counter(FACES)


def test_what_a_leaver_was_to_lay_is_not_there() -> None:
    asks = (Commit(1, (1,), (5,)), Open(1), Mix(1, (1,), (2,), "mixed"), Back((2, 10), 0), Give((1,), 0))
    claims = (Claim(1, "rule", (1,), frozenset()), ClaimOneOf(1, "rule", (2,), ((0,),)))
    end, _ = played(*DEALT, *asks, *claims, gone=(1,), before=len(DEALT))
    assert end.state[0][len(DEALT) :] == [None] * 7
    assert not {1, 2} & end.faces.keys()
    assert len(end.decks[0]) == len(FACES) - 3


def test_what_remains_of_an_ask() -> None:
    missing = {1}
    assert remaining(Give((2, 3), 0), (1,), missing) == Give((2, 3), 0)
    assert remaining(Give((2, 1), 0), (1,), missing) == Give((2,), 0)
    assert remaining(Give((2,), 1), (1,), missing) is None
    assert remaining(Back((1,), 0), (), missing) is None
    assert remaining(Show((1, 2), 0, (5, 6)), (), missing) == Show((2,), 0, (6,))
    assert missing == {1, 5}
    assert remaining(Show((2,), 0, (7,)), (0,), missing) is None
    assert missing == {1, 5, 7}


# Any run of draws, shows, returns


def any_ask(random: Random, dealer: Dealer, fresh: int, dead: set[int]) -> DeckAsk:
    """An ask that the cards on the table allow."""
    by_holder: dict[Seat | None, list[int]] = {}
    for slot, holder in dealer.holders.items():
        if slot not in dead:
            by_holder.setdefault(holder, []).append(slot)
    kinds = [
        "shuffle",
        *(["draw", "lay"] if dealer.decks[0] else []),
        *(["give", "back"] if by_holder else []),
    ]
    kind = random.choice(kinds)
    if kind == "shuffle":
        return Shuffle(0)
    if kind == "lay":
        return Lay(0, (fresh,))
    if kind == "draw":
        number = random.randint(1, len(dealer.decks[0]))
        return Draw(0, ((random.randrange(SEATS), tuple(range(fresh, fresh + number))),))
    held = random.choice(list(by_holder.values()))
    slots = tuple(random.sample(held, random.randint(1, len(held))))
    return Give(slots, random.randrange(SEATS)) if kind == "give" else Back(slots, 0)


@given(st.integers(0, 2**32), st.lists(st.integers(0, 9), min_size=1, max_size=12))
def test_every_card_is_at_one_place_after_any_run_of_asks(seed: int, faces: list[int]) -> None:
    random = Random(seed)
    dealer, dead = Dealer(SEATS, random), set[int]()
    dealer.deal(NewDeck(0, tuple(faces)), ())
    for fresh in range(100, 100 + 30 * 12, 12):
        ask = any_ask(random, dealer, fresh, dead)
        dealer.deal(ask, ())
        dead.update(ask.slots if isinstance(ask, Back) else ())
        held = [face for slot, face in dealer.faces.items() if slot not in dead]
        assert Counter([*held, *dealer.decks[0]]) == Counter(faces)
