"""The opponents of Spies & Lies: a temper each, from somebody's first game to the agent.

Each has a habit that a person can read from its play and punish; `entry.py` says it in a clause.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from p2p_stratego.spies_and_lies.bots.deployment import BOLDNESS, SHARPNESS


@dataclass(frozen=True, slots=True)
class Temper:
    """The parameters of one bot; the usual values are the agent's."""

    sharpness: float = SHARPNESS
    """How strongly guesses keep to the best one: 0 would be any rank, infinity always the best."""
    greed: float = 1.0
    """How much a guess goes by what it wins, beside how likely it is: 0 would be not at all."""
    boldness: float = BOLDNESS
    """Steps by which a line may be worse than another and still be laid 1/e times as often."""
    slyness: float = 0.2
    """Steps by which a Sergeant's mark may be worse than none, or the other way round, at 1/e of the odds."""
    height: float = 0.0
    """How much it loves lines of high ranks (or of low ones, below 0): their weight grows by e to the power
    of this for each rank in their sum.
    """
    token_love: float = 0.0
    """The chance to win that it gives away to lay a token now; below 0, to keep one."""
    forgetting: float = 0.0
    """How often, 0 to 1, it guesses without the marks, the order, and which soldiers have to rest."""
    gullible: bool = False
    """Whether it takes every mark for true, and so never thinks of a Sergeant."""


EVEN: Final = Temper()
"""The agent's."""
CADET: Final = Temper(sharpness=0.2, boldness=50.0, slyness=50.0, token_love=-9.0, forgetting=1.0)
GAMBLER: Final = Temper(greed=4.0, height=0.8, token_love=0.4, forgetting=0.8)
DIPLOMAT: Final = Temper(sharpness=0.6, boldness=8.0, token_love=-9.0, gullible=True)
QUARTERMASTER: Final = Temper(sharpness=20.0, greed=0.0, height=-1.2, token_love=-0.2)
ADVISER: Final = Temper(sharpness=60.0)
"""For hints: names the best soldier, where the agent draws lots to hide its reasons."""
