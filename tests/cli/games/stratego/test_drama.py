"""The duel of an attack: its pieces have their names in the player's language."""

from __future__ import annotations

import pytest

from cli.games.drama import Duel
from cli.games.stratego import drama
from cli.text import language
from tests.helpers.stratego.moments import BEGUN, PLAYERS, played


@pytest.mark.parametrize(("code", "shown"), [("en", "Scout"), ("de", "Aufklärer"), ("nl", "Verkenner")])
def test_a_duel_names_its_pieces_in_the_language_that_is_spoken(code: str, shown: str) -> None:
    language.install(code)
    (duel,) = drama.events(BEGUN, played("b4b7"), PLAYERS)
    assert isinstance(duel, Duel)
    assert duel.left.name == shown
