"""Stratego, for two players: 20 pieces a side, the classic 40, and every other army."""

from typing import Final

from p2p_stratego.core.game import Game
from p2p_stratego.stratego.rules.game import Stratego
from p2p_stratego.stratego.rules.state import State

GAME: Final[Game[State]] = Stratego()
