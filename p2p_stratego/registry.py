"""Every game by its name, of this program and of installed packages: the one place that knows them all.

Importing it loads no game: an entry imports its rules, bots, words and screens on first use.  The protocol
does not import it; its caller hands it the games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from p2p_stratego.conquest.entry import ENTRY as CONQUEST
from p2p_stratego.core.characters import CHARACTERS
from p2p_stratego.core.entry import GameEntry, Lazy
from p2p_stratego.core.game import Game, Options
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.scenario import Line, Reader
from p2p_stratego.spies.entry import ENTRY as SPIES
from p2p_stratego.spies_and_lies.entry import ENTRY as SPIES_AND_LIES
from p2p_stratego.stratego.entry import ENTRY as STRATEGO

if TYPE_CHECKING:
    from p2p_stratego.core.lesson import Lesson
    from p2p_stratego.core.view import Bot, Chance

_entries: Final[dict[str, GameEntry]] = {
    entry.name: entry for entry in (SPIES_AND_LIES, STRATEGO, CONQUEST, SPIES)
}
ENTRIES: Final[Mapping[str, GameEntry]] = MappingProxyType(_entries)
"""Every game by its name, in the order in which menus list them; the first one is the default."""
OWN: Final = frozenset(_entries)
"""The games of this program itself."""
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MOST: Final = 32
"""Characters of a name."""
_FIRST: Final = mark("First steps")
"""The title of each game's first lesson."""


class Rulebooks(Mapping[str, Game[Any]]):
    """The rules of the games in `entries`, each imported when it is looked up."""

    def __init__(self, entries: Mapping[str, GameEntry]) -> None:
        self._entries = entries

    def __getitem__(self, name: str) -> Game[Any]:
        """Raises KeyError for a game that is not in the entries."""
        return self._entries[name].rules.load()

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


GAMES: Final = Rulebooks(ENTRIES)
"""The rules of every game by its name: the games that the protocol may meet."""


class NotAdded(Exception):
    """A game that cannot be listed; the text tells its author why."""


def add(entry: GameEntry) -> None:
    """List a game from elsewhere, behind those that are listed.  Raises NotAdded.

    No game takes the name of another: a player who asks for one gets the rules that bore the name first
    (threat 122).
    """
    if not _NAME.fullmatch(entry.name) or len(entry.name) > _MOST:
        raise NotAdded(f"a game's name is {_MOST} lower case letters, digits and hyphens at most")
    if entry.name in _entries:
        raise NotAdded(f"there is a game {entry.name} already")
    if not (entry.title and entry.bots and entry.presets and {*entry.bots} == {*entry.about_bots}):
        raise NotAdded("a game has a title, a bot, a word about each of its bots, and a preset")
    if not all(isinstance(field.name, str) and _NAME.fullmatch(field.name) for field in entry.options):
        raise NotAdded("an option's name is lower case letters, digits and single hyphens")
    about = [field.help for field in entry.options] + [preset.title for preset in entry.presets]
    if not all(
        isinstance(text, str) for text in (entry.title, entry.about, *entry.about_bots.values(), *about)
    ):
        raise NotAdded("titles and helps are texts")
    _entries[entry.name] = entry


def remove(name: str) -> None:
    """List a game from elsewhere no longer.  Raises KeyError if it is not listed, or one of this program."""
    if name in OWN:
        raise KeyError(name)
    del _entries[name]


class NoSuchBot(Exception):
    """There is no such game, or it has no bot of this level; the text names its bots."""

    def __init__(self, game: str, level: str) -> None:
        self.game = game
        self.level = level
        if game not in ENTRIES:
            super().__init__(_("there is no game {game!a} here", game=game))
            return
        levels = ", ".join(ENTRIES[game].bots)
        known = _("its bots are: {levels}", levels=levels) if levels else _("it has no bots")
        super().__init__(_("{game!a} has no bot {level!a}; {known}", game=game, level=level, known=known))


def make_bot(game: str, level: str, chance: Chance, think: int | None = None) -> Bot[Any]:
    """A bot for one seat of one match.  Raises NoSuchBot.

    `think`: the milliseconds, about, of a decision, for a bot that looks ahead; None: as many as it likes.
    """
    try:
        factory = ENTRIES[game].bots[level]
    except KeyError:
        raise NoSuchBot(game, level) from None
    if think is not None and level in ENTRIES[game].thinkers:
        return cast("Bot[Any]", cast("Any", factory.load())(chance, think=think))
    return factory.load()(chance)


def adviser(game: str, chance: Chance) -> Bot[Any]:
    """The bot whose answers a hint tells.  Raises NoSuchBot."""
    entry = ENTRIES.get(game)
    if entry is None or entry.adviser is None:
        return make_bot(game, judge(game), chance)
    return entry.adviser.load()(chance)


def signature(game: str) -> str:
    """By whose eyes hints, the coach and the analysis of a game see: "The Agent, version 1"."""
    level = judge(game)
    known = CHARACTERS.get(level)
    name = level if known is None else _(known.name)
    return _("{bot}, version {version}", bot=name, version=ENTRIES[game].bots_version)


def judge(game: str) -> str:
    """The level by whose eyes: the one that stands first.  Raises NoSuchBot."""
    if game not in ENTRIES:
        raise NoSuchBot(game, "")
    return next(iter(ENTRIES[game].bots))


def lessons(game: str) -> tuple[str, ...]:
    """The titles of a game's lessons, in English and in order; none for a game that has none."""
    entry = ENTRIES.get(game)
    if entry is None or entry.lesson is None:
        return ()
    return (_FIRST, *(title for title, _place in entry.later_lessons))


def lesson(game: str, number: int = 1) -> Lesson | None:
    """A lesson of a game, counted from 1, if there is such a game and it has so many."""
    if not 0 < number <= len(lessons(game)):
        return None
    entry = ENTRIES[game]
    places = (entry.lesson, *(place for _title, place in entry.later_lessons))
    return cast("Lesson", cast("Lazy[Any]", places[number - 1]).load())


def lesson_number(game: str, options: Options) -> int | None:
    """The number of the lesson that is played with these options, which are complete; None for no lesson."""
    for number in range(1, len(lessons(game)) + 1):
        taught = lesson(game, number)
        if taught is not None and GAMES[game].options(taught.options) == options:
            return number
    return None


def play_scenario(scenario: object) -> Iterator[Line]:
    """The lines of one scenario, the outcome last.  Raises ScenarioError, after the lines that stand."""
    reader = Reader()
    if not isinstance(scenario, dict) or "game" not in scenario:
        raise reader.error(_('a scenario is an object that names its "game"'))
    players = {name: entry.scenarios for name, entry in ENTRIES.items() if entry.scenarios is not None}
    game = reader.word(scenario["game"], '"game"', tuple(players))
    yield from players[game].load()(scenario)
