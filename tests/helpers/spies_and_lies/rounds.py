"""Mornings, and their solutions by fewer rounds than the bots take: found in a moment, and not as good."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from p2p_stratego.core.values import replace
from p2p_stratego.spies_and_lies.bots import adaptive, solving
from p2p_stratego.spies_and_lies.bots.solving import morning_of
from p2p_stratego.spies_and_lies.rules.components import BLUE
from tests.helpers.spies_and_lies.table import BASE

DAWN = replace(BASE, phase="deploy", intel=((1, 4),), exhausted=((1,), (1,)))
MORNINGS = {
    "first": morning_of(DAWN),
    "a token on the second": morning_of(
        replace(
            DAWN, day=2, starter=BLUE, intel=((7, 10), (4, 7)), exhausted=((8,), (5,)), points=(2, 4), agent=2
        )
    ),
    "none left on the last": morning_of(
        replace(
            DAWN,
            day=3,
            tokens=(0, 0),
            intel=((1, 4), (7, 10), (7, 10)),
            exhausted=((4,), (2, 9)),
            points=(8, 6),
            agent=-1,
        )
    ),
}
"""By what is the case on it."""


@contextmanager
def rounds(warm: int, at_once: int, most: int) -> Iterator[None]:
    """All solutions inside take so many rounds; `warm`, `at_once`: before the first and each further look."""
    cached = (solving.solved, solving.solution_of, adaptive.turn_of)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("WARM", warm), ("ROUNDS", at_once)):
            patch.setattr(solving, name, value)
        patch.setattr(solving, "MOST_ROUNDS", (most,) * 3)
        for function in cached:
            function.cache_clear()
        yield
        for function in cached:
            function.cache_clear()
