"""Spies & Lies, for two players."""

from typing import Final

from p2p_stratego.core.game import Game

from .rules import SpiesAndLies
from .state import State

GAME: Final[Game[State]] = SpiesAndLies()
