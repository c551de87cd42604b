"""Everything before the first turn, by the rows of the page's table."""

from __future__ import annotations

from typing import Any

import pytest

from p2p_stratego.conquest.rules.choices import Fillings, own_zones
from p2p_stratego.conquest.rules.draft import fillings
from p2p_stratego.conquest.rules.game import GAME
from p2p_stratego.conquest.rules.notation import fill, filled
from p2p_stratego.conquest.rules.pieces import ARMY, KING, SCOUT
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.core.game import Ask, Choose, Commit, OptionError, Roll, Together
from p2p_stratego.core.rulebook import drive


def started(*draws: int, picked: int | None = None) -> tuple[State, list[Ask]]:
    """The set-up in which the seats draw these places of the table of pieces."""
    asks: list[Ask] = []
    number = 0
    for digit in draws:
        number = number * 18 + digit

    def answer(ask: Ask) -> Any:
        asks.append(ask)
        return number if len(asks) == 1 else picked

    return drive(GAME.setup(len(draws), GAME.options({})), answer), asks


def test_step_1_the_highest_face_starts_seat_0s_digit_is_the_first() -> None:
    state, asks = started(11, 1, 17)
    assert asks == [Roll(18**3)]
    assert state.first == 1
    assert state.report[0].faces == (SCOUT, KING, 0)
    assert started(0, 1)[0].first == 0  # the flag is face 11, the highest


def test_step_2_of_several_highest_chance_picks_one() -> None:
    state, asks = started(8, 15, 10, 9, picked=2)  # three sorceresses
    assert asks[1:] == [Roll(3)]
    assert state.first == 3


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_step_3_the_territories_are_taken_one_at_a_time_the_last_too(seats: int) -> None:
    state, _ = started(*[1] + [17] * (seats - 1))
    asked = []
    while state.phase == "draft":
        ask = GAME.turn(state).send(None)
        assert isinstance(ask, Choose)
        asked.append((ask.seat, len(ask.options)))
        move = list(ask.options)[-1]
        state = drive(GAME.turn(state), lambda _, move=move: move)  # type: ignore[misc]
    assert [left for _, left in asked] == list(range(24, 0, -1))
    clockwise = list(range(seats))
    assert [seat for seat, _ in asked] == ((clockwise + clockwise[::-1]) * 6)[:24]
    assert [state.taken.count(seat) for seat in range(seats)] == [24 // seats] * seats


def drafted(seats: int, **options: Any) -> State:
    """After a draft in the order of the letters."""
    state = drive(GAME.setup(seats, GAME.options(options)), lambda _: 1)
    while state.phase == "draft":
        state = drive(GAME.turn(state), lambda ask: next(iter(ask.options)))
    return state


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_step_4_everybody_lays_the_whole_army_at_once(seats: int) -> None:
    ask = GAME.turn(drafted(seats)).send(None)
    assert ask == Together(
        tuple(Commit(s, tuple(range(18 * s, 18 * s + 18)), ARMY, exactly=True) for s in range(seats))
    )


@pytest.mark.parametrize(("seats", "digits"), [(2, 9), (3, 6)])
def test_step_5_everybody_says_which_own_zones_are_filled(seats: int, digits: int) -> None:
    state = drive(GAME.turn(drafted(seats)), lambda _: (None,) * seats)
    assert state.phase == "zones"
    ask = GAME.turn(state).send(None)
    assert isinstance(ask, Together)
    for part in ask.asks:
        assert isinstance(part, Choose)
        assert part.options == fillings(state, part.seat)
        assert fill(range(18), digits) in part.options
        assert next(iter(part.options)) == fill(range(18), digits)
    words = tuple(fill(range(18), digits) for _ in range(seats))
    after = drive(GAME.turn(state), lambda _: words)
    for seat in range(seats):
        assert after.zones_held(seat) == own_zones(state, seat)[:18]
        slots = [piece.slot for piece in after.board if piece is not None and piece.seat == seat]
        assert slots == list(range(18 * seat, 18 * seat + 18))
    assert after.round == after.turn == 1


def test_step_5_four_players_fill_all_they_have_unasked() -> None:
    state = drive(GAME.turn(drafted(4)), lambda _: (None,) * 4)
    assert state.phase in ("cards", "move")
    assert all(state.zones_held(seat) == own_zones(state, seat) for seat in range(4))
    assert [len(state.owned(seat)) for seat in range(4)] == [6, 6, 6, 6]


def test_step_5_territories_may_stay_empty_unless_garrison_is_all() -> None:
    free, every = drafted(2), drafted(2, garrison="all")
    first_18 = fill(range(18), 9)
    assert first_18 in fillings(free, 0)
    left_out = [group for group in fillings(every, 0).groups() if not group & set(range(18))]
    assert left_out  # and so the first 18 are no filling there
    assert first_18 not in fillings(every, 0)


def test_a_territory_left_empty_belongs_to_nobody_from_the_first_turn_on() -> None:
    state = drive(GAME.turn(drafted(2)), lambda _: (None, None))
    words = tuple(fill(range(18), 9) for _ in range(2))
    after = drive(GAME.turn(state), lambda _: words)
    assert None in after.territories
    assert all(owner is None or state.taken[place] == owner for place, owner in enumerate(after.territories))


def test_the_words_are_9_or_6_lower_case_digits_with_18_bits_set() -> None:
    options = fillings(drafted(2), 0)
    for move in ("zones 00003ffff", "zones fffc00000"):
        assert (move in options) == (len(filled(move)) == 18)
    for word in ("00001ffff", "3ffff", "00003FFFF", "00003ffff ", "0x003ffff", "-0003ffff"):
        assert f"zones {word}" not in options
    assert len(options) == 9_075_135_300


def test_a_count_of_fillings_is_how_many_there_are() -> None:
    assert len(Fillings(own_zones(drafted(4), 0), ())) == 1
    three = drafted(3, garrison="all")
    options = fillings(three, 0)
    assert len(options) == sum(1 for _ in options) < len(Fillings(options.zones, ()))


def test_two_to_four_players_and_the_options_of_the_page() -> None:
    assert GAME.seat_counts == (2, 3, 4)
    assert GAME.seat_names(3) == ("red", "blue", "green")
    assert GAME.most_rolls == 3002
    assert dict(GAME.options({})) == {"garrison": "free", "scout": "run", "rounds": 100}
    for wrong in (
        {"rounds": 0},
        {"rounds": 251},
        {"rounds": True},
        {"scout": "fly"},
        {"garrison": 1},
        {"walls": 2},
    ):
        with pytest.raises(OptionError):
            GAME.options(wrong)
    with pytest.raises(OptionError):
        drive(GAME.setup(5, GAME.options({})), lambda _: 0)
