"""Lessons two to five: who does as the coach says meets the goal; no tutor names what cannot be there."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.lesson import Lesson
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from p2p_stratego.registry import lesson
from p2p_stratego.spies_and_lies.lessons.days import READING, TOKEN, WINNING, likeliest, likely
from p2p_stratego.spies_and_lies.rules.components import BLUE, RED
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.notation import KEEP, LAY, guess
from p2p_stratego.spies_and_lies.rules.observation import honest_marks, own_line
from p2p_stratego.spies_and_lies.rules.state import State
from tests.helpers.program.coaching import rows

Decide = Callable[[View[State]], Move | tuple[Face, ...]]


class Over(Exception):
    """The tutor gives up."""


@dataclass
class Taught:
    """What came of one lesson."""

    met: bool = False
    sentences: list[str] = field(default_factory=list)
    named: int = 0
    """Guesses of the tutor."""
    impossible: list[tuple[int, int]] = field(default_factory=list)
    """Mission and rank of each that could not be there."""


def taught(known: Lesson, decide: Decide, seed: int) -> Taught:
    """One lesson with a learner who decides like this."""
    came = Taught()

    def look(view: View[State]) -> None:
        if known.over(view):
            came.met = known.met(view)
            came.sentences.append(known.coach(view))
            raise Over

    class Learner:
        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            look(view)
            came.sentences.append(known.coach(view))
            return decide(view)

    class Tutor:
        def __init__(self) -> None:
            self._tutor = known.tutor(random.Random(seed))

        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            look(view)
            decided = self._tutor.decide(view)
            if isinstance(decided, str) and decided.startswith("guess"):
                rank = int(decided.split()[1])
                came.named += 1
                if rank not in likely(view.state, RED):
                    came.impossible.append((view.state.mission, rank))
            return decided

    try:
        played = play(GAME, [Learner(), Tutor()], known.options, random.Random(seed))
    except Over:
        return came
    end = View(RED, played.state, {})
    came.met = known.met(end)
    came.sentences.append(known.coach(end))
    return came


def following(view: View[State]) -> Move | tuple[Face, ...]:
    """True marks, the likeliest guess, a token where another soldier is likelier."""
    state, decision = view.state, view.asked
    if isinstance(decision, Commit):
        return ()  # the test lays the line of its lesson
    if state.phase == "intel":
        return honest_marks(view)[-1]
    if LAY in decision.options:
        other = likeliest(likely(state, RED)) != own_line(view)[state.mission - 1]
        return LAY if other else KEEP
    if state.guesser == RED:
        return guess(likeliest(likely(state, BLUE)))
    return next(iter(decision.options))


def as_told(known: Lesson) -> Decide:
    """A learner who types what the coach proposes."""

    def decide(view: View[State]) -> Move | tuple[Face, ...]:
        typed = known.coach(view).rpartition("\nType ")[2]
        if isinstance(view.asked, Commit):
            return tuple(map(int, typed.split()))
        return typed if typed in view.asked.options else following(view)

    return decide


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("number", [2, 3, 4])
def test_who_does_as_the_coach_says_meets_the_goal(number: int, seed: int) -> None:
    known = lesson("spies-and-lies", number)
    assert known is not None
    came = taught(known, as_told(known), seed)
    assert came.met, came.sentences
    assert "{" not in "".join(came.sentences)
    assert max(map(rows, came.sentences)) <= 13


def test_the_guess_that_wins_is_within_reach_of_who_counts() -> None:
    met = [taught(WINNING, as_told(WINNING), seed).met for seed in range(20)]
    assert sum(met) >= 18  # chance has a say: the coach offers another try


def anything(chance: random.Random) -> Decide:
    """Any answer that the rules allow, wise or not, honest or not."""

    def decide(view: View[State]) -> Move | tuple[Face, ...]:
        if isinstance(view.asked, Commit):
            hand = [rank for rank in view.asked.faces if rank not in view.state.exhausted[view.seat]]
            return tuple(chance.sample(hand, 4))
        return chance.choice(list(view.asked.options))

    return decide


def honestly(chance: random.Random) -> Decide:
    """Any line in rising order, marked truly; else anything."""
    free = anything(chance)

    def decide(view: View[State]) -> Move | tuple[Face, ...]:
        laid = free(view)
        if not isinstance(laid, str):
            return tuple(sorted(laid))
        return honest_marks(view)[0] if view.state.phase == "intel" else laid

    return decide


@pytest.mark.parametrize("seed", [*range(5), 471])  # 471: the last card left the proposal, and the marks told
@pytest.mark.parametrize("number", range(1, 6))
def test_the_tutor_never_names_what_cannot_be_there(number: int, seed: int) -> None:
    """Cannot: by the order, by who rests, by marks and by open cards, as long as they leave anything."""
    known = lesson("spies-and-lies", number)
    assert known is not None
    for learner in (honestly, anything):
        came = taught(known, learner(random.Random(seed)), seed)
        assert came.impossible == []
        assert came.sentences
        assert min(map(len, came.sentences)) > 10
        assert "{" not in "".join(came.sentences)
        assert max(map(rows, came.sentences)) <= 16


def test_a_goal_that_is_out_of_reach_ends_the_lesson_with_a_word_on_it() -> None:
    """Of three guesses too many are wrong; a token that is laid where the tutor names rightly is gone."""
    low = taught(READING, lambda view: _badly(view, READING), 1)
    assert not low.met
    assert "got away" in low.sentences[-1]

    def token_first(view: View[State]) -> Move | tuple[Face, ...]:
        state, decision = view.state, view.asked
        if not isinstance(decision, Commit) and LAY in decision.options:
            named = likeliest(likely(state, RED)) == own_line(view)[state.mission - 1]
            return LAY if named else KEEP
        return as_told(TOKEN)(view)

    ends = [taught(TOKEN, token_first, seed) for seed in range(6)]
    assert not any(end.met for end in ends)
    assert all("The token is gone" in end.sentences[-1] for end in ends)


def _badly(view: View[State], known: Lesson) -> Move | tuple[Face, ...]:
    """As told, but with the least likely guess."""
    state = view.state
    if state.phase == "mission" and state.guesser == RED and not isinstance(view.asked, Commit):
        shares = likely(state, BLUE)
        rank = min(shares, key=lambda rank: shares[rank])
        if guess(rank) in view.asked.options:
            return guess(rank)
    return as_told(known)(view)
