"""The questions of Conquest while it is played; this module is `cli.games.interface.Questions`.

`offers` finds what could be typed, `answers` reads it, `honesty` warns of what would be proven.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from cli.games.conquest.answers import read, reveals
from cli.games.conquest.honesty import spoken, warnings
from cli.games.conquest.names import piece, zone
from cli.games.conquest.offers import choices
from cli.games.conquest.snapshot import Kind, kind, own_moves, regrouped, said
from cli.games.interface import Players, Question
from cli.text.layout import series
from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.atlas import NEIGHBOURS, TERRITORIES
from p2p_stratego.conquest.rules.cards import KINDS
from p2p_stratego.conquest.rules.draft import picker
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.game import Ask, Choose, Claim, Commit, Mix, Open, OpenTo, Roll, Together
from p2p_stratego.core.view import View

__all__ = ["choices", "question", "read", "reveals", "spoken", "waiting", "warnings"]


def question(view: View[State], players: Players) -> Question | None:
    """The question to the seat, and how to answer it; placing an army is the editor's."""
    asked = kind(view)
    put = _QUESTIONS.get(asked)
    return _SIMPLE.get(asked) if put is None else put(view, players)


def _take(view: View[State], _: Players) -> Question:
    state = view.state
    mine = sum(owner == view.seat for owner in state.taken)
    rest = len(TERRITORIES) - state.picks
    due = sum(picker(state, pick) == view.seat for pick in range(state.picks, len(TERRITORIES)))
    left = f"{rest} {'is' if rest == 1 else 'are'} left"
    text = f"Take a territory, your {_ordinal(mine + 1)} of {mine + due}; {left}."
    return Question(text, "take and its letter, such as take B, or a zone or name")


def _ordinal(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def _play(view: View[State], _: Players) -> Question:
    drawn = series([KINDS[card].title for card in view.state.drawn])
    return Question(f"You have drawn {drawn}. Which card do you play?", "its name, or none")


def _place(view: View[State], _: Players) -> Question:
    state = now(view)
    hand = state.hand
    face = None if hand is None else view.known.get(hand.slot) if hand.face is None else hand.face
    size = len(state.bags[view.seat]) + 1
    fairly = "" if hand is not None and hand.face is not None else f" (1 of {size}, fairly)"
    called = "a piece" if face is None else f"the {piece(face)}"
    return Question(f"You have {called} from your bag{fairly}. On which free zone does it go?", "a zone")


def _mix(view: View[State], _: Players) -> Question:
    zones = regrouped(view)
    where = series([zone(at) for at in zones])
    return Question(
        f"Which piece goes where? They lie on {where}; nobody else sees it.",
        f"three pieces, for {where} in this order",
    )


def _answer(view: View[State], players: Players) -> Question:
    zone_, face = accusation(view)
    who = players.names[view.state.seat]
    return Question(f"{who} says that your piece on {zone_} is the {face}. Is it?", "yes or no, truly")


def accusation(view: View[State]) -> tuple[str, str]:
    """The zone and the kind that the Traitor has named."""
    found = [move for move in said(view) if move.startswith("accuse ")]
    at, face = notation.accused(found[-1])
    return zone(at), piece(face)


def _move(view: View[State], _: Players) -> Question:
    state, moves = view.state, own_moves(view)
    if moves == [notation.NONE]:
        return Question("None of your pieces can step: say so, and your turn ends.", notation.NONE)
    number = f"Move {state.made + 1} of {state.moves}"
    steps = (move for move in moves if (ends := notation.zones(move)) and ends[1] in NEIGHBOURS[ends[0]])
    how = f"two zones, such as {next(steps, moves[0])}"
    if state.made:
        return Question(f"{number}, which need not be made.", f"{how}, or {notation.STOP}")
    return Question(f"{number}: it must be made." if state.moves > 1 else "Your move.", how)


_QUESTIONS: Final[Mapping[Kind, Callable[[View[State], Players], Question]]] = {
    "take": _take,
    "play": _play,
    "place": _place,
    "mix": _mix,
    "answer": _answer,
    "move": _move,
}
_SIMPLE: Final[Mapping[Kind, Question]] = {
    "regroup": Question("Which three pieces of yours do you mix?", "three zones, such as a1 b2 c3"),
    "look": Question(
        "Your spy looks at two pieces side by side, one at least an enemy's. Which?",
        "two zones, such as c4 d4",
    ),
    "draw": Question("Show the spy: which piece of your bag is it?", "spy, or draw and its number"),
    "accuse": Question(
        "Which enemy piece is what? If you are wrong, you alone see it.", "a zone and a kind, such as c4 king"
    ),
    "flag": Question("Your flag is yours again. On which free zone does it go, open?", "a zone"),
}


def waiting(view: View[State], players: Players, ask: Ask) -> str:
    """The decision of the others, while the seat has none."""
    if isinstance(ask, Open):
        return "A piece is being turned up."
    if isinstance(ask, Roll):
        return "Chance is being drawn together."
    if isinstance(ask, Claim):
        return "A claim is being put on record."
    if isinstance(ask, OpenTo):
        return f"{players.names[ask.seat]} is looking at a piece."
    if isinstance(ask, Mix):
        return f"{players.names[ask.seat]} is mixing pieces."
    if isinstance(ask, Together | Commit):
        return f"{_others(view, players, ask)} still placing."
    if isinstance(ask, Choose):
        word = next(iter(ask.options), "").split(" ")[0]
        return f"{players.names[ask.seat]} {_DOING.get(word, 'is to move')}."
    raise RuntimeError(f"Conquest does not ask {ask!r}")


def _others(view: View[State], players: Players, ask: Together | Commit) -> str:
    asks = ask.asks if isinstance(ask, Together) else (ask,)
    names = [players.names[each.seat] for each in asks if each.seat != view.seat]
    return f"{series(names)} {'is' if len(names) == 1 else 'are'}"


_DOING: Final = {
    "take": "takes a territory",
    "play": "chooses a card",
    "place": "is to place a piece",
    "flag": "is to place a flag",
    "regroup": "chooses three pieces to mix",
    "look": "chooses what to look at",
    "draw": "is to show the spy",
    "accuse": "is to accuse a piece",
    "yes": "is to answer",
}
