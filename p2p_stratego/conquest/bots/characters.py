"""The opponents of Conquest: a temper each, from somebody's first game to the agent.

Each has a habit that a person can read from its play and punish; `entry.py` says it in a clause.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from p2p_stratego.conquest.bots.agent import Agent
from p2p_stratego.conquest.bots.temper import Temper

CADET: Final = partial(Agent, temper=Temper(whim=2.0, risk=0.0, guard=0.0))
GAMBLER: Final = partial(Agent, temper=Temper(whim=0.5, caution=0.3, risk=0.0, approach=15.0, guard=0.0))
DIPLOMAT: Final = partial(Agent, temper=Temper(whim=0.3, caution=3.0, land=2.0, approach=2.0))
QUARTERMASTER: Final = partial(Agent, temper=Temper(caution=1.5, risk=0.6, approach=3.0, guard=5.0, idle=0.2))
ADVISER: Final = partial(Agent, temper=Temper(whim=0.0))
"""For hints: the best move, where the agent draws lots among good ones to hide its reasons."""
