"""Spies & Lies, for two players."""

from typing import Final

from ..table import Game
from .rules import SpiesAndLies
from .state import State

GAME: Final[Game[State]] = SpiesAndLies()
