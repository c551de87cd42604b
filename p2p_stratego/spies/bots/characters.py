"""The opponents of SPIES!: a temper each, from somebody's first game to the agent.

Each has a habit that a person can read from its play and punish; `entry.py` says it in a clause.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Temper:
    """The parameters of one bot; the usual values are the agent's."""

    whim: float = 0.0
    """How much better than it is a plan may seem to it, by lot."""
    worth_it: float = 0.15
    """The least gain of a plan."""
    a_search: float = 0.35
    """The cost of a search: a point, and the other learns how strong the police are."""
    caution: float = 1.0
    """How much the loss of an own spy counts."""
    hand: float = 1.0
    """How much a chit in hand counts."""
    trust: float = 1.0
    """How much an unseen chit seems worth to it in a deal, beside its usual worth."""
    insight: float = 0.0
    """How surely others are taken to hide what is dear where it is sheltered, 0 to 1."""


EVEN: Final = Temper()
"""The agent's."""
CADET: Final = Temper(whim=4.0, a_search=5.0, caution=0.0)
GAMBLER: Final = Temper(whim=1.0, caution=0.0, hand=0.3, a_search=0.0)
DIPLOMAT: Final = Temper(trust=1.8, a_search=5.0)
QUARTERMASTER: Final = Temper(worth_it=0.5, caution=1.5, hand=1.4)
SPYMASTER: Final = Temper(insight=0.9)
