"""Where the home folder is; making it, and everything in it, belongs to `protocol.store`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

VARIABLE: Final = "P2P_STRATEGO_HOME"


def locate(given: Path | None) -> Path:
    """`given` (from --home), else the environment's, else the platform's folder for a program's data."""
    if given is not None:
        return given.expanduser().absolute()
    if named := os.environ.get(VARIABLE):
        return Path(named).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("p2p-stratego", appauthor=False)
