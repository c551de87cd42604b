"""The first day: what is met by a learner who follows the coach, and by one who does anything else."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_stratego.core import values
from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.lesson import LEARNER
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots.beliefs import Evidence, open_ranks
from p2p_stratego.spies_and_lies.lessons.lesson import LESSON, came, proposal, tutors_line
from p2p_stratego.spies_and_lies.rules.checks import falsely_marked
from p2p_stratego.spies_and_lies.rules.components import GENERAL, INTEL_DECK, MISSIONS, RANKS, RED, Rank
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.notation import MARKS
from p2p_stratego.spies_and_lies.rules.state import Effect, Report, State
from tests.helpers.program.coaching import rows
from tests.helpers.spies_and_lies.table import BASE

Decide = Callable[[View[State]], Move | tuple[Face, ...]]


class _Over(Exception):
    """The tutor gives up."""


class _Tutor:
    """The tutor, and every report up to the moment when it gives up."""

    def __init__(self, chance: random.Random, reports: dict[int, Report]) -> None:
        self._tutor = LESSON.tutor(chance)
        self._reports = reports

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        if (report := view.state.report) is not None:
            self._reports[report.turn] = report
        if LESSON.over(view):
            raise _Over
        return self._tutor.decide(view)


class _Learner:
    """A learner who reads what the coach says before each decision, and then does as `decide` says."""

    def __init__(self, decide: Decide, sentences: list[str], reports: dict[int, Report]) -> None:
        self._decide, self._said, self._reports = decide, sentences, reports

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        if (report := view.state.report) is not None:
            self._reports[report.turn] = report
        self._said.append(LESSON.coach(view))
        return self._decide(view)


def lesson(seed: int, decide: Decide) -> tuple[list[str], dict[int, Report]]:
    """All that the coach said in one lesson, and the reports of the turns that a player saw as the last."""
    chance, sentences, reports = random.Random(seed), list[str](), dict[int, Report]()
    with pytest.raises(_Over):
        play(GAME, [_Learner(decide, sentences, reports), _Tutor(chance, reports)], LESSON.options, chance)
    return sentences, reports


@pytest.mark.parametrize("seed", range(40))
def test_who_follows_the_coach_meets_everything(seed: int) -> None:
    sentences, seen = lesson(seed, proposal)
    results = {(report.owner == LEARNER, report.result) for report in seen.values()}
    kinds = {(effect.kind, effect.side) for report in seen.values() for effect in report.effects}
    assert seen[1].result == "identified"  # guessed rightly
    assert (True, "activated") in results  # guessed wrongly by the tutor
    assert (True, "retreated") in results  # by the blast of the Bomb
    assert ("blasted", 1 - LEARNER) in kinds
    assert any(report.token and report.owner == LEARNER for report in seen.values())
    assert "incorrect-intel" not in {result for _, result in results}  # the marks were honest
    assert max(map(rows, sentences)) <= 13
    assert any("\nType 1 " in text or "\nType 2 " in text for text in sentences)
    assert any("agent moves 1 step" in text for text in sentences) or ("agent", LEARNER) in kinds


def anything(chance: random.Random) -> Decide:
    """Any answer that the rules allow, wise or not, honest or not."""

    def decide(view: View[State]) -> Move | tuple[Face, ...]:
        if isinstance(view.asked, Commit):
            hand = [rank for rank in view.asked.faces if rank not in view.state.exhausted[view.seat]]
            return tuple(chance.sample(hand, 4))
        return chance.choice(list(view.asked.options))

    return decide


@pytest.mark.parametrize("seed", range(60))
def test_the_coach_has_something_short_to_say_whatever_the_learner_does(seed: int) -> None:
    sentences, _ = lesson(seed, anything(random.Random(seed)))
    assert max(map(rows, sentences)) <= 15
    assert min(map(len, sentences)) > 10
    assert "{" not in "".join(sentences)


def test_it_depends_on_nothing_that_the_tutor_hides() -> None:
    """The tutor's cards of the day are its script's; what else it knows changes no word."""
    sentences: list[str] = []

    def decide(view: View[State]) -> Move | tuple[Face, ...]:
        only_own = {name: face for name, face in view.known.items() if name % 8 < 4}
        sentences.append(LESSON.coach(View(view.seat, view.state, only_own, view.decision, view.since)))
        return proposal(view)

    texts, _ = lesson(3, decide)
    assert sentences == texts


PUSHES = (
    ((Effect("agent", RED, 2),), "You push the agent 2 steps."),
    ((Effect("agent", RED, 1), Effect("wall", RED, 1)), "You push the agent 1 step."),
    ((Effect("wall", RED, 2),), "The agent waits at the wall until the next guess."),
    ((Effect("flag", RED, 0),), "You push the agent into the flag."),
    (
        (Effect("agent", RED, 2), Effect("points", RED, 4), Effect("agent", RED, 1)),
        "You push the agent 2 steps.",
    ),
)


@pytest.mark.parametrize(("effects", "sentence"), PUSHES)
def test_a_soldier_that_pushes_is_told_with_the_steps_that_the_wall_left(
    effects: tuple[Effect, ...], sentence: str
) -> None:
    """The coach told of 2 steps where the agent went one, and stopped at the wall."""
    _said, reports = lesson(1, proposal)
    report = replace(
        next(iter(reports.values())),
        guesser=1 - RED,
        soldier=GENERAL,
        result="activated",
        token=False,
        effects=effects,
    )
    assert next(iter(came(report))).endswith(f"acts. {sentence}")


@pytest.mark.parametrize("resting", RANKS)
def test_the_tutors_order_and_marks_leave_two_soldiers_at_every_mission(resting: Rank) -> None:
    """So the coach needs no sentence for the only one that is left."""
    line = tutors_line(values.replace(BASE, exhausted=((), (resting,))))
    for intel in INTEL_DECK:
        [marks] = [marks for marks in MARKS.values() if not falsely_marked(line, marks, intel)]
        for mission in MISSIONS:
            shown = (*line[: mission - 1], *[None] * (len(MISSIONS) - mission + 1))
            assert len(open_ranks(Evidence((resting,), shown, intel, marks), mission)) > 1
