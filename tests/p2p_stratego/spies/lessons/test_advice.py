"""The coach in SPIES!: a sentence for every decision, from what its seat may see and nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from p2p_stratego.core.game import Choose, Commit, Face, Move
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from p2p_stratego.registry import make_bot
from p2p_stratego.spies.lessons.advice import advise
from p2p_stratego.spies.rules.counters import SPY_FACES
from p2p_stratego.spies.rules.game import GAME
from p2p_stratego.spies.rules.state import State
from tests.helpers.program.coaching import foremost

Told = list[tuple[View[State], str]]
Decide = Callable[[View[State]], Move | tuple[Face, ...]]


class Enough(Exception):
    """The game is broken off."""


class Advised:
    """A bot beside which the coach speaks before each decision, until it has spoken so often."""

    def __init__(self, decide: Decide, lines: Told, most: int) -> None:
        self._decide, self._told, self._most = decide, lines, most

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        kept = View(view.seat, view.state, dict(view.known), view.decision, view.since)
        self._told.append((kept, foremost(advise(view))))
        if len(self._told) >= self._most:
            raise Enough
        return self._decide(view)


@pytest.mark.parametrize(("seats", "level", "most"), [(2, "recruit", 150), (5, "agent", 75)])
def test_there_is_a_sentence_for_every_decision(seats: int, level: str, most: int) -> None:
    chance, lines = random.Random(seats), Told()
    bots = [Advised(make_bot("spies", level, chance).decide, lines, most) for _ in range(seats)]
    with suppress(Enough):
        play(GAME, bots, {}, chance)
    for _, sentence in lines:
        assert sentence.endswith(".")
        assert len(sentence) <= 130
        assert "{" not in sentence
    assert len({sentence for _, sentence in lines}) > 5


def test_other_spies_behind_the_same_public_game_change_no_word() -> None:
    """Others lay their spies in either order; until one of them matters face up, the coach says the same."""
    (first, faces), (second, others) = _spoken(reverse=False), _spoken(reverse=True)
    same = 0
    for (view, sentence), (other_view, other) in zip(first, second, strict=False):
        if view != other_view:
            break
        assert sentence == other
        same += 1
    assert same > 20
    assert any(view.state.phase == "turn" for view, _ in first[:same])
    assert faces != others


def _spoken(*, reverse: bool) -> tuple[Told, list[tuple[Face, ...]]]:
    """What is said to the first seat, and what the others laid as spies."""
    lines, chance, laid = Told(), random.Random(7), list[tuple[Face, ...]]()

    def other(bot: Decide) -> Decide:
        def decide(view: View[State]) -> Move | tuple[Face, ...]:
            answer = bot(view)
            if isinstance(view.asked, Commit) and tuple(view.asked.faces) == SPY_FACES:
                laid.append(tuple(reversed(SPY_FACES)) if reverse else SPY_FACES)
                return laid[-1]
            return answer

        return decide

    class Bot:
        def __init__(self, decide: Decide) -> None:
            self.decide = decide

    bots: list[Decide] = [make_bot("spies", "recruit", random.Random(seat)).decide for seat in range(5)]
    seated: list[Any] = [Advised(bots[0], lines, 60), *(Bot(other(bot)) for bot in bots[1:])]
    with suppress(Enough):
        play(GAME, seated, {}, chance)
    return lines, laid


def test_each_secret_that_is_laid_has_a_city_and_a_reason() -> None:
    chance, lines = random.Random(4), Told()
    bots = [Advised(make_bot("spies", "recruit", chance).decide, lines, 12) for _ in range(2)]
    with suppress(Enough):
        play(GAME, bots, {}, chance)
    laid = [(view, line) for view, line in lines if view.state.phase == "secrets"]
    assert laid
    for view, line in laid:
        assert isinstance(view.decision, Choose)
        assert any(move.split()[1].capitalize() in line for move in view.decision.options), line
    assert len({line.split(":")[0] for _, line in laid}) > 2
