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
from p2p_stratego.core.language import _, _c, mark, mark_c, once_a_language


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
_NAMED: Final[Mapping[Order, str]] = {
    Order.RESIGN: mark_c("command", "resign"),
    Order.DRAW: mark_c("command", "draw"),
    Order.ACCEPT: mark_c("command", "accept"),
    Order.CLAIM: mark_c("command", "claim"),
    Order.REMATCH: mark_c("command", "rematch"),
    Order.NEXT: mark_c("command", "next"),
    Order.BACK: mark_c("command", "back"),
    Order.GOAL: mark_c("command", "goal"),
    Order.ANALYSIS: mark_c("command", "analysis"),
    Order.MISTAKES: mark_c("command", "mistakes"),
    Order.REPLAY: mark_c("command", "replay"),
    Order.SHARE: mark_c("command", "share"),
    Order.PROOF: mark_c("command", "proof"),
}
"""Words of other commands that are typed in the player's language, too."""


def word(order: Order) -> str:
    """The word to type for a command, in the player's language where it has one there."""
    if order in _SHOWN:
        return _(_SHOWN[order]).lower()
    return _c("command", _NAMED[order]) if order in _NAMED else order.value


@once_a_language
def _as_shown() -> Mapping[str, Command]:
    """By word in the player's language, the command; in English none that `_BY_WORD` has not."""
    return {folded(word(order)): _BY_WORD[order.value] for order in (*_SHOWN, *_NAMED)}


def _command(typed: str) -> Command | None:
    """The command of a word."""
    return _BY_WORD.get(typed.lower()) or _as_shown().get(folded(typed))


def read(typed: str) -> tuple[Order, str] | None:
    """The command in `typed` and what follows it; None if it is something else, a move perhaps.

    A word that takes nothing behind it is no command if something stands there: "no token" is a move.
    """
    text = typed.strip()
    if text.startswith(_SAY):
        return Order.SAY, text.removeprefix(_SAY).strip()
    first, _space, rest = text.partition(" ")
    command = _command(first)
    if command is None or (rest.strip() and not command.argument):
        return None
    return command.order, rest.strip()


def whole(typed: str) -> bool:
    """Whether `typed` is a command that takes nothing behind it: refused, there is nothing to mend in it."""
    command = _command(typed.strip())
    return command is not None and not command.argument


def decision(typed: str) -> Command | None:
    """The command of DECISIONS that `typed` is, with nothing else in it but a mark at its end."""
    command = _command(typed.strip().rstrip(".!?"))
    return command if command is not None and command.order in DECISIONS else None


def begins(typed: str) -> bool:
    """Whether any word of any command begins like `typed`."""
    start = folded(typed)
    return any(known.startswith(typed.lower()) for known in _BY_WORD) or any(
        known.startswith(start) for known in _as_shown()
    )


def continued(order: Order, typed: str) -> str:
    """The word of a command that begins like `typed`, the player's own before the English; "": none does."""
    own = word(order)
    if folded(own).startswith(folded(typed.strip())):
        return own
    return order.value if order.value.startswith(typed.strip().lower()) else ""


def starting(typed: str, *, private: bool) -> tuple[str, ...]:
    """The commands that begin like `typed`, for completion; `private`: the game has talk between two."""
    commands = (*TABLE, PRIVATE) if private else TABLE
    known = (continued(command.order, typed) for command in commands)
    return tuple(filter(None, known)) if typed.strip() else ()
