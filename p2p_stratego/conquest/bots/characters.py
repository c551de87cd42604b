"""The opponents of Conquest: a temper each, from somebody's first game to the agent.

Each has a habit that a person can read from its play and punish; `entry.py` says it in a clause.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from p2p_stratego.conquest.bots.agent import Agent
from p2p_stratego.conquest.bots.temper import Temper

CADET: Final = partial(Agent, temper=Temper(whim=6.0, risk=0.0, guard=0.0, forgetting=0.6))
GAMBLER: Final = partial(Agent, temper=Temper(whim=4.0, caution=0.0, risk=0.0, approach=20.0, guard=0.0))
DIPLOMAT: Final = partial(Agent, temper=Temper(whim=0.2, caution=2.5, land=2.5, approach=2.0))
QUARTERMASTER: Final = partial(Agent, temper=Temper(caution=1.5, risk=0.6, approach=2.0, guard=5.0, idle=0.1))
ADVISER: Final = partial(Agent, temper=Temper(whim=0.0))
"""For hints: the best move, where the agent draws lots among good ones to hide its reasons."""
