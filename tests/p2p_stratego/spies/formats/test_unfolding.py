"""An open step of SPIES! in words: its events as they happen, and no name of a card before it is opened."""

from __future__ import annotations

import re

import pytest

from p2p_stratego.core.game import Choose
from p2p_stratego.spies.formats import narration, words
from p2p_stratego.spies.formats.narration import Unfolding
from p2p_stratego.spies.rules.state import SPY_CODED, State
from p2p_stratego.spies.rules.underway import underway
from tests.helpers.spies.moments import PEOPLE
from tests.helpers.spies.observed import recorded_game

NAMED = re.compile(r"\b((?:ge|it|ru|fr|br)[1-5])(?: [A-Z][a-z]+ \(\d\)|, the cousin \(\d\))")


def closed(text: str) -> str:
    """A sentence with no names of spies."""
    return NAMED.sub(r"\1", text)


def faces_told(text: str, state: State) -> bool:
    """Whether every spy that a sentence names lies open to all."""
    return all(state.spies[SPY_CODED[code]].face is not None for code in NAMED.findall(text))


@pytest.mark.parametrize("seats", [3, 5])
def test_what_an_open_step_tells_are_the_first_sentences_of_the_step(seats: int) -> None:
    game, _ = recorded_game(seats, 1, ())
    names, parts = PEOPLE[:seats], 0
    for before, asked, after in game.steps:
        step, sentences = Unfolding(before, names), list[str]()
        for ask, answer in asked:
            sentences += step.hear(ask, answer)
        whole = narration.step(before, after, names)
        assert [closed(text) for text in sentences] == [closed(text) for text in whole[: len(sentences)]]
        parts += bool(sentences)
    assert parts > 20


def test_at_every_question_all_that_has_happened_in_its_step_is_told_and_of_open_cards_only() -> None:
    game, _ = recorded_game(4, 1, ())
    questions = 0
    for before, asked, _ in game.steps:
        step, sentences = Unfolding(before, PEOPLE), list[str]()
        for number, (ask, answer) in enumerate(asked):
            if number and isinstance(ask, Choose):
                state = underway(before, tuple(asked[:number]), ask)
                assert len(sentences) == len(list(narration.events(state, PEOPLE)))
                assert all(faces_told(text, state) for text in sentences)
                questions += bool(sentences)
            sentences += step.hear(ask, answer)
    assert questions > 10


def test_a_step_that_is_none_of_this_state_tells_nothing() -> None:
    game, _ = recorded_game(3, 1, ())
    (before, *_), (_, asked, _) = game.steps[0], game.steps[-1]
    step = Unfolding(before, PEOPLE)
    assert [sentence for ask, answer in asked for sentence in step.hear(ask, answer)] == []
    over = before._replace(phase="over")
    assert Unfolding(over, PEOPLE).hear(*asked[0]) == ()


def test_pounds_that_several_gain_in_a_city_are_one_sentence_and_nobody_is_left_out() -> None:
    game, _ = recorded_game(5, 1, ())
    together = 0
    for before, asked, after in game.steps:
        gains = [event for event in after.report if event.kind == "gains"]
        step = Unfolding(before, PEOPLE)
        texts = [text for ask, answer in asked for text in step.hear(ask, answer)]
        texts += narration.step(before, after, PEOPLE)[len(texts) :]
        for event in gains:
            mine = [text for text in texts if f"at {words.city(event.city)}." in text and " gain" in text]
            assert len(mine) == 1
            assert words.power(event.power) in mine[0]
            assert f"£{event.numbers[0]} " in mine[0]
            together += " gain £" in mine[0]
    assert together
