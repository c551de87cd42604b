"""Whole games of Stratego as text: written from matches, read back to be looked at (`stratego.record`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cli.games.interface import NotPossible, Read, Unknown
from p2p_stratego.core.game import Ask, Face, Options, Outcome, Slot
from p2p_stratego.stratego.formats.diagram import UNSEEN
from p2p_stratego.stratego.formats.record import (
    LONGEST_NAME,
    TITLE,
    RecordError,
    of_match,
    read,
    replayed,
    write,
)
from p2p_stratego.stratego.rules.state import slot


class RecordFormat:
    """Implements `cli.games.interface.RecordFormat`."""

    title = TITLE

    def write(
        self,
        options: Options,
        names: tuple[str, ...],
        steps: Iterable[tuple[Ask, Any]],
        known: Mapping[Slot, Face],
        outcome: Outcome | None,
    ) -> str:
        # What is shown in so many cells may have more characters: accents that no letter has as its own.
        red, blue = (name[:LONGEST_NAME].rstrip() for name in names)
        try:
            return write(of_match(options, (red, blue), steps, known, outcome))
        except RecordError as error:
            raise NotPossible(f"This game cannot be written as a record: {error}.") from error

    def read(self, text: str) -> Read:
        try:
            record = read(text)
        except RecordError as error:
            raise Unknown(f"It is no record of a game: {error}.") from error
        known = {
            slot(seat, k): face
            for seat, setup in enumerate(record.setups)
            for k, face in enumerate(face for face in setup if face is not None)
            if face != UNSEEN
        }
        return Read(record.names, tuple(replayed(record)), known, record.outcome)
