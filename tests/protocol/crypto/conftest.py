"""Tests of cryptography compute everything, however often."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.helpers.crypto.computed_once import computed_anew


@pytest.fixture(scope="package", autouse=True)
def cryptography_anew() -> Iterator[None]:
    with computed_anew():
        yield
