"""Asks to messages: who owes what, which answers come of it, and what breaks which rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from p2p_stratego.core.game import (
    Ask,
    Choose,
    Claim,
    Commit,
    Open,
    Outcome,
    Roll,
    Together,
)
from protocol.crypto.coin_toss import result
from protocol.record.asks.base import Answered, Obligation, Reached
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.open import Opening
from protocol.record.asks.roll import Share
from protocol.record.asks.together import HiddenChoice, ShownChoice
from protocol.wire.messages import Message
from tests.helpers.games.scripts import LINKS, SALT, Match

CHOOSE: Final = Choose(1, ("left", "right"))
COMMIT: Final = Commit(0, (3, 4), (1, 2, 3))


def test_a_choice_is_one_message_of_its_seat() -> None:
    match = Match([CHOOSE])
    assert match.owes() == (1, Choice)
    match.say(Choice("left"))
    assert match.table.state == (["left"],)
    assert match.outcome == Outcome(frozenset(), "draw")
    assert Match([CHOOSE]).breaks(Choice("up")) == "illegal-choice"


def test_cards_are_laid_in_one_message_and_opened_in_one_each() -> None:
    match = Match([COMMIT, Open(4), Open(3)])
    assert match.owed == Obligation(0, Commitments, COMMIT, COMMIT)
    match.say(Commitments((match.commitment(0, 3, 1), match.commitment(0, 4, 2))))
    assert match.owes() == (0, Opening)
    assert match.table.hidden[3].seat == 0
    match.say(Opening(2, SALT), Opening(1, SALT))
    assert match.table.state == ([None, 2, 1],)
    assert match.table.faces == {4: 2, 3: 1}
    assert match.table.ledger.opened_at == {4: 1, 3: 2}


@pytest.mark.parametrize("count", [1, 3, 256])
def test_there_is_one_commitment_for_each_slot(count: int) -> None:
    assert Match([COMMIT]).breaks(Commitments(tuple(bytes([i]) * 32 for i in range(count)))) == "wrong-count"


def test_row_05_no_digest_stands_twice_in_a_match() -> None:
    """In one message, in a later one, of another seat, as another kind of commitment."""
    digest, other = bytes(32), bytes([1]) * 32
    assert Match([COMMIT]).breaks(Commitments((digest, digest))) == "repeated-commitment"
    second = Commit(1, (5,), (1,))
    hide = Together((Choose(0, ("a",)), Choose(1, ("a",))))
    later: list[tuple[Ask, Message]] = [
        (second, Commitments((other,))),
        (Commit(0, (5,), (1,)), Commitments((digest,))),
        (hide, HiddenChoice(digest)),
    ]
    for ask, message in later:
        match = Match([COMMIT, ask]).say(Commitments((digest, other)))
        assert match.breaks(message) == "repeated-commitment"
    match = Match([hide]).say(HiddenChoice(digest))
    assert match.breaks(HiddenChoice(digest)) == "repeated-commitment"
    match = Match([hide, COMMIT]).say(match.hidden(0, 0, "a"))
    assert match.owes() == (1, HiddenChoice)


def test_a_refused_commitment_leaves_the_table_as_it_was() -> None:
    match = Match([COMMIT])
    match.breaks(Commitments((bytes(32), bytes(32))))
    assert match.table.hidden == {}
    match.table.require_unrepeated(bytes(32))


def test_an_ask_whose_seat_leaves_in_the_middle_is_none_and_its_slots_are_never_laid() -> None:
    match = Match([Choose(1, ("a", "b")), Commit(2, (7, 8), (1, 2))], [COMMIT])
    match.leave()
    assert match.table.history[-1] == Answered(Choose(1, ("a", "b")), None, 0)
    assert match.owes() == (2, Commitments)
    match.leave()
    assert match.outcome is not None  # one seat is left
    assert match.table.never_laid.keys() == {7, 8}
    assert match.table.hidden == {}


def test_what_another_seat_lays_in_the_place_of_one_that_left_can_be_opened() -> None:
    """Also in the place of one that was gone before it was asked."""
    asked: list[Ask] = [
        Commit(2, (7,), (1, 2)),
        Together((Commit(2, (8,), (1, 2)),)),
        Commit(2, (9,), (1, 2)),
    ]
    match = Match(asked, [Commit(0, (7, 8, 9), (1, 2)), Open(7), Open(8), Open(9)]).leave()
    match.say(Commitments(tuple(match.commitment(0, slot, 1) for slot in (7, 8, 9))))
    for _ in range(3):
        assert match.owes() == (0, Opening)
        match.say(Opening(1, SALT))
    assert match.table.faces == {7: 1, 8: 1, 9: 1}


def test_those_who_choose_together_go_on_without_one_that_leaves() -> None:
    together = Together((Choose(0, ("a", "b")), Choose(1, ("a", "b")), Choose(2, ("a", "b"))))
    match = Match([together])
    match.say(match.hidden(0, 0, "a")).leave().say(match.hidden(2, 0, "b"))
    assert match.owes() == (0, ShownChoice)
    match.leave()
    assert match.owes() == (2, ShownChoice)
    match.say(ShownChoice("b", SALT))
    assert match.table.state[0][0] == (None, None, "b")


def test_if_all_leave_in_one_step_the_last_one_has_won() -> None:
    """Nobody is left to go on; before, the rules played to an end that nobody had a part in."""
    together = Together((Choose(0, ("a", "b")), Choose(1, ("a", "b")), Choose(2, ("a", "b"))))
    match = Match([together], [together])
    match.leave().say(match.hidden(1, 0, "a"), match.hidden(2, 0, "b"))
    assert match.owes() == (1, ShownChoice)
    match.leave().leave()
    assert match.outcome == Outcome(frozenset({2}), "deserted")


@pytest.mark.parametrize(
    ("opening", "rule"),
    [
        (Opening(2, SALT), "wrong-opening"),
        (Opening(1, bytes(32)), "wrong-opening"),
        (Opening(9, SALT), "wrong-opening"),
    ],
)
def test_an_opening_fits_its_commitment(opening: Opening, rule: str) -> None:
    match = Match([COMMIT, Open(3)])
    match.say(Commitments((match.commitment(0, 3, 1), match.commitment(0, 4, 2))))
    assert match.breaks(opening) == rule
    assert match.table.faces == {}


def test_a_face_is_one_of_those_that_could_be_laid() -> None:
    match = Match([COMMIT, Open(3)])
    match.say(Commitments((match.commitment(0, 3, 9), match.commitment(0, 4, 2))))
    assert match.breaks(Opening(9, SALT)) == "impossible-face"


def test_those_who_lay_together_do_it_one_after_the_other() -> None:
    together = Together((Commit(0, (1,), (1,)), Commit(1, (2,), (1,)), Commit(2, (3,), (1,))))
    match = Match([together])
    for seat in range(3):
        assert match.owed == Obligation(seat, Commitments, together, together.asks[seat])
        match.say(Commitments((bytes([seat]) * 32,)))
    assert match.table.state == ([(None, None, None)],)


def test_those_who_choose_together_all_hide_before_anybody_shows() -> None:
    together = Together((Choose(0, ("a", "b")), Choose(2, ("a", "b"))))
    match = Match([Roll(2), together])
    match.say(*(Share(LINKS[seat][1]) for seat in range(3)))
    assert match.owes() == (0, HiddenChoice)
    match.say(match.hidden(0, 1, "a"))
    assert match.owes() == (2, HiddenChoice)
    match.say(match.hidden(2, 1, "b"))
    assert match.owes() == (0, ShownChoice)
    match.say(ShownChoice("a", SALT))
    assert match.owes() == (2, ShownChoice)
    match.say(ShownChoice("b", SALT))
    assert match.table.state[0][1] == ("a", "b")


@pytest.mark.parametrize(
    ("shown", "rule"),
    [
        (ShownChoice("b", SALT), "wrong-opening"),
        (ShownChoice("a", bytes(32)), "wrong-opening"),
        (ShownChoice("x", SALT), "wrong-opening"),
    ],
)
def test_what_is_shown_is_what_was_hidden(shown: ShownChoice, rule: str) -> None:
    match = Match([Together((Choose(0, ("a", "b")), Choose(1, ("a", "b"))))])
    match.say(match.hidden(0, 0, "a"), match.hidden(1, 0, "b"))
    assert match.breaks(shown) == rule


def test_what_is_hidden_has_to_be_on_offer() -> None:
    match = Match([Together((Choose(0, ("a", "b")), Choose(1, ("a", "b"))))])
    match.say(match.hidden(0, 0, "x"), match.hidden(1, 0, "b"))
    assert match.breaks(ShownChoice("x", SALT)) == "illegal-choice"


def test_a_hidden_choice_of_another_ask_does_not_open_here() -> None:
    together = Together((Choose(0, ("a", "b")), Choose(1, ("a", "b"))))
    match = Match([CHOOSE, together]).say(Choice("left"))
    match.say(match.hidden(0, 0, "a"), match.hidden(1, 1, "b"))
    assert match.breaks(ShownChoice("a", SALT)) == "wrong-opening"


def test_every_seat_shares_in_a_roll_in_order_and_the_chain_goes_on_with_the_next() -> None:
    match = Match([Roll(6), Roll(1000)])
    for number in (1, 2):
        for seat in [(number - 1 + i) % 3 for i in range(3)]:  # another one begins each time
            assert match.owes() == (seat, Share)
            match.say(Share(LINKS[seat][number]))
    answers = [result(match.game, r, [LINKS[s][r + 1] for s in range(3)], (6, 1000)[r]) for r in range(2)]
    assert match.table.state == (answers,)
    assert match.table.rolls == 2
    assert match.table.links == [links[2] for links in LINKS]


@pytest.mark.parametrize("link", [LINKS[0][0], LINKS[0][2], LINKS[1][1], bytes(32)])
def test_a_share_is_the_next_link_of_its_own_chain(link: bytes) -> None:
    assert Match([Roll(6)]).breaks(Share(link)) == "wrong-link"


def test_claims_take_no_message_and_are_kept_with_the_entry_before_them() -> None:
    exact = Commit(0, (3, 4), (1, 2), exactly=True)
    match = Match([exact, Claim(0, "not-a-bomb", (4,), frozenset({1})), CHOOSE])
    match.table.number = 7
    match.say(Commitments((bytes(32), bytes([1]) * 32)))
    assert match.owes() == (1, Choice)
    claims = match.table.ledger.claims
    assert [(c.seat, c.rule, c.slots, c.exactly, c.number) for c in claims] == [
        (0, "wrong-faces", (3, 4), True, 7),
        (0, "not-a-bomb", (4,), False, 7),
    ]
    match.say(Choice("left"))
    assert match.table.state == ([None, None, "left"],)


def test_the_history_says_what_was_answered_and_where_each_turn_ended() -> None:
    match = Match([CHOOSE, CHOOSE], [CHOOSE])
    since = [match.table.since]
    for move in ("left", "right", "left"):
        match.say(Choice(move))
        since.append(match.table.since)
    assert since == [(), (Answered(CHOOSE, "left", 0),), (), ()]
    assert match.table.history == [
        Answered(CHOOSE, "left", 0),
        Answered(CHOOSE, "right", 1),
        Reached((["left", "right"],), 1),
        Answered(CHOOSE, "left", 2),
        Reached((["left", "right"], ["left"]), 2),
    ]
    assert match.table.serial == 3


BUGS: Final[dict[str, Callable[[], Match]]] = {
    "a slot used twice": lambda: Match([COMMIT, COMMIT]).say(
        Commitments((b"a" * 32, b"b" * 32)), Commitments((b"c" * 32, b"d" * 32))
    ),
    "no sides": lambda: Match([Roll(0)]),
    "too many sides": lambda: Match([Roll(2**32 + 1)]),
    "a roll too many": lambda: Match([Roll(2)] * 4).say(
        *(Share(LINKS[(number - 1 + i) % 3][number]) for number in (1, 2, 3) for i in range(3))
    ),
}


@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS)
def test_a_bug_of_the_rules_is_no_fault_of_a_player(bug: Callable[[], Match]) -> None:
    with pytest.raises(RuntimeError):
        bug()
