"""Seats that each have a link to every other, with records crossing in any order that links allow.

A link keeps its own order; the order between links is free.  A record that does not fit yet, as a third
seat's record is still under way, waits at its end and is tried again after the next one: with more than two
seats that is the channel's duty, not the session's.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from protocol.errors import Misplaced
from protocol.record.evidence import read_record
from protocol.wire.encoding import Frame
from tests.helpers.seats.pair import Seat, Table

Step = Callable[[], None]


class Mesh(Table):
    """A table whose records travel by links of their own, one event at a time as `choice` picks it."""

    links: dict[tuple[int, int], deque[Frame]]
    held: list[list[Frame]]

    def deliver(self, seat: Seat) -> None:
        """Persist the outputs of `seat`, then put them on its links to all others."""
        if not hasattr(self, "links"):
            self.links, self.held = {}, [[] for _ in self.seats]
        for frame in seat.persist():
            for other in self.seats:
                if other is not seat:
                    self.links.setdefault((seat.seat, other.seat), deque()).append(frame)
        self.acknowledge(seat)

    def events(self) -> list[Step]:
        """The possible next events: a link delivers, a player decides."""
        for seat in self.seats:
            self.deliver(seat)
        arrivals: list[Step] = [
            partial(self.arrive, *link) for link, queue in sorted(self.links.items()) if queue
        ]
        return arrivals + [partial(self.let_decide, s) for s in self.seats if s.session.decision is not None]

    def carry(self, choice: random.Random) -> None:
        """Deliver all frames under way, and those that follow from them, without any decision."""
        for seat in self.seats:
            self.deliver(seat)
        while busy := [link for link, queue in sorted(self.links.items()) if queue]:
            sender, to = choice.choice(busy)
            self.arrive(sender, to)
            self.deliver(self.seats[to])  # nobody else has something new to say

    def let_decide(self, seat: Seat) -> None:
        decision = seat.session.decision
        assert decision is not None
        seat.session.decide(self.decide[seat.seat](seat.session, decision, self.rng))

    def arrive(self, sender: int, to: int) -> None:
        """Deliver the next frame of a link, then the waiting records that fit now."""
        session, waiting = self.seats[to].session, [*self.held[to], self.links[sender, to].popleft()]
        progress = True
        while progress:
            progress = False
            for early in list(waiting):
                with suppress(Misplaced):
                    session.receive(read_record(early))
                    waiting.remove(early)
                    progress = True
        self.held[to] = waiting

    def run(self, choice: random.Random, *, steps: int = 1_000_000) -> Mesh:
        """Let events happen until there are none, or for a number of steps."""
        while steps and (events := self.events()):
            choice.choice(events)()
            steps -= 1
        for seat in self.seats:
            self.deliver(seat)
        return self
