"""Players whose decisions are the same on every machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from p2p_stratego.core.game import Choose, Decision
from p2p_stratego.registry import GAMES
from protocol.record.asks.base import Decided
from protocol.seat.session import Session
from tests.vectors.primitives import seed

REAL: Final = next(iter(GAMES.values()))
WALL: Final[dict[str, Any]] = {"wall": 2}


class Drawn:
    """Numbers that are the same on every Python: SHA-256 of a name and a count."""

    def __init__(self, name: str) -> None:
        self._name, self._count = name, 0

    def below(self, sides: int) -> int:
        self._count += 1
        return int.from_bytes(seed(f"{self._name} {self._count}")[:8], "big") % sides


def player(name: str, *, fair: bool = True) -> Callable[[Session, Decision, object], Decided]:
    """Anything that is on offer; if fair, no soldier that is exhausted and none twice."""
    numbers = Drawn(name)

    def decide(session: Session, decision: Decision, _: object) -> Decided:
        if isinstance(decision, Choose):
            options = list(decision.options)
            return options[numbers.below(len(options))]
        resting = session.referee.table.state.exhausted[decision.seat % 2] if fair else ()
        hand = [face for face in decision.faces if face not in resting]
        while len(hand) > len(decision.slots):
            hand.pop(numbers.below(len(hand)))
        return tuple(hand)

    return decide
