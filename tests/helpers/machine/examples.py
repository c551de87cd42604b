"""How much of a long test runs: `make test` takes its share, `make thorough` all of it.

A test that goes through games of many seeds, or through every place where something may happen, asks here
how many of them to take.  tests/conftest.py sets everything else.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final, TypeVar

from hypothesis import HealthCheck, settings

Case = TypeVar("Case")

THOROUGH: Final = bool(os.environ.get("THOROUGH"))


def runs(usual: int, thorough: int) -> int:
    """So many; in `make thorough` as many as the second number."""
    return thorough if THOROUGH else usual


def every(cases: Sequence[Case], step: int, first: int = 0) -> Sequence[Case]:
    """Each `step`-th case from the first on, counted around; in `make thorough` all.

    Tests that differ in `first` share the cases out among them.
    """
    return cases if THOROUGH else cases[first % step :: step]


def examples(usual: int, thorough: int = 0) -> settings:
    """So many examples; in `make thorough` as many as the second number, where there is one."""
    return settings(
        max_examples=max(usual, thorough) if THOROUGH else usual,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
