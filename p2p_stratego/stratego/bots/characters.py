"""The opponents of Stratego: a temper each, from somebody's first game to the agent.

Each has a habit that a person can read from its play and punish; `entry.py` says it in a clause.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from p2p_stratego.stratego.bots.agent import Agent
from p2p_stratego.stratego.bots.temper import Temper

CADET: Final = partial(Agent, temper=Temper(whim=1.5, dread=0.3, forgetting=0.8, hiding="bare"))
GAMBLER: Final = partial(
    Agent, temper=Temper(whim=0.3, caution=0.3, curiosity=0.9, urge=2.0, dread=0.3, hiding="front")
)
DIPLOMAT: Final = partial(Agent, temper=Temper(whim=0.3, gullible=4.0, dread=2.5, urge=0.7))
QUARTERMASTER: Final = partial(
    Agent, temper=Temper(caution=1.6, curiosity=0.0, urge=0.5, guard=40.0, hiding="corner")
)
ADVISER: Final = partial(Agent, temper=Temper(whim=0.0))
"""For hints: the best move, where the agent draws lots among good ones to hide its reasons."""
