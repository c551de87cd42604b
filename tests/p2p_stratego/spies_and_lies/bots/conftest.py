"""What tests of bots share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from p2p_stratego.spies_and_lies.bots import adaptive, solving


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Solutions of a few rounds: for what does not depend on how good they are."""
    yield from _with_rounds(monkeypatch, warm=3, at_once=2, most=5)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Solutions that are good enough to tell players apart."""
    yield from _with_rounds(monkeypatch, warm=30, at_once=10, most=40)


def _with_rounds(monkeypatch: pytest.MonkeyPatch, *, warm: int, at_once: int, most: int) -> Iterator[None]:
    for name, rounds in (("WARM", warm), ("ROUNDS", at_once), ("ROUNDS_WITHOUT", most)):
        monkeypatch.setattr(solving, name, rounds)
    monkeypatch.setattr(solving, "MOST_ROUNDS", (most,) * 3)
    cached = (solving.solved, solving._solution, adaptive._evidence)
    for each in cached:
        each.cache_clear()
    yield
    for each in cached:
        each.cache_clear()
