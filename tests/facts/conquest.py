"""What the tests know of Conquest."""

from __future__ import annotations

from typing import Final

from cli.games.conquest.names import face_called
from cli.games.conquest.terminal import TERMINAL
from cli.games.drama import Capture, Duel
from cli.testing import subject
from p2p_stratego.conquest.rules import pieces
from tests.helpers.games.facts import Facts


def things(typed: str) -> set[str]:
    known = [word for word, spellings in TERMINAL.names().items() if spellings]
    cards = {word for word in known if word.startswith(typed) and word not in pieces.NAMES}
    return {typed} if typed in cards else {pieces.NAMES[face] for face in face_called(typed)} | cards


FACTS: Final = Facts(
    kit=subject.Facts({"rounds": 2}),
    verbs=frozenset(
        {"take", "play", "place", "flag", "regroup", "look", "draw", "accuse", "to", "the", "card"}
    ),
    things=things,
    moments={"capture": " beats ", "attack lost": " falls to ", "both fall": "both go to their bags"},
    events=frozenset({Duel, Capture}),
    closings=True,
    in_a_step=(42, 2),
    script="? board hand notes 1 history leave",
    topics=("king", "cursed", "sorceress", "traitor", "mammoth"),
    reasons=3,
)
