"""The game that `setups` means when none is named."""

from __future__ import annotations

from tests.helpers.program.commands import Call


def test_the_default_game_of_setups_is_the_one_that_its_help_names(call: Call) -> None:
    helped = " ".join(call("setups", "--help").out.split())
    assert "default: stratego" in helped
    assert call("setups").out == call("setups", "--game", "stratego").out
