"""The lesson of Conquest: who follows the coach, line by line, meets a city, a card and a fight."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from cli.games.conquest.notes import could_be
from cli.games.conquest.terminal import TERMINAL
from p2p_stratego.conquest.lessons.lesson import LESSON, gives_up, proposal
from p2p_stratego.conquest.rules.game import GAME
from p2p_stratego.conquest.rules.notation import zones
from p2p_stratego.conquest.rules.observation import face_of
from p2p_stratego.conquest.rules.pieces import FIGHTS
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.lesson import LEARNER
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View


class Over(Exception):
    """The tutor gives up."""


def lesson(seed: int) -> tuple[list[str], State]:
    """What the coach says to a learner who follows it, and the state at the end."""
    sentences = list[str]()

    class Learner:
        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            text = LESSON.coach(view)
            sentences.append(text)
            chosen = proposal(view)
            if "probably beats" in text:
                assert wins(view, chosen) >= 0.5, text
            if view.state.phase in ("army", "zones") or isinstance(view.asked, Commit):
                assert not LESSON.line(view)
                return chosen
            typed = text.rpartition("Type ")[2]
            assert TERMINAL.questions.read(view, typed) == chosen, text
            assert LESSON.line(view) == typed
            return chosen

    class Tutor:
        def __init__(self) -> None:
            self._tutor = LESSON.tutor(random.Random(seed))

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
    texts = [text for seed in range(3) for text in lesson(seed)[0]]
    assert any("Blue has come to" in text for text in texts)
    assert any("empty: it is nobody's" in text for text in texts)
    assert any("last turn of the lesson" in text for text in texts)
    assert not any("come to" in sentence and "come to" in other for sentence, other in pairwise(texts))


LOST = 3
"""A seed with which the tutor finds the learner's flag."""


def test_who_has_seen_all_has_learnt_it_though_chance_took_the_flag() -> None:
    ends = [View(LEARNER, lesson(seed)[1], {}) for seed in (0, LOST)]
    assert all(LESSON.met(view) for view in ends)
    lost = ends[-1]
    assert lost.state.ended is not None
    assert LEARNER not in lost.state.ended.winners
    assert LESSON.coach(lost).endswith("But you have seen all that there is to see here.")
    early = View(LEARNER, lost.state._replace(bags=((), ())), {})
    assert not LESSON.met(early)
    assert "seen all" not in LESSON.coach(early)
