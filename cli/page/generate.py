"""Write the tables of the games for the page, or say that the program would write them otherwise.

`python -m cli.page.generate` writes `cli/page/game_data.mjs`; with `--check` it changes nothing and exits
with 1 if the file is another.  The same on every machine.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from cli.page.game_data import module

FILE: Final = Path(__file__).with_name("game_data.mjs")


def main(arguments: list[str] | None = None) -> int:
    """0: the file is as it should be now; 1: `--check` found another."""
    parser = argparse.ArgumentParser(prog="python -m cli.page.generate")
    parser.add_argument("--check", action="store_true", help="only compare, and exit with 1 if it differs")
    checks = parser.parse_args(arguments).check
    text = module().encode()
    if FILE.is_file() and FILE.read_bytes() == text:
        return 0
    if checks:
        print(f"{FILE.name} is not what the tables of the rules give: run python -m cli.page.generate")
        return 1
    FILE.write_bytes(text)
    print(f"wrote {FILE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
