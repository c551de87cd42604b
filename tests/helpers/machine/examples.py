"""How many examples a property test takes; tests/conftest.py sets everything else."""

from __future__ import annotations

from hypothesis import HealthCheck, settings


def examples(number: int) -> settings:
    """So many examples."""
    return settings(
        max_examples=number,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
