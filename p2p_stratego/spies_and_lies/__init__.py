"""Spies & Lies, for two players."""

from typing import Final

from p2p_stratego.core.game import Game
from p2p_stratego.spies_and_lies.rules.game import SpiesAndLies
from p2p_stratego.spies_and_lies.rules.state import State

GAME: Final[Game[State]] = SpiesAndLies()
