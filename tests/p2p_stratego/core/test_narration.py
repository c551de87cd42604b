"""Ends in words: one or several winners, a cheat among many, a table that was left."""

from __future__ import annotations

import pytest

from p2p_stratego.core.game import Breach, Outcome
from p2p_stratego.core.narration import agreeing, all_of, either, ending, listed
from tests.golden.dialogues import assert_told

TWO, THREE, FOUR = ("Ann", "Ben"), ("Ann", "Ben", "Cleo"), ("Ann", "Ben", "Cleo", "Dan")
REASONS = {"points": "{W} wins: the agent is with {L}.", "flag": "{W} takes it, and {L} has lost."}


@pytest.mark.parametrize(
    ("names", "winners", "reason"),
    [
        (TWO, {0}, "resigned"),
        (TWO, set(), "agreed-draw"),
        (THREE, set(), "agreed-draw"),
        (THREE, {2}, "deserted"),
        (FOUR, {1, 3}, "deserted"),
        (FOUR, {0, 1}, "unrevealed"),
        (FOUR, {0, 1}, "unresponsive"),
        (FOUR, {0, 2}, "points"),
        (FOUR, {0, 1, 2}, "flag"),
        (FOUR, {3}, "unheard-of"),
        (FOUR, {2, 3}, "unheard-of"),
    ],
)
def test_an_end_agrees_with_the_number_of_its_winners(
    names: tuple[str, ...], winners: set[int], reason: str
) -> None:
    won = listed([names[seat] for seat in sorted(winners)]) or "nobody"
    assert_told(
        "ends",
        f"won by {won} of {len(names)}: {reason}",
        ending(Outcome(frozenset(winners), reason), names, REASONS),
    )


def test_of_many_only_the_cheat_is_named_for_the_cheat() -> None:
    ranked = Outcome(frozenset({0, 3}), "cheated", Breach(1, "a rule"))
    assert_told("ends", "two of four win by a cheat", ending(ranked, FOUR, {}, "cheated"))
    of_two = Outcome(frozenset({0}), "cheated", Breach(1, "a rule"))
    assert_told("ends", "one of two wins by a cheat", ending(of_two, TWO, {}, "cheated"))


def test_a_cheat_in_the_middle_of_many_makes_the_game_void() -> None:
    void = Outcome(frozenset(), "cheated", Breach(2, "a rule"))
    assert_told("ends", "void by a cheat", ending(void, THREE, {}, "made a queen of a baron"))


def test_a_table_of_which_too_many_are_silent_has_no_winner() -> None:
    sentence = ending(Outcome(frozenset(), "unresponsive"), FOUR, {})
    assert_told("ends", "too many are silent", sentence)


def test_a_table_whose_winners_never_showed_their_claims_has_no_winner() -> None:
    sentence = ending(Outcome(frozenset(), "unrevealed"), FOUR, {})
    assert_told("ends", "the winners never showed their claims", sentence)


def test_only_the_verb_behind_a_sign_changes() -> None:
    assert agreeing("{W} wins: what has wins is {W} has", "{W}") == "{W} win: what has wins is {W} have"
    assert agreeing("{W} plays on", "{W}") == "{W} plays on"


def test_names_in_a_row() -> None:
    assert listed(()) == ""
    assert listed(THREE) == "Ann, Ben and Cleo"
    assert (all_of(2), all_of(5)) == ("both", "all")


@pytest.mark.parametrize(
    ("things", "sentence"), [((), ""), (TWO[:1], "Ann"), (TWO, "Ann or Ben"), (FOUR, "Ann, Ben, Cleo or Dan")]
)
def test_things_of_which_one_is_meant_have_one_or(things: tuple[str, ...], sentence: str) -> None:
    assert either(things) == sentence
