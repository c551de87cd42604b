"""The ways over links to the seats of one table: a distance vector (RFC 1058).

Each seat tells its neighbours its distance to every seat, in links, and the authors whose records it wants
passed on at once: it wants an author's records from the neighbour on the shortest way to that author, and
from no other (reverse path forwarding, Dalal and Metcalfe 1978).  So each seat gets a record once, in any
graph of links.  A false distance costs time only: a record that was not passed on at once comes a moment
later.  If a seat's records keep arriving from another neighbour than the chosen one, that neighbour is
chosen.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from p2p_stratego.core.game import Seat

UNASKED: Final = 3
"""Records of one author in a row from another neighbour than the chosen one; then that neighbour is chosen.
"""


class DistanceVector:
    """The ways of seat `own` to the other seats of a table of `seats`."""

    def __init__(self, seats: int, own: Seat) -> None:
        self._seats = seats
        self._own = own
        self._vectors: dict[Seat, tuple[int, ...]] = {}
        """By neighbour: its distance to each seat, in links; `seats` stands for no way."""
        self._chosen: dict[Seat, Seat] = {}
        """By author: the neighbour that turned out to bring its records first."""
        self._unasked: Counter[tuple[Seat, Seat]] = Counter()
        self._ways: dict[Seat, tuple[tuple[int, ...], tuple[Seat, ...]]] = {}
        """By neighbour: the result of `ways` since the last change."""

    def joined(self, neighbour: Seat) -> None:
        """Add a link to `neighbour`."""
        self._vectors.setdefault(neighbour, (self._seats,) * self._seats)
        self._ways.clear()

    def lost(self, neighbour: Seat) -> None:
        """Remove the link to `neighbour`."""
        self._vectors.pop(neighbour, None)
        self._chosen = {author: way for author, way in self._chosen.items() if way != neighbour}
        self._unasked.clear()
        self._ways.clear()

    def update(self, neighbour: Seat, hops: tuple[int, ...]) -> None:
        """Take the distances of `neighbour` to each seat."""
        if neighbour in self._vectors:
            self._vectors[neighbour] = hops
            self._ways.clear()

    def came(self, author: Seat, neighbour: Seat) -> None:
        """Note that a new record of `author` came from `neighbour`."""
        way = self.way(author)
        if neighbour in (way, author) or author == self._own or neighbour not in self._vectors:
            self._unasked = Counter({key: n for key, n in self._unasked.items() if key[0] != author})
            return
        self._unasked[author, neighbour] += 1
        if self._unasked[author, neighbour] >= UNASKED:
            self._chosen[author] = neighbour
            self._ways.clear()
            del self._unasked[author, neighbour]

    def hops(self, seat: Seat) -> int | None:
        """The number of links on the shortest way to `seat`; None if there is no way."""
        length = min((self._over(neighbour, seat) for neighbour in self._vectors), default=self._seats)
        return length if length < self._seats else None

    def way(self, seat: Seat) -> Seat | None:
        """The neighbour from which the records of `seat` are wanted, or None."""
        if (chosen := self._chosen.get(seat)) is not None:
            return chosen
        ways = [(self._over(neighbour, seat), neighbour) for neighbour in self._vectors]
        length, neighbour = min(ways, default=(self._seats, -1))
        return neighbour if length < self._seats else None

    def ways(self, neighbour: Seat) -> tuple[tuple[int, ...], tuple[Seat, ...]]:
        """`distances` and `wanted`, kept: they are needed with every record, and seldom change."""
        if (known := self._ways.get(neighbour)) is None:
            known = self._ways[neighbour] = self.distances(neighbour), self.wanted(neighbour)
        return known

    def distances(self, neighbour: Seat) -> tuple[int, ...]:
        """By seat: the distance for `neighbour`, never by a way over it (split horizon, poisoned reverse)."""
        distances = []
        for seat in range(self._seats):
            others = (self._over(other, seat) for other in self._vectors if other != neighbour)
            distances.append(0 if seat == self._own else min(others, default=self._seats))
        return tuple(distances)

    def wanted(self, neighbour: Seat) -> tuple[Seat, ...]:
        """The seats whose records `neighbour` is to pass on at once; also the seats without a way."""
        ways = {seat: self.way(seat) for seat in range(self._seats) if seat != self._own}
        return tuple(seat for seat, way in ways.items() if way in (neighbour, None))

    def _over(self, neighbour: Seat, seat: Seat) -> int:
        length = 0 if seat == neighbour else self._vectors[neighbour][seat]
        return min(self._seats, length + 1)
