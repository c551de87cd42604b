"""The presence of each other seat: directly connected, reached through another seat, or away."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from math import inf

from p2p_stratego.core.game import Seat
from protocol.failures import StorageFailure
from protocol.limits import CLAIM_WHEN_AWAY, CLAIM_WHEN_CONNECTED
from protocol.record.pace import Pace
from protocol.rendezvous.via import Via
from protocol.replication.journal import NOTHING, CallState
from protocol.storage.match_store import Store


class AbsenceTimer:
    """Measures one wait; `now` is always seconds on one monotonic clock.

    The timer starts when the obligation arises.  A brief reconnection does not reset it; absences add up.
    """

    def __init__(self, now: float, pace: Pace = Pace.LIVE) -> None:
        """The seat has no connection at first."""
        self._pace = pace
        self._gone: float | None = now
        self.renew(now)

    def renew(self, now: float) -> None:
        """Start anew: a new obligation begins."""
        self._began = now
        self._away = 0.0

    def before(self, seconds: float, now: float) -> None:
        """Date the present obligation back: it arose `seconds` ago, in an earlier process."""
        self._began = now - seconds

    def gone(self, now: float) -> None:
        """Note that the connection is gone."""
        if self._gone is None:
            self._gone = now

    def back(self, now: float) -> None:
        """Note that the connection is back."""
        self._away = self._absent(now)
        self._gone = None

    def waited(self, now: float) -> float:
        """The seconds since the obligation arose."""
        return now - self._began

    def left(self, now: float) -> float:
        """The seconds until a claim is fair; 0 if it is fair now.

        They are fewer without a connection: a connected player is given time to answer.  At a pace other than
        live, presence does not count.
        """
        if self._pace.seconds is not None:
            return max(0.0, self._pace.seconds - self.waited(now))
        left = CLAIM_WHEN_CONNECTED - self.waited(now)
        if self._gone is not None:
            left = min(left, CLAIM_WHEN_AWAY - self._absent(now))
        return max(0.0, left)

    def absence_left(self, now: float) -> float:
        """The seconds until a claim of absence is fair, if the match has a clock for connected players."""
        return max(0.0, CLAIM_WHEN_AWAY - self._absent(now))

    def _absent(self, now: float) -> float:
        return self._away + (0.0 if self._gone is None else now - max(self._gone, self._began))


class Way(Enum):
    """The kind of way to a seat."""

    DIRECT = "direct"
    """Over a link of our own, after both copies were compared."""
    THROUGH = "through"
    """Over the link to another seat that says it has a way there."""
    AWAY = "away"
    """No way now; there was a way since this process began."""
    NEVER = "never"
    """No way since this process began."""


@dataclass(frozen=True, slots=True)
class SeatLink:
    """The way to another seat.

    `through`: the neighbour over which it is reached, if `way` is THROUGH; `since`: the time by the replica's
    clock at which `way` or `through` last changed; of a DIRECT link, if known, `rtt`: the round trip in
    seconds, and `via`: its kind of connection; `calling`: the calls to reach the seat, or to reach it better.
    """

    seat: Seat
    way: Way
    through: Seat | None
    since: float
    rtt: float | None = None
    via: Via | None = None
    calling: CallState = NOTHING


class Presence:
    """The ways to the other seats, and the time for which each has kept the match waiting."""

    def __init__(self, others: Iterable[Seat], now: float, pace: Pace = Pace.LIVE) -> None:
        """No seat is there at first."""
        self.links = {seat: SeatLink(seat, Way.NEVER, None, now) for seat in others}
        self._timers = {seat: AbsenceTimer(now, pace) for seat in self.links}
        self._owing: frozenset[Seat] = frozenset()
        self._count = -1
        self._silence = CLAIM_WHEN_AWAY if pace.seconds is None else pace.seconds
        # At a slow pace no process lasts as long as the wait, which goes on in the next one.
        self._words = dict.fromkeys(self.links, (0, now if pace.seconds is None else -inf))
        """By seat: the number of its signed records and receipts, and the time of its last sign of life."""

    def update(
        self,
        hops: Callable[[Seat], int | None],
        way: Callable[[Seat], Seat | None],
        heard: Callable[[Seat], bool],
        now: float,
        *,
        followed: Collection[Seat] = (),
    ) -> None:
        """Take the present distances.

        `way`: the neighbour on the shortest way to a seat; `heard`: whether a seat itself has signed that it
        knows its debt; `followed`: the seats whose links are just being taken over, and stay as they are.

        Only relaying seats say that a seat is reachable through them.  Without its own receipt it is timed as
        if it were away.
        """
        for seat, known in self.links.items():
            distance = hops(seat)
            if (known.way is Way.DIRECT) != (distance == 1):
                self._words[seat] = self._words[seat][0], now
            if distance is None and seat in followed:
                continue
            if distance is None:
                through, kind = None, Way.NEVER if known.way is Way.NEVER else Way.AWAY
            elif distance == 1:
                through, kind = None, Way.DIRECT
            else:
                through, kind = way(seat), Way.THROUGH
            if (kind, through) != (known.way, known.through):
                self.links[seat] = replace(known, way=kind, through=through, since=now)
            there = distance == 1 or (distance is not None and heard(seat))
            (self._timers[seat].back if there else self._timers[seat].gone)(now)

    def hear(self, words: Mapping[Seat, int], now: float) -> None:
        """Take the number of records and receipts that each seat itself has signed."""
        for seat, (known, _) in self._words.items():
            if words[seat] != known:
                self._words[seat] = words[seat], now

    def owe(self, count: int, seats: Iterable[Seat], now: float) -> None:
        """Take the seats that owe something after `count` entries; a new obligation starts its timer."""
        owing = frozenset(seats)
        for seat, timer in self._timers.items():
            if count != self._count or (seat in owing) != (seat in self._owing):
                timer.renew(now)
        self._count, self._owing = count, owing

    def waiting(self, now: float) -> tuple[int, tuple[Seat, ...], float] | None:
        """The count of entries, the seats that owe something, and their wait in seconds; None if none owes.

        Of several seats the shortest wait counts: no seat may be accused before its time.
        """
        owing = tuple(sorted(self._owing & self._timers.keys()))
        return (self._count, owing, min(self.waited(seat, now) for seat in owing)) if owing else None

    def waited_before(self, count: int, seats: tuple[Seat, ...], seconds: float, now: float) -> None:
        """Date the wait for these seats back, if they owe the same as in an earlier process."""
        owed = self.waiting(now)
        for seat in seats if owed is not None and owed[:2] == (count, seats) else ():
            self._timers[seat].before(seconds, now)

    def waited(self, seat: Seat, now: float) -> float:
        """The seconds since the present obligation of `seat` arose."""
        return self._timers[seat].waited(now)

    def left(self, seat: Seat, now: float) -> float:
        """The seconds until it is fair to accuse `seat` of silence; 0 if it is fair now."""
        return self._timers[seat].left(now)

    def heard_at(self, seat: Seat) -> float:
        """The time of the last sign of life of `seat`: a record or receipt, or a link to it begun or lost."""
        return self._words[seat][1]

    def silence_left(self, seat: Seat, now: float, *, thinks: bool) -> float:
        """The seconds until our program may accuse `seat` by itself; 0 if it may, infinite while a link of
        our own leads there.

        Both the fair wait and an unbroken silence of the same length must pass.  `thinks`: whether a person
        decides what the seat owes; a link does not excuse a debt of programs.
        """
        if self.links[seat].way is Way.DIRECT:
            return inf if thinks else self.left(seat, now)
        silent = min(now - self.heard_at(seat), self.waited(seat, now))
        return max(self.left(seat, now), self._silence - silent)

    def absence_left(self, seat: Seat, now: float) -> float:
        """The seconds until a claim of absence against `seat` is fair, while its clock runs."""
        return self._timers[seat].absence_left(now)


def keep_wait(store: Store, pace: Pace, presence: Presence, now: float, wall: float) -> None:
    """Save the wait for the seats that owe.  `now`: by `presence`'s clock; `wall`: seconds since 1970."""
    if pace is Pace.LIVE:
        return
    owed = presence.waiting(now)
    waiting = None if owed is None else (owed[0], owed[1], int(wall - owed[2]))
    with suppress(StorageFailure):  # a forgotten wait begins anew, which harms nobody
        if store.ledger.waiting != waiting:
            store.keep_ledger(replace(store.ledger, waiting=waiting))


def resume_wait(store: Store, pace: Pace, presence: Presence, now: float, wall: float) -> None:
    """Go on with the saved wait, if the same seats still owe the same."""
    if pace is Pace.LIVE:
        return
    with suppress(StorageFailure):
        if (waiting := store.ledger.waiting) is not None:
            count, seats, since = waiting
            presence.waited_before(count, seats, max(0.0, wall - since), now)
