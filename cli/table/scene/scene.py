"""All that a table shows at one moment, as plain values for the renderer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from cli.games.drama import DramaEvent
from cli.games.interface import Choice, GameTerminal, Page, ViewContext
from cli.table.words.clocks import ScreenClock
from cli.table.words.other_players import Fellow
from cli.text.theme import Tone

LEAST: Final = (80, 24)
"""The smallest screen on which everything essential can be seen."""
MOST: Final = (200, 60)
"""The biggest screen that is filled; a bigger window shows the table in its middle."""
Mode: TypeAlias = Literal["move", "chat", "confirm", "command"]
"""What the input line is for."""


@dataclass(frozen=True, slots=True)
class KeyHint:
    """A key and what it does, for the footer."""

    key: str
    does: str


@dataclass(frozen=True, slots=True)
class OverlayRow:
    """One row of a list: what is chosen, what it does, and a key or a value at its end."""

    left: str
    about: str
    right: str = ""
    dim: str = ""
    """Why it can not be chosen to any effect now; "" if it can."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """A list over the board, one row of it selected."""

    title: str
    rows: tuple[OverlayRow, ...]
    selected: int
    foot: str
    empty: str = ""
    """In place of no rows."""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a screen shows.  Every text in it is our own or escaped."""

    terminal: GameTerminal
    banner: str
    context: ViewContext | None
    """None until the game's set-up is done."""
    link: tuple[Tone, str]
    """How the other side, or the table, is connected, in a few words."""
    checked: int
    """Openings, hidden choices and rolls that were verified, where somebody cheated; else 0."""
    clocks: Sequence[ScreenClock] = ()
    """The clocks of the match, the player's own first."""
    doing: Sequence[str] = ()
    """The attempts at a way there, or at a better one: the longest form first."""
    fellows: Sequence[Fellow] = ()
    """The other players, at a table of three or more."""
    history: Sequence[str] = ()
    fresh: int = 0
    """How many sentences at the end of the history are new since the player looked."""
    chat: Sequence[tuple[str, str, str]] = ()
    """Style, name and text of each line of chat, oldest first."""
    news: Sequence[tuple[bool, str]] = ()
    """Recent events: whether a card was opened and found right, and a sentence."""
    own: bool = False
    """Whether the first of them begins the step of the player's own last decision."""
    read: bool = False
    """Whether the player has read them: then they leave the board whole."""
    proved: str = ""
    """How far the last step is verified, in a sentence."""
    alert: tuple[Tone, str] | None = None
    """The most urgent notice besides the question: an offer, a lost connection, a mistake in the input."""
    goal: str = ""
    """How the game is won, for a player who wants to see that."""
    question: str = ""
    how: str = ""
    mode: Mode = "move"
    typed: str = ""
    choices: tuple[Choice, ...] = ()
    picked: str | None = None
    """The choice that was taken over by an arrow key."""
    page: Page | None = None
    """Something to read."""
    careful: tuple[str, ...] = ()
    """Warnings to be confirmed."""
    side: str | None = None
    """The panel that the player wants to see first."""
    keys: tuple[KeyHint, ...] = ()
    overlay: Overlay | None = None
    """A list to choose from."""
    stage: tuple[DramaEvent, float] | None = None
    """The event that is being played, and its time from 0.0 to 1.0."""
    coach: str = ""
    """A sentence on what matters now, for a player who wants one."""
    counsel: str = ""
    """The coach's sentence above the question rather than beside the board."""
    lesson: bool = False
    """Whether that is a lesson, which stands before all else beside the board."""
