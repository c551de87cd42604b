"""Puzzles: a position of a game, as one seat sees it, with one answer that is clearly the best.

A puzzle rests on what its seat can know.  Its solver weighs every answer by all the ways in which the hidden
things can lie, each as likely as the others: no bot's opinion, and no chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from p2p_stratego.core.game import Move
from p2p_stratego.core.view import View

Position: TypeAlias = Mapping[str, Any]
"""A view as values of JSON, in the game's own form."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The best answer of a puzzle, and what the reasons need."""

    theme: str
    """A word of the game's own, in English; it names the task."""
    move: Move
    second: Move
    """The next best answer; "" if there is no other."""
    worths: Mapping[Move, float]
    """By answer: what it brings on average, in the game's own unit."""
    ways: int
    """The number of ways in which the hidden things can lie, ≥ 1."""
    clear: bool
    """Whether the best answer is so much better than the next one that nobody can dispute it."""
    kind: str = ""
    """How the answer works, a word of the game's own: a collection has some of each."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the game's own sentences name."""


class Puzzles(Protocol):
    """The puzzles of one game; a module with these functions is one.  All are pure."""

    def read(self, position: Position) -> View[Any]:
        """The view of the seat that is asked.  The position came with the program: it is trusted."""
        ...

    def write(self, view: View[Any]) -> Position:
        """The position that `read` gives the view back for, as far as a puzzle needs it."""
        ...

    def themes(self, view: View[Any]) -> Sequence[str]:
        """The tasks that this view could set; none if no puzzle can come of it."""
        ...

    def solve(self, view: View[Any], theme: str) -> Solution:
        """Every answer weighed.  Raises ValueError for a view without `theme`."""
        ...

    def task(self, view: View[Any], theme: str, names: Sequence[str]) -> str:
        """What is asked, in a sentence or two; `names`: by seat."""
        ...

    def hint(self, view: View[Any], solution: Solution) -> str:
        """A sentence that helps, and does not name the answer."""
        ...

    def why(self, view: View[Any], solution: Solution, names: Sequence[str]) -> Iterator[str]:
        """Why the answer is the best, in sentences."""
        ...
