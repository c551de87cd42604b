"""The first battle: what is met by a learner who follows the coach, and by one who does anything else."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.lesson import LEARNER
from p2p_stratego.core.self_play import PlayedGame, play
from p2p_stratego.core.view import View
from p2p_stratego.stratego.formats.setups import answers, read
from p2p_stratego.stratego.lessons.lesson import ARMY, LESSON, proposal, strayed
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.game import GAME
from p2p_stratego.stratego.rules.notation import PLACES, fill
from p2p_stratego.stratego.rules.observation import own_moves
from p2p_stratego.stratego.rules.pieces import BOMB, MARSHAL, MINER, SCOUT, SPY
from p2p_stratego.stratego.rules.state import Report, State
from tests.golden.dialogues import assert_told
from tests.helpers.program.coaching import rows

Decide = Callable[[View[State]], Move | tuple[Face, ...]]


def following(view: View[State]) -> Move | tuple[Face, ...]:
    faces, squares = answers(read(LESSON.setup, ARMIES[ARMY])[0])
    if isinstance(view.asked, Commit):
        return faces
    return squares if view.state.phase == "squares" else proposal(view).move


def battle(
    decide: Decide, *, most: int = 1000, beside: Callable[[View[State]], None] = lambda _view: None
) -> tuple[PlayedGame[State] | None, list[str], list[Report]]:
    """The battle (None: it was broken off), all that the coach said, and what both saw come.

    `beside`: gets every view of the tutor's.
    """
    sentences, seen = list[str](), dict[int, Report]()

    class Learner:
        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            sentences.append(LESSON.coach(view))
            note(view)
            if len(sentences) > most:
                raise StopAsyncIteration
            return decide(view)

    class Tutor:
        def __init__(self) -> None:
            self._tutor = LESSON.tutor(random.Random(0))

        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            note(view)
            beside(view)
            return self._tutor.decide(view)

    def note(view: View[State]) -> None:
        if view.state.report is not None:
            seen[view.state.plies] = view.state.report

    try:
        played = play(GAME, [Learner(), Tutor()], LESSON.options, random.Random(0))
    except StopAsyncIteration:
        played = None
    return played, sentences, list(seen.values())


def test_who_follows_the_coach_meets_everything_and_wins_by_the_flag() -> None:
    played, sentences, seen = battle(following)
    assert played is not None
    assert played.outcome.winners == {LEARNER}
    assert played.outcome.reason == "flag"
    fights = {(report.seat, report.attacker, report.defender) for report in seen}
    assert fights >= {
        (0, SCOUT, MARSHAL),
        (1, SCOUT, BOMB),
        (0, SPY, MARSHAL),
        (0, MINER, BOMB),
    }
    assert 10 <= len(sentences) <= 40  # about ten minutes


MARSHAL_COMES = "Blue's Marshal comes: keep your spy where it stands."


def test_a_missed_chance_is_named_and_the_marshal_that_stands_is_not_said_to_come() -> None:
    """The learner follows the coach, but leaves the ambush with its spy when the Marshal stands beside it."""
    sentences, fled = list[str](), list[str]()
    before: list[View[State]] = []

    def flees(view: View[State]) -> Move | tuple[Face, ...]:
        if view.state.phase != "play":
            return following(view)
        if before:
            sentences.append(strayed(before[-1], [after_own[-1], view.state]))
        if fled:
            assert MARSHAL_COMES not in LESSON.coach(view)
        before.append(view)
        move = proposal(view).move
        if proposal(view).goal == "strike":
            move = next(move for move in own_moves(view) if move == "e3e2")
            fled.append(move)
        return move

    after_own: list[State] = []

    def watching(view: View[State]) -> None:
        after_own.append(view.state)

    _, hints, _ = battle(flees, most=30, beside=watching)
    assert len(fled) == 1
    assert sum(MARSHAL_COMES in hint for hint in hints) > 0
    (remark,) = filter(None, sentences)
    assert_told("learn", "the spy does not take the Marshal", remark)


def test_another_way_than_the_coachs_is_noted_and_any_way_is_right_where_it_has_none() -> None:
    chance, sentences = random.Random(1), list[str]()
    before, own = list[View[State]](), list[State]()

    def anything(view: View[State]) -> Move | tuple[Face, ...]:
        if view.state.phase != "play":
            return following(view)
        if before:
            sentences.append(strayed(before[-1], [own[-1], view.state]))
        before.append(view)
        return chance.choice(own_moves(view))

    battle(anything, most=15, beside=lambda view: own.append(view.state))
    assert_told("learn", "another way than the coach's", "\n".join(dict.fromkeys(sentences)), "Another way")


@pytest.mark.parametrize("seed", range(12))
def test_the_coach_has_something_short_to_say_whatever_the_learner_does(seed: int) -> None:
    chance = random.Random(seed)

    def anything(view: View[State]) -> Move | tuple[Face, ...]:
        if isinstance(view.asked, Commit):
            return tuple(chance.sample(view.state.army.faces, view.state.army.size))
        if view.state.phase == "squares":
            return fill(chance.sample(range(PLACES), view.state.army.size))
        return chance.choice(own_moves(view))

    _, sentences, _ = battle(anything, most=60)
    assert max(map(rows, sentences)) <= 12
    assert min(map(len, sentences)) > 10
    assert "{" not in "".join(sentences)


@pytest.mark.parametrize("seed", range(6))
def test_who_returns_to_the_coach_after_a_bad_start_can_still_win(seed: int) -> None:
    chance, made = random.Random(seed), 0

    def badly_at_first(view: View[State]) -> Move | tuple[Face, ...]:
        nonlocal made
        if view.state.phase == "play":
            made += 1
            if made <= 8:
                return chance.choice(own_moves(view))
        return following(view)

    played, _, _ = battle(badly_at_first, most=150)
    assert played is not None
    assert played.outcome.winners == {LEARNER}


def test_a_chance_that_is_still_there_is_not_said_to_have_passed() -> None:
    """The learner moves a scout until the Marshal stands beside its spy, once more, and then takes it."""
    walk = iter(("b1c1", "c1d1", "d1d2", "d2c2", "c2b2", "b2b1", "b1c1", "c1d1"))
    asked, states, sentences = list[View[State]](), list[State](), list[str]()

    def late(view: View[State]) -> Move | tuple[Face, ...]:
        if view.state.phase != "play":
            return following(view)
        if asked:
            sentences.append(strayed(asked[-1], [states[-1], view.state]))
        waited = any(proposal(before).goal == "strike" for before in asked)
        asked.append(view)
        plan = proposal(view)
        waits = plan.goal == "marshal" and MARSHAL not in view.state.lost[1]
        return next(walk) if waits or (plan.goal == "strike" and not waited) else plan.move

    _played, hints, _reports = battle(late, beside=lambda view: states.append(view.state))
    assert sum(proposal(view).goal == "strike" for view in asked) == 2
    assert not any("that chance has passed" in sentence for sentence in sentences)
    fell = max(at for at, hint in enumerate(hints) if "stands beside your spy!" in hint) + 1
    assert any("Their Marshal is gone" in hint for hint in hints[fell:])
    assert not any("with which it would fall" in hint for hint in hints[fell:])
