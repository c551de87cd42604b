"""The commands of every table in every game: all that a player can type besides moves.

Reading is pure; doing is the table's.  A command never starts like a move of a game: all other text goes to
the game's Questions.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from cli.shell.settings import NOTIFY


class Order(Enum):
    """The player's wishes to the table."""

    SAY = "say"
    TO = "to"
    NEVER = "never"
    ASK = "ask"
    HELP = "help"
    RULES = "rules"
    BOARD = "board"
    HAND = "hand"
    MOVES = "moves"
    NOTES = "notes"
    HISTORY = "history"
    CHAT = "chat"
    LOOKED = "looked"
    MANIFEST = "manifest"
    RECORDS = "records"
    CHECKS = "checks"
    WHO = "who"
    WAYS = "ways"
    WATCH = "watch"
    FRIEND = "friend"
    RESIGN = "resign"
    DRAW = "draw"
    ACCEPT = "accept"
    CLAIM = "claim"
    REMATCH = "rematch"
    BELL = "bell"
    NOTIFY = "notify"
    MOUSE = "mouse"
    GOAL = "goal"
    SAVE = "save"
    LOAD = "load"
    SETUPS = "setups"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class Entry:
    """One command: how it is typed, what may follow it, and a line about it."""

    order: Order
    words: tuple[str, ...]
    argument: str
    about: str


TABLE: Final = (
    Entry(Order.SAY, ("say",), "TEXT", "say something to everybody at the table; /TEXT does the same"),
    Entry(Order.HELP, ("help", "?"), "", "this page"),
    Entry(Order.RULES, ("rules",), "[NAME]", "the rules in short, or all about one thing in them"),
    Entry(Order.BOARD, ("board", "b"), "", "the whole board in words"),
    Entry(Order.HAND, ("hand",), "", "all that you have, one by one"),
    Entry(Order.MOVES, ("moves",), "", "all answers to the present question"),
    Entry(Order.NOTES, ("notes",), "[on|off]", "what each closed thing of the enemy's can still be"),
    Entry(Order.HISTORY, ("history", "log"), "", "everything that happened"),
    Entry(Order.CHAT, ("chat",), "", "everything that was said"),
    Entry(Order.LOOKED, ("looked",), "", "what was shown to you alone"),
    Entry(Order.CHECKS, ("checks", "verify"), "", "what was verified, and what that proves"),
    Entry(Order.WHO, ("who", "connection"), "", "who plays, and how each is connected"),
    Entry(
        Order.WAYS, ("ways", "status"), "", "each address of each player, and how the last call there went"
    ),
    Entry(Order.WATCH, ("watch",), "on|off", "an invite for spectators; off: nobody watches any more"),
    Entry(Order.FRIEND, ("friend",), "[NAME]", "let a player ask you for the next game without an invite"),
    Entry(Order.RESIGN, ("resign",), "", "give the game up"),
    Entry(Order.DRAW, ("draw",), "", "offer a draw, or accept the one that is offered"),
    Entry(Order.ACCEPT, ("accept",), "", "accept the draw, or the rematch, that is offered"),
    Entry(Order.CLAIM, ("claim",), "", "say on record that somebody does not answer"),
    Entry(Order.REMATCH, ("rematch",), "", "after the end: play again, everybody one seat on"),
    Entry(Order.BELL, ("bell",), "[on|off]", "a sound when it is your turn"),
    Entry(Order.NOTIFY, ("notify",), "HOW", f"how you are told of it: {', '.join(NOTIFY)}"),
    Entry(Order.GOAL, ("goal",), "[on|off]", "how the game is won, beside the board"),
    Entry(Order.MOUSE, ("mouse",), "[on|off]", "clicks play; off: your terminal selects text again"),
    Entry(Order.LEAVE, ("leave", "quit", "exit", "q"), "", "save and leave; the game can be resumed"),
)
INTERRUPTS: Final = (
    Entry(Order.NEVER, ("never",), "[KIND]", "questions that your program passes for you: papers, escape, …"),
    Entry(Order.ASK, ("ask",), "KIND", "ask you again; all: everything"),
)
"""In games with questions in the turns of others."""
COUNTED: Final = (
    Entry(Order.RECORDS, ("records",), "", "what each has on record, and the points that you know of"),
    Entry(Order.MANIFEST, ("manifest",), "", "all counters of the game, and where those are that you know"),
)
"""Of use in games that have these pages."""
PRIVATE: Final = Entry(Order.TO, ("to", "whisper"), "NAME TEXT", "say it to one player alone, sealed")
"""In games with talk between two."""
SETTING_UP: Final = (
    Entry(Order.SAVE, ("save",), "NAME", "save your set-up under a name"),
    Entry(Order.LOAD, ("load",), "NAME|FILE [N]", "a saved set-up, a template, or the N-th of a file"),
    Entry(Order.SETUPS, ("setups",), "", "what there is to load"),
)
"""Of use in games in which a side is set up before play."""
_BY_WORD: Final = {
    word: entry for entry in (*TABLE, PRIVATE, *INTERRUPTS, *COUNTED, *SETTING_UP) for word in entry.words
}
_SAY: Final = "/"
DECISIONS: Final = frozenset(
    (Order.RESIGN, Order.DRAW, Order.ACCEPT, Order.CLAIM, Order.REMATCH, Order.LEAVE)
)
"""The commands that end or continue a game; all others only show or set something."""


def read(typed: str) -> tuple[Order, str] | None:
    """The command in `typed` and what follows it; None if it is something else, a move perhaps.

    A word that takes nothing behind it is no command if something stands there: "no token" is a move.
    """
    text = typed.strip()
    if text.startswith(_SAY):
        return Order.SAY, text.removeprefix(_SAY).strip()
    word, _, rest = text.partition(" ")
    entry = _BY_WORD.get(word.lower())
    if entry is None or (rest.strip() and not entry.argument):
        return None
    return entry.order, rest.strip()


def decision(typed: str) -> Entry | None:
    """The command of DECISIONS that `typed` is, with nothing else in it but a mark at its end."""
    entry = _BY_WORD.get(typed.strip().rstrip(".!?").lower())
    return entry if entry is not None and entry.order in DECISIONS else None


def begins(typed: str) -> bool:
    """Whether any word of any command begins like `typed`."""
    return any(word.startswith(typed.lower()) for word in _BY_WORD)


def starting(typed: str, *, private: bool) -> tuple[str, ...]:
    """The commands that begin like `typed`, for completion; `private`: the game has talk between two."""
    said, entries = typed.strip().lower(), (*TABLE, PRIVATE) if private else TABLE
    return tuple(entry.words[0] for entry in entries if said and entry.words[0].startswith(said))


def yes_or_no(text: str) -> bool | None:
    """The answer in `text`; None if it is neither."""
    return {"y": True, "yes": True, "n": False, "no": False}.get(text.strip().lower())
