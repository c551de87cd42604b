"""Rounds of samples: a figure and its floor measured in turn, so that both meet the same machine.

The median of the rounds counts, and the middle half of them says how sure it is.  A ratio is taken round by
round: a machine that is slow for a moment slows both of its parts.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Final, NamedTuple, TypeAlias

MAX_SPREAD: Final = 0.25
"""Half the distance between the quartiles, as a share of the median, above which a figure is noisy."""
MAX_WAITING: Final = 0.10
"""The share of the time spent waiting for a processor, above which a figure is noisy."""
PROBE: Final = 0.02
"""Seconds of plain computing in every round.  They meet the load also where other processes do the work, and
wait for nobody, so they wait for a processor only if something else has it."""

Sampler: TypeAlias = Callable[[], float]
"""Does its work once and returns the seconds that one unit of it took."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One quantity; `samples`: one a round, at least one; `waiting`: of the time in which the machine should
    have run us, the share (0 to 1) in which it did not.
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
        """The ratio to `other`, round by round; a single sample of `other` counts for every round."""
        floors = other.samples * (len(self.samples) if len(other.samples) == 1 else 1)
        ratios = (above / below for above, below in zip(self.samples, floors, strict=True))
        return Measure(tuple(ratios), max(self.waiting, other.waiting))

    def noisy(self, limit: float) -> bool:
        """Whether the machine leaves open on which side of `limit` the figure is."""
        low, high = self.quartiles
        return low < limit < high or self.spread > MAX_SPREAD or self.waiting > MAX_WAITING


class Floor(NamedTuple):
    """The least that a figure can be, measured in the same rounds; `words`: its parts."""

    words: str
    measure: Measure


class Taken(NamedTuple):
    """A figure as it was measured, and its floor."""

    value: Measure
    floor: Floor


class Missing(Exception):
    """This machine lacks something that a figure is measured with; the text says what."""


def exact(value: float) -> Measure:
    """A quantity that no machine changes, or that can be taken only once."""
    return Measure((value,))


def total(*parts: tuple[int, Measure]) -> Measure:
    """So many of each measure, added round by round."""
    added = (sum(samples) for samples in zip(*([n * s for s in m.samples] for n, m in parts), strict=True))
    return Measure(tuple(added), max(measure.waiting for _, measure in parts))


def slowest(taken: Mapping[str, Taken]) -> Taken:
    """The largest of several, with its name in the words of its floor."""
    name = max(taken, key=lambda name: taken[name].value.median)
    value, floor = taken[name]
    return Taken(value, Floor(f"{name}: {floor.words}", floor.measure))


def rounds(count: int, *samplers: Sampler) -> list[Measure]:
    """`count` samples of each, one after the other in every round; one round before them warms up."""
    for sampler in samplers:
        sampler()
    taken: list[list[float]] = [[] for _ in samplers]
    probes = list[tuple[float, float]]()
    began, stolen = perf_counter(), stolen_time()
    for _ in range(count):
        for sampler, samples in zip(samplers, taken, strict=True):
            samples.append(sampler())
        probes.append(_probe())
    ran, waited = map(sum, zip(*probes, strict=True))
    lost = (stolen_time() - stolen) / (perf_counter() - began)
    waiting = max(waited / (ran + waited) if waited else 0.0, lost)
    return [Measure(tuple(samples), waiting) for samples in taken]


def _probe() -> tuple[float, float]:
    """Compute for a moment: seconds in which this process ran, and in which it could have and did not."""
    ran, waited = scheduled_time()
    until = perf_counter() + PROBE
    while perf_counter() < until:
        pass
    then_ran, then_waited = scheduled_time()
    return then_ran - ran, then_waited - waited


def timed(work: Callable[[], object], number: int = 1) -> Sampler:
    """The mean seconds of `number` calls of `work`."""

    def sample() -> float:
        began = perf_counter()
        for _ in range(number):
            work()
        return (perf_counter() - began) / number

    return sample


def scheduled_time() -> tuple[float, float]:
    """Seconds that this process ran, and was ready to run and did not; zeros where the system does not tell
    (Documentation/scheduler/sched-stats.rst of Linux).
    """
    ran, waited = (nanoseconds / 1e9 for nanoseconds in _numbers("/proc/self/schedstat", 0, 1))
    return ran, waited


def stolen_time() -> float:
    """Seconds in which a processor was wanted here and worked for another machine: "steal" of proc(5)."""
    (ticks,) = _numbers("/proc/stat", 8)
    return ticks / os.sysconf("SC_CLK_TCK") / (os.cpu_count() or 1) if ticks else 0.0


def _numbers(path: str, *fields: int) -> list[int]:
    """These fields of the first line of a file; zeros if there is no such file."""
    try:
        with open(path, encoding="ascii") as file:
            line = file.readline().split()
        return [int(line[field]) for field in fields]
    except (OSError, ValueError, IndexError):
        return [0] * len(fields)
