"""What the tests should know of each game beyond its entry: a module a game in `tests/facts`.

What a game's facts leave out is not asked of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from cli.testing import subject
from p2p_stratego import registry
from p2p_stratego.core.game import Game
from p2p_stratego.registry import ENTRIES
from protocol.wire.messages import Message


@dataclass(frozen=True)
class Facts:
    """Of one game."""

    kit: subject.Facts = field(default_factory=subject.Facts)
    """For the test kit."""
    verbs: frozenset[str] = frozenset()
    """Words that its questions read besides names, answers and commands."""
    things: Callable[[str], set[str]] | None = None
    """The English names of all things that a word means, behind the translation of the line."""
    moments: Mapping[str, str] = field(default_factory=dict)
    """By label of a moment: what the sentences of such a step have in them."""
    events: frozenset[type] = frozenset()
    """Kinds of events that whole games show."""
    closings: bool = False
    """Whether a day, a year or a round is closed."""
    seeds: tuple[int, ...] = (1, 2, 3)
    """Of the games that are looked at."""
    in_a_step: tuple[int, int] | None = None
    """After so many events of a match of so many seats, a step is unfinished."""
    unsaid: frozenset[type[Message]] = frozenset()
    """Messages that no match of it has."""
    script: str = ""
    """Words, each a line, that a player types in a plain game."""
    topics: tuple[str, ...] = ()
    """Things that the manual has a page about."""
    reasons: int = 1
    """At least so many ends are the game's own."""


def facts(game: str) -> Facts:
    """The facts of a game by its name."""
    module = f"tests.facts.{game.replace('-', '_')}"
    if find_spec(module) is None:
        return Facts()
    of_game: Facts = import_module(module).FACTS
    return of_game


ALL: Mapping[str, Facts] = {game: facts(game) for game in ENTRIES}
"""Of every game in the registry."""
GAMES: Mapping[str, Game[Any]] = {
    game: rules for game, rules in registry.GAMES.items() if facts(game) != Facts()
}
"""The games with facts: those of other packages are tested by the kit alone."""
