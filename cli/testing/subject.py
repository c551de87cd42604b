"""The game that the test kit tests, and how a check ends."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.util import find_spec
from typing import Any, Final, TypeAlias

from cli.games import packages
from cli.games.interface import GameTerminal, Players, ViewContext
from cli.testing.match import Decide
from p2p_stratego.core import self_play
from p2p_stratego.core.entry import GameEntry, Lazy
from p2p_stratego.core.game import Decision, Game, Options
from p2p_stratego.core.view import Bot, View
from p2p_stratego.registry import ENTRIES, GAMES
from protocol.record.asks.base import Decided
from protocol.seat.session import Session

Warnings: TypeAlias = Iterator[str]
"""What a check that passes has to say all the same."""
NAMES: Final = ("Anna", "Boris", "Chen", "Dana", "Emil")
_VIEWS: Final = 40
"""Decisions of a game whose screens and answers are looked at."""


class Failed(Exception):
    """The game does not do what every game must; the text says what is wrong."""


class LeftOut(Exception):
    """The game has no such part; the text says which."""


def require(holds: bool, text: str) -> None:
    """Raise Failed with `text` unless `holds`."""
    if not holds:
        raise Failed(text)


@dataclass(frozen=True)
class Facts:
    """What the kit should know of a game; a package has it as FACTS in a module `facts` beside its entry."""

    short: Options = field(default_factory=dict)
    """The options of a variant that is over soon, for whole matches."""
    heavy: bool = False
    """Whether a game takes minutes: then few are played."""
    slow: frozenset[str] = frozenset()
    """Bots that think for seconds: whole games are left to the others."""


def facts(game: str) -> Facts:
    """The facts that stand beside the entry of a game; the usual ones if none do."""
    module = packages.MODULES.get(game, "").rpartition(".")[0]
    if not module or find_spec(f"{module}.facts") is None:
        return Facts()
    place: Lazy[Facts] = Lazy(f"{module}.facts:FACTS")
    return place.load()


@contextmanager
def listed(place: str) -> Iterator[Subject]:
    """The game whose entry stands at `place`, "package.module:NAME", listed within the block as if it were
    installed.
    """
    lazy: Lazy[GameEntry] = Lazy(place)
    entry, module = lazy.load(), place.partition(":")[0]
    installed = packages.MODULES.get(entry.name) == module
    if not installed:
        packages.add(entry.name, entry, module, "under-test")
    try:
        yield Subject(entry.name, facts(entry.name))
    finally:
        if not installed:
            packages.remove(entry.name)


@dataclass(frozen=True)
class Subject:
    """The game that is tested."""

    name: str
    facts: Facts = Facts()

    @property
    def short(self) -> Options:
        """The options of the matches."""
        return self.facts.short

    @property
    def entry(self) -> GameEntry:
        """As the registry lists it."""
        return ENTRIES[self.name]

    @property
    def rules(self) -> Game[Any]:
        """Its rulebook."""
        return GAMES[self.name]

    @property
    def terminal(self) -> GameTerminal:
        """Its terminal."""
        here: GameTerminal = self.entry.terminal.load()
        return here

    def bot(self, seed: object, level: str = "") -> Bot[Any]:
        """A bot, the weakest unless a level is named."""
        return self.entry.bots[level or list(self.entry.bots)[-1]].load()(random.Random(str(seed)))

    def honest(self) -> Decide:
        """Bots as the players of one match."""
        bots: dict[int, Bot[Any]] = {}

        def decide(session: Session, _decision: Decision, _rng: random.Random) -> Decided:
            return bots.setdefault(session.seat, self.bot(session.seat)).decide(session.view)

        return decide

    @cached_property
    def played(self) -> tuple[tuple[View[Any], ...], tuple[Any, ...]]:
        """The views of all decisions of one game for the fewest players, and its states, each once."""
        kept: list[View[Any]] = []
        bots = [_Keeping(self.bot(seat), kept) for seat in range(self.rules.seat_counts[0])]
        end = self_play.play(self.rules, bots, self.short, random.Random(1)).state
        states: list[Any] = []
        for state in (*(view.state for view in kept), end):
            if not states or state is not states[-1]:
                states.append(state)
        return tuple(kept), tuple(states)

    @property
    def views(self) -> list[View[Any]]:
        """Some of those views, from the whole game."""
        views = self.played[0]
        return [*views[: _VIEWS // 2], *views[_VIEWS // 2 :: max(1, 2 * len(views) // _VIEWS)]]

    def context(self, view: View[Any], **more: Any) -> ViewContext:
        """A view as its player sees it."""
        return ViewContext(view, Players(NAMES[: self.rules.seat_counts[0]], view.seat), **more)


class _Keeping:
    """A bot whose views are kept."""

    def __init__(self, bot: Bot[Any], kept: list[View[Any]]) -> None:
        self._bot, self._kept = bot, kept

    def decide(self, view: View[Any]) -> Any:
        self._kept.append(replace(view, known=dict(view.known)))
        return self._bot.decide(view)
