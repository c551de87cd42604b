"""A plain terminal: the table as lines, and the answers to a question as words.

Enough for a game to be played, on the full screen and in lines; a game puts a part of its own in the place of
one of these when it wants more (`dataclasses.replace` on the GameTerminal).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

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
from cli.text.layout import EMPTY, Line, block, styled, wrapped
from p2p_stratego.core.game import Ask, Choose
from p2p_stratego.core.language import _
from p2p_stratego.core.view import View

Lines: TypeAlias = Callable[[View[Any], Players], Sequence[str]]
"""All that one player sees of the table, a sentence or a row each."""
Asking: TypeAlias = Callable[[View[Any]], str]
"""The present decision as a question."""
Answers: TypeAlias = Callable[[View[Any]], Mapping[str, Decided]]
"""By the words that a player types: each answer to the present decision, the most useful first."""
_LEAST: Final = (40, 8)
"""Columns and rows of the table."""
_OFFERED: Final = 40
"""Choices that are offered at once: more would be no help."""
_NAMED: Final = 3
"""Answers that a question names."""
_QUOTED: Final = 5
"""Answers in the reply to a line that is none."""


def moves(view: View[Any]) -> Mapping[str, Decided]:
    """The options of a Choose, each by its own words."""
    asked = view.asked
    return {move: move for move in asked.options} if isinstance(asked, Choose) else {}


@dataclass(frozen=True, slots=True)
class Plain:
    """A Board, Description, Questions, Panels and Manual in one."""

    goal_of: str
    """How the game is won, in at most 70 cells, marked."""
    manual: Sequence[str]
    """The rules in short: marked paragraphs."""
    lines: Lines
    asking: Asking
    answers: Answers = moves
    secret: Callable[[str], bool] = lambda text: False  # noqa: ARG005 - a function that reads nothing
    """Whether a chat message would give away what the player laid or chose, or is about to."""
    LEAST: tuple[int, int] = _LEAST
    SIGNS: Sequence[tuple[str, str]] = ()

    def terminal(self, title: str, pace: float = 1.0) -> GameTerminal:
        """The whole terminal; `pace`: seconds that a reader needs for a step."""
        return GameTerminal(title, pace, self, self, self, self, self)

    # Board

    def fitting(self, columns: int, rows: int) -> tuple[int, int]:
        return columns, rows

    def draw(self, context: ViewContext, columns: int, rows: int) -> list[Line]:
        lines = [part for text in self.board(context) for part in wrapped(styled(text), columns)]
        return block(lines[:rows], columns, rows)

    # Description

    def banner(self, _view: View[Any]) -> str:
        return ""

    def goal(self, _view: View[Any]) -> str:
        return _(self.goal_of)

    def board(self, context: ViewContext) -> list[str]:
        return list(self.lines(context.view, context.players))

    def asked(self, context: ViewContext) -> list[str]:
        return self.board(context)

    def hand(self, context: ViewContext) -> list[str]:
        return self.board(context)

    def notes(self, _context: ViewContext) -> list[str]:
        return []

    # Questions

    def question(self, view: View[Any], _players: Players) -> Question | None:
        if view.decision is None:
            return None
        some = list(self.answers(view))
        how = ", ".join(some[:_NAMED]) + (", …" if len(some) > _NAMED else "")
        return Question(self.asking(view), how)

    def waiting(self, _view: View[Any], players: Players, ask: Ask) -> str:
        seat = getattr(ask, "seat", None)
        others = [name for at, name in enumerate(players.names) if at != players.me]
        name = players.names[seat] if isinstance(seat, int) else others[0] if len(others) == 1 else ""
        return _("{name} is thinking.", name=name) if name else _("The others are thinking.")

    def choices(self, context: ViewContext) -> tuple[Choice, ...]:
        if context.view.decision is None:
            return ()
        fitting = list(self._fitting(context.view, context.typed))
        return tuple(Choice(word, word) for word in fitting[:_OFFERED])

    def read(self, view: View[Any], typed: str) -> Decided:
        if view.decision is None:
            raise NotPossible(_("You have nothing to decide at the moment."))
        answers = {word.lower(): answer for word, answer in self.answers(view).items()}
        fitting, word = list(self._fitting(view, typed)), " ".join(typed.lower().split())
        if word not in answers and len(fitting) == 1:
            word = fitting[0].lower()
        if word not in answers:
            offered = ", ".join((fitting or [*answers])[:_QUOTED])
            raise Unknown(_("That is no answer. You can say: {offered}.", offered=offered))
        return answers[word]

    def reveals(self, _view: View[Any] | None, text: str) -> bool:
        return self.secret(" ".join(text.lower().split()))

    def warnings(self, _view: View[Any], _decided: Decided, *, settled: bool = True) -> list[str]:
        del settled
        return []

    def spoken(self, view: View[Any], decided: Decided) -> str:
        if view.decision is None:
            return ""
        return next((word for word, answer in self.answers(view).items() if answer == decided), "")

    def _fitting(self, view: View[Any], typed: str) -> Iterator[str]:
        start = " ".join(typed.lower().split())
        return (word for word in self.answers(view) if word.lower().startswith(start))

    # Panels

    def panels(
        self, _context: ViewContext, _columns: int, _board: tuple[int, int] | None = None
    ) -> list[Panel]:
        return []

    def tray(self, _context: ViewContext, _columns: int) -> Line:
        return EMPTY

    def explain(self, _context: ViewContext) -> Line:
        return EMPTY

    # Manual

    def page(self, topic: str | None, columns: int) -> Page:
        if topic is not None:
            raise Unknown(_("There is nothing to look up."))
        paragraphs = (wrapped(styled(_(text)), columns) for text in (self.goal_of, *self.manual))
        return Page(_("Rules in short"), [part for lines in paragraphs for part in (*lines, EMPTY)][:-1])
