"""The coach in ordinary games: a sentence for every decision, from what its seat may see and nothing else."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace

import pytest

from p2p_stratego.core.game import Choose, Commit, Face, Move
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from p2p_stratego.registry import make_bot
from p2p_stratego.stratego.formats.setups import answers, read
from p2p_stratego.stratego.lessons.advice import advise, why
from p2p_stratego.stratego.rules.armies import ARMIES, army
from p2p_stratego.stratego.rules.board import SQUARE_NAMED
from p2p_stratego.stratego.rules.game import GAME
from p2p_stratego.stratego.rules.observation import own_moves
from p2p_stratego.stratego.rules.pieces import CAPTAIN, COLONEL, FLAG, MAJOR, MINER
from p2p_stratego.stratego.rules.state import State, open_position
from tests.golden.dialogues import assert_told
from tests.helpers.program.coaching import foremost

ARMY = ARMIES["barrage"]


class Enough(Exception):
    """The game is broken off."""


@pytest.mark.parametrize("army", ["barrage", "quickplay"])
def test_there_is_a_sentence_for_every_decision(army: str) -> None:
    chance, lines = random.Random(army), list[str]()

    class Advised:
        def __init__(self, level: str) -> None:
            self._bot = make_bot("stratego", level, chance)

        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            lines.append(foremost(advise(view)))
            if len(lines) > 150:
                raise Enough
            answer: Move | tuple[Face, ...] = self._bot.decide(view)
            return answer

    with suppress(Enough):
        play(GAME, [Advised("agent"), Advised("recruit")], {"army": army}, chance)
    for sentence in lines:
        assert sentence.endswith(".")
        assert len(sentence) <= 150
        assert "{" not in sentence
    assert len(set(lines)) > 4


def test_other_secrets_behind_the_same_public_game_change_no_word() -> None:
    """Blue's pieces stand on the same squares in another order, and the same of them move: nothing meets."""
    first, second = (_spoken(*answers(read(text, ARMY)[0])) for text in (_ONE, _OTHER))
    assert first == second
    assert len(first) > 10


def _spoken(enemys: tuple[Face, ...], squares: Move) -> list[str]:
    """What is said to red, who moves one piece to and fro far away, while blue moves the same squares."""
    lines: list[str] = []
    faces, own = answers(read(_FAR, ARMY)[0])

    class Red:
        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            if isinstance(view.asked, Commit):
                return faces
            if view.state.phase == "squares":
                return own
            lines.append(foremost(advise(view)))
            if len(lines) > 12:
                raise Enough
            return own_moves(view)[len(lines) % 3]

    class Blue:
        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            if isinstance(view.asked, Commit):
                return enemys
            if view.state.phase == "squares":
                return squares
            circle = ("a10", "a9", "b9", "b10")  # a piece of blue's stands in one of these corners
            for here, there in zip(circle, circle[1:] + circle[:1], strict=True):
                if f"{here}{there}" in own_moves(view):
                    return f"{here}{there}"
            raise Enough

    with pytest.raises(Enough):
        play(GAME, [Red(), Blue()], {"army": ARMY.text}, random.Random(0))
    return lines


_ONE = """
    4  9 . . . . . . . . .
    3  . . M . . . . . . .
    2  B . . . 2 . . . . .
    1  F 3 . S . . . . . 2
"""
_OTHER = """
    4  F . . . . . . . . .
    3  . . S . . . . . . .
    2  3 . . . B . . . . .
    1  9 2 . M . . . . . 2
"""
"""As blue sees them; the scout in the corner, red's a10, is the one that moves."""
_FAR = """
    4  . . . . . . . . . .
    3  . . . . . . . . . .
    2  2 . 3 . . . . . . .
    1  F B S . M . 9 . 2 .
"""


def _at(pieces: dict[str, tuple[int, Face]]) -> str:
    state = open_position(ARMY, {SQUARE_NAMED[name]: piece for name, piece in pieces.items()})
    view = View(0, state, {}, None)
    [move, *_] = own_moves(view)
    return foremost(advise(View(0, state, {}, Choose(0, (move,)))))


def test_a_sure_flag_is_called_so() -> None:
    """Nobody need go "for the piece on j10" that is known."""
    pieces = {"a1": (0, FLAG), "j7": (0, COLONEL), "j10": (1, FLAG), "a9": (1, MAJOR)}
    counted = army("0-0-1-1-0-0-0-0-0-0-0-1")

    def view(**changes: tuple[int, Face]) -> View[State]:
        places = {SQUARE_NAMED[name]: piece for name, piece in (pieces | changes).items()}
        return View(0, open_position(counted, places), {}, None)

    assert why(view(), "j7j8") == "Your Colonel (8) goes for the flag, which stands on j10."
    near = view(j9=(0, COLONEL))
    assert why(near, "j9j10") == "That is the flag: your Colonel (8) takes it, and you win."
    remark, *_others = advise(replace(near, decision=Choose(0, ("j9j10",))))
    assert remark.text == "Your Colonel (8) on j9 takes the flag on j10, and you win."


def test_a_sure_attack_and_a_sure_danger_are_told() -> None:
    flags = {"a1": (0, FLAG), "j10": (1, FLAG)}
    attack = _at(flags | {"e5": (0, COLONEL), "e6": (1, MAJOR)})
    assert_told("coach", "a sure attack", attack)
    danger = _at(flags | {"e5": (0, CAPTAIN), "e6": (1, MAJOR), "b2": (0, MINER)})
    assert_told("coach", "a sure danger", danger)
