"""Forge fresh matches with all keys, and write them with the right answers, for the runner.

`python -m conformance.forge --seed 1 --count 300 build/forged`: so many cases, the same for the same seed;
then `python -m conformance.run --cases build/forged -- ./my-auditor`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from conformance.plans import Forged, Plain, cases
from conformance.run import FILE


def write(folder: Path, forged: Iterable[tuple[str, Forged]]) -> Counter[str]:
    """Write cases, given by name; how many there are of each plan and source."""
    folder.mkdir(parents=True, exist_ok=True)
    expected: dict[str, Plain] = {}
    made: Counter[str] = Counter()
    for name, case in forged:
        files = {f"{name}{end}": data for end, data in case.files.items()}
        for file, data in files.items():
            (folder / file).write_bytes(data)
        expected[name] = {"files": sorted(files), **case.expected}
        made[f"{case.plan}: {case.expected['verdict']}, by {case.expected['source']}"] += 1
    (folder / FILE).write_text(json.dumps(expected, indent=1) + "\n", encoding="utf-8")
    return made


def main(arguments: Sequence[str]) -> int:
    """The program."""
    parser = argparse.ArgumentParser(prog="python -m conformance.forge", description="Forge matches.")
    parser.add_argument("--seed", default="1", help="the same seed, the same matches (1)")
    parser.add_argument("--count", type=int, default=300, help="cases (300)")
    parser.add_argument("folder", type=Path, help="an empty or a new folder")
    asked = parser.parse_args(arguments)
    if asked.folder.exists() and any(asked.folder.iterdir()):
        parser.error(f"{asked.folder} is not empty")
    for what, number in sorted(write(asked.folder, cases(asked.seed, asked.count)).items()):
        print(f"{number:6} {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
