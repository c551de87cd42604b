"""The opponents of Stratego: a temper each, from somebody's first game to the agent.

Each has a habit that a person can read from its play and punish; `entry.py` says it in a clause.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Hiding: TypeAlias = Literal["sound", "corner", "front", "bare"]
"""Where the flag stands: as the principles say; in a back corner behind bombs; far forward; at the back
without bombs beside it."""


@dataclass(frozen=True, slots=True)
class Temper:
    """The parameters of one bot; the usual values are the agent's."""

    whim: float = 0.02
    """How much worse than the best a chosen move may be; the lot among such moves hides the choice."""
    caution: float = 1.0
    """A piece lost in an attack counts so much more than a piece taken."""
    curiosity: float = 0.25
    """The share of a closed enemy's worth that a side gains by seeing it, though it lost a piece to it."""
    urge: float = 1.0
    """How much the pull of targets counts."""
    guard: float = 12.0
    """How much more an enemy attracts at distance 0 from the own flag."""
    dread: float = 1.0
    """How much the enemy's replies count."""
    flag_greed: float = 1.0
    """The worth of the enemy's flag beside its usual one."""
    gullible: float = 1.0
    """The exponent of what the enemy's conduct says: 0 would be deaf to it."""
    forgetting: float = 0.0
    """How often, 0 to 1, it takes an open enemy piece for a closed one."""
    hiding: Hiding = "sound"


EVEN: Final = Temper()
"""The agent's."""
CADET: Final = Temper(
    whim=6.0, caution=0.5, curiosity=0.6, urge=2.0, dread=0.0, forgetting=1.0, hiding="bare"
)
GAMBLER: Final = Temper(whim=1.2, caution=0.0, curiosity=4.0, urge=3.0, dread=0.0, hiding="front")
DIPLOMAT: Final = Temper(whim=0.5, caution=1.2, curiosity=0.1, urge=0.6, dread=4.0, gullible=4.0)
QUARTERMASTER: Final = Temper(caution=3.0, curiosity=0.0, urge=0.3, guard=60.0, hiding="corner")
ADVISER: Final = Temper(whim=0.0)
"""For hints: the best move, where the agent draws lots among good ones to hide its reasons."""
