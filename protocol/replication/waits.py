"""How long others have kept a match waiting, across the processes of our player.

At the pace of a live match a wait begins anew with each process.  At a slower one nobody's program runs that
long, so the moment when the others came to owe is kept with the match, by the clock on the wall: it moves our
own patience and nothing else (threat 43).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from protocol.failures import StorageFailure
from protocol.record.pace import Pace
from protocol.replication.presence import Presence
from protocol.storage.match_store import Store


def keep(store: Store, pace: Pace, presence: Presence, now: float, wall: float) -> None:
    """Save since when others owe what they owe.  `now`: by `presence`'s clock; `wall`: seconds since 1970."""
    if pace is Pace.LIVE:
        return
    owed = presence.waiting(now)
    waiting = None if owed is None else (owed[0], owed[1], int(wall - owed[2]))
    with suppress(StorageFailure):  # a wait that is forgotten begins anew
        if store.ledger.waiting != waiting:
            store.keep_ledger(replace(store.ledger, waiting=waiting))


def resume(store: Store, pace: Pace, presence: Presence, now: float, wall: float) -> None:
    """Go on with the wait that was saved, if the same seats still owe what they owed then."""
    if pace is Pace.LIVE:
        return
    with suppress(StorageFailure):
        if (waiting := store.ledger.waiting) is not None:
            count, seats, since = waiting
            presence.waited_before(count, seats, max(0.0, wall - since), now)
