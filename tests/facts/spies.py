"""What the tests know of SPIES!."""

from __future__ import annotations

from typing import Final

from cli.games.drama import Capture, CardTurn, DiceRoll
from cli.games.spies.terminal import TERMINAL
from cli.testing import subject
from protocol.record.asks.commit import Commitments
from protocol.record.asks.together import HiddenChoice
from tests.helpers.games.facts import Facts


def things(typed: str) -> set[str]:
    known = {word for word, spellings in TERMINAL.names().items() if spellings and word.startswith(typed)}
    return {typed} if typed in known else known


FACTS: Final = Facts(
    kit=subject.Facts(heavy=True),
    verbs=frozenset(
        {
            *("move", "land", "return", "bid", "pay", "play", "discard", "cash", "take", "sail", "escape"),
            *("hand", "for", "want", "give", "offer", "propose", "and", "to", "with", "nothing", "the"),
            *("secret", "of", "pound", "pounds", "chit", "chits", "on", "again", "end", "pass", "cousin"),
            *("spy", "police"),
        }
    ),
    # Cards lie under keys in place of commitments, and powers are bid for by option only.
    unsaid=frozenset({Commitments, HiddenChoice}),
    things=things,
    moments={
        "secret taken": "the secret of ",
        "secret home": " home",
        "captured": "capture",
        "killed": "killed",
    },
    events=frozenset({CardTurn, Capture, DiceRoll}),
    closings=True,
    seeds=(1,),
    in_a_step=(120, 3),
    topics=("berlin", "papers", "germany", "3", "geneva"),
    reasons=3,
)
