"""What tests of bots share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.helpers.spies_and_lies.rounds import rounds


@pytest.fixture
def hasty() -> Iterator[None]:
    """Solutions of a few rounds: for what does not depend on how good they are."""
    with rounds(1, 1, 2):
        yield


@pytest.fixture
def quick() -> Iterator[None]:
    """Solutions that are good enough to tell players apart."""
    with rounds(8, 4, 16):
        yield
