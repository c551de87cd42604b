"""A table with clocks: players think for as long as a test says."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from p2p_stratego.core.game import Game, Together
from protocol.record.asks.base import Obligation
from protocol.record.time_control import TimeControl
from tests.helpers.games.toy import TOY
from tests.helpers.links.gossiping import Gossiping, graphs

FISCHER: Final = TimeControl(900, 10)


class Timed(Gossiping):
    """A table whose players think for as long as a test says, over links that take no time."""

    def __init__(
        self,
        folder: Path,
        control: TimeControl | None = FISCHER,
        *,
        seats: int = 2,
        game: Game[Any] = TOY,
        options: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(
            folder, seats, graphs(seats)["mesh"], control=control, game=game, options=options or {}
        )
        self.mend_all().settle()

    def think(self, seconds: float) -> None:
        """Time passes for all."""
        self.clock.now += seconds
        for seat in self.alive:
            seat.tick()

    def does(self, seat: int, seconds: float = 0.0) -> None:
        """The player of `seat` decides after so long, and everybody has it."""
        self.think(seconds)
        assert self.decide(self.seats[seat])
        self.settle()

    def left(self, seat: int) -> list[float]:
        """What each living copy measures for a seat, by seat of the copy."""
        seconds = []
        for end in self.alive:
            assert end.clocks is not None
            seconds.append(end.clocks.left(seat, self.clock.now))
        return seconds

    def owed(self) -> Obligation:
        owed = self.seats[0].session.referee.owed
        assert owed is not None
        return owed

    def all_decide(self) -> None:
        """Everybody who is asked decides."""
        assert sum(map(self.decide, self.seats))
        self.settle()

    def to_a_choice(self) -> int:
        """Play until one seat alone is to decide; return it.  Nobody takes any time for that."""
        while isinstance(self.owed().ask, Together) or all(
            seat.session.decision is None for seat in self.seats
        ):
            self.all_decide()
        return self.owed().seat

    def to_a_together(self) -> None:
        """Play until all are to decide at the same time."""
        while not isinstance(self.owed().ask, Together):
            self.all_decide()


def the_other(seat: int) -> int:
    return 1 - seat
