"""What statements make of a match: the same in whatever order they come."""

from __future__ import annotations

from itertools import permutations
from typing import Any, Final

import pytest

from p2p_stratego.core.game import Breach, Outcome
from p2p_stratego.core.sides import each_alone
from protocol.record.endings import Delay, Endings, breach_outcome
from protocol.record.statements import Kind, Statement

SEEN: Final = (9, 9, 9)
"""By seat, entries that its signatures show it to have: all there are."""
DRAW: Final = Outcome(frozenset(), "agreed-draw")


def statement_of(seat: int, index: int, count: int, kind: Kind, *content: Any) -> Statement:
    return Statement(seat, index, bytes(32), count, bytes(32), kind, content, b"")


def waiting(count: int, *owing: int, by_word: bool = False) -> Delay:
    return Delay(count, owing, SEEN, by_word)


def endings(seats: int, *statements: Statement, decided: dict[int, list[int]] | None = None) -> Endings:
    made = Endings(tuple((decided or {}).get(seat, []) for seat in range(seats)))
    for statement in statements:
        made.add(statement)
    return made


def resigned(seat: int, seats: int) -> Outcome:
    return Outcome(frozenset(range(seats)) - {seat}, "resigned")


def test_nothing_said_nothing_ended() -> None:
    made = endings(2, statement_of(0, 0, 0, Kind.AGREE), statement_of(0, 1, 0, Kind.CHAT, "hello"))
    assert (made.ended, made.accused(waiting(0, 0, 1)), made.last_words[0]) == (None, None, None)
    assert list(made.possible()) == []


def test_of_several_resignations_the_one_over_the_shortest_chain_counts_then_the_lowest_seat() -> None:
    words = [
        statement_of(2, 1, 7, Kind.RESIGN),
        statement_of(1, 1, 7, Kind.RESIGN),
        statement_of(0, 1, 9, Kind.RESIGN),
    ]
    for order in permutations(words):
        made = endings(3, *order)
        assert made.ended == resigned(1, 3)
        assert list(made.possible()) == [resigned(seat, 3) for seat in range(3)]


def test_a_draw_needs_all_others_and_goes_before_a_resignation() -> None:
    words = [
        statement_of(1, 1, 5, Kind.OFFER_DRAW),
        statement_of(0, 1, 5, Kind.ACCEPT_DRAW, 1, 1),
        statement_of(2, 1, 6, Kind.ACCEPT_DRAW, 1, 1),
        statement_of(1, 2, 6, Kind.RESIGN),
    ]
    for order in permutations(words):
        assert endings(3, *order).ended == DRAW
    for order in permutations([words[0], words[1], words[3]]):
        assert endings(3, *order).ended == resigned(1, 3)
    assert list(endings(3, *words).possible()) == [DRAW, resigned(1, 3)]


def test_whoever_has_resigned_agrees_to_no_draw_any_more() -> None:
    """Otherwise a loser could change the end of a match that the winner has signed."""
    offer, accept = statement_of(1, 1, 5, Kind.OFFER_DRAW), statement_of(0, 2, 5, Kind.ACCEPT_DRAW, 1, 1)
    assert endings(2, offer, statement_of(0, 1, 5, Kind.RESIGN), accept).ended == resigned(0, 2)
    late = statement_of(0, 2, 5, Kind.OFFER_DRAW)
    accepted = statement_of(1, 1, 5, Kind.ACCEPT_DRAW, 0, 2)
    assert endings(2, statement_of(0, 1, 5, Kind.RESIGN), late, accepted).ended == resigned(0, 2)


@pytest.mark.parametrize(
    "acceptance",
    [
        statement_of(0, 1, 4, Kind.ACCEPT_DRAW, 1, 1),
        statement_of(1, 2, 5, Kind.ACCEPT_DRAW, 1, 1),
        statement_of(0, 1, 5, Kind.ACCEPT_DRAW, 1, 2),
        statement_of(0, 1, 5, Kind.ACCEPT_DRAW, 0, 1),
        statement_of(0, 1, 9, Kind.ACCEPT_DRAW, 1, 1),
    ],
    ids=[
        "over fewer entries than the offer",
        "one's own offer",
        "another index",
        "of a seat that made none",
        "after deciding something else",
    ],
)
def test_what_accepts_no_draw(acceptance: Statement) -> None:
    made = endings(2, statement_of(1, 1, 5, Kind.OFFER_DRAW), acceptance, decided={0: [7]})
    assert made.ended is None


def test_one_acceptance_twice_is_one() -> None:
    accept = [statement_of(0, i, 5, Kind.ACCEPT_DRAW, 1, 1) for i in (1, 2)]
    assert endings(3, statement_of(1, 1, 5, Kind.OFFER_DRAW), *accept).ended is None


def test_an_offer_stands_until_another_decides() -> None:
    first, second = statement_of(1, 1, 5, Kind.OFFER_DRAW), statement_of(1, 2, 8, Kind.OFFER_DRAW)
    assert endings(2, first).standing_offer(1, 9) == first
    assert endings(2, first).standing_offer(0, 9) is None
    assert endings(2, first, decided={1: [6]}).standing_offer(1, 9) == first
    assert endings(2, first, decided={0: [6]}).standing_offer(1, 9) is None
    assert endings(2, first, decided={0: [6]}).standing_offer(1, 6) == first
    assert endings(2, first, second, decided={0: [6]}).standing_offer(1, 9) == second


def test_of_claims_of_absence_those_count_that_nothing_has_answered_and_of_these_the_lowest_seats() -> None:
    words = [
        statement_of(0, 1, 7, Kind.AWAY, 1, 60, b""),
        statement_of(1, 1, 5, Kind.AWAY, 2, 60, b""),
        statement_of(2, 1, 5, Kind.AWAY, 0, 60, b""),
    ]
    for order in permutations(words):
        made = endings(3, *order)
        assert made.accused(waiting(5, 0, 1, 2)) == 2
        assert made.accused(waiting(5, 0)) == 0
        assert made.accused(waiting(5, 1)) is None
        assert made.accused(waiting(6, 0, 1, 2)) is None
        assert made.accused(waiting(7, 0, 1, 2)) == 1
        assert made.ended is None


def test_among_more_than_two_each_pair_of_claims_is_contested_for_itself() -> None:
    """What a seat contests with one other does not save a third."""
    words = [
        statement_of(0, 1, 5, Kind.AWAY, 1, 60, b""),
        statement_of(0, 2, 5, Kind.AWAY, 2, 60, b""),
        statement_of(1, 1, 3, Kind.AWAY, 0, 60, b""),
        statement_of(1, 2, 3, Kind.AWAY, 2, 60, b""),
        statement_of(2, 1, 5, Kind.AWAY, 1, 60, b""),
    ]
    owed = Delay(5, (1, 2), (5, 3, 5))
    for order in permutations(words):
        made = endings(3, *order)
        assert made.contested(owed) == {0, 1, 2}
        assert made.accused(owed) == 2


def test_of_one_seats_claims_that_against_the_lowest_counts_in_whatever_order() -> None:
    words = [statement_of(0, 1, 5, Kind.AWAY, 2, 60, b""), statement_of(0, 2, 5, Kind.AWAY, 1, 60, b"")]
    for order in permutations(words):
        assert endings(3, *order).accused(waiting(5, 1, 2)) == 1


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("seats", [2, 3])
def test_which_words_are_last_ones(kind: Kind, seats: int) -> None:
    last = {Kind.RESIGN, Kind.REVEAL, Kind.END}
    if seats == 2:
        last.add(Kind.ACCEPT_DRAW)
    word = statement_of(1, 1, 5, kind, 0, 1)
    made = endings(seats, word, statement_of(1, 2, 6, Kind.RESIGN))
    assert made.is_last_word(kind) == (kind in last)
    first = made.last_words[1]
    assert first is not None
    assert (first == word) == (kind in last)
    assert made.last_words[0] is None


def test_of_three_sides_nobody_gains_by_the_fault_of_another() -> None:
    breach, ended = Breach(1, "wrong-link"), Outcome(frozenset({1, 2}), "points")
    assert breach_outcome(each_alone(3), 1, "wrong-link", None) == Outcome(frozenset(), "cheated", breach)
    assert breach_outcome(each_alone(3), 1, "wrong-link", ended) == Outcome(frozenset({2}), "cheated", breach)
    assert breach_outcome(each_alone(3), 1, "wrong-link", ended, {1, 2}) == Outcome(
        frozenset(), "cheated", breach
    )
    assert breach_outcome(each_alone(2), 1, "wrong-link", None, {0, 1}) == Outcome(
        frozenset({0}), "cheated", breach
    )
    assert breach_outcome(each_alone(2), 1, "wrong-link", None) == Outcome(frozenset({0}), "cheated", breach)
