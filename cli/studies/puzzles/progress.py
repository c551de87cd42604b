"""What a player has made of the puzzles: first tries, the streak of days, and a rating.

Everything follows from the list of tries, the oldest first, in one file of the home folder.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from cli.studies.puzzles.collection import Puzzle, collection
from cli.studies.statistics.glicko import Played, Rating, rated
from p2p_stratego.core import strict_json
from p2p_stratego.core.strict_json import NotJson
from protocol.failures import Missing
from protocol.storage.files import Folder

FILE: Final = "puzzles.json"
_MOST: Final = 1 << 20
_LAST_DAY: Final = 3_652_059
"""The ordinal of the last day that a date can name (31 December 9999)."""
_STRENGTH: Final = 80.0
"""The deviation of a puzzle's rating: bots tried it two dozen times."""


class Try(NamedTuple):
    """The end of one try: on a day (`date.toordinal`), a puzzle's number, and whether it was solved."""

    day: int
    number: int
    right: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """All tries that count: of each puzzle the first one, and later the one that solved it."""

    tries: tuple[Try, ...] = ()

    def after(self, done: Try) -> Progress:
        """With one more try, unless this puzzle was solved before on the same day, or failed again."""
        before = [attempt for attempt in self.tries if attempt.number == done.number]
        if before and (not done.right or done in before):
            return self
        return replace(self, tries=(*self.tries, done))

    @property
    def firsts(self) -> Mapping[int, Try]:
        """By puzzle, its first try."""
        firsts: dict[int, Try] = {}
        for attempt in self.tries:
            firsts.setdefault(attempt.number, attempt)
        return firsts

    @property
    def solved(self) -> frozenset[int]:
        """The puzzles that were solved, at once or later."""
        return frozenset(attempt.number for attempt in self.tries if attempt.right)

    def streak(self, today: int) -> int:
        """How many days in a row a puzzle was solved: up to today, or to yesterday while today is open."""
        days = {attempt.day for attempt in self.tries if attempt.right}
        day = today if today in days else today - 1
        count = 0
        while day - count in days:
            count += 1
        return count

    @property
    def rating(self) -> Rating:
        """The strength by the first tries, a day's at a time."""
        puzzles, own = collection(), Rating()
        firsts = [attempt for attempt in self.firsts.values() if attempt.number <= len(puzzles)]
        for _day, tries in groupby(firsts, key=lambda attempt: attempt.day):
            own = rated(
                own,
                [Played(_strength(puzzles[attempt.number - 1]), float(attempt.right)) for attempt in tries],
            )
        return own


def _strength(puzzle: Puzzle) -> Rating:
    return Rating(float(puzzle.rating), _STRENGTH)


def load(home: Path) -> Progress:
    """The progress in a home folder; none if the file is missing or damaged."""
    with suppress(Missing, NotJson, ValueError, TypeError), Folder.at(home) as folder:
        rows = strict_json.read(folder.read(FILE), _MOST)
        return Progress(tuple(_read(*row) for row in rows))
    return Progress()


def _read(day: object, number: object, right: object) -> Try:
    """One row.  Raises ValueError for anything else."""
    if type(day) is not int or type(number) is not int or type(right) is not bool:
        raise ValueError("no try")
    if not 0 < day <= _LAST_DAY or number < 1:
        raise ValueError("no day, or no number")
    return Try(day, number, right)


def save(home: Path, progress: Progress) -> None:
    """Keep it, on the disk before this returns.  Raises StorageFailure."""
    with Folder.at(home) as folder:
        folder.replace(FILE, json.dumps(progress.tries, separators=(",", ":")).encode())
