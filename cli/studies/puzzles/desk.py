"""A player's desk: the puzzle that lies on it, what was solved, and the one that comes next.

It keeps each try as soon as it is decided.  The day is given from outside.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cli.reports.rows import Plain
from cli.shell.exit_codes import Exit, Sorry
from cli.studies.puzzles import progress
from cli.studies.puzzles.collection import Puzzle, collection, next_for, of_day
from cli.studies.puzzles.progress import Progress, Try
from cli.studies.puzzles.sitting import Position, Sitting, heading
from p2p_stratego.core.language import _, n_, number
from p2p_stratego.registry import ENTRIES

_ENOUGH: Final = 5
"""Puzzles after which a strength says something."""


class Desk:
    """One player, one day."""

    def __init__(self, home: Path, today: int, game: str | None, wanted: int | None = None) -> None:
        """`today`: as `date.toordinal` counts; `game`: None for all; `wanted`: the number of a puzzle.

        Without a number it is the puzzle of the day, and once that is solved another one.  Raises Sorry.
        """
        self.home, self._today, self._game = home, today, game
        self.progress: Progress = progress.load(home)
        self.daily = of_day(today, game)
        if wanted is None:
            solved = self.daily.number in self.progress.solved
            puzzle = (self._another() or self.daily) if solved else self.daily
        elif 1 <= wanted <= len(collection()):
            puzzle = collection()[wanted - 1]
            if game not in (None, puzzle.game):
                raise Sorry(
                    _(
                        "Puzzle {number} is one of {title}. Leave --game out, or the number.",
                        number=wanted,
                        title=ENTRIES[puzzle.game].title,
                    ),
                    Exit.USAGE,
                )
        else:
            raise Sorry(
                _("There are puzzles from 1 to {count}, and none of that number.", count=len(collection())),
                Exit.USAGE,
            )
        self.sitting = Sitting(Position(puzzle))

    @property
    def puzzle(self) -> Puzzle:
        """The one that lies there."""
        return self.sitting.position.puzzle

    @property
    def heading(self) -> str:
        """The one that lies there, in a line."""
        return heading(self.puzzle, today=self.puzzle == self.daily)

    def typed(self, line: str) -> None:
        """Take a typed line; `sitting` has what came of it.  Raises StorageFailure."""
        before = self.sitting
        self.sitting = before.typed(line)
        if self.sitting.wish == "next":
            self._next()
            return
        now = self.sitting
        if (now.over, now.wrong) != (before.over, before.wrong):
            self._keep(right=now.right)
        if now.over and not before.over:
            self.sitting = Sitting(
                now.position,
                now.wrong,
                now.over,
                now.right,
                (*now.sentences[:1], *self.standing(), *now.sentences[1:]),
                now.wish,
            )

    def standing(self) -> Iterator[str]:
        """The streak and the strength."""
        days = self.progress.streak(self._today)
        if days:
            yield n_("Solved on {count} day in a row.", "Solved on {count} days in a row.", days)
        if len(self.progress.firsts) >= _ENOUGH:
            yield _("Your strength in puzzles is {rating}.", rating=number(self.progress.rating.rating))

    def _keep(self, *, right: bool) -> None:
        """Keep a try that was decided just now, beside what another window has kept meanwhile."""
        done = Try(self._today, self.puzzle.number, right)
        now = progress.load(self.home).after(done)
        if now != self.progress:
            progress.save(self.home, now)
        self.progress = now

    def _another(self) -> Puzzle | None:
        return next_for(self.progress.rating.rating, self.progress.firsts.keys(), self._game)

    def _next(self) -> None:
        met = {*self.progress.firsts, self.puzzle.number}
        puzzle = next_for(self.progress.rating.rating, met, self._game)
        if puzzle is None:
            met_all = _("You have met all puzzles. Type puzzle and a number to see one again.")
            self.sitting = Sitting(self.sitting.position, over=True, sentences=(met_all,))
        else:
            self.sitting = Sitting(Position(puzzle))

    def plain(self) -> Plain:
        """The puzzle and the player's standing, for programs; the solution once it is over."""
        sitting = self.sitting
        at, puzzle = sitting.position, self.puzzle
        board = at.here.description.board(at.context())
        return {
            "number": puzzle.number,
            "game": puzzle.game,
            "strength": puzzle.rating,
            "today": puzzle == self.daily,
            "task": at.task,
            "board": list(board),
            "answers": at.moves(),
            "solved": puzzle.number in self.progress.solved,
            "right": sitting.first,
            "solution": puzzle.move if sitting.over else None,
            "why": list(sitting.why()) if sitting.over else [],
            "streak": self.progress.streak(self._today),
            "rating": round(self.progress.rating.rating),
        }
