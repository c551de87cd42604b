"""Conquest at the terminal: its parts, put together."""

from __future__ import annotations

from typing import Final

from cli.games.conquest import description, drama, manual, panels, questions
from cli.games.conquest.map import board
from cli.games.conquest.map.pointer import MapPointer
from cli.games.conquest.names import names
from cli.games.conquest.panels import looked
from cli.games.conquest.setup_editor import SetUp
from cli.games.interface import GameTerminal
from p2p_stratego.conquest.entry import ENTRY
from p2p_stratego.conquest.rules.observation import forced

TERMINAL: Final = GameTerminal(
    title=ENTRY.title,
    pace=0.6,
    board=board,
    description=description,
    questions=questions,
    panels=panels,
    manual=manual,
    names=names,
    turns=False,
    pointer=MapPointer(),
    setup_editor=SetUp(),
    looked=looked,
    forced=forced,
    events=drama.events,
    finale=drama.FINALE,
    closing=drama.closing,
    proposal=questions.ready_line,
)
