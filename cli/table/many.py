"""Whether a match has three or more players, and which of them nothing reaches now."""

from __future__ import annotations

from typing import Final

from cli.table.words.company import MANY
from p2p_stratego.core.game import Seat
from protocol.replication.presence import Way
from protocol.replication.replica import Replica

MISSING: Final = (Way.AWAY, Way.NEVER)


def many(replica: Replica) -> bool:
    """Whether this is a table of three or more."""
    return len(replica.match.players) >= MANY


def not_here(replica: Replica) -> tuple[Seat, ...]:
    """The players whom nothing reaches now, at a table of three or more; of two, `status` tells it."""
    return tuple(one.seat for one in replica.links if one.way in MISSING) if many(replica) else ()
