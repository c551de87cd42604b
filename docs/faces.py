"""Draws docs/guide/faces/*.svg, the portraits of the opponents, from the parts in cli/text/portraits.py.

`make picture` runs it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cli.text.portraits import PORTRAITS, svg

FOLDER: Final = Path(__file__).parent / "guide" / "faces"

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for level in PORTRAITS:
        (FOLDER / f"{level}.svg").write_text(svg(level), encoding="utf-8")
