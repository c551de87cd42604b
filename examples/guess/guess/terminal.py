"""The game at the terminal: the plain one, from three functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.games.interface import Decided, GameTerminal, Players
from cli.games.plain import Plain, moves
from guess.entry import ENTRY
from guess.rules import HIGH, LOW, SIDES, State
from p2p_stratego.core.game import Commit
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.view import View

_HIDING: Final[Mapping[str, Decided]] = {"12": (LOW, HIGH), "21": (HIGH, LOW)}
MANUAL: Final = (
    mark("One player lays a 1 and a 2 face down, in an order of its own."),
    mark("The other one points left or right, and that card is opened: the 2 wins, the 1 loses."),
)


def lines(view: View[State], players: Players) -> list[str]:
    """Both cards, as far as the player can read them."""
    shown = "   ".join(f"{_(side)}: {view.known.get(slot, '?')}" for slot, side in enumerate(SIDES))
    return [_("{name} guesses.", name=players.names[view.state.guesser]), shown]


def asking(view: View[State]) -> str:
    """The question."""
    hiding = isinstance(view.decision, Commit)
    return _("In which order do the cards lie?") if hiding else _("Where is the high card?")


def answers(view: View[State]) -> Mapping[str, Decided]:
    """The answers by their words."""
    return _HIDING if isinstance(view.decision, Commit) else moves(view)


TERMINAL: Final[GameTerminal] = Plain(
    mark("Find the high card of two."), MANUAL, lines, asking, answers, secret=str.isdecimal
).terminal(ENTRY.title, pace=0.1)
