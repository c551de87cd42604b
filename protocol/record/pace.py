"""The pace of a match: how long a player may take before the other programs call its seat away.

The players agree on the pace in the genesis.  It changes when programs act, and no rule of the record: an
AWAY is its signer's word, at any pace.
"""

from __future__ import annotations

from enum import IntEnum

from protocol.errors import Malformed
from protocol.wire.encoding import Value


class Pace(IntEnum):
    """The paces, by their number in a genesis."""

    LIVE = 0
    """All are there at the same time."""
    HOUR = 1
    DAY = 2
    WEEK = 3

    @property
    def seconds(self) -> float | None:
        """Seconds that a decision may take; None: the limits of a live match hold (limits.py)."""
        return _SECONDS[self]


_SECONDS = {Pace.LIVE: None, Pace.HOUR: 3600.0, Pace.DAY: 86_400.0, Pace.WEEK: 604_800.0}


def read_pace(value: Value) -> Pace:
    """The pace with this number.  Raises Malformed."""
    if type(value) is not int or value not in _SECONDS:
        raise Malformed("A pace is live, an hour, a day or a week.")
    return Pace(value)
