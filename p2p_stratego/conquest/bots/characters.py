"""The opponents of Conquest: a temper each, from somebody's first game to the agent.

Each has a habit that a person can read from its play and punish; `entry.py` says it in a clause.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Temper:
    """The parameters of one bot; the usual values are the agent's."""

    whim: float = 0.05
    """How much worse than the best a chosen move may be."""
    idle: float = 0.0
    """The least worth of a move that need not be made."""
    caution: float = 1.0
    """A piece lost in an attack counts so much more than a piece taken."""
    risk: float = 0.3
    """The part of its value that a piece loses by standing where it can be beaten."""
    land: float = 1.0
    """How much territories and cities count."""
    approach: float = 6.0
    """The worth of a place beside an enemy's flag, before its chance and its distance."""
    guard: float = 2.0
    """The worth of a piece beside the own flag, while enemies are near."""
    forgetting: float = 0.0
    """How often, 0 to 1, it forgets to play a card."""
    strike: float = 0.0
    """The worth of a place from which the moves that are left lead to an enemy's flag, like `approach`."""
    pursuit: float = 0.0
    """How much of what a piece gains on its way to the flags counts where it attacks."""
    city: float = 3.0
    """In the draft: the worth of a city."""
    together: float = 1.2
    """In the draft: the worth of each own neighbour of a territory."""
    rim: float = 0.0
    """In the draft: the worth of each step that a territory is farther than usual from all zones."""
    mercy: bool = False
    """Whether it attacks and accuses nothing that can be a flag."""


EVEN: Final = Temper()
"""The agent's."""
CADET: Final = Temper(whim=6.0, risk=0.0, guard=0.0, forgetting=0.6)
GAMBLER: Final = Temper(whim=4.0, caution=0.0, risk=0.0, approach=20.0, guard=0.0)
DIPLOMAT: Final = Temper(whim=0.2, caution=2.5, land=2.5, approach=2.0)
QUARTERMASTER: Final = Temper(caution=1.5, risk=0.6, approach=2.0, guard=5.0, idle=0.1)
ADVISER: Final = Temper(whim=0.0)
"""For hints: the best move, where the agent draws lots among good ones to hide its reasons."""
TUTOR: Final = Temper(mercy=True)
"""For a lesson, which chance of the cards would else end with the learner's flag in the second round."""
