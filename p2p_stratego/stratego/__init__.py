"""Stratego, for two players: 20 pieces a side, the classic 40, and every other army."""

from typing import Final

from p2p_stratego.core.game import Game

from .rules import Stratego
from .state import State

GAME: Final[Game[State]] = Stratego()
