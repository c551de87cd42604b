"""Run the tests that are nearest to what was changed, within a time.

`python -m tests.quick [--since REVISION] [--seconds 40] [--list]` compares the working tree with REVISION (by
default the last one in common with `main`).  Distance is the number of imports between a test module and a
changed file; a text that names a module counts as an import of it, and the tests in the folder that mirrors
that of a module count as next to it.  The nearest run first.  How long each takes is known from earlier runs.
What is left out is said: `make test` runs it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from tests.helpers.machine.kinds import KEPT, MODEL
from tests.helpers.machine.modules import ROOT, dotted, facts, imports, name

FLOORS: Final = ("p2p_stratego", "protocol", "cli", "tests", "benchmarks", "conformance")
EVERYTHING: Final = ("pyproject.toml", "constraints.txt", "tests/conftest.py")
"""Files that every test depends on."""
MIRRORS: Final = {
    "cli/page/": "tests/page",
    "cli/locale/": "tests/words",
    "conformance/vectors/": "tests/vectors",
}
"""Where the tests of a folder lie, if not in the one that mirrors it."""
ALWAYS: Final = "tests/test_layers.py"
"""It reads all modules."""
UNKNOWN: Final = 2.0
"""Seconds of a module that never ran here."""
STARTING: Final = 12.0
"""Seconds that pass before the first test runs: reading the imports, starting workers."""


class Choice(NamedTuple):
    """Test modules by their paths, the nearest first."""

    run: list[str]
    left: list[str]
    """Further ones, for which there is no time."""


def git(*words: str) -> list[str]:
    """The lines that git prints.  Raises CalledProcessError."""
    process = subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S607 - the user's own git
    return process.stdout.splitlines()


def changed(since: str | None) -> list[str]:
    """The paths of all files that differ from a revision, new ones too."""
    base = git("merge-base", "HEAD", since or "main")[0]
    return sorted({*git("diff", "--name-only", base), *git("ls-files", "--others", "--exclude-standard")})


def modules() -> list[Path]:
    return [path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*.py"))]


def is_test(path: str) -> bool:
    return path.startswith("tests/") and Path(path).name.startswith("test_")


def beside(path: str) -> set[str]:
    """The test modules whose folder mirrors that of a file: `tests/cli/text` that of `cli/text`."""
    folder = next((tests for source, tests in MIRRORS.items() if path.startswith(source)), None)
    return {name(test) for test in (ROOT / (folder or Path("tests", path).parent)).glob("test_*.py")}


def readers(file: str, paths: Iterable[Path]) -> set[str]:
    """The modules that read a file which is none: those that name it or its kind, and the nearest."""
    path = ROOT / file
    naming = {
        name(reader)
        for reader in paths
        if any(path.name in text or text == f"*{path.suffix}" for text in facts(reader).texts)
    }
    folders = (folder for folder in path.parents if ROOT in folder.parents)
    return naming | next((near for folder in folders if (near := set(map(name, folder.glob("*.py"))))), set())


def distances(files: Iterable[str]) -> dict[str, int]:
    """How many imports lie between each module that any of `files` concerns and the nearest of them."""
    paths = modules()
    named = {dotted(path): name(path) for path in paths}
    importers: dict[str, set[str]] = defaultdict(set)
    for path in paths:
        spoken = {text.partition(":")[0] for text in facts(path).texts if "." in text} & named.keys()
        for module in {*imports(path), *spoken}:
            importers[module].add(name(path))
    near: dict[str, int] = {}
    waiting, nearby = set[str](), set[str]()
    for file in files:
        waiting |= {file} if file.endswith(".py") else readers(file, paths)
        nearby |= beside(file)
    distance = 0
    while waiting or nearby:
        near |= dict.fromkeys(waiting, distance)
        distance += 1
        code = [dotted(ROOT / file) for file in waiting if file.endswith(".py")]
        waiting = (nearby | {importer for module in code for importer in importers[module]}) - near.keys()
        nearby = set()
    return near


def seconds_kept() -> dict[str, float]:
    """What each test module took when it last ran as a whole."""
    path = ROOT / ".pytest_cache/v" / KEPT
    if not path.exists():
        return {}
    return {module: took[0] for module, took in json.loads(path.read_text(encoding="utf-8")).items()}


def choose(near: dict[str, int], took: dict[str, float], seconds: float) -> Choice:
    """The nearest test modules that take together at most `seconds` of work; changed ones always."""
    tests = [path for path in near if is_test(path) and (ROOT / path).exists()]
    tests.sort(key=lambda path: (near[path], took.get(path, UNKNOWN), path))
    choice = Choice([], [])
    for test in tests:
        seconds -= took.get(test, UNKNOWN)
        (choice.run if seconds >= 0 or not near[test] else choice.left).append(test)
    return choice


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.quick")
    parser.add_argument("--since", help="a revision; by default the last one in common with main")
    parser.add_argument("--seconds", type=float, default=40.0, help="how long it may take")
    parser.add_argument("--list", action="store_true", help="say what would run, and run nothing")
    given = parser.parse_args(words)
    files = changed(given.since)
    if not files:
        print("Nothing differs from main: there is nothing to test.")
        return 0
    pytest = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal"]
    whole = [file for file in files if file in EVERYTHING]
    if whole:
        print(f"Every test depends on {whole[0]}: all of them run.", flush=True)
        return 0 if given.list else subprocess.run([*pytest, "tests"], cwd=ROOT, check=False).returncode
    near = distances(files)
    if any(file.endswith(".py") for file in files):
        near.setdefault(ALWAYS, 1)
    workers = os.cpu_count() or 1
    choice = choose(near, seconds_kept(), (given.seconds - STARTING) * workers)
    concerned = len(choice.run) + len(choice.left)
    print(f"Changed files: {len(files)}.  Test modules that they concern: {concerned}.  Of these run:")
    for test in choice.run:
        print(f"  {test}")
    if choice.left:
        print(f"There is no time for {len(choice.left)} that are further away: `make test` runs them.")
    if not choice.run or given.list:
        return 0
    sys.stdout.flush()
    return subprocess.run([*pytest, "-m", f"not {MODEL}", *choice.run], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
