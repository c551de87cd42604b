"""The opponents of Spies & Lies: a temper each, from somebody's first game to the agent.

Each has a habit that a person can read from its play and punish; `entry.py` says it in a clause.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from p2p_stratego.spies_and_lies.bots.agent import Agent
from p2p_stratego.spies_and_lies.bots.temper import Temper

CADET: Final = partial(
    Agent, temper=Temper(sharpness=0.2, boldness=50.0, slyness=50.0, token_love=-9.0, forgetting=1.0)
)
GAMBLER: Final = partial(Agent, temper=Temper(greed=4.0, height=0.8, token_love=0.4, forgetting=0.8))
DIPLOMAT: Final = partial(Agent, temper=Temper(sharpness=0.6, boldness=8.0, token_love=-9.0, gullible=True))
QUARTERMASTER: Final = partial(Agent, temper=Temper(sharpness=20.0, greed=0.0, height=-1.2, token_love=-0.2))
ADVISER: Final = partial(Agent, temper=Temper(sharpness=60.0))
"""For hints: names the best soldier, where the agent draws lots to hide its reasons."""
