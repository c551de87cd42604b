"""The opponents of SPIES!: a temper each, from somebody's first game to the agent.

Each has a habit that a person can read from its play and punish; `entry.py` says it in a clause.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from p2p_stratego.spies.bots.agent import Agent
from p2p_stratego.spies.bots.temper import Temper

CADET: Final = partial(Agent, temper=Temper(whim=4.0, a_search=5.0, caution=0.0))
GAMBLER: Final = partial(Agent, temper=Temper(whim=1.0, caution=0.0, hand=0.3, a_search=0.0))
DIPLOMAT: Final = partial(Agent, temper=Temper(trust=1.8, a_search=5.0))
QUARTERMASTER: Final = partial(Agent, temper=Temper(worth_it=0.5, caution=1.5, hand=1.4))
SPYMASTER: Final = partial(Agent, temper=Temper(patience=0.85))
