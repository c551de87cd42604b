"""One playthrough of each game to read: what was asked and answered, and what it led to.

`GAME.json` holds the answers, `GAME.txt` the playthrough.  A change of a rule changes the text, and the test
that compares it fails.  If the change was meant, grow the rules' version and run `python -m tests.golden`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from tests.golden import conquest, spies, spies_and_lies, stratego

PLAYTHROUGHS: Final[Mapping[str, Callable[[], str]]] = {
    "spies-and-lies": spies_and_lies.playthrough,
    "spies-and-lies-3": partial(spies_and_lies.playthrough, 3),
    "spies-and-lies-4": partial(spies_and_lies.playthrough, 4),
    "stratego": stratego.playthrough,
    "conquest": partial(conquest.playthrough, 2),
    "conquest-4": partial(conquest.playthrough, 4),
    "spies": spies.playthrough,
}
"""By the game's name, with the number of players if they are more than two, what makes its text anew."""


def written(game: str) -> Path:
    """Where that text is kept."""
    return Path(__file__).with_name(f"{game}.txt")
