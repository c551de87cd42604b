"""Which of these tests are collected: those that need the extras, if `make archive` asks for them."""

from __future__ import annotations

import os
from importlib import import_module

import pytest

collect_ignore_glob = [] if os.environ.get("ARCHIVE") else ["test_of_*.py"]


@pytest.fixture(scope="session", autouse=True)
def engines(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What the engines open once and keep, such as their threads, is not what a test leaves open."""
    if os.environ.get("ARCHIVE"):
        warm = import_module("tests.helpers.archives.judged").warm
        warm(tmp_path_factory.mktemp("first"))
