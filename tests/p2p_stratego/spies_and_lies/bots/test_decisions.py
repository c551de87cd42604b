"""What bots decide where it is clear what they should do, and what a seat reads off its view."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from p2p_stratego.core.game import Choose, Commit, Face, Roll
from p2p_stratego.core.values import replace
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots.agent import Agent
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from p2p_stratego.spies_and_lies.rules.notation import MARKS, mark
from p2p_stratego.spies_and_lies.rules.observation import honest_marks, own_line, todays_intel
from p2p_stratego.spies_and_lies.rules.state import NO_LINE, Shown, State, slot
from tests.helpers.spies_and_lies.bots import Make
from tests.helpers.spies_and_lies.table import BASE


def begin(exhausted: tuple[int, int] = (1, 1), starter: int = 0) -> State:
    """The state before day 1; the old intel is 1 to 4."""
    red, blue = exhausted
    return replace(
        BASE,
        phase="deploy",
        intel=((1, 4),),
        exhausted=((red,), (blue,)),
        starter=starter,
        first_starter=starter,
    )


def on_mission(state: State, turn: int, **changes: Any) -> State:
    """A state in the middle of a day: intel (7, 10), no marks."""
    shown = {
        "phase": "mission",
        "turn": turn,
        "intel": (*state.intel, *((7, 10),) * (state.day + 1 - len(state.intel))),
    }
    return replace(state, **{**shown, **changes})


def choice(state: State, line: tuple[Face, ...], options: tuple[str, ...], past: tuple[Any, ...] = ()) -> Any:
    """What the agent that owns the coming card says, with this line laid."""
    seat = 1 - state.guesser
    known = {slot(state.day, seat, mission): rank for mission, rank in enumerate(line, 1)}
    since = tuple((Choose(seat, ()), answer) for answer in past)
    return Agent(Random(1)).decide(View(seat, state, known, Choose(seat, options), since))


def test_a_captain_pushes_the_agent_two_steps_rather_than_score_six() -> None:
    state = on_mission(begin(exhausted=(1, 9)), 0, tokens=(0, 0))
    assert choice(state, (6, 7, 8, 10), ("captain points", "captain 9"), ("guess 5", 6)) == "captain 9"


def test_a_captain_scores_where_the_exhausted_soldier_is_worth_less() -> None:
    state = on_mission(begin(exhausted=(1, 2)), 0, tokens=(0, 0))
    assert choice(state, (6, 7, 8, 10), ("captain points", "captain 2"), ("guess 5", 6)) == "captain points"


MARSHAL_MARKED = (frozenset[int](), frozenset({3, 4}))


def test_a_marshal_raids_an_enemy_about_to_infiltrate_when_five_are_enough() -> None:
    state = on_mission(begin(), 6, points=(9, 5), tokens=(0, 0), marks=MARSHAL_MARKED)
    options = ("marshal ten", "marshal five")
    assert choice(state, (5, 6, 8, 10), options, ("guess 9", 10)) == "marshal five"


def test_a_marshal_takes_ten_where_there_is_nothing_to_raid() -> None:
    state = on_mission(begin(), 6, points=(0, 0), tokens=(0, 0), marks=MARSHAL_MARKED)
    options = ("marshal ten", "marshal five")
    assert choice(state, (5, 6, 8, 10), options, ("guess 9", 10)) == "marshal ten"


def last_card(**changes: Any) -> State:
    """Day 3, the last turn: red guesses, blue owns the card under mission 4."""
    opened = tuple(Shown(rank, "identified") for rank in (5, 6, 8))
    state = replace(begin(starter=1), day=3, intel=((1, 4), (1, 4), (4, 7)))
    return on_mission(state, 7, starter=1, cards=((Shown(2, "identified"),) * 4, (*opened, None)), **changes)


def test_a_token_is_laid_on_the_last_card_of_the_game() -> None:
    # The Sergeant's 4 points are not enough against 6, with the token's 4 they are.
    state = last_card(points=(6, 0), tokens=(0, 1), marks=(frozenset(), frozenset({3, 4})))
    assert choice(state, (5, 6, 8, 4), ("token", "no token")) == "token"


def test_a_token_is_kept_on_the_first_day() -> None:
    state = on_mission(begin(), 0)
    assert choice(state, (2, 6, 8, 10), ("token", "no token")) == "no token"


def guessed(state: State, games: int = 200) -> Counter[str]:
    """How often the agent, as guesser of the coming turn, names each rank."""
    seat = state.guesser
    options = tuple(f"guess {rank}" for rank in range(1, 11))
    view = View(seat, state, {}, Choose(seat, options))
    return Counter(str(Agent(Random(seed)).decide(view)) for seed in range(games))


def test_a_card_that_can_be_only_one_is_named() -> None:
    # After the General a marked card that is no Sergeant is the Marshal.
    opened = tuple(Shown(rank, "activated") for rank in (2, 4, 9))
    state = on_mission(begin(starter=0), 6, cards=(NO_LINE, (*opened, None)), tokens=(0, 0))
    state = replace(state, marks=(frozenset(), frozenset({3, 4})))
    assert guessed(state, 20) == {"guess 10": 20}


def test_only_what_can_be_there_is_named_and_not_always_the_same() -> None:
    state = on_mission(begin(), 0, tokens=(0, 0), marks=(frozenset(), frozenset({3, 4})))
    named = guessed(state)
    assert len(named) >= 3
    assert not named.keys() & {"guess 1", "guess 7", "guess 8", "guess 9", "guess 10"}


def test_a_line_caught_out_of_its_marks_is_still_guessed_at() -> None:
    opened = (Shown(9, "incorrect-intel"), None, None, None)
    state = on_mission(begin(), 2, tokens=(0, 0), cards=(NO_LINE, opened))
    named = guessed(state, 50)
    assert not named.keys() & {"guess 1", "guess 9"}


def test_an_agent_cannot_be_read_from_its_line() -> None:
    state = begin()
    view = View(0, state, {}, Commit(0, (0, 1, 2, 3), range(1, 11)))
    laid = Counter(Agent(Random(seed)).decide(view) for seed in range(100))
    assert len(laid) >= 25
    assert max(laid.values()) <= 12


def marking(line: tuple[int, ...], intel: tuple[int, int]) -> View[State]:
    """Red's view when it has to mark `line` for an intel card that has just been turned up."""
    state = replace(begin(exhausted=(10, 1)), phase="intel")
    roll = {(1, 4): 0, (4, 7): 1, (7, 10): 3}[intel]
    known = {slot(1, 0, mission): rank for mission, rank in enumerate(line, 1)}
    return View(0, state, known, Choose(0, tuple(MARKS)), ((Roll(5), roll),))


@pytest.mark.parametrize("make", [Agent, Recruit])
def test_a_sergeant_lies_now_and_then_and_nobody_else_ever(make: Make) -> None:
    sergeant = Counter(make(Random(s)).decide(marking((2, 4, 8, 9), (7, 10))) for s in range(60))
    assert set(sergeant) == {mark({3, 4}), mark({2, 3, 4})}
    others = Counter(make(Random(s)).decide(marking((2, 5, 8, 9), (4, 7))) for s in range(20))
    assert others == {mark({2}): 20}


def test_todays_intel_is_known_as_soon_as_it_is_turned_up() -> None:
    view = marking((2, 5, 8, 9), (7, 10))
    assert todays_intel(view) == (7, 10)
    assert own_line(view) == (2, 5, 8, 9)
    before = View(0, view.state, view.known)
    assert todays_intel(before) is None
    assert honest_marks(before) == ()
    later = View(0, on_mission(begin(), 0), view.known)
    assert todays_intel(later) == (7, 10)


def test_a_roll_of_the_night_is_no_intel() -> None:
    state = replace(begin(), phase="night", turn=8, cards=((Shown(2, "activated"),) * 4,) * 2)
    assert todays_intel(View(0, state, {}, None, ((Roll(16), 3),))) is None


def test_a_seat_knows_no_line_before_it_has_laid_one() -> None:
    assert own_line(View(0, begin(), {})) == (None, None, None, None)
