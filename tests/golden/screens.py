"""Screens as they looked once: `screens/NAME.txt`."""

from __future__ import annotations

import os
from pathlib import Path


def assert_as_it_was(name: str, shown: str) -> None:
    """Compare a screen with the one kept.  After a change that is wanted, set GOLDEN=1 once and read the
    difference.
    """
    text = "\n".join(line.rstrip() for line in shown.split("\n")) + "\n"
    path = Path(__file__).parent / "screens" / f"{name}.txt"
    if os.environ.get("GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text
