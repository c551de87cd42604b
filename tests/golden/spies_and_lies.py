"""The golden games of Spies & Lies: crooks, chosen because their games touch nearly every rule.

With two players, with three, and with four of whom one goes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from p2p_stratego.spies_and_lies.formats.narration import card, step
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.state import State
from tests.golden.recorded import Recorded, Words

ANSWERS: Final = Path(__file__).with_name("spies-and-lies.json")
TEAMS: Final = {seats: ANSWERS.with_name(f"spies-and-lies-{seats}.json") for seats in (3, 4)}


def _markers(state: State) -> str:
    in_force = "/".join("".join(map(str, sorted(ranks))) or "-" for ranks in state.active)
    return (
        f"{state.phase}, agent {state.agent:+d}, points {state.points[0]}:{state.points[1]}, "
        f"tokens {state.tokens[0]}:{state.tokens[1]} and {state.spare} spare, in force {in_force}"
    )


def playthrough(seats: int = 2) -> str:
    """The text, made anew from the answers."""
    record = json.loads((ANSWERS if seats == 2 else TEAMS[seats]).read_text(encoding="ascii"))
    words = Words(face=card, tell=step, where=_markers)
    return "\n".join(Recorded(GAME, words, record["answers"], seats).play(record["options"]))
