"""Spies & Lies at the terminal: its parts, put together."""

from __future__ import annotations

from typing import Final

from cli.games.interface import GameTerminal
from cli.games.spies_and_lies import board, description, drama, manual, panels, questions
from cli.games.spies_and_lies.cards import LOWEST
from cli.games.spies_and_lies.clicks import Clicks
from cli.games.spies_and_lies.names import names
from p2p_stratego.spies_and_lies.entry import ENTRY

TERMINAL: Final = GameTerminal(
    title=ENTRY.title,
    pace=1.0,
    board=board,
    description=description,
    questions=questions,
    panels=panels,
    manual=manual,
    names=names,
    clicks=Clicks(),
    spare_rows=2,  # a side's name and points
    result_rows=10,  # a guess can lead to five sentences, and the board shows less of them
    bare_rows=LOWEST,  # the other side's cards, which are not laid or closed
    events=drama.events,
    finale=drama.FINALE,
    closing=drama.closing,
)
