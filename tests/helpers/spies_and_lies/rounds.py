"""Solutions of half days by fewer rounds than the bots take: found in a moment, and not as good."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from p2p_stratego.spies_and_lies.bots import adaptive, solving


@contextmanager
def rounds(warm: int, at_once: int, most: int) -> Iterator[None]:
    """All solutions inside take so many rounds; `at_once`: between two looks at the gap."""
    cached = (solving.solved, solving._solution, adaptive._evidence)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("WARM", warm), ("ROUNDS", at_once), ("ROUNDS_WITHOUT", most)):
            patch.setattr(solving, name, value)
        patch.setattr(solving, "MOST_ROUNDS", (most,) * 3)
        for each in cached:
            each.cache_clear()
        yield
        for each in cached:
            each.cache_clear()
