"""What a game brings to the table so that people can play it: its room.

The frame (title, history, chat, input) stands once, in `cli.screen.renderer`; a room draws its game's board,
asks its questions and tells in words what happened.  All of it is pure: from a Sight to lines.  A room must
show nothing that is not in the Sight, and must not know how the other side is connected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final, Protocol, TypeAlias

from cli.text.layout import Line
from p2p_stratego.core.game import Ask, Face, Move, Options, OptionValue, Outcome, Seat, Slot
from p2p_stratego.core.view import Chance, View

Decided: TypeAlias = Move | tuple[Face, ...]


class Misunderstood(Exception):
    """What was typed does nothing; the text is a sentence that says why and what would."""


class Unknown(Misunderstood):
    """It is nothing that this game, or the table, has a word for."""


class NotPossible(Misunderstood):
    """It is a move of this game, but not one that is possible now."""


class Ambiguous(Misunderstood):
    """It could mean several things."""


@dataclass(frozen=True, slots=True)
class Voices:
    """Who is who, for sentences: names by seat (escaped), and which seat is "you" (None: nobody)."""

    names: tuple[str, ...]
    me: Seat | None = None

    def who(self, seat: Seat) -> str:
        """The subject of a sentence: "you" or a name."""
        return "you" if seat == self.me else self.names[seat]

    def whose(self, seat: Seat) -> str:
        """The owner of a thing: "your" or "Anna's"."""
        return "your" if seat == self.me else f"{self.names[seat]}'s"


@dataclass(frozen=True, slots=True)
class Sight:
    """What a room draws from: what the seat may see, who is who, and what its player is typing."""

    view: View[Any]
    voices: Voices
    typed: str = ""
    notes: bool = True
    """Whether to show what the enemy's hidden things can still be."""
    cursor: str = ""
    """The place that the player points at, if the room has a Pointer."""
    draft: Any = None
    """What the player is setting up, if the room has a Drafting."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to type, and how it is shown in a list of them."""

    word: str
    shown: str


@dataclass(frozen=True, slots=True)
class Question:
    """What the player is asked, and how to answer."""

    text: str
    how: str


@dataclass(frozen=True, slots=True)
class Panel:
    """A box at the side of the board: a title, lines of at most the width asked for, and the least rows."""

    name: str
    title: str
    lines: Sequence[Line]
    least: int = 3
    newest_last: bool = False
    """What does not fit is left out at the top, not at the bottom."""


@dataclass(frozen=True, slots=True)
class Page:
    """Text to read: titled, of unlimited length."""

    title: str
    lines: Sequence[Line] = field(default_factory=tuple)
    newest_last: bool = False
    """It is opened at its end."""


class Pointer(Protocol):
    """How a game is played by pointing at places of its board, with keys or a mouse, instead of typing.

    A place has a name (see `cli.text.regions`); one with a hyphen in it can be clicked, but takes no cursor.
    Pointing writes into the input line, so that all that is done by pointing can be typed too, and what was
    pointed at is seen while it can still be taken back.
    """

    @property
    def keys(self) -> Sequence[tuple[str, str]]:
        """Keys and what they do, for the help page."""
        ...

    def step(self, sight: Sight, direction: str) -> str:
        """The place next to the cursor, "up", "down", "left" or "right"; where to begin, without a cursor."""
        ...

    def point(self, sight: Sight, place: str) -> tuple[str, bool]:
        """What stands in the input line once `place` was pointed at, and whether that is said at once."""
        ...

    def goes_on(self, sight: Sight, rest: str) -> bool:
        """Whether what stands in the line (`sight.typed`) because it was pointed at can go on with `rest`."""
        ...

    def stroke(self, sight: Sight, key: str) -> str | None:
        """The input that a single printable key stands for while there is a cursor, if it stands for one.

        It must be a key that no typed line begins with.
        """
        ...


class Drafting(Protocol):
    """How a side is set up before play, in a game in which that takes more than one line of input.

    A draft is a value of the room's own.  It stays with the player until it is declared ready; then the
    decisions that follow from it are made, be it one or several.
    """

    @property
    def commands(self) -> Sequence[tuple[str, str]]:
        """What can be typed, and what it does, for the help page."""
        ...

    def is_time(self, view: View[Any]) -> bool:
        """Whether sides are being set up now."""
        ...

    def begin(self, view: View[Any], kept: str | None, chance: Chance) -> Any:
        """The draft to begin with, from what `write` wrote before (`kept`) if that is of use."""
        ...

    def question(self, sight: Sight) -> Question | None:
        """What is left to do, and how; None if the draft cannot be changed any more."""
        ...

    def choices(self, sight: Sight) -> tuple[Choice, ...]:
        """How what is typed could go on."""
        ...

    def edit(self, sight: Sight, typed: str, chance: Chance) -> Any:
        """The draft after what was typed.  Raises Misunderstood."""
        ...

    def warnings(self, sight: Sight) -> list[str]:
        """What the game does to a player who sets up like this: a sentence each, or nothing."""
        ...

    def decide(self, sight: Sight) -> Decided:
        """The decision that the draft comes to now that it is ready.  Raises NotPossible."""
        ...

    def follow(self, view: View[Any], draft: Any) -> Decided | None:
        """The decision that is due now and follows from the draft that was ready before, if one does."""
        ...

    def templates(self, view: View[Any]) -> Mapping[str, Any]:
        """Drafts to begin from, by name."""
        ...

    def made_for(self, name: str) -> Sequence[str]:
        """What the templates of this name are made for, whatever is played now: armies by name, say."""
        ...

    def read(self, view: View[Any], text: str) -> Sequence[Any]:
        """The drafts in a file, at least one.  Raises Misunderstood."""
        ...

    def write(self, draft: Any) -> str:
        """The file that `read` gives the draft back for."""
        ...


@dataclass(frozen=True, slots=True)
class Read:
    """A game out of a text."""

    names: tuple[str, ...]
    """The players, by seat; not escaped."""
    states: tuple[Any, ...]
    """From before the first move to where it ends."""
    known: Mapping[Slot, Face]
    """Every face that the text tells."""
    outcome: Outcome | None


class Scribe(Protocol):
    """A game's own way to write whole games down as text, for people, and to read them back."""

    @property
    def title(self) -> str:
        """The first line of every such text."""
        ...

    def write(
        self,
        options: Options,
        names: tuple[str, ...],
        steps: Iterable[tuple[Ask, Any]],
        known: Mapping[Slot, Face],
        outcome: Outcome | None,
    ) -> str:
        """The text of a match: its asks with their answers, the faces that are `known`, how it ended.

        Raises NotPossible.
        """
        ...

    def read(self, text: str) -> Read:
        """The game in a text.  Raises Misunderstood, which says what is wrong and where."""
        ...


class Room(Protocol):
    """One game's part of the screen and of the conversation."""

    @property
    def title(self) -> str:
        """The game's name for people."""
        ...

    @property
    def pace(self) -> float:
        """Seconds that somebody who reads along needs for a step."""
        ...

    @property
    def signs(self) -> Sequence[tuple[str, str]]:
        """What the signs on the board mean."""
        ...

    @property
    def pointer(self) -> Pointer | None:
        """How to point at the board, if one can."""
        ...

    @property
    def drafting(self) -> Drafting | None:
        """How to set up before play, if that takes more than a line."""
        ...

    @property
    def scribe(self) -> Scribe | None:
        """How games are written down as text, if the game has a way."""
        ...

    def breach(self, rule: str) -> str:
        """What somebody did who broke this rule of the game (see `table.Breach`): "moved a bomb"."""
        ...

    def banner(self, view: View[Any]) -> str:
        """Where the game stands, in a few words: "Day 2/3 · guess 5/8"."""
        ...

    def board(self, sight: Sight, columns: int, rows: int) -> list[Line]:
        """The board in exactly `rows` lines of `columns` cells, at least as many as `least` says."""
        ...

    @property
    def least(self) -> tuple[int, int]:
        """The fewest columns and rows of a board."""
        ...

    def fitting(self, columns: int, rows: int) -> tuple[int, int]:
        """As much of `columns` and `rows`, at least `least`, as a board makes use of."""
        ...

    def say_board(self, sight: Sight) -> list[str]:
        """The whole board in sentences, for one who sees no drawing."""
        ...

    def say_asked(self, sight: Sight) -> list[str]:
        """What one must know to answer the present question, in sentences."""
        ...

    def say_hand(self, sight: Sight) -> list[str]:
        """What the player has, in sentences."""
        ...

    def say_notes(self, sight: Sight) -> list[str]:
        """What the enemy's hidden things can still be, in sentences."""
        ...

    def tray(self, sight: Sight, columns: int) -> Line:
        """One line under the board: what the player has in hand."""
        ...

    def panels(self, sight: Sight, columns: int) -> list[Panel]:
        """What helps to decide, the most useful first."""
        ...

    def question(self, view: View[Any], voices: Voices) -> Question | None:
        """What the player may decide now."""
        ...

    def waiting(self, view: View[Any], voices: Voices, ask: Ask) -> str:
        """What the others are asked, while there is nothing to decide for the player."""
        ...

    def choices(self, view: View[Any], typed: str) -> tuple[Choice, ...]:
        """How what is `typed` could go on: each choice a whole input."""
        ...

    def explain(self, sight: Sight) -> Line:
        """One line about what is being typed or pointed at: a soldier's ability, what a piece can be."""
        ...

    def read(self, view: View[Any], typed: str) -> Decided:
        """The decision that `typed` means.  Raises Misunderstood."""
        ...

    def warnings(self, view: View[Any], decided: Decided) -> list[str]:
        """What the game does to a player caught at this decision: a sentence each, or nothing."""
        ...

    def spoken(self, view: View[Any], decided: Decided) -> str:
        """The decision as the object of a sentence: "1 Spy, 4 Sergeant, …"."""
        ...

    def tell(self, before: Any, after: Any, names: Sequence[str]) -> Sequence[str]:
        """What happened in one step from state `before` (None: the set-up) to `after`: a line each."""
        ...

    def ending(self, outcome: Outcome, names: Sequence[str]) -> str:
        """How the game ended, by its own rules or from outside them (see `p2p_stratego.core.narration`)."""
        ...

    def reason(self, reason: str) -> str:
        """Why a game ended, in a few words, for the reasons of its own rules; any other one as it is."""
        ...

    def option(self, name: str, said: OptionValue, read: Callable[[str], str | None]) -> OptionValue:
        """The value of an option from what a player said, a file perhaps, whose text `read` gives.

        Raises Misunderstood for a file that is not what it should be.
        """
        ...

    def options(self, options: Options) -> list[str]:
        """The agreed variant, a clause each."""
        ...

    def manual(self, topic: str | None, columns: int) -> Page:
        """All about one `topic`, a soldier or a piece; None: the rules in short.  Raises Misunderstood."""
        ...


_ROOMS: Final = {"spies-and-lies": "cli.games.spies_and_lies", "stratego": "cli.games.stratego"}
"""By the game's name, the package of its room, imported when it is entered."""


def rooms() -> list[Room]:
    """Every game's room."""
    return [room(game) for game in _ROOMS]


def room(game: str) -> Room:
    """The room of the game with this name.  Raises KeyError for a game that has none."""
    entered: Room = import_module(_ROOMS[game]).ROOM
    return entered
