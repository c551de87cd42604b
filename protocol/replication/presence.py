"""Where each other seat is: directly connected, reached through another seat, or away, and since when."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from math import inf

from p2p_stratego.core.game import Seat
from protocol.channel.limits import CLAIM_WHEN_AWAY, CLAIM_WHEN_CONNECTED
from protocol.failures import StorageFailure
from protocol.record.pace import Pace
from protocol.rendezvous.via import Via
from protocol.replication.calling import NOTHING, Calling
from protocol.storage.match_store import Store


class Patience:
    """Measures one wait; `now` is always seconds on one monotonic clock.

    The clock starts when the obligation arises.  A brief reconnection does not reset it; absences add up.
    """

    def __init__(self, now: float, pace: Pace = Pace.LIVE) -> None:
        """Begins without a connection."""
        self._pace = pace
        self._gone: float | None = now
        self.renew(now)

    def renew(self, now: float) -> None:
        """A new obligation begins."""
        self._began = now
        self._away = 0.0

    def before(self, seconds: float, now: float) -> None:
        """The present obligation arose so long ago, in an earlier process."""
        self._began = now - seconds

    def gone(self, now: float) -> None:
        """The connection is gone, from now on at the latest."""
        if self._gone is None:
            self._gone = now

    def back(self, now: float) -> None:
        """The connection is back."""
        self._away = self._absent(now)
        self._gone = None

    def waited(self, now: float) -> float:
        """Seconds since the obligation arose."""
        return now - self._began

    def left(self, now: float) -> float:
        """Seconds until a claim is fair, 0 if it is: fewer without a connection, as a returning player
        needs time to answer.  At a pace other than live nobody needs to be there.
        """
        if self._pace.seconds is not None:
            return max(0.0, self._pace.seconds - self.waited(now))
        left = CLAIM_WHEN_CONNECTED - self.waited(now)
        if self._gone is not None:
            left = min(left, CLAIM_WHEN_AWAY - self._absent(now))
        return max(0.0, left)

    def absence_left(self, now: float) -> float:
        """The same where the clock of the match tells how long one may take that is connected."""
        return max(0.0, CLAIM_WHEN_AWAY - self._absent(now))

    def _absent(self, now: float) -> float:
        return self._away + (0.0 if self._gone is None else now - max(self._gone, self._began))


class Way(Enum):
    """How a seat is reached."""

    DIRECT = "direct"
    """Over a link of our own, on which both copies were compared."""
    THROUGH = "through"
    """Over the link to another seat, which says that it has a way there."""
    AWAY = "away"
    """By no way, though it was there since this process began."""
    NEVER = "never"
    """By no way since this process began."""


@dataclass(frozen=True, slots=True)
class SeatLink:
    """The way to another seat.

    `through`: the neighbour over which it is reached, if `way` is THROUGH; `since`: when `way` and `through`
    last changed, by the replica's clock; of a DIRECT link, if known, `rtt`: the round trip in seconds, and
    `via`: by which way it goes; `calling`: what is being done to reach it, or to reach it better.
    """

    seat: Seat
    way: Way
    through: Seat | None
    since: float
    rtt: float | None = None
    via: Via | None = None
    calling: Calling = NOTHING


class Presence:
    """The ways to the other seats, and how long each of them has kept the match waiting."""

    def __init__(self, others: Iterable[Seat], now: float, pace: Pace = Pace.LIVE) -> None:
        """Nobody is there yet."""
        self.links = {seat: SeatLink(seat, Way.NEVER, None, now) for seat in others}
        self._patience = {seat: Patience(now, pace) for seat in self.links}
        self._owing: frozenset[Seat] = frozenset()
        self._count = -1
        self._silence = CLAIM_WHEN_AWAY if pace.seconds is None else pace.seconds
        # At a slow pace no process lasts as long as the wait, which goes on in the next one.
        self._words = dict.fromkeys(self.links, (0, now if pace.seconds is None else -inf))
        """By seat: how many signed words of its own have come, and when anything of it was heard last."""

    def update(
        self,
        hops: Callable[[Seat], int | None],
        way: Callable[[Seat], Seat | None],
        heard: Callable[[Seat], bool],
        now: float,
        *,
        followed: Collection[Seat] = (),
    ) -> None:
        """Take note of the distances of now; `way`: the neighbour on the shortest way to a seat; `followed`:
        the seats whose links are just being taken over, which stay as they are until it is done.

        `heard`: whether a seat itself has signed that it knows what it owes.  Of a way through others only
        these others tell; so without that word nobody waits longer for it than for one that is away.
        """
        for seat, known in self.links.items():
            distance = hops(seat)
            if (known.way is Way.DIRECT) != (distance == 1):
                self._words[seat] = self._words[seat][0], now
            if distance is None and seat in followed:
                continue
            if distance is None:
                through, found = None, Way.NEVER if known.way is Way.NEVER else Way.AWAY
            elif distance == 1:
                through, found = None, Way.DIRECT
            else:
                through, found = way(seat), Way.THROUGH
            if (found, through) != (known.way, known.through):
                self.links[seat] = replace(known, way=found, through=through, since=now)
            there = distance == 1 or (distance is not None and heard(seat))
            (self._patience[seat].back if there else self._patience[seat].gone)(now)

    def hear(self, words: Mapping[Seat, int], now: float) -> None:
        """So many records and receipts have come that each seat itself has signed."""
        for seat, (known, _) in self._words.items():
            if words[seat] != known:
                self._words[seat] = words[seat], now

    def owe(self, count: int, seats: Iterable[Seat], now: float) -> None:
        """After `count` entries these seats owe something: the wait for a new obligation begins."""
        owing = frozenset(seats)
        for seat, patience in self._patience.items():
            if count != self._count or (seat in owing) != (seat in self._owing):
                patience.renew(now)
        self._count, self._owing = count, owing

    def waiting(self, now: float) -> tuple[int, tuple[Seat, ...], float] | None:
        """After how many entries which seats owe something, and for how many seconds, of several the one that
        came to owe last: none may be said to be away before its time.  None if nobody owes anything.
        """
        owing = tuple(sorted(self._owing & self._patience.keys()))
        return (self._count, owing, min(self.waited(seat, now) for seat in owing)) if owing else None

    def waited_before(self, count: int, seats: tuple[Seat, ...], seconds: float, now: float) -> None:
        """These seats have owed the same for so many seconds, as an earlier process has found."""
        owed = self.waiting(now)
        for seat in seats if owed is not None and owed[:2] == (count, seats) else ():
            self._patience[seat].before(seconds, now)

    def waited(self, seat: Seat, now: float) -> float:
        """Seconds since the present obligation of `seat` arose."""
        return self._patience[seat].waited(now)

    def left(self, seat: Seat, now: float) -> float:
        """Seconds until it is fair to say that `seat` is away; 0 if it is."""
        return self._patience[seat].left(now)

    def heard_at(self, seat: Seat) -> float:
        """When anything of `seat` was heard last: a word that it signed, or a link of our own to it begun or
        lost.
        """
        return self._words[seat][1]

    def silence_left(self, seat: Seat, now: float, *, thinks: bool) -> float:
        """Seconds until our program may say by itself that `seat` is away; 0 if it may, infinite while a link
        of our own leads there.

        That is its player's patience and, without a break, as long without any word of `seat`.  `thinks`:
        whether a person decides what it owes; what programs owe, no link excuses.
        """
        if self.links[seat].way is Way.DIRECT:
            return inf if thinks else self.left(seat, now)
        silent = min(now - self.heard_at(seat), self.waited(seat, now))
        return max(self.left(seat, now), self._silence - silent)

    def absence_left(self, seat: Seat, now: float) -> float:
        """The same of one whose clock runs: only how long it was away counts."""
        return self._patience[seat].absence_left(now)


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
