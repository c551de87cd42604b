"""The clock that the players of a live match agree on: the seconds for all decisions of a seat, or for each.

Nobody can prove to others how long a decision took.  So the clock stands in the genesis, each program
measures by its own time (protocol/replication/clocks.py), and the record holds no times.  An AWAY over a
clock is its signer's word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from protocol.errors import Malformed
from protocol.record.pace import Pace, read_pace
from protocol.wire.encoding import Value

INITIAL: Final = range(10, 36_001)
"""Seconds that a seat can have at the beginning: 10 seconds to 10 hours."""
INCREMENT: Final = range(601)
"""Seconds that a seat can gain with each decision."""
PER_DECISION: Final = range(5, 3601)
"""Seconds that a seat can have for each decision, if the clock has no initial time."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A Fischer clock: `seconds` at the beginning, and `increment` seconds more after each decision.

    If `increment` is None: `seconds` for each decision; unused seconds are not kept.
    """

    seconds: int
    increment: int | None = None

    @property
    def value(self) -> list[Value]:
        """The clock in a genesis."""
        return [self.seconds] if self.increment is None else [self.seconds, self.increment]


def time_value(pace: Pace, clock: TimeControl | None) -> Value:
    """Pace and clock as the one item of a LOBBY; only a live match has a clock.  Raises Malformed."""
    if clock is None:
        return int(pace)
    if pace is not Pace.LIVE:
        raise Malformed("Only a live match has a clock.")
    return clock.value


def read_time(value: Value) -> tuple[Pace, TimeControl | None]:
    """The pace and the clock in an item that `time_value` made.  Raises Malformed."""
    if type(value) is not list:
        return read_pace(value), None
    match value:
        case [int() as seconds] if seconds in PER_DECISION:
            return Pace.LIVE, TimeControl(seconds)
        case [int() as seconds, int() as increment] if seconds in INITIAL and increment in INCREMENT:
            return Pace.LIVE, TimeControl(seconds, increment)
    raise Malformed("A clock is the seconds for each decision, or those at the beginning and an increment.")
