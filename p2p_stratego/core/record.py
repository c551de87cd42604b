"""A game's own notation for whole games: written from matches, read back to be looked at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from p2p_stratego.core.game import Ask, Face, Options, Outcome, Slot


class RecordError(Exception):
    """A text is no record of a game, or a match has none; the message gives the reason and the line."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game out of a text."""

    names: tuple[str, ...]
    """The players, by seat; not escaped."""
    states: tuple[Any, ...]
    """From before the first move to the end of the record."""
    known: Mapping[Slot, Face]
    """Every face that the text tells."""
    outcome: Outcome | None


class RecordFormat(Protocol):
    """One game's notation; a module with these functions is one."""

    @property
    def TITLE(self) -> str:  # noqa: N802 - a constant of a module
        """The first line of every such text."""
        ...

    def write_match(
        self,
        options: Options,
        names: tuple[str, ...],
        steps: Iterable[tuple[Ask, Any]],
        known: Mapping[Slot, Face],
        outcome: Outcome | None,
    ) -> str:
        """The text of a match: its asks with their answers, the faces that are `known`, its outcome.

        Raises RecordError.
        """
        ...

    def read_game(self, text: str) -> RecordedGame:
        """The game in a text.  Raises RecordError."""
        ...
