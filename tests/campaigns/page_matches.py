"""Random whole matches, judged by the audit in Python and by the page's in JavaScript, which must agree.

`python -m tests.campaigns.page_matches --seed 1 --count 500`: so many matches, with all kinds of options, by
honest and by crooked players, to all kinds of ends.  Both copies of each are judged: the verdict, every state
and the entry that led to it, the open faces, the heads of the chain.
"""

from __future__ import annotations

import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from p2p_stratego.registry import GAMES
from protocol.audit.verdict import replay
from protocol.record.asks.base import Reached
from tests.campaigns.comparing import main
from tests.helpers.in_javascript.matches import MODULES, random_match, random_match_of_spies
from tests.helpers.machine.node import ROOT
from tests.helpers.seats.mesh import Mesh
from tests.helpers.seats.pair import Table
from tests.vectors.records.matches import expected

COMPARE: Final = ROOT / "tests/page/compare_matches.mjs"


def judged(label: str, data: bytes) -> dict[str, Any]:
    """A transcript with all that the page must find in it."""
    referee = replay(data, GAMES).referee
    name = referee.genesis.game.name
    tongue = MODULES[name].TONGUE
    states = [step for step in referee.table.history if isinstance(step, Reached)]
    # The page counts from -1, where a game needs no entry for its set-up.
    first = -1 if tongue.game.most_rolls == 1 else states[0].number if states else 0
    numbers = [first, *(step.number for step in states[1:])]
    return {
        "label": label,
        "game": name,
        "data": b64encode(data).decode(),
        "expected": expected(data),
        "shown": [(number, tongue.state(step.state)) for number, step in zip(numbers, states, strict=False)],
        "faces": {str(slot): face for slot, face in referee.table.faces.items()},
        "heads": [head.hex() for head in referee.heads[1:]],
    }


def transcripts(seed: int, count: int, met: Counter[str]) -> Iterator[dict[str, Any]]:
    """All copies of `count` matches, every fifth of SPIES!; `met` counts their verdicts."""
    for number in range(count):
        label = f"{seed}/{number}"
        match = random_match_of_spies(label) if number % 5 == 4 else random_match(label)
        yield from copies(label, match, met)


def copies(label: str, match: Table | Mesh, met: Counter[str]) -> Iterator[dict[str, Any]]:
    """The copies of one match."""
    for seat in match.seats:
        copy = judged(f"{label}, copy {seat.seat}", seat.transcript)
        answer = copy["expected"]
        end = answer["fault"]["rule"] if answer["fault"] else answer["reason"]
        met[f"{copy['game']}: {answer['verdict']}, {end}"] += 1
        yield copy


if __name__ == "__main__":
    sys.exit(main("Python's audit against the page's", COMPARE, transcripts, 500))
