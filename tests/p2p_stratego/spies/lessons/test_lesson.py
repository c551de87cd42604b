"""The lesson of SPIES!: who follows the coach catches a spy, carries a secret home and survives a search.

Whatever else a learner decides goes on, too.
"""

from __future__ import annotations

from random import Random

import pytest

from cli.games.interface import PlannedAnswers
from cli.games.spies.answers import forced
from cli.games.spies.terminal import TERMINAL
from cli.games.typed_names import in_english
from cli.text.language import install
from p2p_stratego.core.game import Choose, Face, Move
from p2p_stratego.core.language import _
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from p2p_stratego.spies.bots.recruit import Recruit
from p2p_stratego.spies.lessons.lesson import LESSON, gives_up
from p2p_stratego.spies.rules.game import GAME
from p2p_stratego.spies.rules.state import State
from tests.helpers.machine.examples import runs
from tests.helpers.program.coaching import rows

ENTER = "Press Enter for a proposal, and Enter again to send it."


class Over(Exception):
    """The tutor gives up."""


class Learner:
    """Types what the coach says, at times something else that the rules allow."""

    def __init__(self, seed: int, astray: float) -> None:
        """`astray`: how often, of 1."""
        self.sentences, self._planned = list[str](), list[Move | tuple[Face, ...]]()
        self._chance, self._astray, self._recruit = Random(seed), astray, Recruit(Random(seed))
        self.view: View[State] | None = None

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        self.view = view
        due = forced(view)
        if due is not None:
            return due
        text = LESSON.coach(view)
        self.sentences.append(text)
        typed = text.rpartition("\n")[2].partition(_("Type {line}", line=""))[2]
        assert LESSON.line(view) == typed, "Enter lays out what the coach names"
        if self._planned:
            planned = self._planned.pop(0)
            if not isinstance(view.asked, Choose) or planned in view.asked.options:
                return planned
            self._planned.clear()
        if self._chance.random() < self._astray:
            return self._recruit.decide(view)
        assert TERMINAL.proposal is not None
        last = text.rpartition("\n")[2]
        if last == _(ENTER):
            line = TERMINAL.proposal(view, self._chance)
        elif last.startswith(_("Type {line}", line="")):
            line = last.partition(" ")[2]
        else:
            return self._recruit.decide(view)  # the learner is free
        read = TERMINAL.questions.read(view, in_english(line, TERMINAL.names()))
        if isinstance(read, PlannedAnswers):
            assert not read.line, line
            self._planned += read.then
            return read.first
        return read


class Tutor:
    def __init__(self, seed: int) -> None:
        self._tutor = LESSON.tutor(Random(seed))

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        if gives_up(view):
            raise Over(view.state)
        return self._tutor.decide(view)


def lesson(seed: int, astray: float = 0.0) -> tuple[Learner, State]:
    """The learner of a lesson, and the state at its end."""
    learner = Learner(seed, astray)
    try:
        return learner, play(GAME, [learner, Tutor(seed)], LESSON.options, Random(seed)).state
    except Over as over:
        return learner, over.args[0]


@pytest.mark.parametrize("seed", range(2))
def test_who_follows_the_coach_catches_a_spy_carries_a_secret_home_and_survives_a_search(seed: int) -> None:
    learner, state = lesson(seed)
    text = "\n".join(learner.sentences)
    assert "Type search" in text
    assert "Type discovery ge1 strasbourg" in text
    assert "Type cash ge1" in text
    assert text.endswith("Type papers")
    assert state.year == 1933
    assert [lying.origin for lying in state.secrets if lying.where == "cashed"]
    assert all(piece.where == "map" for piece in state.spies if piece.power == 0)
    over = LESSON.coach(View(0, state, {}))
    assert over.startswith("Well done, spymaster! Your year: 1 secret brought home, ")
    assert len(learner.sentences) <= 30
    assert max(map(rows, learner.sentences)) <= 16


@pytest.mark.parametrize("language", ["de", "nl"])
def test_what_the_coach_says_can_be_typed_in_each_language(language: str) -> None:
    install(language)
    try:
        learner, state = lesson(5)
        assert [lying.origin for lying in state.secrets if lying.where == "cashed"]
        assert "Well done" not in LESSON.coach(View(0, state, {}))
        assert max(map(rows, learner.sentences)) <= 20
    finally:
        install("en")


@pytest.mark.parametrize("seed", range(runs(3, 60)))
def test_a_learner_who_goes_astray_is_told_how_to_go_on(seed: int) -> None:
    learner, state = lesson(seed, astray=0.4)
    assert all(learner.sentences)
    assert LESSON.coach(View(0, state, {}))
