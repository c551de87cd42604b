"""Stratego at the terminal: its parts, put together."""

from __future__ import annotations

from typing import Final

from cli.games.interface import GameTerminal
from cli.games.stratego import board, description, manual, options, panels, questions
from cli.games.stratego.pointer import BoardPointer
from cli.games.stratego.record import RecordFormat
from cli.games.stratego.setup_editor import SetUp
from p2p_stratego.stratego.formats import narration

TERMINAL: Final = GameTerminal(
    title="Stratego",
    pace=0.4,
    board=board,
    description=description,
    questions=questions,
    panels=panels,
    manual=manual,
    narration=narration,
    option=options.option,
    pointer=BoardPointer(),
    setup_editor=SetUp(),
    record_format=RecordFormat(),
)
