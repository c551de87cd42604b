"""The golden games of Conquest: two of them, for two and for four, in which every kind of thing happens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from p2p_stratego.conquest.formats.narration import step
from p2p_stratego.conquest.formats.words import piece
from p2p_stratego.conquest.rules.game import GAME
from p2p_stratego.conquest.rules.state import LOST, ON_BOARD, State
from tests.golden.recorded import Recorded, Words

HERE: Final = Path(__file__)


def _where(state: State) -> str:
    seats = range(state.seats)
    names = GAME.seat_names(state.seats)
    standing = ", ".join(
        f"{names[seat]} {len(state.owned(seat))} territories {len(state.zones_held(seat))}+"
        f"{len(state.bags[seat])} pieces {state.status[seat]}"
        for seat in seats
    )
    flags = {ON_BOARD: "board", LOST: "gone"}
    where = " ".join(flags.get(at) or names[at] for at in state.flags)
    return (
        f"{state.phase}, {names[state.seat]}, round {state.round}, turn {state.turn}, "
        f"moves {state.made} of {state.moves}, pile {state.pile.size}, flags {where}; {standing}"
    )


def playthrough(seats: int) -> str:
    """The text, made anew from the answers."""
    name = "conquest" if seats == 2 else f"conquest-{seats}"
    record = json.loads(HERE.with_name(f"{name}.json").read_text(encoding="ascii"))
    words = Words(face=piece, tell=step, where=_where)
    return "\n".join(Recorded(GAME, words, record["answers"], seats).play(record["options"]))
