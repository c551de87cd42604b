"""What the tests know of Spies & Lies."""

from __future__ import annotations

from typing import Final

from cli.games.drama import CardTurn, PointsChange, Walk
from cli.games.spies_and_lies.names import called
from cli.testing import subject
from p2p_stratego.spies_and_lies.rules.components import SOLDIERS
from tests.helpers.games.facts import Facts


def things(typed: str) -> set[str]:
    named = {rank: soldier.name.lower() for rank, soldier in SOLDIERS.items()}
    exact = {name for rank, name in named.items() if called(typed, rank)}
    return exact or {name for name in named.values() if name.startswith(typed)}


FACTS: Final = Facts(
    # 20 s of 22; tests/p2p_stratego/spies_and_lies/bots plays their games.
    kit=subject.Facts(slow=frozenset({"adaptive", "equilibrium"})),
    verbs=frozenset({"deploy", "mark", "guess", "captain", "marshal"}),
    things=things,
    moments={
        "infiltration": "reaches 10",
        "identified": " It is. ",
        "agent": "agent",
        "points": "scores",
    },
    events=frozenset({CardTurn, PointsChange, Walk}),
    closings=True,
    in_a_step=(20, 2),
    script="? board hand notes checks who ways moves history rules 1,4,8,10 1 1 1 1 history leave",
    topics=("3", "captain"),
    reasons=3,
)
