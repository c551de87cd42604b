"""The golden game of Stratego: a small one in which every kind of thing happens once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from p2p_stratego.stratego.formats.narration import piece, step
from p2p_stratego.stratego.rules.game import GAME
from p2p_stratego.stratego.rules.pieces import PIECES
from p2p_stratego.stratego.rules.state import State
from tests.golden.recorded import Recorded, Words

ANSWERS: Final = Path(__file__).with_name("stratego.json")


def _where(state: State) -> str:
    fallen = " and ".join("".join(PIECES[face].letter for face in side) or "-" for side in state.lost)
    pieces = [shown for _, shown in state.pieces()]
    closed = [sum(shown.seat == seat and shown.face is None for shown in pieces) for seat in (0, 1)]
    threats = state.memory.threats
    return (
        f"{state.phase}, {GAME.seat_names(2)[state.seat]} next, move {state.plies}, calm {state.calm}, "
        f"closed {closed[0]}:{closed[1]}, fallen {fallen}, chasing {threats[0]}:{threats[1]}"
    )


def playthrough() -> str:
    """The text, made anew from the answers."""
    record = json.loads(ANSWERS.read_text(encoding="ascii"))
    words = Words(face=piece, tell=step, where=_where)
    return "\n".join(Recorded(GAME, words, record["answers"]).play(record["options"]))
