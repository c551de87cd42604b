"""The numbers of short codes at a relay: a waiter is given a number, and cannot choose.  No I/O, no clock.

A number belongs to a waiter's token as long as a stream waits with that token, and a little longer.  So
nobody can take the number of another waiter, or hold a number that another will get.  An attacker who calls
number after number, to spend the tries of the waiters, gets a few calls and then has to wait.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

NUMBERS: Final = 999
_SHORT: Final = 99
"""Numbers up to this one are given while half of them are free."""
_MAX_NETWORKS: Final = 4096
"""Networks whose calls are counted at one time.  A further network makes the relay forget the one that called
longest ago: a refusal would let an attacker with so many networks keep out everybody else.
"""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of a relay for numbers; times in seconds."""

    of_network: int = 8
    """Numbers of one network at one time."""
    kept: float = 120.0
    """From the last sign of a waiter until its number is given again: no friend must meet a stranger."""
    calls: int = 20
    """Calls to numbers from one network at once."""
    call_every: float = 6.0
    """Until a network may make one more call."""


@dataclass(slots=True)
class _Given:
    token: bytes
    network: str
    until: float


@dataclass(slots=True)
class Allowance:
    """What is left of the calls of one network, as of the time `at`."""

    calls: float
    at: float


class Numbers:
    """All numbers of one relay; `now` is always seconds on one monotonic clock.

    `draw` gets a positive n, and returns a random integer from 0 to n - 1.
    """

    def __init__(self, bounds: Bounds, draw: Callable[[int], int]) -> None:
        self.bounds = bounds
        self._draw = draw
        self._given: dict[int, _Given] = {}
        self._of: dict[bytes, int] = {}
        """By token, its number."""
        self.networks: Counter[str] = Counter()
        """By network: the numbers that it has."""
        self.allowances: dict[str, Allowance] = {}
        """By network that called lately: the calls that it may make."""

    def __len__(self) -> int:
        return len(self._given)

    def give(self, token: bytes, network: str, now: float) -> int | None:
        """The number (from 1) of the waiter with `token` (16 bytes).

        None if its network has enough numbers, or all numbers are taken.
        """
        if (known := self._of.get(token)) is not None:
            self.seen(token, now)
            return known
        free = [number for number in range(1, _SHORT + 1) if number not in self._given]
        if 2 * len(free) < _SHORT:
            free = [number for number in range(1, NUMBERS + 1) if number not in self._given]
        if not free or self.networks[network] >= self.bounds.of_network:
            return None
        number = free[self._draw(len(free))]
        self._given[number] = _Given(token, network, now + self.bounds.kept)
        self._of[token] = number
        self.networks[network] += 1
        return number

    def seen(self, token: bytes, now: float) -> None:
        """Take note that a stream waits with `token` now."""
        if (number := self._of.get(token)) is not None:
            self._given[number].until = now + self.bounds.kept

    def token(self, number: int) -> bytes | None:
        """The token (16 bytes) of the waiter at `number`; None if nobody waits there."""
        given = self._given.get(number)
        return None if given is None else given.token

    def may_call(self, network: str, now: float) -> bool:
        """Whether a caller from `network` may call a number now; True counts as a call."""
        bounds = self.bounds
        allowance = self.allowances.pop(network, None) or Allowance(bounds.calls, now)
        if len(self.allowances) >= _MAX_NETWORKS:
            del self.allowances[next(iter(self.allowances))]
        self.allowances[network] = allowance
        allowance.calls = min(bounds.calls, allowance.calls + (now - allowance.at) / bounds.call_every)
        allowance.at = now
        if allowance.calls < 1:
            return False
        allowance.calls -= 1
        return True

    def tick(self, now: float) -> None:
        """Forget what counts no more; to be called about every second."""
        for number in [number for number, given in self._given.items() if now >= given.until]:
            given = self._given.pop(number)
            del self._of[given.token]
            self.networks[given.network] -= 1
            if not self.networks[given.network]:
                del self.networks[given.network]
        full = self.bounds.calls * self.bounds.call_every
        for network in [name for name, allowance in self.allowances.items() if now - allowance.at >= full]:
            del self.allowances[network]
