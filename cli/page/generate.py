"""Write the tables of the games and of Unicode for the page, or say that they would be written otherwise.

`python -m cli.page.generate` writes `game_data.mjs` and `unicode_data.mjs` beside this module; with `--check`
it changes nothing and exits with 1 if one of them is another.  The same on every machine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from cli.page import game_data, unicode_data

FOLDER: Final = Path(__file__).parent
FILES: Final[Mapping[str, Callable[[], str]]] = {
    "game_data.mjs": game_data.module,
    "unicode_data.mjs": unicode_data.module,
}


def main(arguments: list[str] | None = None) -> int:
    """0: the files are as they should be now; 1: `--check` found another."""
    parser = argparse.ArgumentParser(prog="python -m cli.page.generate")
    parser.add_argument("--check", action="store_true", help="only compare, and exit with 1 if one differs")
    checks = parser.parse_args(arguments).check
    stale = [name for name, module in FILES.items() if _bytes_of(FOLDER / name) != module().encode()]
    for name in stale:
        if checks:
            print(f"{name} is not what the program's tables give: run python -m cli.page.generate")
        else:
            (FOLDER / name).write_bytes(FILES[name]().encode())
            print(f"wrote {name}")
    return int(checks and bool(stale))


def _bytes_of(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


if __name__ == "__main__":
    sys.exit(main())
