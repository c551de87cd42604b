"""One puzzle before its player: what a typed line comes to, as a pure function.

Both front ends show a `Sitting`; neither decides anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

from cli.games.interface import GameTerminal, Misunderstood, Players, ViewContext, terminal
from cli.games.typed_names import as_typed, in_english
from cli.studies.puzzles.collection import Puzzle
from cli.text.language import leaves
from p2p_stratego.core.game import Choose, Move
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.puzzle import Solution
from p2p_stratego.core.view import View

Wish: TypeAlias = Literal["", "next", "quit", "board"]
"""What a typed line asks of the front end."""
COMMANDS: Final[Mapping[str, str]] = {
    "hint": mark("a hint"),
    "solution": mark("the solution; then this puzzle counts as not solved"),
    "next": mark("another puzzle, about as hard as you are good"),
    "board": mark("the position once more"),
    "q": mark("leave"),
}
"""By word, what it does."""
_ALIASES: Final[Mapping[str, str]] = {"h": "hint", "n": "next"}
_NAMES: Final = ("Ann", "Ben")


@dataclass(frozen=True)
class Position:
    """A puzzle with what is worked out of it, once."""

    puzzle: Puzzle

    @cached_property
    def view(self) -> View[Any]:
        """As its player sees it."""
        return self.puzzle.view()

    @cached_property
    def solution(self) -> Solution:
        """Worked out anew: the reasons need it."""
        return self.puzzle.judge.solve(self.view, self.puzzle.theme)

    @property
    def here(self) -> GameTerminal:
        """The terminal part of its game."""
        return terminal(self.puzzle.game)

    @property
    def names(self) -> tuple[str, ...]:
        """The players, by seat."""
        return _NAMES

    def context(self, typed: str = "", cursor: str = "") -> ViewContext:
        """What a board is drawn of: without the notes, which would be the solution."""
        return ViewContext(self.view, Players(self.names, self.view.seat), typed, notes=False, cursor=cursor)

    @property
    def task(self) -> str:
        """What is asked."""
        return self.puzzle.judge.task(self.view, self.puzzle.theme, self.names)

    def moves(self) -> list[Move]:
        """Every answer there is."""
        decision = self.view.asked
        return list(decision.options) if isinstance(decision, Choose) else []


@dataclass(frozen=True, slots=True)
class Sitting:
    """A puzzle, and how far its player has come; `sentences`: for the last line that was typed."""

    position: Position
    wrong: tuple[Move, ...] = ()
    over: bool = False
    """Whether it was solved, or the solution was shown."""
    right: bool = False
    sentences: tuple[str, ...] = ()
    wish: Wish = ""
    understood: bool = True
    """Whether the last line was a command, or an answer that the puzzle allows."""

    @property
    def first(self) -> bool | None:
        """Whether the first try was right; None while there was none."""
        if self.wrong:
            return False
        return self.right if self.over else None

    def typed(self, line: str) -> Sitting:
        """After a typed line."""
        here, word = replace(self, sentences=(), wish="", understood=True), " ".join(line.lower().split())
        match "q" if leaves(word) else _ALIASES.get(word, word):
            case "":
                return replace(here, wish="next") if self.over else here._say(_("Type your answer, or ?."))
            case "q":
                return replace(here, wish="quit")
            case "next":
                return replace(here, wish="next")
            case "board":
                return replace(here, wish="board")
            case "?" | "help":
                return here._say(*(f"{name}: {_(about)}" for name, about in COMMANDS.items()))
            case "hint":
                return here._say(self.position.puzzle.judge.hint(self.position.view, self.position.solution))
            case "solution":
                return replace(here, over=True)._say(
                    _("The solution is {answer}.", answer=shown(self.position, self.position.puzzle.move)),
                    *self.why(),
                )
        return (
            here._say(_("This puzzle is over. Enter brings the next one.")) if self.over else here._try(line)
        )

    def why(self) -> tuple[str, ...]:
        """Why the solution is the best answer."""
        at = self.position
        return tuple(at.puzzle.judge.why(at.view, at.solution, at.names))

    def _try(self, line: str) -> Sitting:
        at, names = self.position, self.position.here.names()
        try:
            move = at.here.questions.read(at.view, in_english(line, names))
        except Misunderstood as error:
            return replace(self, understood=False)._say(as_typed(str(error), line, names))
        if move == at.puzzle.move:
            return replace(self, over=True, right=True)._say(
                _("Right: {answer}!", answer=shown(at, at.puzzle.move)), *self.why()
            )
        wrong = _("Not the best: {answer}. Try again, or type hint or solution.", answer=shown(at, str(move)))
        return replace(self, wrong=(*self.wrong, str(move)))._say(wrong)

    def _say(self, *sentences: str) -> Sitting:
        return replace(self, sentences=sentences)


def shown(position: Position, move: Move) -> str:
    """An answer as a list of choices shows it, or else as a sentence names it."""
    questions = position.here.questions
    choices = {choice.word: choice.shown for choice in questions.choices(position.context())}
    return choices.get(move) or questions.spoken(position.view, move)


def heading(puzzle: Puzzle, *, today: bool) -> str:
    """The number, the game and the strength, in one line."""
    fields = {"number": puzzle.number, "game": terminal(puzzle.game).title, "rating": puzzle.rating}
    if today:
        return _("The puzzle of the day: {game}, number {number}, strength {rating}", **fields)
    return _("Puzzle {number}: {game}, strength {rating}", **fields)
