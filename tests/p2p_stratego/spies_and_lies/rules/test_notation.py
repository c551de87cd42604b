"""Moves: one spelling each, and what people may type for them."""

from __future__ import annotations

import pytest

from p2p_stratego.spies_and_lies.rules.notation import (
    COPIES,
    GUESSES,
    MARKS,
    MoveError,
    copy,
    guess,
    mark,
    parse,
)

TOKEN = ("token", "no token")
CAPTAIN = ("captain points", "captain 5", "captain 10")
MARSHAL = ("marshal ten", "marshal five")


def test_there_is_one_move_for_each_set_of_marked_missions() -> None:
    assert len(MARKS) == len(set(MARKS.values())) == 16
    assert list(MARKS)[:6] == ["mark none", "mark 1", "mark 2", "mark 3", "mark 4", "mark 12"]
    assert all(MARKS[mark(missions)] == missions for missions in MARKS.values())


def test_marks_are_spelt_in_rising_order_however_they_are_given() -> None:
    assert mark([3, 1]) == "mark 13"
    assert mark(set()) == "mark none"


def test_guesses_and_copies_name_a_rank() -> None:
    assert GUESSES[guess(10)] == 10
    assert COPIES[copy(7)] == 7
    assert next(iter(GUESSES)) == "guess 1"


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("guess 7", "guess 7"),
        ("  GUESS   7 ", "guess 7"),
        ("7", "guess 7"),
        ("10", "guess 10"),
        ("Bomb", "guess 7"),
        ("guess captain", "guess 6"),
        ("captain", "guess 6"),
    ],
)
def test_a_guess_is_understood_by_rank_or_name(text: str, move: str) -> None:
    assert parse(text, tuple(GUESSES)) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("mark 13", "mark 13"),
        ("3, 1", "mark 13"),
        ("mark 1 3", "mark 13"),
        ("none", "mark none"),
        ("mark none", "mark none"),
        ("4321", "mark 1234"),
    ],
)
def test_marks_are_understood_in_any_order(text: str, move: str) -> None:
    assert parse(text, tuple(MARKS)) == move


@pytest.mark.parametrize(
    ("text", "options", "move"),
    [
        ("yes", TOKEN, "token"),
        ("y", TOKEN, "token"),
        ("token", TOKEN, "token"),
        ("N", TOKEN, "no token"),
        ("no", TOKEN, "no token"),
        ("no token", TOKEN, "no token"),
        ("points", CAPTAIN, "captain points"),
        ("captain points", CAPTAIN, "captain points"),
        ("captain marshal", CAPTAIN, "captain 10"),
        ("lieutenant", CAPTAIN, "captain 5"),
        ("5", CAPTAIN, "captain 5"),
        ("10", MARSHAL, "marshal ten"),
        ("marshal five", MARSHAL, "marshal five"),
        ("5", MARSHAL, "marshal five"),
        ("five", MARSHAL, "marshal five"),
    ],
)
def test_other_choices_are_understood_in_short(text: str, options: tuple[str, ...], move: str) -> None:
    assert parse(text, options) == move


@pytest.mark.parametrize("options", [tuple(GUESSES), tuple(MARKS), TOKEN, CAPTAIN, MARSHAL])
def test_every_move_means_itself(options: tuple[str, ...]) -> None:
    assert [parse(option, options) for option in options] == list(options)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("", tuple(GUESSES)),
        ("11", tuple(GUESSES)),
        ("guess", tuple(GUESSES)),
        ("guess 7 8", tuple(GUESSES)),
        ("mark 1", tuple(GUESSES)),
        ("", tuple(MARKS)),
        ("5", tuple(MARKS)),
        ("mark", tuple(MARKS)),
        ("bomb", CAPTAIN),
        ("perhaps", TOKEN),
        ("\x1b]52;c;\x07", TOKEN),
    ],
)
def test_what_is_no_move_now_is_refused_with_what_is_one(text: str, options: tuple[str, ...]) -> None:
    with pytest.raises(MoveError) as refusal:
        parse(text, options)
    assert options[0] in str(refusal.value)
    assert str(refusal.value).isprintable()
    assert (refusal.value.text, refusal.value.options) == (text, options)
