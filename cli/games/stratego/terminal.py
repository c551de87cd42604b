"""Stratego at the terminal: its parts, put together."""

from __future__ import annotations

from typing import Final

from cli.games.interface import GameTerminal
from cli.games.stratego import board, description, drama, manual, panels, questions
from cli.games.stratego.names import names
from cli.games.stratego.pointer import BoardPointer
from cli.games.stratego.setup_editor import SetUp
from p2p_stratego.stratego.entry import ENTRY

TERMINAL: Final = GameTerminal(
    title=ENTRY.title,
    pace=0.4,
    board=board,
    description=description,
    questions=questions,
    panels=panels,
    manual=manual,
    names=names,
    pointer=BoardPointer(),
    setup_editor=SetUp(),
    events=drama.events,
    finale=drama.FINALE,
)
