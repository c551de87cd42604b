"""What is told at a table of three or four: acts by the player, all that is shared by the side."""

from __future__ import annotations

import pytest

from p2p_stratego.core.game import Breach, Outcome
from p2p_stratego.core.rulebook import drive
from p2p_stratego.spies_and_lies.formats.narration import ending, step, tell_turn
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.seating import Seating
from p2p_stratego.spies_and_lies.rules.state import State
from tests.golden.dialogues import assert_told
from tests.helpers.spies_and_lies.table import BASE, line, replace

FOUR_NAMES = ("Anna", "Boris", "Cleo", "Dora")
FOUR = replace(BASE, seating=Seating(4), tokens=(0, 0))
RED, BLUE = frozenset({0, 2}), frozenset({1, 3})


def assert_sentences(situation: str, *sentences: str) -> None:
    """Each sentence of a step stands on a line of its own."""
    assert_told("spies-and-lies-teams", situation, "\n".join(sentences))


def played(state: State, *answers: object) -> State:
    left = iter(answers)
    return drive(GAME.turn(state), lambda _: next(left))


def text_of(state: State, *answers: object) -> str:
    after = played(state, *answers)
    assert after.report is not None
    return tell_turn(after.report, FOUR_NAMES)


def test_players_guess_and_sides_score() -> None:
    assert_sentences("Anna guesses the Miner, rightly", text_of(FOUR, "guess 3", 3))
    assert_sentences("Cleo guesses the Spy at a Miner", text_of(replace(FOUR, turn=4), "guess 1", 3))


def test_a_side_is_caught_and_each_of_its_players_pays() -> None:
    state = replace(FOUR, turn=6, caught=(False, True), cards=(BASE.cards[0], line(8, 5, 9)))
    assert_sentences("Blue was caught out of order", text_of(state, 3))


def test_a_card_that_stays_closed_is_told_with_its_owner() -> None:
    state = drive(GAME.gone(FOUR, 1), lambda _: None)
    assert_sentences("Boris is gone, and his mission has its turn", text_of(state))
    assert_sentences("Anna guesses at a card that stays closed", text_of(FOUR, "guess 1", None))


@pytest.mark.parametrize(("before", "gone"), [(FOUR, 2), (replace(FOUR, phase="deploy"), 1)])
def test_a_departure_is_told_with_who_plays_on_and_what_stays_closed(before: State, gone: int) -> None:
    after = drive(GAME.gone(before, gone), lambda _: None)
    situation = f"{FOUR_NAMES[gone]} goes, phase {before.phase}"
    assert_sentences(situation, *step(before, after, FOUR_NAMES))


def test_a_morning_tells_who_lays_when_and_a_side_without_an_exhausted_soldier() -> None:
    dawn = replace(FOUR, phase="night", turn=8, cards=(line(), line(1, 3, 8, 9)))
    morning = played(dawn, 0)
    assert_sentences("a morning", *step(dawn, morning, FOUR_NAMES))
    looking = played(morning, (None, None))
    assert_sentences("the first soldiers lie", *step(morning, looking, FOUR_NAMES))


def test_everybodys_marks_are_told_by_name() -> None:
    before = replace(FOUR, phase="intel", intel=((1, 4),))
    after = played(before, 2, ("mark 12", "mark none", "mark 4", "mark 34"))
    assert_sentences("everybody's marks", *step(before, after, FOUR_NAMES))


@pytest.mark.parametrize(
    ("outcome", "names"),
    [
        (Outcome(BLUE, "territory"), FOUR_NAMES),
        (Outcome(RED, "cheated", Breach(3, "card-laid-twice")), FOUR_NAMES),
        (Outcome(frozenset({1}), "flag"), FOUR_NAMES[:3]),
        (Outcome(frozenset(), "draw"), FOUR_NAMES),
    ],
)
def test_an_end_names_both_players_of_a_side(outcome: Outcome, names: tuple[str, ...]) -> None:
    assert_sentences(
        f"end of {len(names)}: {sorted(outcome.winners)} {outcome.reason}", ending(outcome, names)
    )
