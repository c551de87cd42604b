"""The opponents of Stratego: a temper each, from somebody's first game to the agent.

Each has a habit that a person can read from its play and punish; `entry.py` says it in a clause.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from p2p_stratego.stratego.bots.agent import Agent
from p2p_stratego.stratego.bots.temper import Temper

CADET: Final = partial(
    Agent,
    temper=Temper(whim=6.0, caution=0.5, curiosity=0.6, urge=2.0, dread=0.0, forgetting=1.0, hiding="bare"),
)
GAMBLER: Final = partial(
    Agent, temper=Temper(whim=1.2, caution=0.0, curiosity=4.0, urge=3.0, dread=0.0, hiding="front")
)
DIPLOMAT: Final = partial(
    Agent, temper=Temper(whim=0.5, caution=1.2, curiosity=0.1, urge=0.6, dread=4.0, gullible=4.0)
)
QUARTERMASTER: Final = partial(
    Agent, temper=Temper(caution=3.0, curiosity=0.0, urge=0.3, guard=60.0, hiding="corner")
)
ADVISER: Final = partial(Agent, temper=Temper(whim=0.0))
"""For hints: the best move, where the agent draws lots among good ones to hide its reasons."""
