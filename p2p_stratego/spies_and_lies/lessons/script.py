"""The script of the first day: the tutor's moves and the coach's proposals, from public information.

The tutor is blue and guesses second.  As in every match chance decides who rests and which intel comes; the
script makes the best of it.
"""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots.beliefs import Evidence, chances
from p2p_stratego.spies_and_lies.rules.notation import LAY, guess
from p2p_stratego.spies_and_lies.rules.observation import honest_marks
from p2p_stratego.spies_and_lies.rules.soldiers import (
    BOMB,
    CAPTAIN,
    COLONEL,
    GENERAL,
    LIEUTENANT,
    MARSHAL,
    MINER,
    MISSIONS,
    RED,
    SCOUT,
    SERGEANT,
    SPY,
    Rank,
)
from p2p_stratego.spies_and_lies.rules.state import Deployment, State

_OF_TUTOR: Final = ((SCOUT, SPY), (BOMB, CAPTAIN), (COLONEL, GENERAL), (MARSHAL, GENERAL))
_OF_LEARNER: Final = ((SCOUT, SPY), (SERGEANT, MINER), (LIEUTENANT, CAPTAIN), (GENERAL, MARSHAL))
"""By mission: the soldier to lay, and the one in its place if it rests; at most one soldier of a side does.
A Captain in the place of the Bomb uses the Bomb, which rests then.
"""


def _line(choices: tuple[tuple[Rank, Rank], ...], resting: tuple[Rank, ...]) -> Deployment:
    first, second, third, fourth = (usual if usual not in resting else other for usual, other in choices)
    return first, second, third, fourth


def tutors_line(state: State) -> Deployment:
    """The tutor's four soldiers."""
    return _line(_OF_TUTOR, state.exhausted[1 - RED])


def proposed_line(state: State) -> Deployment:
    """The four soldiers that the coach proposes."""
    return _line(_OF_LEARNER, state.exhausted[RED])


def follows(state: State) -> bool:
    """Whether the learner's open soldiers of today follow the proposal."""
    cards = zip(proposed_line(state), state.cards[RED], strict=True)
    return all(card is None or card.rank == rank for rank, card in cards)


def tutors_guess(state: State) -> Rank | None:
    """The rank that the tutor names: a resting one, which cannot be there, so that the learner's soldiers
    act; at the last mission the proposed one.  None: the tutor thinks for itself.
    """
    if state.mission < MISSIONS[-1]:
        return state.exhausted[RED][0]
    return proposed_line(state)[-1] if follows(state) else None


def possible_ranks(state: State) -> tuple[Rank, ...]:
    """The ranks that the tutor's next card can have, by what everybody sees."""
    return tuple(chances(Evidence.of(state, 1 - RED))[state.mission - 1])


def proposed_guess(state: State) -> Rank:
    """The rank for the learner to name: wrong at the second mission, so that a soldier of blue's acts, and
    right at the others.
    """
    rank = tutors_line(state)[state.mission - 1]
    if state.mission != MISSIONS[1]:
        return rank
    likely = chances(Evidence.of(state, 1 - RED))[state.mission - 1]
    others = [candidate for candidate in likely if candidate != rank]
    return max(others, key=lambda candidate: likely[candidate], default=rank)


def proposal(view: View[State]) -> Move | tuple[Face, ...]:
    """The answer that the coach proposes."""
    state, decision = view.state, view.asked
    if isinstance(decision, Commit):
        return proposed_line(state)
    if state.phase == "intel":
        return honest_marks(view)[-1]
    if LAY in decision.options:
        return LAY
    if state.guesser == RED:
        return guess(proposed_guess(state))
    return next(iter(decision.options))
