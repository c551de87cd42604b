"""The coach in Conquest Stratego: a sentence for every decision, and what it calls sure is sure."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from p2p_stratego.conquest.lessons.advice import advise
from p2p_stratego.conquest.rules.cards import KINDS
from p2p_stratego.conquest.rules.game import GAME
from p2p_stratego.conquest.rules.notation import PLAY_NONE, played, zones
from p2p_stratego.conquest.rules.observation import own_plays
from p2p_stratego.conquest.rules.pieces import FACE_NAMED, FIGHTS
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.game import Choose, Commit, Face, Move
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from p2p_stratego.registry import make_bot
from tests.helpers.program.coaching import foremost


class Enough(Exception):
    """The game is broken off."""


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_there_is_a_sentence_for_every_decision_and_a_sure_attack_is_one(seats: int) -> None:
    chance, lines = random.Random(seats), list[str]()

    class Advised:
        def __init__(self, level: str) -> None:
            self._bot = make_bot("conquest", level, chance)

        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            # Public things and its own: a View of the arena holds no more, and one with less says less.
            lines.append(foremost(advise(view)))
            if len(lines) > 200:
                raise Enough
            answer: Move | tuple[Face, ...] = self._bot.decide(view)
            return answer

    with suppress(Enough):
        play(GAME, [Advised("agent" if seat else "recruit") for seat in range(seats)], {}, chance)
    assert all(sentence.endswith(".") and len(sentence) <= 130 and "{" not in sentence for sentence in lines)
    assert len(set(lines)) > 5


def test_the_coach_speaks_of_the_cards_while_one_of_them_is_asked_for() -> None:
    chance, lines = random.Random(5), list[tuple[set[str], str]]()

    class Advised:
        def __init__(self) -> None:
            self._bot = make_bot("conquest", "agent", chance)

        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            if isinstance(view.decision, Choose) and PLAY_NONE in view.decision.options:
                may = {played(play) for play in own_plays(view.state, view.known)} - {None}
                lines.append(
                    ({KINDS[card].title for card in may if card is not None}, foremost(advise(view)))
                )
            answer: Move | tuple[Face, ...] = self._bot.decide(view)
            return answer

    play(GAME, [Advised(), Advised()], {"rounds": 12}, chance)
    assert len(lines) > 5
    for titles, sentence in lines:
        named = {kind.title for kind in KINDS if kind.title in sentence}
        assert len(named) == 1 <= len(titles) if titles else "none of these" in sentence.lower()
        assert named <= titles


def test_pieces_that_are_laid_back_are_not_told_the_rules_of_the_army() -> None:
    chance, texts = random.Random(3), set[str]()

    class Advised:
        def __init__(self) -> None:
            self._bot = make_bot("conquest", "recruit", chance)

        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            if isinstance(view.decision, Commit) and view.state.phase == "play":
                texts.update(remark.text for remark in advise(view))
            answer: Move | tuple[Face, ...] = self._bot.decide(view)
            return answer

    play(GAME, [Advised(), Advised()], {"rounds": 20}, chance)
    assert any("lay them back" in text for text in texts)
    assert not any("never move" in text for text in texts)


def test_an_attack_that_is_called_sure_wins() -> None:
    """Whoever does what is called sure never loses the piece: the arena opens the faces."""
    chance, tried = random.Random(11), 0

    class Trusting:
        def __init__(self) -> None:
            self._bot = make_bot("conquest", "agent", chance)

        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            nonlocal tried
            advice = foremost(advise(view))
            if " beats " in advice or "can take the flag" in advice:
                words = advice.replace(":", "").replace(".", "").split()
                places = [
                    word
                    for word in words
                    if len(word) == 2 and word[0] in "abcdefghijkl" and word[1].isdigit()
                ]
                move = "".join(places[:2])
                if zones(move) is not None and move in view.asked.options:  # type: ignore[union-attr]
                    source, target = zones(move) or (0, 0)
                    state = now(view)
                    mine, foe = state.board[source], state.board[target]
                    assert mine is not None
                    assert foe is not None
                    expected.append((mine.slot, foe.slot))
                    tried += 1
                    return move
            answer: Move | tuple[Face, ...] = self._bot.decide(view)
            return answer

    expected: list[tuple[int, int]] = []
    played = play(GAME, [Trusting(), Trusting()], {"rounds": 12}, chance)
    assert tried == len(expected) > 0
    for mine, foe in expected:
        assert FIGHTS[played.faces[mine]][played.faces[foe]] in ("won", "flag")
    assert FACE_NAMED["flag"] in played.faces.values()
