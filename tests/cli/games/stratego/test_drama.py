"""The duel of an attack: its pieces have their names in the player's language."""

from __future__ import annotations

import pytest

from cli.games.stratego import drama
from cli.text import language
from p2p_stratego.stratego.rules.pieces import FACE_NAMED


@pytest.mark.parametrize(("code", "shown"), [("en", "Scout"), ("de", "Aufklärer"), ("nl", "Verkenner")])
def test_a_duel_names_its_pieces_in_the_language_that_is_spoken(code: str, shown: str) -> None:
    language.install(code)
    assert drama._figure(0, FACE_NAMED["scout"], "Anna").name == shown
