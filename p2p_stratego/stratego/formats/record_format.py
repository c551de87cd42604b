"""Matches of Stratego as records, and records as games to view (see `core.record.RecordFormat`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from p2p_stratego.core.game import Ask, Face, Options, Outcome, Slot
from p2p_stratego.core.language import _
from p2p_stratego.core.record import RecordedGame, RecordError
from p2p_stratego.stratego.formats import record
from p2p_stratego.stratego.formats.diagram import UNSEEN
from p2p_stratego.stratego.formats.record import LONGEST_NAME, TITLE
from p2p_stratego.stratego.rules.state import slot

__all__ = ["TITLE", "read_game", "write_match"]


def write_match(
    options: Options,
    names: tuple[str, ...],
    steps: Iterable[tuple[Ask, Any]],
    known: Mapping[Slot, Face],
    outcome: Outcome | None,
) -> str:
    """The record of a match.  Raises RecordError."""
    # A name that fits its cells on the screen may have more characters: combining marks take no cell.
    red, blue = (name[:LONGEST_NAME].rstrip() for name in names)
    try:
        return record.write(record.of_match(options, (red, blue), steps, known, outcome))
    except record.RecordError as error:
        raise RecordError(_("This game cannot be written as a record: {error}.", error=error)) from error


def read_game(text: str) -> RecordedGame:
    """The game in a record.  Raises RecordError."""
    try:
        game = record.read(text)
    except record.RecordError as error:
        raise RecordError(_("It is no record of a game: {error}.", error=error)) from error
    known = {
        slot(seat, k): face
        for seat, setup in enumerate(game.setups)
        for k, face in enumerate(face for face in setup if face is not None)
        if face != UNSEEN
    }
    return RecordedGame(game.names, tuple(record.replayed(game)), known, game.outcome)
