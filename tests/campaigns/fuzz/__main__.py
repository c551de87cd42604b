"""`make fuzz TARGET=value SECONDS=60`: each target in a process of its own, led by what its code does.

Prints a line a target: inputs tried, those kept since they went new ways, seconds.  An input that breaks a
property, needs over ten seconds or over a gigabyte is kept in the target's folder, and the run ends with 1.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.campaigns.fuzz.targets import TARGETS

PROGRAM: Final = "python -m tests.campaigns.fuzz"
_TRIED: Final = re.compile(r"stat::number_of_executed_units: *([0-9]+)")
_KEPT: Final = re.compile(r"stat::new_units_added: *([0-9]+)")


def line(name: str, code: int, text: str, seconds: int) -> str:
    """What became of a target."""
    tried, kept = (int(match[1]) if (match := pattern.search(text)) else 0 for pattern in (_TRIED, _KEPT))
    if code:
        text = "\n".join(part for part in text.splitlines() if not part.startswith(("INFO", "#", "WARNING")))
        return f"{name}: FELL after {tried:,} inputs\n{text[-3000:]}"
    return f"{name}: {tried:,} inputs in {seconds} s, {kept:,} of them on new ways; nothing fell"


def run(names: list[str], folder: Path, seconds: int, seed: int) -> Iterator[bool]:
    """Each target in turn; whether it held."""
    for name in names:
        place = folder / name.replace(" ", "-")
        place.mkdir(parents=True, exist_ok=True)
        words = [
            sys.executable,
            "-m",
            "tests.campaigns.fuzz.process",
            name,
            str(place),
            str(seconds),
            str(seed),
        ]
        ended = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
        print(line(name, ended.returncode, ended.stdout + ended.stderr, seconds), flush=True)
        yield ended.returncode == 0


def main(argv: list[str] | None = None) -> int:
    """Fuzz; 0: nothing fell."""
    parser = argparse.ArgumentParser(prog=PROGRAM, description=__doc__.splitlines()[0])
    parser.add_argument("--target", action="append", default=[])
    parser.add_argument("--kept", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args(argv)
    return 0 if all([*run(wanted.target or [*TARGETS], wanted.kept, wanted.seconds, wanted.seed)]) else 1


if __name__ == "__main__":
    sys.exit(main())
