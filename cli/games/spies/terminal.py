"""SPIES! at the terminal: its parts, put together."""

from __future__ import annotations

from typing import Final

from cli.games.interface import GameTerminal
from cli.games.spies import (
    description,
    drama,
    manual,
    panels,
    proposals,
    questions,
    ready_made,
    records,
    times,
)
from cli.games.spies.answers import forced
from cli.games.spies.looks import alone
from cli.games.spies.manifest import manifest
from cli.games.spies.map import board
from cli.games.spies.map.pointer import MapPointer
from cli.games.spies.names import names
from p2p_stratego.spies.entry import ENTRY
from p2p_stratego.spies.formats import narration
from p2p_stratego.spies.rules.underway import FollowedStep

TERMINAL: Final = GameTerminal(
    title=ENTRY.title,
    pace=0.6,
    board=board,
    description=description,
    questions=questions,
    panels=panels,
    manual=manual,
    names=names,
    pointer=MapPointer(),
    tray_stays=True,  # no panel of the smallest screen has the player's own chits
    board_first=True,
    alone=alone,
    manifest=manifest,
    records=records.pages,
    among_people=(narration.TALKED,),
    forced=forced,
    private=times.private,
    opens_talk=times.opens_talk,
    limit=times.limit,
    interrupts=times.INTERRUPTS,
    events=drama.events,
    finale=drama.FINALE,
    following=FollowedStep,
    closing=drama.closing,
    proposal=ready_made.line,
    hinted=proposals.hinted,
    scores=records.final,
)
