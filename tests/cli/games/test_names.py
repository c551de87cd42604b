"""Pieces and soldiers can be typed as the screen names them, in every language, and in English always."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cli.games.conquest import names as conquest
from cli.games.interface import terminal
from cli.games.spies_and_lies.soldiers import named as the_soldier
from cli.games.stratego import names as stratego
from cli.games.typed_names import in_english
from cli.play.own_name import objection
from cli.text import language
from p2p_stratego.conquest.formats import words
from p2p_stratego.conquest.rules.pieces import NAMES as NAMES_IN_CONQUEST
from p2p_stratego.core.language import _, install
from p2p_stratego.spies_and_lies.rules.components import SOLDIERS, title
from p2p_stratego.stratego.formats import narration
from p2p_stratego.stratego.rules.armies import ORDER
from p2p_stratego.stratego.rules.pieces import NAMES


@pytest.fixture(params=sorted(language.NAMES), autouse=True)
def spoken(request: pytest.FixtureRequest) -> Iterator[str]:
    language.install(request.param)
    yield request.param
    install(None)


def typed(game: str, word: str) -> str:
    """A word as it comes to the game's readers."""
    return in_english(word, terminal(game).names())


@pytest.mark.parametrize("english", [False, True])
def test_a_soldier_of_spies_and_lies(english: bool) -> None:
    for rank, soldier in SOLDIERS.items():
        name = soldier.name if english else title(rank)
        assert the_soldier(typed("spies-and-lies", name).lower()) == rank
    assert the_soldier(typed("spies-and-lies", "bomb")) == 7


def test_a_piece_of_stratego_by_its_name_and_by_the_short_one_on_the_board() -> None:
    for face in ORDER:
        for name in (narration.named(face), NAMES[face], stratego.short(face)):
            assert stratego.face_called(typed("stratego", name)) == [face]
            assert stratego.names_piece(name)


def test_a_piece_of_conquest_by_its_name_and_by_the_short_one_on_the_map() -> None:
    for face in conquest.ORDER:
        for name in (words.named(face), conquest.short(face).strip()):
            assert conquest.face_called(typed("conquest", name)) == [face]
            assert conquest.face_called(typed("conquest", name.split()[0])) == [face]
            assert conquest.names_piece(name)


def test_the_beginning_of_a_name_is_enough(spoken: str) -> None:
    begun = {"en": "lieut", "de": "feldm", "nl": "verk"}[spoken]
    rank = {"en": 5, "de": 10, "nl": 2}[spoken]
    assert the_soldier(typed("spies-and-lies", begun)) == rank
    assert len(stratego.face_called(typed("stratego", begun))) == 1


def test_a_beginning_of_several_names_means_all_of_them(spoken: str) -> None:
    begun = {"en": "sc", "de": "koe", "nl": "ko"}[spoken]
    meant = {"en": ["scout"], "de": ["queen", "king"], "nl": ["queen", "king"]}[spoken]
    assert [NAMES_IN_CONQUEST[face] for face in conquest.face_called(typed("conquest", begun))] == meant


def test_a_name_that_is_too_long_is_refused_in_the_language_of_the_question(spoken: str) -> None:
    wrong = objection("n" * 33)
    assert wrong == _("A name has 1 to {most} characters, without space at its ends.", most=32)
    assert (wrong.startswith("A name") if spoken == "en" else not wrong.startswith("A name")) is True
