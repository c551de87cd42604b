"""The commands of every table in every game: all that a player can type besides moves.

Reading is pure; doing is the table's.  A command never starts like a move of a game: all other text goes to
the game's Questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from cli.games.typed_names import folded
from p2p_stratego.core.language import _, mark, once_a_language


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
    COACH = "coach"
    HINT = "hint"
    SKIP = "skip"
    SETTINGS = "settings"
    UNDO = "undo"
    BACK = "back"
    GOAL = "goal"
    SAVE = "save"
    LOAD = "load"
    SETUPS = "setups"
    NEXT = "next"
    ANALYSIS = "analysis"
    MISTAKES = "mistakes"
    REPLAY = "replay"
    SHARE = "share"
    PROOF = "proof"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class Command:
    """One command: how it is typed, what may follow it, and a line about it."""

    order: Order
    words: tuple[str, ...]
    argument: str
    about: str


TABLE: Final = (
    Command(
        Order.SAY, ("say",), "TEXT", mark("say something to everybody at the table; /TEXT does the same")
    ),
    Command(Order.HELP, ("help", "?"), "", mark("this page")),
    Command(Order.RULES, ("rules",), "[NAME]", mark("the rules in short, or all about one thing in them")),
    Command(Order.BOARD, ("board", "b"), "", mark("the whole board in words")),
    Command(Order.HAND, ("hand",), "", mark("all that you have, one by one")),
    Command(Order.MOVES, ("moves",), "", mark("all answers to the present question")),
    Command(Order.NOTES, ("notes",), "[on|off]", mark("what each closed thing of the enemy's can still be")),
    Command(Order.HISTORY, ("history", "log"), "", mark("everything that happened")),
    Command(Order.CHAT, ("chat",), "", mark("everything that was said")),
    Command(Order.LOOKED, ("looked",), "", mark("what was shown to you alone")),
    Command(Order.CHECKS, ("checks", "verify"), "", mark("what was verified, and what that proves")),
    Command(Order.WHO, ("who", "connection"), "", mark("who plays, and how each is connected")),
    Command(
        Order.WAYS,
        ("ways", "status"),
        "",
        mark("each address of each player, and how calls there went"),
    ),
    Command(
        Order.WATCH, ("watch",), "on|off", mark("an invite for spectators; off: nobody watches any more")
    ),
    Command(Order.FRIEND, ("friend",), "[NAME]", mark("let a player ask you for games without an invite")),
    Command(Order.RESIGN, ("resign",), "", mark("give the game up")),
    Command(Order.DRAW, ("draw",), "", mark("offer a draw, or accept the one that is offered")),
    Command(Order.ACCEPT, ("accept",), "", mark("accept the draw, or the rematch, that is offered")),
    Command(Order.CLAIM, ("claim",), "", mark("say on record that somebody does not answer")),
    Command(Order.REMATCH, ("rematch",), "", mark("after the end: play again, everybody one seat on")),
    Command(Order.BELL, ("bell",), "[on|off]", mark("a sound when it is your turn")),
    Command(
        Order.NOTIFY, ("notify",), "HOW", mark("how you are told of it: bell, osc9, osc777, command, off")
    ),
    Command(Order.GOAL, ("goal",), "[on|off]", mark("how the game is won, beside the board")),
    Command(Order.MOUSE, ("mouse",), "[on|off]", mark("clicks play; off: your terminal selects text again")),
    Command(Order.COACH, ("coach",), "[on|off]", mark("one sentence on what matters now")),
    Command(Order.HINT, ("hint",), "", mark("against bots alone: a good answer, and why")),
    Command(Order.SKIP, ("skip",), "", mark("against bots: their steps at once, until you are asked")),
    Command(
        Order.SETTINGS,
        ("settings", "set"),
        "[NAME VALUE]",
        mark("what can be changed during a game"),
    ),
    Command(Order.UNDO, ("undo",), "", mark("take back what is not sent yet")),
    Command(Order.BACK, ("back", "takeback"), "", mark("against bots alone: take your last decision back")),
    Command(Order.LEAVE, ("leave", "quit", "exit", "q"), "", mark("save and leave; the game can be resumed")),
)
INTERRUPTS: Final = (
    Command(
        Order.NEVER,
        ("never",),
        "[KIND]",
        mark("questions that your program passes: papers, escape, …"),
    ),
    Command(Order.ASK, ("ask",), "KIND", mark("ask you again; all: everything")),
)
"""In games with questions in the turns of others."""
COUNTED: Final = (
    Command(
        Order.RECORDS, ("records",), "", mark("what each has on record, and the points that you know of")
    ),
    Command(Order.MANIFEST, ("manifest",), "", mark("all counters, and where those are that you know")),
)
"""Of use in games that have these pages."""
PRIVATE: Final = Command(Order.TO, ("to", "whisper"), "NAME TEXT", mark("say it to one player alone, sealed"))
"""In games with talk between two."""
SETTING_UP: Final = (
    Command(Order.SAVE, ("save",), "NAME", mark("save your set-up under a name")),
    Command(
        Order.LOAD,
        ("load",),
        "NAME|FILE [N]",
        mark("a saved set-up, a template, or the N-th of a file"),
    ),
    Command(Order.SETUPS, ("setups",), "", mark("what there is to load")),
)
"""Of use in games in which a side is set up before play."""
AFTERWARDS: Final = (
    Command(Order.NEXT, ("next",), "", mark("after the end: the next opponent on the ladder")),
    Command(Order.ANALYSIS, ("analysis",), "", mark("after the end: where it turned, step by step")),
    Command(Order.MISTAKES, ("mistakes",), "", mark("after the end: your costliest decisions, once more")),
    Command(Order.REPLAY, ("replay",), "", mark("after the end: see it again, step by step")),
    Command(Order.SHARE, ("share",), "", mark("after the end: a page, a picture and three lines")),
    Command(Order.PROOF, ("proof",), "", mark("after the end: the audit, and commands to copy")),
)
"""Of use once a match is over."""
_BY_WORD: Final = {
    word: command
    for command in (*TABLE, *AFTERWARDS, PRIVATE, *INTERRUPTS, *COUNTED, *SETTING_UP)
    for word in command.words
}
_SAY: Final = "/"
DECISIONS: Final = frozenset(
    (Order.RESIGN, Order.DRAW, Order.ACCEPT, Order.CLAIM, Order.REMATCH, Order.LEAVE)
)
"""The commands that end or continue a game; all others only show or set something."""


_SHOWN: Final[Mapping[Order, str]] = {
    Order.HELP: mark("help"),
    Order.RULES: mark("rules"),
    Order.HISTORY: mark("history"),
    Order.COACH: mark("coach"),
    Order.SETTINGS: mark("settings"),
    Order.HINT: mark("hint"),
    Order.UNDO: mark("undo"),
    Order.LEAVE: mark("leave"),
}
"""The words beside the keys of commands: in the player's language they are typed, too."""


@once_a_language
def _as_shown() -> Mapping[str, Command]:
    """By word in the player's language, the command; in English none, which `_BY_WORD` has."""
    return {folded(_(shown)): _BY_WORD[order.value] for order, shown in _SHOWN.items()}


def read(typed: str) -> tuple[Order, str] | None:
    """The command in `typed` and what follows it; None if it is something else, a move perhaps.

    A word that takes nothing behind it is no command if something stands there: "no token" is a move.
    """
    text = typed.strip()
    if text.startswith(_SAY):
        return Order.SAY, text.removeprefix(_SAY).strip()
    word, _space, rest = text.partition(" ")
    command = _BY_WORD.get(word.lower()) or _as_shown().get(folded(word))
    if command is None or (rest.strip() and not command.argument):
        return None
    return command.order, rest.strip()


def whole(typed: str) -> bool:
    """Whether `typed` is a command that takes nothing behind it: refused, there is nothing to mend in it."""
    command = _BY_WORD.get(typed.strip().lower())
    return command is not None and not command.argument


def decision(typed: str) -> Command | None:
    """The command of DECISIONS that `typed` is, with nothing else in it but a mark at its end."""
    command = _BY_WORD.get(typed.strip().rstrip(".!?").lower())
    return command if command is not None and command.order in DECISIONS else None


def begins(typed: str) -> bool:
    """Whether any word of any command begins like `typed`."""
    return any(word.startswith(typed.lower()) for word in _BY_WORD)


def starting(typed: str, *, private: bool) -> tuple[str, ...]:
    """The commands that begin like `typed`, for completion; `private`: the game has talk between two."""
    start, commands = typed.strip().lower(), (*TABLE, PRIVATE) if private else TABLE
    return tuple(command.words[0] for command in commands if start and command.words[0].startswith(start))
