"""Set-up, deployment, intel and marks, and the night: who, what, and which numbers of chance mean what."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import pytest

from p2p_stratego.core.game import Choose, Commit, OptionError, Options, Roll, Together
from p2p_stratego.core.rulebook import drive
from p2p_stratego.registry import GAMES
from p2p_stratego.spies_and_lies.rules.chance import deck_left, draws, join, setup_number, split
from p2p_stratego.spies_and_lies.rules.components import BLUE, INTEL_DECK, RED
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.state import State, place, slot
from tests.helpers.spies_and_lies.table import BASE, line, replace, rolled


def set_up(number: int, **options: Any) -> tuple[State, int]:
    sides = []

    def answer(ask: Roll) -> int:
        sides.append(ask.sides)
        return number

    return drive(GAME.setup(2, options), answer), sides[0]


# Options


def test_the_game_is_registered_under_its_name() -> None:
    assert GAMES["spies-and-lies"] is GAME
    assert (GAME.name, GAME.seat_names(2), GAME.seat_counts) == ("spies-and-lies", ("red", "blue"), (2, 3, 4))


def test_options_have_defaults_and_an_order() -> None:
    assert list(GAME.options({}).items()) == [("wall", 4), ("starter", "random")]
    assert list(GAME.options({"starter": "blue", "wall": 8}).items()) == [("wall", 8), ("starter", "blue")]


@pytest.mark.parametrize(
    "wanted",
    [{"wall": 1}, {"wall": 9}, {"wall": True}, {"wall": "4"}, {"starter": "green"}, {"starter": 0}, {"x": 1}],
)
def test_options_that_are_not_offered_are_refused(wanted: Options) -> None:
    with pytest.raises(OptionError):
        GAME.options(wanted)


@pytest.mark.parametrize("seats", [1, 5])
def test_it_is_a_game_for_two_to_four(seats: int) -> None:
    with pytest.raises(OptionError):
        next(GAME.setup(seats, {}))


def test_a_return_match_is_started_by_the_other_person() -> None:
    """The seats have been swapped, so the other person now sits where the starter sat."""
    state = replace(BASE, first_starter=BLUE, starter=RED, day=2)
    assert GAME.rematch({"wall": 6, "starter": "random"}, state) == {"wall": 6, "starter": "blue"}


# Set-up


def test_before_day_1_everything_stands_at_its_start() -> None:
    state, _ = set_up(0, starter="red")
    assert (state.phase, state.day, state.turn, state.agent, state.points) == ("deploy", 1, 0, 0, (0, 0))
    assert (state.tokens, state.spare, state.wall) == ((1, 1), 2, 4)
    assert GAME.outcome(state) is None


def test_every_number_of_the_first_roll_is_another_beginning() -> None:
    seen = [set_up(number)[0] for number in range(set_up(0)[1])]
    beginnings = [(s.first_starter, s.intel, s.exhausted) for s in seen]
    expected = product((RED, BLUE), INTEL_DECK, range(1, 11), range(1, 11))
    assert beginnings == [(first, (old,), ((red,), (blue,))) for first, old, red, blue in expected]
    assert all(state.starter == state.first_starter for state in seen)


@pytest.mark.parametrize(("starter", "seat"), [("red", RED), ("blue", BLUE)])
def test_an_agreed_starter_is_not_left_to_chance(starter: str, seat: int) -> None:
    states = [set_up(number, starter=starter)[0] for number in range(600)]
    assert set_up(0, starter=starter)[1] == 600
    assert {state.first_starter for state in states} == {seat}


def test_setup_number_is_the_roll_that_means_it() -> None:
    state, _ = set_up(setup_number((4, 7), (3, 10)), starter="red")
    assert (state.intel, state.exhausted) == (((4, 7),), ((3,), (10,)))


def test_dice_are_split_and_joined_without_loss() -> None:
    sides = (2, 6, 10, 10)
    dice = [split(number, sides) for number in range(math.prod(sides))]
    assert dice == list(product(*map(range, sides)))
    assert [join(digits, sides) for digits in dice] == list(range(math.prod(sides)))


# Deployment


def test_both_deploy_at_once_any_four_ranks_into_slots_of_that_day() -> None:
    used: set[int] = set()
    for day in (1, 2, 3):
        ask = next(GAME.turn(replace(BASE, phase="deploy", day=day)))
        assert isinstance(ask, Together)
        for seat, commit in enumerate(ask.asks):
            assert isinstance(commit, Commit)
            assert (commit.seat, tuple(commit.faces)) == (seat, tuple(range(1, 11)))
            assert commit.slots == tuple(slot(day, seat, mission) for mission in (1, 2, 3, 4))
            assert not used & set(commit.slots)
            used |= set(commit.slots)
    assert used == set(range(24))
    assert [slot(*place(name)) for name in range(24)] == list(range(24))


def test_after_the_deployment_comes_the_intel() -> None:
    before = replace(BASE, phase="deploy", intel=((1, 4),))
    assert drive(GAME.turn(before), lambda _: (None, None)) == replace(before, phase="intel")


# Intel


def test_each_card_still_in_the_deck_can_be_turned_up() -> None:
    before = replace(BASE, phase="intel", intel=((4, 7),))
    left = [(1, 4), (1, 4), (4, 7), (7, 10), (7, 10)]
    assert list(deck_left(before.intel)) == left
    for number, card in enumerate(left):
        after, sides = rolled(before, number)
        assert (after.intel, sides, after.phase) == (((4, 7), card), 5, "mission")


def test_a_range_turned_up_twice_is_gone() -> None:
    assert deck_left([(1, 4), (7, 10), (1, 4)]) == ((4, 7), (4, 7), (7, 10))


def test_both_mark_at_once_any_of_their_missions() -> None:
    turn = GAME.turn(replace(BASE, phase="intel", intel=((1, 4),)))
    next(turn)
    ask = turn.send(0)
    assert isinstance(ask, Together)
    assert [part.seat for part in ask.asks] == [RED, BLUE]
    for part in ask.asks:
        assert isinstance(part, Choose)
        assert len(set(part.options)) == 16
    with pytest.raises(StopIteration) as end:
        turn.send(("mark 24", "mark none"))
    assert end.value.value.marks == (frozenset({2, 4}), frozenset())


# Night


def night(**changes: Any) -> State:
    state = replace(BASE, phase="night", turn=8, cards=(line(1, 3, 8, 10), line(5, 4, 6, 9)))
    return replace(state, **changes)


def test_after_the_eighth_guess_comes_the_night_and_then_the_next_day() -> None:
    state = night(
        points=(3, 4),
        agent=-2,
        tokens=(2, 0),
        active=(frozenset({1}), frozenset({2})),
        blast=(True, False),
        caught=(True, False),
        moved=(1, 3),
        marks=(frozenset({1}), frozenset({2})),
    )
    after, _ = rolled(state, 0)
    assert (after.phase, after.day, after.turn) == ("deploy", 2, 0)
    kept = (after.points, after.agent, after.tokens, after.spare, after.intel)
    assert kept == (state.points, state.agent, state.tokens, state.spare, state.intel)
    blank = (after.active, after.blast, after.caught, after.moved, after.marks, after.cards, after.double)
    fresh = (BASE.active, BASE.blast, BASE.caught, BASE.moved, BASE.marks, BASE.cards, BASE.double)
    assert blank == fresh


@pytest.mark.parametrize("first", [RED, BLUE])
def test_the_other_starts_day_2_and_the_first_again_day_3(first: int) -> None:
    second, _ = rolled(night(first_starter=first, starter=first), 0)
    assert (second.starter, second.guesser) == (1 - first, 1 - first)
    third, _ = rolled(night(day=2, first_starter=first, starter=1 - first), 0)
    assert (third.starter, third.first_starter) == (first, first)


def test_one_of_the_four_deployed_is_exhausted_and_the_old_ones_return() -> None:
    seen = [rolled(night(), number)[0].exhausted for number in range(16)]
    assert rolled(night(), 0)[1] == 16
    assert seen == [((red,), (blue,)) for red, blue in product((1, 3, 8, 10), (5, 4, 6, 9))]


def test_after_double_damage_two_are_exhausted() -> None:
    state = night(double=(False, True))
    seen = [rolled(state, number)[0].exhausted for number in range(24)]
    assert rolled(state, 0)[1] == 24
    pairs = ((4, 5), (5, 6), (5, 9), (4, 6), (4, 9), (6, 9))
    assert seen == [((red,), blue) for red, blue in product((1, 3, 8, 10), pairs)]


def test_draws_are_in_the_order_of_missions_and_each_ascending() -> None:
    assert draws((5, 4, 6, 9), 1) == ((5,), (4,), (6,), (9,))
    assert draws((5, 4, 6, 9), 2)[:2] == ((4, 5), (5, 6))
