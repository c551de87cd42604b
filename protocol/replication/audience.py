"""The number of spectators of a match, as each seat that shows it reports to the table.

Like an address card, a report goes over the channel only, signed by its seat since others pass it on.  The
newest report of a seat counts.  It is that seat's word: nobody can count spectators that it hides.

    payload = [game id, seat, serial, number of spectators] ‖ signature
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import inf
from typing import Final

from p2p_stratego.core.game import Seat
from protocol.channel.channel import AUDIENCE
from protocol.crypto.keys import SIGNATURE_BYTES, Identity
from protocol.errors import Malformed
from protocol.limits import AUDIENCE_EVERY, MAX_AUDIENCES, MAX_WATCHERS
from protocol.record.genesis import Genesis
from protocol.wire import labels
from protocol.wire.encoding import Frame, decode, encode

_MOST: Final = 2**32 - 1


@dataclass(frozen=True, slots=True)
class Audience:
    """`seat` shows the match to `number` spectators; its report with the highest `serial` counts."""

    seat: Seat
    serial: int
    number: int


def sign_audience(identity: Identity, match: Genesis, audience: Audience) -> Frame:
    """The AUDIENCE frame of our own seat."""
    body = encode([match.id, audience.seat, audience.serial, audience.number])
    return Frame(AUDIENCE, body + identity.sign(labels.SIGN_AUDIENCE, match.id + body))


def read_audience(payload: bytes, match: Genesis) -> Audience:
    """The report in a payload, its signature not verified.  Raises Malformed."""
    match decode(payload[:-SIGNATURE_BYTES]):
        case [bytes() as named, int() as seat, int() as serial, int() as number] if (
            named == match.id and seat < len(match.players) and serial <= _MOST and number <= MAX_WATCHERS
        ):
            return Audience(seat, serial, number)
    raise Malformed("An AUDIENCE is not a seat's own number of spectators.")


class Audiences:
    """The spectators that each seat has reported, and the time for the report of our own seat."""

    def __init__(self, match: Genesis, own: Seat) -> None:
        """At first nobody watches."""
        self._match, self._own = match, own
        self.numbers: dict[Seat, int] = {}
        """By seat that has reported: the number of its spectators."""
        self._serials: dict[Seat, int] = {}
        self._taken = Counter[Seat]()
        self._reported = 0
        """The last number that our seat reported."""
        self._quiet_until = -inf

    def count(self, number: int) -> None:
        """Set the number of spectators at our seat."""
        self.numbers[self._own] = number

    @property
    def due(self) -> float:
        """The time of the next report of our seat."""
        return inf if self.numbers.get(self._own, 0) == self._reported else self._quiet_until

    def to_tell(self, now: float) -> Audience | None:
        """The report that our seat owes now, or None; reports are rare, as spectators come and go at will."""
        if now < self.due:
            return None
        self._reported = self.numbers[self._own]
        self._serials[self._own] = self._serials.get(self._own, 0) + 1
        self._quiet_until = now + AUDIENCE_EVERY
        return Audience(self._own, self._serials[self._own], self._reported)

    def take(self, payload: bytes) -> Audience | None:
        """The report of a seat, if it is new and to be passed on; else None.  Raises Malformed.

        A report of our own from an earlier process may come back to us: then we send a newer one.
        """
        audience = read_audience(payload, self._match)
        if (
            audience.serial <= self._serials.get(audience.seat, -1)
            or self._taken[audience.seat] >= MAX_AUDIENCES
        ):
            return None
        if not self._match.signed(audience.seat, labels.SIGN_AUDIENCE, payload):
            raise Malformed("An AUDIENCE was not signed by the seat that it names.")
        self._taken[audience.seat] += 1
        self._serials[audience.seat] = audience.serial
        if audience.seat == self._own:
            self._reported = audience.number
            self.numbers.setdefault(self._own, 0)
            return None
        self.numbers[audience.seat] = audience.number
        return audience
