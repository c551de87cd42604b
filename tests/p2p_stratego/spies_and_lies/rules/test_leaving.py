"""A side of which one seat is gone: what its mate takes over, and what nobody can do any more."""

from __future__ import annotations

from typing import Any

import pytest

from p2p_stratego.core.game import Ask, Choose, Commit, Open, Roll, Together
from p2p_stratego.core.rulebook import drive
from p2p_stratego.spies_and_lies.rules.components import BLUE, LIEUTENANT, RED
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.phases import ways_to_rest
from p2p_stratego.spies_and_lies.rules.seating import Seating
from p2p_stratego.spies_and_lies.rules.state import Report, State, place, slot
from tests.helpers.spies_and_lies.table import BASE, line, replace

FOUR = replace(BASE, seating=Seating(4), tokens=(0, 0))
MORNING = replace(FOUR, phase="deploy", intel=((1, 4),))
LOOKING = replace(MORNING, phase="look")
DEPLOYED = replace(MORNING, phase="intel")
NOTHING: frozenset[int] = frozenset()
RED_WINS = frozenset({0, 2})


def leave(state: State, *seats: int) -> tuple[State, list[Ask]]:
    """These seats have gone during the step that led to `state`; and the Asks that followed."""
    asked: list[Ask] = []
    for seat in seats:
        state = drive(GAME.gone(state, seat), asked.append)
    return state, asked


def without(state: State, *seats: int) -> State:
    """The state without these seats; nothing must be asked."""
    after, asked = leave(state, *seats)
    assert not asked
    return after


def played(state: State, *answers: Any) -> tuple[State, list[Ask]]:
    """One step, each Ask with its answer in order, and the Asks."""
    asked: list[Ask] = []
    left = iter(answers)

    def answer(ask: Ask) -> Any:
        asked.append(ask)
        return next(left)

    after = drive(GAME.turn(state), answer)
    assert next(left, "none left") == "none left"
    return after, asked


def report_of(state: State) -> Report:
    assert state.report is not None
    return state.report


def commits(ask: Ask) -> list[tuple[int, int, tuple[int, ...]]]:
    """By commit: seat, side and missions."""
    asked = []
    for part in ask.asks if isinstance(ask, Together) else (ask,):
        assert isinstance(part, Commit)
        asked.append((part.seat, place(part.slots[0])[1], tuple(place(name)[2] for name in part.slots)))
    return asked


# Laying and looking


@pytest.mark.parametrize(
    ("gone", "first", "looks", "second"),
    [
        (0, [(1, BLUE, (1, 2)), (2, RED, (1, 2))], [3, 3], [(2, RED, (3, 4)), (3, BLUE, (3, 4))]),
        (2, [(0, RED, (1, 2)), (1, BLUE, (1, 2))], [3, 3], [(0, RED, (3, 4)), (3, BLUE, (3, 4))]),
        (1, [(0, RED, (1, 2)), (3, BLUE, (1, 2))], [2, 2], [(2, RED, (3, 4)), (3, BLUE, (3, 4))]),
        (3, [(0, RED, (1, 2)), (1, BLUE, (1, 2))], [2, 2], [(1, BLUE, (3, 4)), (2, RED, (3, 4))]),
    ],
)
def test_from_the_next_morning_on_the_mate_lays_in_both_steps_and_looks_at_nothing(
    gone: int, first: list[Any], looks: list[int], second: list[Any]
) -> None:
    state = without(MORNING, gone)
    after, [ask] = played(state, (None, None))
    assert commits(ask) == first
    after, asked = played(after, None, None, (None, None))
    assert [ask.seat for ask in asked[:-1]] == looks  # type: ignore[union-attr]
    assert commits(asked[-1]) == second
    assert after == replace(state, phase="intel")


def test_a_first_mate_gone_before_it_has_laid_is_replaced_at_once_and_not_looked_at() -> None:
    state, asked = leave(LOOKING, 0)
    assert [commits(ask) for ask in asked] == [[(2, RED, (1, 2))]]
    assert state.closed == (NOTHING, NOTHING)
    _, asked = played(state, None, None, (None, None))
    assert commits(asked[-1]) == [(2, RED, (3, 4)), (3, BLUE, (3, 4))]


def test_a_second_mate_gone_before_it_has_laid_is_replaced_at_once() -> None:
    state, asked = leave(DEPLOYED, 3)
    assert [commits(ask) for ask in asked] == [[(1, BLUE, (3, 4))]]
    assert state.closed == (NOTHING, NOTHING)


def test_a_second_mate_gone_before_the_look_is_replaced_in_its_own_step() -> None:
    _, asked = played(without(LOOKING, 2), None, None, (None, None))
    assert commits(asked[-1]) == [(0, RED, (3, 4)), (3, BLUE, (3, 4))]


def test_both_first_mates_gone_at_once_are_both_replaced() -> None:
    state, asked = leave(LOOKING, 0, 1)
    assert [commits(ask) for ask in asked] == [[(2, RED, (1, 2))], [(3, BLUE, (1, 2))]]
    _, [last] = played(state, (None, None))
    assert commits(last) == [(2, RED, (3, 4)), (3, BLUE, (3, 4))]


@pytest.mark.parametrize(
    ("phase", "gone", "closed"),
    [
        ("deploy", 0, set()),
        ("deploy", 2, set()),
        ("look", 2, set()),
        ("intel", 0, {1, 2}),
        ("mission", 0, {1, 2}),
        ("mission", 2, {3, 4}),
    ],
)
def test_what_a_gone_seat_has_laid_stays_closed(phase: Any, gone: int, closed: set[int]) -> None:
    state = without(replace(MORNING, phase=phase), gone)
    assert state.closed == (frozenset(closed), NOTHING)
    assert state.seating == Seating(4, frozenset({gone}))


def test_cards_that_are_open_already_stay_open() -> None:
    state = replace(FOUR, turn=2, cards=(line(5), line(3)))
    assert without(state, 0).closed == (frozenset({2}), NOTHING)
    assert without(state, 0).cards == state.cards


# Marks


@pytest.mark.parametrize(
    ("state", "gone", "marking"),
    [
        (MORNING, 0, {1: "12", 2: "1234", 3: "34"}),
        (DEPLOYED, 0, {1: "12", 2: "34", 3: "34"}),
        (DEPLOYED, 1, {0: "12", 2: "34", 3: "34"}),
    ],
)
def test_a_mate_marks_what_it_has_laid_itself_and_nothing_else(
    state: State, gone: int, marking: dict[int, str]
) -> None:
    state = replace(without(state, gone), phase="intel")
    _, [roll, ask] = played(state, 0, ("mark none",) * 3)
    assert isinstance(ask, Together)
    choices = {part.seat: part.options for part in ask.asks if isinstance(part, Choose)}
    assert {seat: [*options][-1] for seat, options in choices.items()} == {
        seat: f"mark {missions}" for seat, missions in marking.items()
    }
    assert roll == Roll(5)


def test_who_goes_instead_of_marking_leaves_its_missions_without_marks() -> None:
    after, _ = played(DEPLOYED, 0, (None, "mark 1", "mark 3", "mark none"))
    assert after.marks == (frozenset({3}), frozenset({1}))
    assert without(after, 0).closed == (frozenset({1, 2}), NOTHING)


# A turn


CLOSED = without(replace(FOUR, tokens=(1, 1)), 1)
"""Red guesses at blue's mission 1; the seat that laid it is gone."""


def test_a_closed_card_counts_as_identified_without_token_and_guess() -> None:
    after, asked = played(CLOSED)
    assert not asked
    report = report_of(after)
    assert (report.soldier, report.result, report.guess, report.token) == (None, "counted", None, False)
    assert (report.guessing, report.owning) == (0, 1)
    assert (after.points, after.tokens, after.turn) == ((2, 0), (1, 1), 1)
    assert after.cards[BLUE][0] is None


def test_a_closed_card_pays_four_to_a_scout_and_uses_up_a_blast_with_double_damage() -> None:
    after, _ = played(replace(CLOSED, active=(frozenset({2}), NOTHING), blast=(True, False)))
    assert (after.points, after.blast, after.double) == ((4, 0), (False, False), (False, True))


def test_no_order_is_judged_by_a_closed_card() -> None:
    state = replace(CLOSED, turn=4, cards=(line(5, 6), BASE.cards[BLUE]), tokens=(0, 0))
    after, _ = played(state, "guess 8", 3)
    assert report_of(after).result == "activated"


def test_the_mate_guesses_in_the_place_of_a_gone_seat() -> None:
    state = without(replace(FOUR, phase="mission"), 0)
    after, asked = played(state, "guess 8", 3)
    assert isinstance(asked[0], Choose)
    assert (asked[0].seat, report_of(after).guessing) == (2, 2)


def test_the_mate_decides_about_cards_that_it_has_laid_in_the_place_of_a_gone_seat() -> None:
    state = replace(without(MORNING, 1), phase="mission", intel=BASE.intel, tokens=(0, 1))
    state = replace(state, marks=(NOTHING, frozenset({1})))
    after, asked = played(state, "token", "guess 1", 6, "captain points")
    assert [ask.seat for ask in asked if isinstance(ask, Choose)] == [3, 0, 3]
    assert (report_of(after).owning, report_of(after).result) == (3, "activated")


def test_an_owner_that_goes_instead_of_laying_a_token_leaves_its_card_closed() -> None:
    after, asked = played(replace(FOUR, tokens=(0, 1)), None)
    assert len(asked) == 1
    assert (report_of(after).result, report_of(after).soldier, after.points) == ("counted", None, (2, 0))
    assert after.tokens == (0, 1)


def test_an_owner_that_goes_instead_of_opening_makes_the_guess_right_and_loses_its_token() -> None:
    after, _ = played(replace(FOUR, tokens=(0, 1)), "token", "guess 9", None)
    report = report_of(after)
    assert (report.result, report.soldier, report.guess, report.token) == ("counted", None, 9, True)
    assert (after.points, after.tokens) == ((2, 0), (0, 0))
    assert without(after, 1).closed == (NOTHING, frozenset({1, 2}))


def test_a_guesser_that_goes_leaves_the_guess_to_its_mate() -> None:
    after, asked = played(FOUR, None, "guess 3", 3)
    assert [ask.seat for ask in asked if isinstance(ask, Choose)] == [0, 2]
    assert (report_of(after).result, report_of(after).guess, report_of(after).guessing) == (
        "identified",
        3,
        2,
    )


def test_a_side_that_goes_altogether_guesses_nothing() -> None:
    after, _ = played(FOUR, None, None, 3)
    assert (report_of(after).result, report_of(after).guess) == ("activated", None)


@pytest.mark.parametrize(
    ("card", "answers", "points"),
    [
        (6, (None, "captain 2"), (0, 2)),
        (6, (None, None), (0, 6)),
        (10, (None, "marshal five"), (1, 5)),
        (10, (None, None), (6, 0)),
    ],
)
def test_of_an_open_card_the_mate_chooses_the_use_or_it_just_scores(
    card: int, answers: tuple[Any, ...], points: tuple[int, int]
) -> None:
    marks = frozenset({1}) if card == 6 else NOTHING
    after, asked = played(
        replace(FOUR, points=(6 * (card == 10), 0), marks=(NOTHING, marks)), "guess 1", card, *answers
    )
    assert [ask.seat for ask in asked if isinstance(ask, Choose)] == [0, 1, 3]
    assert (report_of(after).result, after.points) == ("activated", points)


def test_caught_out_of_order_the_rest_is_counted_closed_or_not() -> None:
    state = replace(CLOSED, turn=2, caught=(False, True), cards=(line(5), BASE.cards[BLUE]))
    after, asked = played(state)
    assert (report_of(after).result, asked) == ("counted", [])


# Night


def night(red: tuple[int | None, ...], blue: tuple[int | None, ...], **changes: Any) -> State:
    return replace(FOUR, phase="night", turn=8, cards=(line(*red), line(*blue)), **changes)


def test_chance_lets_rest_open_cards_only() -> None:
    state = night((None, None, 8, 9), (1, 3, 8, 9))
    assert ways_to_rest(state) == (((8,), (9,)), ((1,), (3,), (8,), (9,)))
    after, [roll] = played(state, 5)
    assert (roll, after.exhausted) == (Roll(8), ((9,), (3,)))
    assert after.closed == (NOTHING, NOTHING)


@pytest.mark.parametrize(("cards", "exhausted"), [((None, 8), (8,)), ((), ())])
def test_if_fewer_are_open_than_are_due_all_of_them_rest(
    cards: tuple[int | None, ...], exhausted: tuple[int, ...]
) -> None:
    after, [roll] = played(night(cards, (1, 3, 8, 9), double=(True, False)), 0)
    assert (roll, after.exhausted) == (Roll(4), (exhausted, (1,)))


def test_a_captain_without_an_exhausted_soldier_scores_unasked() -> None:
    state = replace(FOUR, exhausted=((2,), ()), marks=(NOTHING, frozenset({1})))
    after, asked = played(state, "guess 1", 6)
    assert [type(ask) for ask in asked] == [Choose, Open]
    assert after.points == (0, 6)


# The end


def takes_flag(state: State, *answers: Any) -> State:
    """Blue's Lieutenant takes the flag from the wall, under mission 1 of an agreed order."""
    after, _ = played(replace(state, agent=-4, marks=(NOTHING, frozenset({1}))), *answers)
    return after


def test_a_flag_taken_while_a_card_stays_closed_is_a_critical_flaw() -> None:
    state = without(FOUR, 3)
    after = takes_flag(state, "guess 1", LIEUTENANT, 8)
    assert after.ended is not None
    assert (after.ended.winners, after.ended.reason) == (RED_WINS, "critical-flaw")


def test_a_winner_that_goes_instead_of_showing_its_cards_has_not_won() -> None:
    after = takes_flag(FOUR, "guess 1", LIEUTENANT, 8, None, None)
    assert after.ended is not None
    assert (after.ended.winners, after.ended.reason) == (RED_WINS, "critical-flaw")


def test_a_cheat_among_the_open_cards_comes_before_the_flaw() -> None:
    state = without(FOUR, 3)
    after = takes_flag(state, "guess 1", LIEUTENANT, LIEUTENANT)
    assert after.ended is not None
    assert after.ended.breach is not None
    assert (after.ended.reason, after.ended.breach.seat) == ("cheated", 1)


def test_the_side_of_a_gone_seat_can_still_win_and_both_are_named() -> None:
    cards = (line(1, 3, 8, 9), line(5, 6, 8))
    state = replace(FOUR, day=3, turn=7, starter=BLUE, agent=2, cards=cards, blast=(True, False))
    state = replace(without(state, 0), intel=((1, 4), (1, 4), (4, 7), (1, 4)))
    after, _ = played(state, "guess 1", 9)
    assert after.ended is not None
    assert (after.ended.winners, after.ended.reason) == (RED_WINS, "territory")


def test_a_seat_without_a_mate_left_takes_its_side_along() -> None:
    # The table ends the match then; the rules have nothing to ask.
    for state in (LOOKING, DEPLOYED, FOUR):
        lonely = replace(state, seating=Seating(3))
        assert leave(lonely, 1) == (replace(lonely, seating=Seating(3, frozenset({1}))), [])


def test_of_a_roll_with_one_side_only_the_answer_is_zero() -> None:
    state = night((None, 8), (None, None, 9), double=(False, False))
    after, [roll] = played(state, 0)
    assert (roll, after.exhausted, slot(2, RED, 1)) == (Roll(1), ((8,), (9,)), 8)
