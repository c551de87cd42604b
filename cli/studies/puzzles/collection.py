"""The shipped puzzles: by number, by day, and by strength.

`make puzzles` writes the file.  The easiest has the number 1.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import gcd
from pathlib import Path
from typing import Any, Final

from p2p_stratego.core.figures import figures
from p2p_stratego.core.game import Move
from p2p_stratego.core.puzzle import Puzzles, Solution
from p2p_stratego.core.view import View
from p2p_stratego.registry import ENTRIES

FILE: Final = Path(__file__).with_name("puzzles.json")
_STRIDE: Final = 97
"""Between the numbers of one day and the next, so that easy and hard ones alternate."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """One puzzle; `rating`: its strength, on the scale of the opponents' ratings."""

    number: int
    game: str
    rating: int
    theme: str
    move: Move
    """The solution."""
    position: Mapping[str, Any]

    @property
    def judge(self) -> Puzzles:
        """The maker and judge of its game's puzzles."""
        judge = ENTRIES[self.game].puzzles
        if judge is None:  # the collection came with the program, and so did its games
            raise RuntimeError(f"{self.game} has no puzzles")
        return judge.load()

    def view(self) -> View[Any]:
        """The position as its player sees it."""
        return self.judge.read(self.position)

    def solved(self) -> Solution:
        """The solution, worked out anew."""
        return self.judge.solve(self.view(), self.theme)

    def plain(self) -> list[object]:
        """As the file has it; its number is its place there."""
        return [self.game, self.rating, self.theme, self.move, self.position]


@cache
def collection() -> Sequence[Puzzle]:
    """All puzzles, by number from 1."""
    return tuple(Puzzle(at, *row) for at, row in enumerate(figures(__package__, FILE.name), start=1))


def of_game(game: str | None) -> Sequence[Puzzle]:
    """The puzzles of one game, or all."""
    return [puzzle for puzzle in collection() if game in (None, puzzle.game)]


def of_day(day: int, game: str | None) -> Puzzle:
    """The puzzle of a day, which is a number of days since any beginning: the same one everywhere.

    Each comes once before any comes again.
    """
    puzzles = of_game(game)
    stride = next(step for step in range(_STRIDE, _STRIDE + len(puzzles) + 1) if gcd(step, len(puzzles)) == 1)
    return puzzles[day * stride % len(puzzles)]


def next_for(strength: float, done: Collection[int], game: str | None) -> Puzzle | None:
    """The puzzle nearest to a player's strength that it has not met; None if it has met all."""
    new = [puzzle for puzzle in of_game(game) if puzzle.number not in done]
    return min(new, key=lambda puzzle: (abs(puzzle.rating - strength), puzzle.number), default=None)
