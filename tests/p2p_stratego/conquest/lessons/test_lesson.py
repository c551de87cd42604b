"""The lesson of Conquest: who follows the coach, line by line, meets a city, a card and a fight."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from cli.games.conquest.terminal import TERMINAL
from p2p_stratego.conquest.bots.agent import Agent
from p2p_stratego.conquest.bots.layouts import could_be
from p2p_stratego.conquest.lessons.lesson import LESSON, gives_up, proposal
from p2p_stratego.conquest.rules.game import GAME
from p2p_stratego.conquest.rules.notation import zones
from p2p_stratego.conquest.rules.observation import could_be as faces_of
from p2p_stratego.conquest.rules.observation import face_of, own_moves
from p2p_stratego.conquest.rules.pieces import FIGHTS, FLAG
from p2p_stratego.conquest.rules.state import Event, State
from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.lesson import LEARNER
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import Bot, View


class Over(Exception):
    """The tutor gives up."""


def lesson(seed: int, tutor: Bot[State] | None = None, *, stray: bool = False) -> tuple[list[str], State]:
    """What the coach says to a learner who follows it, and the state at the end.

    `stray`: the learner moves any piece anywhere; `tutor`: in place of the lesson's.
    """
    sentences, lots = list[str](), random.Random(seed)

    class Learner:
        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            text = LESSON.coach(view)
            sentences.append(text)
            chosen = proposal(view)
            if stray and view.state.phase == "move":
                return lots.choice(own_moves(view.state, view.known))
            if "attack it" in text:
                assert wins(view, chosen) >= (0.66 if "probably" in text else 1), text
            if "as likely to win as to lose" in text or "it may fall" in text:
                assert not view.state.made, "nothing better, and a move has to be made"
            if view.state.phase in ("army", "zones") or isinstance(view.asked, Commit):
                assert not LESSON.line(view)
                return chosen
            typed = text.rpartition("Type ")[2]
            assert TERMINAL.questions.read(view, typed) == chosen, text
            assert LESSON.line(view) == typed
            return chosen

    class Tutor:
        def __init__(self) -> None:
            self._tutor = LESSON.tutor(random.Random(seed)) if tutor is None else tutor

        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            if gives_up(view):
                raise Over(view.state)
            return self._tutor.decide(view)

    try:
        return sentences, play(GAME, [Learner(), Tutor()], LESSON.options, random.Random(seed)).state
    except Over as over:
        return sentences, over.args[0]


def wins(view: View[State], move: Move | tuple[Face, ...]) -> float:
    """How likely an attack wins by the notes that the learner reads beside the board."""
    way = zones(move) if isinstance(move, str) else None
    assert way is not None
    mine, foe = (view.state.board[at] for at in way)
    assert mine is not None
    assert foe is not None
    odds, face = could_be(view.state, foe.seat, view.known, foe), face_of(mine, view.known)
    assert face is not None
    return sum(share for other, share in odds.items() if FIGHTS[face][other] in ("won", "flag"))


@pytest.mark.parametrize("seed", range(5))
def test_who_follows_the_coach_meets_a_city_a_card_and_a_fight_and_the_lesson_ends(seed: int) -> None:
    sentences, state = lesson(seed)
    everything = "\n".join(sentences)
    assert "A city" in sentences[0]
    assert "You drew" in everything
    assert "Type ready" in everything
    assert any(state.bags)
    assert 20 <= len(sentences) <= 60
    end = LESSON.coach(View(LEARNER, state, {}))
    assert state.ended is not None or "ends the lesson here" in end  # it says why
    for text in sentences:
        assert "{" not in text
        assert "  " not in text
        assert len(text) <= 330


def test_no_city_is_lost_or_left_without_a_word() -> None:
    texts = [text for seed in range(8) for text in lesson(seed)[0]]
    assert any("Blue has come to" in text for text in texts)
    assert any("empty: it is nobody's" in text for text in texts)
    assert any("last turn of the lesson" in text for text in texts)
    assert not any("come to" in sentence and "come to" in other for sentence, other in pairwise(texts))


@pytest.mark.parametrize("stray", [False, True])
def test_chance_never_takes_the_learners_flag(stray: bool) -> None:
    """It did in the second round, and the lesson ended in a defeat."""
    rounds = list[int]()
    for seed in range(20):
        state = lesson(seed, stray=stray)[1]
        assert state.ended is None or LEARNER in state.ended.winners, seed
        rounds.append(state.round)
        view = View(LEARNER, state, {})
        assert LESSON.met(view)
        assert LESSON.coach(view)
    assert max(rounds) >= 3


class Watched:
    """The tutor, and how often it and the agent, asked at the same moments, go for what can be a flag."""

    def __init__(self, seed: int) -> None:
        self._tutor, self._agent = (make(random.Random(seed)) for make in (LESSON.tutor, Agent))
        self.attacks = self.at_flags = self.agents_at_flags = 0

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        chosen = self._tutor.decide(view)
        if view.state.phase == "move":
            self.attacks += bool(targets(view, chosen))
            self.at_flags += any(FLAG in could_be_there(view, at) for at in targets(view, chosen))
            other = targets(view, self._agent.decide(view))
            self.agents_at_flags += any(FLAG in could_be_there(view, at) for at in other)
        return chosen


def test_the_tutor_attacks_but_nothing_that_can_be_a_flag() -> None:
    watched = [Watched(seed) for seed in range(12)]
    for seed, tutor in enumerate(watched):
        lesson(seed, tutor)
    assert sum(tutor.attacks for tutor in watched)
    assert sum(tutor.agents_at_flags for tutor in watched)
    assert not sum(tutor.at_flags for tutor in watched)


def could_be_there(view: View[State], at: int) -> frozenset[Face]:
    there = view.state.board[at]
    assert there is not None
    return faces_of(there, view.known)


def targets(view: View[State], move: Move | tuple[Face, ...]) -> list[int]:
    """Where an enemy stands that a move attacks."""
    step = zones(move) if isinstance(move, str) else None
    return [step[1]] if step is not None and view.state.board[step[1]] is not None else []


def test_a_lesson_without_a_fight_is_not_learnt_and_its_coach_says_why() -> None:
    seen = lesson(0)[1]
    early = View(LEARNER, seen._replace(bags=((), ()), round=6), {})
    assert not LESSON.met(early)
    assert "Next time" in LESSON.coach(early)


def test_an_open_piece_is_beaten_and_not_probably() -> None:
    texts = [text for seed in range(12) for text in lesson(seed)[0] if "attack it" in text]
    assert any(" beats the " in text for text in texts)
    assert any("probably beats what" in text for text in texts)


def test_every_fight_of_the_learner_is_told_and_the_last_one_at_the_end() -> None:
    texts, state = lesson(0)
    everything = "\n".join(texts)
    assert "moves, one and one for each city" in everything, "the first move may be an attack"
    assert "Equal ranks on" in everything
    assert "beats the" in everything
    fought = state._replace(report=(Event("won", LEARNER, (0, 1), (9, 8)),))
    later = state._replace(report=(Event("drew", 1),))
    end = LESSON.coach(View(LEARNER, later, {}, past=(fought, later)))
    assert end.startswith("Your ")
    assert "It goes to blue's bag.\n" in end
