"""Who can be played against: every game's bots by the level a player chooses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from p2p_stratego.core.view import Bot, Chance
from p2p_stratego.spies_and_lies.bots.agent import Agent as SpiesAndLiesAgent
from p2p_stratego.spies_and_lies.bots.recruit import Recruit as SpiesAndLiesRecruit
from p2p_stratego.stratego.bots.agent import Agent as StrategoAgent
from p2p_stratego.stratego.bots.recruit import Recruit as StrategoRecruit

from .spies_and_lies import GAME as SPIES_AND_LIES
from .stratego import GAME as STRATEGO

BotFactory: TypeAlias = Callable[[Chance], Bot[Any]]
"""Makes a bot for one seat of one match, from its own source of chance."""
Levels: TypeAlias = Mapping[str, BotFactory]
"""A game's bots by level, the strongest first."""

BOTS: Final[Mapping[str, Levels]] = MappingProxyType(
    {
        SPIES_AND_LIES.name: MappingProxyType({"agent": SpiesAndLiesAgent, "recruit": SpiesAndLiesRecruit}),
        STRATEGO.name: MappingProxyType({"agent": StrategoAgent, "recruit": StrategoRecruit}),
    }
)
"""By the game's name."""


class NoSuchBot(Exception):
    """Nobody of this level plays this game; the text says who does."""

    def __init__(self, game: str, level: str) -> None:
        levels = ", ".join(BOTS.get(game, {}))
        known = f"its bots are: {levels}" if levels else "it has no bots"
        super().__init__(f"{game!a} has no bot {level!a}; {known}")
        self.game = game
        self.level = level


def make_bot(game: str, level: str, chance: Chance) -> Bot[Any]:
    """A bot for one seat of one match.  Raises NoSuchBot."""
    try:
        factory = BOTS[game][level]
    except KeyError:
        raise NoSuchBot(game, level) from None
    return factory(chance)
