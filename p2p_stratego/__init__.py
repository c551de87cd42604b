"""The games: rules, boards, notation, views and bots.  Standard library only."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from p2p_stratego.core.game import Game

from .spies_and_lies import GAME as SPIES_AND_LIES
from .stratego import GAME as STRATEGO

GAMES: Final[Mapping[str, Game[Any]]] = MappingProxyType(
    {game.name: game for game in (SPIES_AND_LIES, STRATEGO)}
)
"""Every game by the name that invites, transcripts and commands use."""
