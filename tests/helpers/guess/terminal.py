"""The game at the terminal; one class does for all parts of so small a game."""

from __future__ import annotations

from typing import Final

from cli.games.interface import (
    Choice,
    Decided,
    GameTerminal,
    NotPossible,
    Page,
    Panel,
    Players,
    Question,
    Unknown,
    ViewContext,
)
from cli.text.layout import EMPTY, Line, block, centred, styled
from p2p_stratego.core.game import Ask, Commit
from p2p_stratego.core.view import View
from tests.helpers.guess.entry import ENTRY
from tests.helpers.guess.rules import HIGH, LOW, SIDES, State

_HIDING: Final = {"12": (LOW, HIGH), "21": (HIGH, LOW)}
_NEEDED: Final = 3
"""Columns and rows of a board."""


class Table:
    """Board, description, questions, panels and manual."""

    LEAST = (20, _NEEDED)
    SIGNS = (("? 1 2", "a closed card, the low one, the high one"),)

    def fitting(self, columns: int, rows: int) -> tuple[int, int]:
        return columns, min(rows, _NEEDED)

    def draw(self, context: ViewContext, columns: int, rows: int) -> list[Line]:
        return block([EMPTY, centred(styled(self.board(context)[0]), columns)], columns, rows)

    def banner(self, view: View[State]) -> str:
        return str(view.state.phase)

    def goal(self, view: View[State]) -> str:
        return "Find the high card of two."

    def board(self, context: ViewContext) -> list[str]:
        known = context.view.known
        return [" ".join(f"{side}: {known.get(slot, '?')}" for slot, side in enumerate(SIDES))]

    def asked(self, context: ViewContext) -> list[str]:
        return self.board(context)

    def hand(self, context: ViewContext) -> list[str]:
        return self.board(context)

    def notes(self, context: ViewContext) -> list[str]:
        return ["A closed card is the 1 or the 2."]

    def question(self, view: View[State], players: Players) -> Question | None:
        if view.decision is None:
            return None
        if isinstance(view.decision, Commit):
            return Question("Which card lies on the left?", "12 or 21")
        return Question("Where is the high card?", "left or right")

    def waiting(self, view: View[State], players: Players, ask: Ask) -> str:
        return f"{players.names[1 - view.seat]} is thinking."

    def choices(self, context: ViewContext) -> tuple[Choice, ...]:
        view = context.view
        words = _HIDING if isinstance(view.decision, Commit) else SIDES
        found = [word for word in words if word.startswith(context.typed.strip().lower())]
        return tuple(Choice(word, word) for word in found) if view.decision is not None else ()

    def read(self, view: View[State], typed: str) -> Decided:
        said = typed.strip().lower()
        if view.decision is None:
            raise NotPossible("You have nothing to decide at the moment.")
        if isinstance(view.decision, Commit) and said in _HIDING:
            return _HIDING[said]
        if not isinstance(view.decision, Commit) and said in SIDES:
            return said
        raise Unknown("That is no answer.")

    def reveals(self, view: View[State] | None, text: str) -> bool:
        return text.strip().isdecimal()

    def warnings(self, view: View[State], decided: Decided) -> list[str]:
        return []

    def spoken(self, view: View[State], decided: Decided) -> str:
        return decided if isinstance(decided, str) else "lay them like this"

    def panels(self, context: ViewContext, columns: int, board: tuple[int, int] | None = None) -> list[Panel]:
        return []

    def tray(self, context: ViewContext, columns: int) -> Line:
        return EMPTY

    def explain(self, context: ViewContext) -> Line:
        return EMPTY

    def page(self, topic: str | None, columns: int) -> Page:
        if topic is not None:
            raise Unknown("There is nothing to look up.")
        return Page("Rules in short", [styled("Find the high card of two.")])


_table: Final = Table()
TERMINAL: Final = GameTerminal(ENTRY.title, 0.1, _table, _table, _table, _table, _table)
