"""Two players, and a match of theirs that is saved or under way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.storage.home import Owner
from protocol.storage.match_store import Store
from tests.helpers.links.peers import owner, two_stores
from tests.helpers.links.wire import Wire


@pytest.fixture
def ada(tmp_path: Path) -> Owner:
    return owner(tmp_path / "ada", "Ada")


@pytest.fixture
def ben(tmp_path: Path) -> Owner:
    return owner(tmp_path / "ben", "Ben")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """What Ada keeps of a new match, open; a test that opens it again closes that itself."""
    store, other = two_stores(tmp_path)
    other.close()
    yield store
    store.close()


@pytest.fixture
def wire(tmp_path: Path) -> Wire:
    """A match under way, nothing in flight, Ben to say something or to decide."""
    made = Wire(tmp_path)
    made.play(6)
    made.settle()
    return made
