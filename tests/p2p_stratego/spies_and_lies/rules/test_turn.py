"""The table of a turn, line by line: which one fits a card, and what it brings."""

from __future__ import annotations

import pytest

from p2p_stratego.core.rulebook import drive
from p2p_stratego.spies_and_lies.rules.components import (
    BLUE,
    BOMB,
    CAPTAIN,
    MARSHAL,
    MINER,
    RANKS,
    RED,
    SCOUT,
    SERGEANT,
    SOLDIERS,
    SPY,
)
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.state import Effect
from tests.helpers.spies_and_lies.table import (
    BASE,
    Answers,
    blue_shows,
    effects,
    guessed,
    replace,
    report,
    result,
    truthfully,
)

CAUGHT = replace(BASE, caught=(False, True))


def test_asks_come_in_the_order_of_the_rules_token_guess_opening() -> None:
    moves = {"token": "token", "guess": "guess 1", "captain": "captain 10", "marshal": "marshal ten"}
    answers = Answers(CAPTAIN, moves, {})
    drive(GAME.turn(truthfully(replace(BASE, exhausted=((2,), (MARSHAL,))), CAPTAIN)), answers)
    assert answers.asked == ["token", "guess", "open", "captain", "marshal"]


def test_a_laid_token_leaves_the_game() -> None:
    after = guessed(BASE, 5, token=True)
    assert report(after).token
    assert (after.tokens, after.spare) == ((1, 0), 2)


def test_a_token_may_be_held_back() -> None:
    after = guessed(BASE, 5, token=False)
    assert not report(after).token
    assert after.tokens == (1, 1)


def test_without_a_token_its_owner_is_not_asked() -> None:
    assert not report(guessed(replace(BASE, tokens=(1, 0)), 5)).token


# Line 1


def test_once_caught_the_next_cards_are_counted_without_token_or_guess() -> None:
    after = guessed(blue_shows(CAUGHT, 8, 3), 9)
    assert result(after) == "counted"
    assert report(after).guess is None
    assert after.points == (2, 0)
    assert after.tokens == (1, 1)


@pytest.mark.parametrize("card", [SERGEANT, 1, 10])
def test_a_counted_card_stays_counted_whatever_it_is_and_however_marked(card: int) -> None:
    assert result(guessed(blue_shows(CAUGHT, 8, 3), card, lie=True)) == "counted"


def test_a_counted_card_is_no_second_offence() -> None:
    after = guessed(replace(blue_shows(CAUGHT, 8, 3), points=(0, 5), agent=-2, moved=(0, 2)), 1)
    assert after.points == (2, 5)
    assert after.agent == -2


def test_being_caught_does_not_count_the_other_sides_cards() -> None:
    state = replace(BASE, caught=(True, False), tokens=(1, 0))
    assert result(guessed(state, 5)) == "activated"


# Line 2


def test_a_card_lower_than_one_shown_today_is_out_of_order_and_caught() -> None:
    after = guessed(blue_shows(BASE, 8), 3, token=False)
    assert result(after) == "incorrect-order"
    assert after.caught == (False, True)
    assert after.points == (2, 0)


def test_out_of_order_is_measured_against_the_highest_card_shown() -> None:
    assert result(guessed(blue_shows(BASE, 1, 8, 3), 5, token=False)) == "incorrect-order"


def test_the_sergeant_neither_breaks_the_order_nor_sets_it() -> None:
    assert result(guessed(blue_shows(BASE, 8), SERGEANT, token=False)) == "activated"
    assert result(guessed(blue_shows(BASE, SERGEANT), 3, token=False)) == "activated"


def test_the_other_sides_cards_and_those_face_down_set_no_order() -> None:
    state = replace(BASE, cards=(blue_shows(BASE, 9).cards[BLUE], BASE.cards[BLUE]))
    assert result(guessed(state, 3, token=False)) == "activated"


def test_retreated_cards_set_the_order_too() -> None:
    retreat = guessed(replace(BASE, blast=(True, False)), 8, token=False)
    assert result(retreat) == "retreated"
    assert result(guessed(replace(retreat, turn=2), 3, token=False)) == "incorrect-order"


def test_out_of_order_undoes_the_agents_moves_of_today_and_takes_all_points() -> None:
    state = replace(blue_shows(BASE, 8), agent=-1, moved=(1, 2), points=(3, 7))
    after = guessed(state, 3, token=False)
    assert (after.agent, after.moved, after.points) == (1, (1, 0), (5, 0))
    assert effects(after) == [
        Effect("undone", BLUE, 2),
        Effect("zeroed", BLUE, 7),
        Effect("points", RED, 2),
    ]


def test_an_undo_never_goes_beyond_the_punished_sides_own_wall() -> None:
    state = replace(blue_shows(BASE, 8), agent=3, moved=(0, 3))
    after = guessed(state, 3, token=False)
    assert after.agent == 4
    assert effects(after)[0] == Effect("undone", BLUE, 1)


def test_who_moved_nothing_and_has_no_points_has_nothing_to_lose() -> None:
    assert effects(guessed(blue_shows(BASE, 8), 3, token=False)) == [Effect("points", RED, 2)]


def test_order_comes_before_marks_and_before_a_right_guess() -> None:
    assert result(guessed(blue_shows(BASE, 8), 3, 3, token=False, lie=True)) == "incorrect-order"


# Line 3


@pytest.mark.parametrize("card", [5, 9])
def test_a_false_mark_or_a_missing_one_counts_as_identified(card: int) -> None:
    after = guessed(BASE, card, token=False, lie=True)
    assert result(after) == "incorrect-intel"
    assert after.points == (2, 0)
    assert after.caught == (False, False)


def test_false_intel_comes_before_a_right_guess() -> None:
    assert result(guessed(BASE, 5, 5, token=False, lie=True)) == "incorrect-intel"


@pytest.mark.parametrize("lie", [True, False])
def test_the_sergeant_may_be_marked_or_not(lie: bool) -> None:
    assert result(guessed(BASE, SERGEANT, token=False, lie=lie)) == "activated"


def test_marks_are_held_against_todays_intel_only() -> None:
    state = replace(BASE, intel=((4, 7), (1, 4), (7, 10)), day=2)
    assert result(guessed(state, 8, token=False)) == "activated"
    assert report(guessed(state, 8, token=False)).marked


# Line 4


@pytest.mark.parametrize("card", [rank for rank in RANKS if rank != 2])
def test_a_right_guess_scores_2_and_the_soldier_does_nothing(card: int) -> None:
    after = guessed(BASE, card, card, token=False)
    assert result(after) == "identified"
    assert after.points == (2, 0)
    assert (after.agent, after.spare, after.active[BLUE]) == (0, 2, frozenset())


@pytest.mark.parametrize(
    ("case", "card", "named", "lie"),
    [
        ("counted", 9, None, False),
        ("incorrect-order", 3, None, False),
        ("incorrect-intel", 9, None, True),
        ("identified", 9, 9, False),
    ],
)
def test_a_scout_in_force_makes_every_identification_pay_4(
    case: str, card: int, named: int | None, lie: bool
) -> None:
    counted = case == "counted"
    state = replace(blue_shows(CAUGHT if counted else BASE, 8), active=(frozenset({SCOUT}), frozenset()))
    after = guessed(state, card, named, token=None if counted else False, lie=lie)
    assert result(after) == case
    assert after.points == (4, 0)


def test_the_enemys_scout_pays_the_guesser_nothing() -> None:
    state = replace(BASE, active=(frozenset(), frozenset({SCOUT})))
    assert guessed(state, 9, 9, token=False).points == (2, 0)


def test_a_token_on_an_identified_card_is_lost_for_nothing() -> None:
    after = guessed(BASE, 9, 9, token=True)
    assert (after.points, after.tokens, after.spare) == ((2, 0), (1, 0), 2)


# Line 5


@pytest.mark.parametrize("card", [SPY, SERGEANT, 5, 9, MARSHAL])
def test_a_waiting_blast_makes_any_soldier_retreat(card: int) -> None:
    after = guessed(replace(BASE, blast=(True, False)), card, token=False)
    assert result(after) == "retreated"
    assert (after.points, after.agent, after.active) == ((0, 0), 0, BASE.active)
    assert effects(after) == [Effect("blasted", RED, 0)]


@pytest.mark.parametrize(("card", "finder"), [(MARSHAL, SPY), (BOMB, MINER)])
def test_marshal_and_bomb_retreat_from_the_guessers_spy_and_miner(card: int, finder: int) -> None:
    after = guessed(replace(BASE, active=(frozenset({finder}), frozenset())), card, token=False)
    assert result(after) == "retreated"
    assert effects(after) == []
    assert after.blast == (False, False)


@pytest.mark.parametrize(("card", "finder"), [(MARSHAL, MINER), (BOMB, SPY), (9, SPY), (8, MINER)])
def test_nobody_else_retreats_from_spy_and_miner(card: int, finder: int) -> None:
    state = replace(BASE, active=(frozenset({finder}), frozenset()), tokens=(1, 0))
    assert result(guessed(state, card, marshal="ten" if card == MARSHAL else None)) == "activated"


@pytest.mark.parametrize(("card", "finder"), [(MARSHAL, SPY), (BOMB, MINER)])
def test_ones_own_spy_and_miner_make_nobody_retreat(card: int, finder: int) -> None:
    state = replace(BASE, active=(frozenset(), frozenset({finder})), tokens=(1, 0))
    assert result(guessed(state, card, marshal="ten" if card == MARSHAL else None)) == "activated"


def test_a_right_guess_comes_before_a_retreat() -> None:
    state = replace(BASE, active=(frozenset({SPY}), frozenset()))
    assert result(guessed(state, MARSHAL, MARSHAL, token=False)) == "identified"


def test_a_token_pays_4_even_if_the_soldier_retreats() -> None:
    after = guessed(replace(BASE, blast=(True, False)), 9, token=True)
    assert result(after) == "retreated"
    assert after.points == (0, 4)


# Line 6, and the token


def test_a_token_pays_4_on_top_of_the_ability_and_after_it() -> None:
    after = guessed(replace(BASE, points=(0, 7)), SERGEANT, token=True)
    assert after.points == (0, 4)  # 7 + 4 reaches 10 and wraps to 0, then the token's 4
    assert after.agent == -1


def test_a_tokens_points_wrap_like_any_others_even_after_a_colonel() -> None:
    after = guessed(replace(BASE, points=(0, 0)), 8, token=True)
    assert after.points == (0, 0)  # 8, then 12: what is over 10 is lost
    assert after.agent == -1


# The blast


@pytest.mark.parametrize(
    ("state", "card", "named", "lie", "expected"),
    [
        (blue_shows(CAUGHT, 8), 9, None, False, "counted"),
        (blue_shows(BASE, 8), 3, None, False, "incorrect-order"),
        (BASE, 9, None, True, "incorrect-intel"),
        (BASE, 9, 9, False, "identified"),
    ],
)
def test_a_blast_on_a_card_that_counts_as_identified_costs_two_soldiers_tomorrow(
    state: object, card: int, named: int | None, lie: bool, expected: str
) -> None:
    assert isinstance(state, type(BASE))
    token = None if expected == "counted" else False
    after = guessed(replace(state, blast=(True, False)), card, named, token=token, lie=lie)
    assert result(after) == expected
    assert after.double == (False, True)
    assert after.blast == (False, False)
    assert after.points == (2, 0)


def test_a_blast_on_a_card_that_is_not_identified_costs_nothing_tomorrow() -> None:
    after = guessed(replace(BASE, blast=(True, False)), 9, token=False)
    assert after.double == (False, False)
    assert after.blast == (False, False)


def test_on_the_last_day_a_blast_can_cost_nobody_a_soldier_tomorrow() -> None:
    state = replace(BASE, day=3, intel=((1, 4), (4, 7), (1, 4), (4, 7)), blast=(True, False))
    after = guessed(state, 9, 9, token=False)
    assert after.double == (False, False)
    assert effects(after) == [Effect("blasted", RED, 0), Effect("points", RED, 2)]


def test_a_blast_waits_for_its_own_sides_guess() -> None:
    after = guessed(replace(BASE, blast=(False, True), tokens=(1, 0)), 9)
    assert result(after) == "activated"
    assert after.blast == (False, True)


# The record


def test_the_card_is_turned_up_in_its_place_and_the_turn_passes_on() -> None:
    after = guessed(blue_shows(BASE, 1), 5, 5, token=False)
    card = after.cards[BLUE][1]
    assert card is not None
    assert (card.rank, card.result) == (5, "identified")
    assert (after.turn, after.guesser, after.mission, after.phase) == (3, BLUE, 2, "mission")


@pytest.mark.parametrize("mission", [1, 2, 3, 4])
@pytest.mark.parametrize("starter", [RED, BLUE])
def test_each_side_guesses_the_others_missions_in_turn(mission: int, starter: int) -> None:
    for offset, guesser in enumerate((starter, 1 - starter)):
        state = replace(BASE, starter=starter, turn=2 * (mission - 1) + offset, tokens=(0, 0))
        after = guessed(state, 9)
        assert (report(after).guesser, report(after).mission) == (guesser, mission)
        assert report(after).owner == 1 - guesser
        shown = after.cards[1 - guesser][mission - 1]
        assert shown is not None
        assert shown.rank == 9


def test_the_report_says_what_the_turn_did() -> None:
    after = guessed(BASE, 5, 7, token=True)
    made = report(after)
    assert (made.day, made.turn, made.guess, made.token, made.soldier) == (1, 1, 7, True, 5)
    assert (made.points, made.agent, made.tokens) == (after.points, after.agent, after.tokens)
    assert made.marked


def test_every_soldier_is_named_once() -> None:
    assert sorted(SOLDIERS) == [*RANKS]
    assert len({soldier.name for soldier in SOLDIERS.values()}) == len(RANKS)
