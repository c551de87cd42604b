"""Golden chronicles belong to modules of tests, one each (`tests.golden.tables`)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.golden.tables import FOLDER


def test_every_theme_is_told_by_one_module_of_tests() -> None:
    modules = Path(__file__).parents[1].rglob("test_*.py")
    telling = [path.stem for path in modules if "\n    assert_as_kept(" in path.read_text(encoding="utf-8")]
    assert Counter(telling) == Counter(f"test_{path.stem}" for path in FOLDER.glob("*.txt"))
