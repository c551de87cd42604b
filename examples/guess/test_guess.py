"""The test kit, and the few rules that are this game's own."""

from __future__ import annotations

import pytest
from guess.rules import GAME, HIGH, LOW, State

from cli.testing.checks import CHECKS, Check
from cli.testing.subject import LeftOut, listed
from p2p_stratego.core.game import Outcome
from p2p_stratego.core.rulebook import drive


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_it_passes_the_test_kit(check: Check) -> None:
    with listed("guess.entry:ENTRY") as subject:
        try:
            assert all("lacks" in warning for warning in check.run(subject))
        except LeftOut as why:
            pytest.skip(str(why))


@pytest.mark.parametrize(("shown", "winner", "reason"), [(HIGH, 1, "found"), (LOW, 0, "missed")])
def test_the_high_card_wins_for_the_guesser(shown: int, winner: int, reason: str) -> None:
    answers = iter(("left", shown))
    state = drive(GAME.turn(State(1, "guess")), lambda _: next(answers))
    assert GAME.outcome(state) == Outcome(frozenset({winner}), reason)
