"""Matches in which decisions are taken back."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress

from protocol.failures import NotNow
from tests.helpers.seats.pair import Seat, Table


def takers(table: Table) -> Iterator[Seat]:
    """Play the match on; each time that a seat can take a decision back, that seat."""
    while True:
        for seat in table.hold().seats:
            if not seat.session.over and seat.session.referee.takeable(seat.seat) is not None:
                yield seat
        if not table.step():
            return


def take_back_at_random(table: Table, often: int, chance: random.Random) -> int:
    """Play the match to its end; a seat that can takes a decision back, one time in `often`; how many."""
    taken = 0
    for seat in takers(table):
        if chance.randrange(often) == 0:
            seat.session.take_back()
            table.hold()
            taken += 1
    return taken


def take_back_around_a_leaving(table: Table, chance: random.Random) -> int:
    """Play the match to its end: seats take decisions back at random, one leaves at a random place; how many
    decisions were taken back once it had.
    """
    leaves, gone, taken = chance.randrange(60), False, 0
    for asked, seat in enumerate(takers(table), start=1):
        if not gone and asked >= leaves:
            gone = True
            with suppress(NotNow):
                chance.choice(table.seats).session.resign()
            table.hold()
        elif chance.randrange(5) == 0:
            seat.session.take_back()
            table.hold()
            taken += gone
    return taken


def with_takebacks(table: Table, often: int) -> Table:
    """The match, played to its end; some decisions are taken back."""
    take_back_at_random(table, often, random.Random(often))
    return table
