"""The calls to each seat, with the last step at each of its addresses: pure, for screens."""

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
    """The last step of a call to one address."""

    CALLING = "calling"
    ANSWERED = "answered"
    """The right host answered there."""
    FAILED = "failed"
    """`Attempt.failure` says why."""
    UNANSWERED = "unanswered"
    """No answer came in time, or another address was faster."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The last call to an address, which took this step at the moment `at`, by the caller's clock."""

    step: Step
    at: float
    failure: Exception | None = None


@dataclass(frozen=True, slots=True)
class CallState:
    """The calls to a seat; `attempts`: the called addresses, each with its last attempt."""

    place: Place | None = None
    attempts: tuple[tuple[Address, Attempt], ...] = ()
    until: float | None = None
    """The time of the next call, by the caller's clock; None: now, never, or at need."""
    better: bool = False
    """Whether the calls seek a straight link in the place of the present link."""

    def to(self, address: Address) -> Attempt | None:
        """The last call to `address`."""
        return dict(self.attempts).get(address)

    @property
    def under_way(self) -> tuple[Address, ...]:
        """The addresses under call."""
        return tuple(address for address, attempt in self.attempts if attempt.step is Step.CALLING)


NOTHING: Final = CallState()
Report: TypeAlias = Callable[[Address, Step, Exception | None], None]
"""Takes a step of a call to an address, with its failure."""


def no_report(_: object, __: Step, ___: Exception | None) -> None:
    """Drop the report."""


class Journal:
    """The calls of one match, by seat."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._calls: dict[Seat, CallState] = {}

    def of(self, seat: Seat, place: Place | None) -> CallState:
        """The calls to `seat`; `place`: the place that is called now, so other addresses are left out."""
        known, listed = self._calls.get(seat, NOTHING), () if place is None else place.addresses
        attempts = tuple(pair for pair in known.attempts if pair[0] in listed)
        return CallState(place, attempts, known.until, known.better)

    def report(self, seat: Seat) -> Report:
        """A Report that notes the steps of calls to `seat`."""

        def note(address: Address, step: Step, failure: Exception | None) -> None:
            known = self._calls.get(seat, NOTHING)
            attempts = dict(known.attempts) | {address: Attempt(step, self._clock(), failure)}
            self._calls[seat] = replace(known, attempts=tuple(attempts.items()), until=None)

        return note

    def ended(self, seat: Seat) -> None:
        """End the call of `seat`, at all addresses."""
        note = self.report(seat)
        for address in self._calls.get(seat, NOTHING).under_way:
            note(address, Step.UNANSWERED, None)

    def refused(self, seat: Seat, failure: Failure | Exception) -> None:
        """Note `failure` at the address of `seat` that answered last, and then broke off."""
        answered = [
            (attempt.at, address)
            for address, attempt in self._calls.get(seat, NOTHING).attempts
            if attempt.step is Step.ANSWERED
        ]
        if answered:
            self.report(seat)(max(answered, key=lambda answer: answer[0])[1], Step.FAILED, failure)

    def settled(self, seat: Seat) -> None:
        """Note that no better way to `seat` is sought any more."""
        if (known := self._calls.get(seat, NOTHING)).better:
            self._calls[seat] = replace(known, until=None, better=False)

    def waits(self, seat: Seat, until: float | None, *, better: bool = False) -> None:
        """Note that the call of `seat` waits for this moment; None: it waits no more."""
        known = self._calls.get(seat, NOTHING)
        self._calls[seat] = replace(known, until=until, better=better)
