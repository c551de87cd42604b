"""What the tests know of Stratego."""

from __future__ import annotations

from typing import Final

from cli.games.drama import Capture, Duel
from cli.games.stratego.names import face_called
from cli.testing import subject
from p2p_stratego.stratego.rules import pieces
from protocol.record.asks.roll import Share
from tests.helpers.games.facts import Facts


def things(typed: str) -> set[str]:
    return {pieces.NAMES[face] for face in face_called(typed)}


FACTS: Final = Facts(
    kit=subject.Facts({"army": "duel"}),
    verbs=frozenset({"to", "empty", "nothing"}),
    things=things,
    moments={"capture": " beats ", "attack lost": " falls to ", "both fall": "both fall", "flag": "flag"},
    events=frozenset({Duel, Capture}),
    unsaid=frozenset({Share}),
    in_a_step=(33, 2),
    script="? setups board hand ready board notes moves a4a5 b4b5 c4c5 e4e5 history checks leave",
    topics=("bomb", "spy", "scout"),
    reasons=3,
)
