"""Rounds of samples: a figure and its floor measured in turn, so that both meet the same machine.

The median of the rounds counts, and the middle half of them says how sure it is.  A ratio is taken round by
round: what slows the machine for a moment slows both of its parts.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Final, TypeAlias

MAX_SPREAD: Final = 0.25
"""Half the distance between the quartiles, as a share of the median, above which a figure is noisy."""
MAX_WAITING: Final = 0.10
"""The share of the time spent waiting for a processor, above which an absolute figure is noisy."""
PROBE: Final = 0.01
"""Seconds of plain computing in every round: they meet the load also where other processes do the work."""

Sampler: TypeAlias = Callable[[], float]
"""Does its work once and returns the seconds that one unit of it took."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One quantity; `samples`: one a round, at least one; `waiting`: of the time in which this process could
    have run, the share (0 to 1) in which it did not.
    """

    samples: tuple[float, ...]
    waiting: float = 0.0

    @property
    def median(self) -> float:
        """The middle sample."""
        return statistics.median(self.samples)

    @property
    def quartiles(self) -> tuple[float, float]:
        """The bounds of the middle half of the samples."""
        if len(self.samples) == 1:
            return self.samples[0], self.samples[0]
        low, _, high = statistics.quantiles(self.samples, n=4, method="inclusive")
        return low, high

    @property
    def spread(self) -> float:
        """Half the distance between the quartiles, as a share of the median."""
        low, high = self.quartiles
        return (high - low) / 2 / self.median if self.median else 0.0

    def over(self, other: Measure) -> Measure:
        """The ratio to `other`, round by round.  Both parts waited, so `waiting` says nothing about it."""
        return Measure(tuple(a / b for a, b in zip(self.samples, other.samples, strict=True)))

    def rate(self, units: float = 1.0) -> Measure:
        """`units` a second, where the samples are the seconds of one."""
        return Measure(tuple(units / sample for sample in self.samples), self.waiting)

    def noisy(self, limit: float) -> bool:
        """Whether the machine leaves open on which side of `limit` the figure is."""
        low, high = self.quartiles
        return low < limit < high or self.spread > MAX_SPREAD or self.waiting > MAX_WAITING


def exact(value: float) -> Measure:
    """A quantity that no machine changes."""
    return Measure((value,))


def rounds(count: int, *samplers: Sampler) -> list[Measure]:
    """`count` samples of each, one after the other in every round; one round before them warms up."""
    for sampler in samplers:
        sampler()
    taken: list[list[float]] = [[] for _ in samplers]
    before = _scheduled()
    for _ in range(count):
        for sampler, samples in zip(samplers, taken, strict=True):
            samples.append(sampler())
        _compute(PROBE)
    ran, waited = (now - then for now, then in zip(_scheduled(), before, strict=True))
    waiting = waited / (ran + waited) if waited else 0.0
    return [Measure(tuple(samples), waiting) for samples in taken]


def _compute(seconds: float) -> None:
    until = perf_counter() + seconds
    while perf_counter() < until:
        pass


def timed(work: Callable[[], object], number: int = 1) -> Sampler:
    """The mean seconds of `number` calls of `work`."""

    def sample() -> float:
        began = perf_counter()
        for _ in range(number):
            work()
        return (perf_counter() - began) / number

    return sample


def _scheduled() -> tuple[float, float]:
    """Seconds that this process ran, and was ready to run and did not; zeros where the system does not tell
    (Documentation/scheduler/sched-stats.rst of Linux).
    """
    try:
        with open("/proc/self/schedstat", encoding="ascii") as file:
            ran, waited = (int(field) / 1e9 for field in file.read().split()[:2])
    except (OSError, ValueError):
        return 0.0, 0.0
    return ran, waited
