"""The lessons of each game as a list with ticks: which ones our player has learnt, and which comes next.

The settings keep the ticks, a word for each lesson.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, TypeAlias

from cli.shell.settings import Settings
from p2p_stratego.core.language import _, n_
from p2p_stratego.registry import ENTRIES, lessons

LessonKey: TypeAlias = tuple[str, int]
"""A game, and the number of one of its lessons."""
TICK: Final = "✓"


def taught() -> list[str]:
    """The games that have a lesson, by name."""
    return [name for name in ENTRIES if lessons(name)]


def word(game: str, number: int) -> str:
    """A lesson in `Settings.learnt`."""
    return f"{game}-{number}"


def due(settings: Settings, game: str) -> int:
    """The number of the first lesson without a tick; of the first one, if all have theirs."""
    numbers = range(1, len(lessons(game)) + 1)
    return next((number for number in numbers if word(game, number) not in settings.learnt), 1)


def after(game: str, number: int) -> int | None:
    """The number of the lesson behind another one; None behind the last."""
    return number + 1 if number < len(lessons(game)) else None


def listed(settings: Settings, game: str, begun: Collection[LessonKey]) -> list[tuple[str, str]]:
    """Of each lesson of a game its tick, if it has one, and its title, with a word on one that was left."""
    return [
        (
            TICK if word(game, number) in settings.learnt else "",
            _("{lesson} (begun)", lesson=_(title)) if (game, number) in begun else _(title),
        )
        for number, title in enumerate(lessons(game), start=1)
    ]


def tally(settings: Settings, game: str) -> str:
    """How many lessons of a game there are, and how many have a tick."""
    count = len(lessons(game))
    done = sum(word(game, number) in settings.learnt for number in range(1, count + 1))
    if not done:
        return n_("{count} lesson", "{count} lessons", count)
    return f"{TICK * (done == count)} {_('{done} of {count} learnt', done=done, count=count)}".strip()
