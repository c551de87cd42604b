"""What the campaigns share that hold Python against the page in JavaScript."""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from tests.helpers.machine.node import node

Written: TypeAlias = Callable[[int, int, Counter[str]], Iterable[Mapping[str, Any]]]
"""Of a seed and a count, what is compared; it counts by their ends what it has made."""


def main(about: str, compare: Path, written: Written, count: int) -> int:
    """Write all to the module `compare`, one a line, and tell the ends that were met; 0: all agree."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=count)
    arguments = parser.parse_args()
    command = node()
    if command is None:
        print("there is no Node, so nothing was compared")
        return 1
    met: Counter[str] = Counter()
    with subprocess.Popen([command, str(compare)], stdin=subprocess.PIPE) as comparing:
        assert comparing.stdin is not None
        with suppress(BrokenPipeError):  # it has told a difference and gone
            for comparison in written(arguments.seed, arguments.count, met):
                comparing.stdin.write(json.dumps(comparison).encode() + b"\n")
            comparing.stdin.close()
    for end, times in sorted(met.items()):
        print(f"{times:6} {end}")
    return comparing.returncode
