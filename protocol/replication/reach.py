"""Which seats can be reached over which link: a distance vector (RFC 1058) over the few links of one table.

Each end tells its neighbours how many links away every seat is, and in how many links it wants the records
of which seat passed on at once: from the neighbour on its shortest way to their author, and from no other
(reverse path forwarding, Dalal and Metcalfe 1978).  So a record crosses a table once a seat, in any graph of
links.  A false distance costs time only: what was not passed on at once comes a moment later, and a seat
that gets an author's records by another way than the one that it asked for asks there from then on.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from p2p_stratego.core.game import Seat

UNASKED: Final = 3
"""Records in a row of one author by another way than the chosen one, after which that way is chosen."""


class Reach:
    """The ways of seat `own` to the other seats of a table of `seats`."""

    def __init__(self, seats: int, own: Seat) -> None:
        self._seats = seats
        self._own = own
        self._told: dict[Seat, tuple[int, ...]] = {}
        """By neighbour: the links from it to each seat; `seats` stands for no way."""
        self._chosen: dict[Seat, Seat] = {}
        """By author: a neighbour that has proven to bring its records first."""
        self._unasked: Counter[tuple[Seat, Seat]] = Counter()
        self._ways: dict[Seat, tuple[tuple[int, ...], tuple[Seat, ...]]] = {}
        """By neighbour, what `ways` found since the last change."""

    def joined(self, neighbour: Seat) -> None:
        """A link to `neighbour` is there."""
        self._told.setdefault(neighbour, (self._seats,) * self._seats)
        self._ways.clear()

    def lost(self, neighbour: Seat) -> None:
        """The link to `neighbour` is gone."""
        self._told.pop(neighbour, None)
        self._chosen = {author: way for author, way in self._chosen.items() if way != neighbour}
        self._unasked.clear()
        self._ways.clear()

    def told(self, neighbour: Seat, hops: tuple[int, ...]) -> None:
        """`neighbour` says how many links away from it each seat is."""
        if neighbour in self._told:
            self._told[neighbour] = hops
            self._ways.clear()

    def came(self, author: Seat, neighbour: Seat) -> None:
        """A record of `author` that is new here came from `neighbour`."""
        way = self.way(author)
        if neighbour in (way, author) or author == self._own or neighbour not in self._told:
            self._unasked = Counter({key: n for key, n in self._unasked.items() if key[0] != author})
            return
        self._unasked[author, neighbour] += 1
        if self._unasked[author, neighbour] >= UNASKED:
            self._chosen[author] = neighbour
            self._ways.clear()
            del self._unasked[author, neighbour]

    def hops(self, seat: Seat) -> int | None:
        """Links on the shortest way to `seat`; None if there is no way."""
        found = min((self._over(neighbour, seat) for neighbour in self._told), default=self._seats)
        return found if found < self._seats else None

    def way(self, seat: Seat) -> Seat | None:
        """The neighbour from which the records of `seat` are wanted, or None."""
        if (chosen := self._chosen.get(seat)) is not None:
            return chosen
        ways = [(self._over(neighbour, seat), neighbour) for neighbour in self._told]
        length, neighbour = min(ways, default=(self._seats, -1))
        return neighbour if length < self._seats else None

    def ways(self, neighbour: Seat) -> tuple[tuple[int, ...], tuple[Seat, ...]]:
        """`distances` and `wanted`; they are asked for with every record, and seldom change."""
        if (found := self._ways.get(neighbour)) is None:
            found = self._ways[neighbour] = self.distances(neighbour), self.wanted(neighbour)
        return found

    def distances(self, neighbour: Seat) -> tuple[int, ...]:
        """By seat, the distance to tell `neighbour`, not over itself (split horizon, poisoned reverse)."""
        told = []
        for seat in range(self._seats):
            others = (self._over(other, seat) for other in self._told if other != neighbour)
            told.append(0 if seat == self._own else min(others, default=self._seats))
        return tuple(told)

    def wanted(self, neighbour: Seat) -> tuple[Seat, ...]:
        """The seats whose records `neighbour` is to pass on at once; those that no way leads to too."""
        ways = {seat: self.way(seat) for seat in range(self._seats) if seat != self._own}
        return tuple(seat for seat, way in ways.items() if way in (neighbour, None))

    def _over(self, neighbour: Seat, seat: Seat) -> int:
        told = 0 if seat == neighbour else self._told[neighbour][seat]
        return min(self._seats, told + 1)
