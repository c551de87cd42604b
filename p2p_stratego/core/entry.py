"""A game as the registry lists it: names, options, and where to find the rest.

An entry is cheap: menus and the command line read it before they import any rule.  Everything else is a
Lazy reference, imported on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar, cast

from p2p_stratego.core.game import Game, OptionError, Options, OptionValue
from p2p_stratego.core.language import _
from p2p_stratego.core.narration import Narration, Unfolding, either

if TYPE_CHECKING:  # the menus would load these for nothing
    from p2p_stratego.core.analysis import Analysis
    from p2p_stratego.core.opening import Openings
    from p2p_stratego.core.puzzle import Puzzles
    from p2p_stratego.core.record import RecordFormat
    from p2p_stratego.core.scenario import Line
    from p2p_stratego.core.tally import Tallying
    from p2p_stratego.core.view import Bot, Chance

T = TypeVar("T")

BotFactory: TypeAlias = "Callable[[Chance], Bot[Any]]"
"""Makes a bot for one seat of one match, from its own source of chance."""
ScenarioPlayer: TypeAlias = "Callable[[object], Iterator[Line]]"
"""Yields the lines of one scenario; raises ScenarioError at the first step that cannot be played."""
TextReader: TypeAlias = Callable[[str, Callable[[str], str | None]], str]
"""The value of an option, from the words of a player.  The words may name a file: the second argument gives
the text of a file, None if there is no such file.  Raises OptionError."""


SeatWords: TypeAlias = Callable[[int, Options], Sequence[Mapping[str, str]]]
"""By number of seats and complete options: of each seat the words that choose it, and how each is shown."""
Unfolder: TypeAlias = Callable[[Any, Sequence[str]], Unfolding]
"""Tells the step that begins in a state; the second argument has the players' names by seat."""


@dataclass(frozen=True, slots=True)
class Lazy(Generic[T]):
    """A reference to an object: "package.module:name", or "package.module" for the module itself."""

    place: str

    def load(self) -> T:
        """The object; its module is imported on first use."""
        return cast("T", _loaded(self.place))


@cache
def _loaded(place: str) -> object:
    module, _, name = place.partition(":")
    loaded = import_module(module)
    return getattr(loaded, name) if name else loaded


@dataclass(frozen=True, slots=True)
class Words:
    """An option whose value is one of a few words, the usual one first."""

    words: tuple[str, ...]

    @property
    def usual(self) -> OptionValue:
        """The first word."""
        return self.words[0]

    def allowed(self, name: str, value: OptionValue) -> OptionValue:
        """The value of the option `name`.  Raises OptionError."""
        if value not in self.words:
            raise OptionError(
                _("{name} must be {words}, not {value!a}", name=name, words=either(self.words), value=value)
            )
        return value

    def read(self, typed: str, _text_of: Callable[[str], str | None]) -> OptionValue:
        """The word.  Raises OptionError."""
        if typed not in self.words:
            raise OptionError(_("it is one of {words}", words=", ".join(self.words)))
        return typed


@dataclass(frozen=True, slots=True)
class Whole:
    """An option whose value is an integer, `least` to `most`; `noun` names it: "a distance"."""

    least: int
    most: int
    noun: str
    usual: OptionValue = 0

    def allowed(self, name: str, value: OptionValue) -> OptionValue:
        """The value of the option `name`.  Raises OptionError."""
        if type(value) is not int or not self.least <= value <= self.most:
            raise OptionError(
                _(
                    "{name} must be a whole number from {least} to {most}, not {value!a}",
                    name=name,
                    least=self.least,
                    most=self.most,
                    value=value,
                )
            )
        return value

    def read(self, typed: str, _text_of: Callable[[str], str | None]) -> OptionValue:
        """The number.  Raises OptionError."""
        if not (typed.isascii() and typed.isdigit()) or not self.least <= int(typed[:12]) <= self.most:
            raise OptionError(
                _(
                    "{typed!r} is not {noun}, {least} to {most}",
                    typed=typed[:40],
                    noun=self.noun,
                    least=self.least,
                    most=self.most,
                )
            )
        return int(typed)


@dataclass(frozen=True, slots=True)
class Text:
    """An option whose value is a text of the game's own: a well-known name, a file, or the text itself."""

    metavar: str
    names: tuple[str, ...]
    """The well-known values, for completion."""
    reader: Lazy[TextReader]
    usual: OptionValue = ""

    def allowed(self, _name: str, value: OptionValue) -> OptionValue:
        """`value`: the rules check it themselves."""
        return value

    def read(self, typed: str, text_of: Callable[[str], str | None]) -> OptionValue:
        """The value.  Raises OptionError."""
        return self.reader.load()(typed, text_of)


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option of a game as a player gives it: `--name`, its meaning, and its values."""

    name: str
    """Lower case ASCII letters and digits, a letter first, with single hyphens between them."""
    help: str
    values: Words | Whole | Text
    of_setups: bool = False
    """Whether set-ups made for one value fit no other."""

    @property
    def about(self) -> str:
        """`help` in the player's language; "{least}" and "{most}" in it stand for the limits."""
        if isinstance(self.values, Whole):
            return _(self.help, least=self.values.least, most=self.values.most)
        return _(self.help)


@dataclass(frozen=True, slots=True)
class Preset:
    """A well-known variant: its name in menus, and the options that differ from the defaults."""

    title: str
    options: Options
    minutes: int = 0
    """About how long a match of two takes: the decisions of two agents, at 15 seconds each.  0: unknown."""


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One game of this program."""

    name: str
    """The name in invites, transcripts and commands: lower case ASCII letters and hyphens, at most 32."""
    title: str
    """The name for people, the same in every language."""
    rules: Lazy[Game[Any]]
    narration: Lazy[Narration]
    bots: Mapping[str, Lazy[BotFactory]]
    """By the level that a player chooses: "agent", the command line's default, first; the easiest last."""
    about_bots: Mapping[str, str]
    """By the same levels: how each plays this game, and its habit, as a clause (see `core.characters`)."""
    terminal: Lazy[Any]
    """The game's `cli.games.interface.GameTerminal`."""
    presets: tuple[Preset, ...]
    """At least one, the usual one first."""
    about: str = ""
    """What the game is about, as a clause of a few words; "" for a game whose title says enough."""
    options: tuple[OptionField, ...] = ()
    """One for each option of the rules, in the rules' own order."""
    scenarios: Lazy[ScenarioPlayer] | None = None
    """The referee of scenario files, if the game has a format for them."""
    record: Lazy[RecordFormat] | None = None
    """The game's own notation for whole games, if it has one."""
    setups: bool = False
    """Whether a side is set up alike in every match, so that set-ups can be looked at outside one."""
    page: bool = False
    """Whether a page of HTML has the rules of this game, and so can show a match and check it."""
    moment: Lazy[Callable[[Any, Any], str]] | None = None
    """The event of a step that is worth a jump, such as a capture, in a word or two; "" if there is none.
    The states are those before the step (None: the set-up) and after it."""
    standing: Lazy[Callable[[Any, Sequence[str]], str]] | None = None
    """The markers of a game in a state, in a sentence with the players' names; "" while all stand where they
    began.  None: in this game the sentences of each step tell them."""
    analysis: Lazy[Analysis] | None = None
    """The judge of games that were played; None for a game that has none yet."""
    breakthrough: Lazy[Callable[[Sequence[Any], Sequence[str]], tuple[int, str] | None]] | None = None
    """From all states of a game and the players' names: the step, by its place from 1, since which the way to
    the end was open, with that as a sentence; None if no step opened it."""
    tallying: Lazy[Tallying] | None = None
    """How matches are tallied for statistics; None for a game of which only the results are."""
    openings: Lazy[Openings] | None = None
    """How matches begin, for an explorer of openings; None for a game without any."""
    seats: Lazy[SeatWords] | None = None
    """For a game in which it matters to a player which seat it has."""
    unfolding: Lazy[Unfolder] | None = None
    """The narrator of open steps; None for a game whose steps are told once they are complete."""
    lesson: Lazy[Any] | None = None
    """The game's first `core.lesson.Lesson`, if it has one."""
    later_lessons: tuple[tuple[str, Lazy[Any]], ...] = ()
    """The lessons after the first: the title of each, and where it is."""
    advice: Lazy[Any] | None = None
    """The coach of ordinary games, a `core.lesson.Advice`; None for a game without a coach."""
    adviser: Lazy[BotFactory] | None = None
    """The bot that gives hints: the agent without its random draws, which hide its reasons; None: the
    first."""
    why: Lazy[Callable[[Any, Any], str]] | None = None
    """A sentence on why a decision is good, from a seat's view and the decision; "" if it has none."""
    puzzles: Lazy[Puzzles] | None = None
    """The maker and judge of puzzles; None for a game without any."""
    thinkers: frozenset[str] = frozenset()
    """The levels whose bots look ahead: their factories take `think`, the milliseconds for a decision."""
    bots_version: int = 1
    """The version of the agent, and of the analysis made by its evaluation.  It grows when either begins to
    judge differently, so that old and new judgements are told apart."""
