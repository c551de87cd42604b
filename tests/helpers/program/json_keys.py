"""The keys of JSON output, as printed and as documented."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

JSON = (Path(__file__).parents[3] / "docs" / "json.md").read_text(encoding="utf-8")


def documented(section: str) -> set[str]:
    """Every word in code style in one section, and in the tables that all sections share."""
    shared = JSON.split("## `audit`")[0]
    part = JSON.split(f"## `{section}`")[1].split("\n## ")[0]
    return set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`[^`]+`", shared + part))))


def keys(value: Any) -> set[str]:
    """Every key in a JSON value, but those that are data: names of options, slots and verdicts."""
    if isinstance(value, list):
        return {key for item in value for key in keys(item)}
    if not isinstance(value, dict):
        return set()
    inner = {key: item for key, item in value.items() if key not in ("options", "opened")}
    counted = {"verdicts", "comparisons", "winners", "faults"}
    return set(value) | {k for key, item in inner.items() if key not in counted for k in keys(item)}
