"""What is being done to reach each seat, and how that went at each of its addresses: pure, for screens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeAlias

from p2p_stratego.core.game import Seat
from protocol.failures import Failure
from protocol.storage.route import Place
from protocol.wire.addresses import Address


class Step(Enum):
    """How far a call to one address is."""

    CALLING = "calling"
    ANSWERED = "answered"
    """The right host answered there."""
    FAILED = "failed"
    """`Attempt.failure` says why."""
    UNANSWERED = "unanswered"
    """Nothing came in time, or another address was faster."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The last call to an address, which took this step at the moment `at`, by the caller's clock."""

    step: Step
    at: float
    failure: Exception | None = None


@dataclass(frozen=True, slots=True)
class Calling:
    """What is being done to reach a seat.  `attempts`: by address, those that were called."""

    place: Place | None = None
    attempts: tuple[tuple[Address, Attempt], ...] = ()
    until: float | None = None
    """When the seat is called next, by the caller's clock; None: now, never, or once it is needed."""
    better: bool = False
    """Whether the calls seek a straight way in place of the link that is there."""

    def to(self, address: Address) -> Attempt | None:
        """The last call to `address`."""
        return dict(self.attempts).get(address)

    @property
    def under_way(self) -> tuple[Address, ...]:
        """The addresses that are being called."""
        return tuple(address for address, attempt in self.attempts if attempt.step is Step.CALLING)


NOTHING: Final = Calling()
Report: TypeAlias = Callable[[Address, Step, Exception | None], None]
"""Takes note of a step of a call to an address."""


def unheard(_: object, __: Step, ___: Exception | None) -> None:
    """Take no note."""


class Journal:
    """The calls of one match, by seat."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._calls: dict[Seat, Calling] = {}

    def of(self, seat: Seat, place: Place | None) -> Calling:
        """What is done to reach `seat`, of which nothing but `place` is called now."""
        known, listed = self._calls.get(seat, NOTHING), () if place is None else place.addresses
        attempts = tuple(pair for pair in known.attempts if pair[0] in listed)
        return Calling(place, attempts, known.until, known.better)

    def report(self, seat: Seat) -> Report:
        """Takes note of the steps of calls to `seat`."""

        def note(address: Address, step: Step, failure: Exception | None) -> None:
            known = self._calls.get(seat, NOTHING)
            attempts = dict(known.attempts) | {address: Attempt(step, self._clock(), failure)}
            self._calls[seat] = replace(known, attempts=tuple(attempts.items()), until=None)

        return note

    def ended(self, seat: Seat) -> None:
        """The call is over, at all addresses."""
        note = self.report(seat)
        for address in self._calls.get(seat, NOTHING).under_way:
            note(address, Step.UNANSWERED, None)

    def refused(self, seat: Seat, failure: Failure | Exception) -> None:
        """Who answered last at an address of `seat` broke off, and why."""
        answered = [
            (attempt.at, address)
            for address, attempt in self._calls.get(seat, NOTHING).attempts
            if attempt.step is Step.ANSWERED
        ]
        if answered:
            self.report(seat)(max(answered, key=lambda one: one[0])[1], Step.FAILED, failure)

    def settled(self, seat: Seat) -> None:
        """No better way to `seat` is sought any more."""
        if (known := self._calls.get(seat, NOTHING)).better:
            self._calls[seat] = replace(known, until=None, better=False)

    def waits(self, seat: Seat, until: float | None, *, better: bool = False) -> None:
        """`seat` is called at this moment; None: it is not waited for any more."""
        known = self._calls.get(seat, NOTHING)
        self._calls[seat] = replace(known, until=until, better=better)
