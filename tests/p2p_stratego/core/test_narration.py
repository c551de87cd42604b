"""Ends in words: one or several winners, a cheat among many, a table that was left."""

from __future__ import annotations

import pytest

from p2p_stratego.core.game import Breach, Outcome
from p2p_stratego.core.narration import agreeing, all_of, either, ending, listed

TWO, THREE, FOUR = ("Ann", "Ben"), ("Ann", "Ben", "Cleo"), ("Ann", "Ben", "Cleo", "Dan")
REASONS = {"points": "{W} wins: the agent is with {L}.", "flag": "{W} takes it, and {L} has lost."}


@pytest.mark.parametrize(
    ("names", "winners", "reason", "told"),
    [
        (TWO, {0}, "resigned", "Ann wins: Ben has resigned."),
        (TWO, set(), "agreed-draw", "A draw, as both agreed."),
        (THREE, set(), "agreed-draw", "A draw, as all agreed."),
        (THREE, {2}, "deserted", "Cleo wins: all others have left."),
        (FOUR, {1, 3}, "deserted", "Ben and Dan win: all others have left."),
        (FOUR, {0, 1}, "unrevealed", "Ann and Ben win: some did not show what they had claimed."),
        (FOUR, {0, 1}, "unresponsive", "Ann and Ben claim the game: Cleo and Dan did not answer."),
        (FOUR, {0, 2}, "points", "Ann and Cleo win: the agent is with Ben and Dan."),
        (FOUR, {0, 1, 2}, "flag", "Ann, Ben and Cleo take it, and Dan has lost."),
        (FOUR, {3}, "unheard-of", "Dan wins: unheard-of."),
        (FOUR, {2, 3}, "unheard-of", "Cleo and Dan win: unheard-of."),
    ],
)
def test_an_end_agrees_with_the_number_of_its_winners(
    names: tuple[str, ...], winners: set[int], reason: str, told: str
) -> None:
    assert ending(Outcome(frozenset(winners), reason), names, REASONS) == told


def test_of_many_only_the_cheat_is_named_for_the_cheat() -> None:
    ranked = Outcome(frozenset({0, 3}), "cheated", Breach(1, "a rule"))
    assert ending(ranked, FOUR, {}, "cheated") == "Ann and Dan win: Ben cheated."
    of_two = Outcome(frozenset({0}), "cheated", Breach(1, "a rule"))
    assert ending(of_two, TWO, {}, "cheated") == "Ann wins: Ben cheated."


def test_a_cheat_in_the_middle_of_many_makes_the_game_void() -> None:
    void = Outcome(frozenset(), "cheated", Breach(2, "a rule"))
    assert ending(void, THREE, {}, "made a queen of a baron") == (
        "The game is void: Cleo made a queen of a baron."
    )


def test_a_table_of_which_too_many_are_silent_has_no_winner() -> None:
    told = ending(Outcome(frozenset(), "unresponsive"), FOUR, {})
    assert told == "Nobody wins: the game cannot go on, for some do not answer."


def test_a_table_whose_winners_never_showed_their_claims_has_no_winner() -> None:
    told = ending(Outcome(frozenset(), "unrevealed"), FOUR, {})
    assert told == "Nobody wins: some did not show what they had claimed."


def test_only_the_verb_behind_a_sign_changes() -> None:
    assert agreeing("{W} wins: what has wins is {W} has", "{W}") == "{W} win: what has wins is {W} have"
    assert agreeing("{W} plays on", "{W}") == "{W} plays on"


def test_names_in_a_row() -> None:
    assert listed(()) == ""
    assert listed(THREE) == "Ann, Ben and Cleo"
    assert (all_of(2), all_of(5)) == ("both", "all")


@pytest.mark.parametrize(
    ("things", "told"), [((), ""), (TWO[:1], "Ann"), (TWO, "Ann or Ben"), (FOUR, "Ann, Ben, Cleo or Dan")]
)
def test_things_of_which_one_is_meant_have_one_or(things: tuple[str, ...], told: str) -> None:
    assert either(things) == told
