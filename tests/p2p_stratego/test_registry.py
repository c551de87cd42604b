"""The registry; `cli.testing` checks each entry."""

from __future__ import annotations

from p2p_stratego.registry import ENTRIES, GAMES


def test_the_rulebooks_are_a_mapping_of_every_game() -> None:
    assert list(GAMES) == list(ENTRIES)
    assert len(GAMES) == len(ENTRIES)
    assert "chess" not in GAMES
