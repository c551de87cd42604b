"""Syncs cost a test a quarter of a millisecond to a tenth of a second each and show it nothing."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def no_syncs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests that are about syncs put their own in their place."""
    for name in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, name, lambda _: None)
