"""`referee`: plays scenario files by the real rules, without a network, for people and for programs.

Standard output holds only the lines of the format, so it can be piped; all else goes to standard error.  A
scenario that cannot be played does not stop the others.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, islice
from pathlib import Path
from typing import BinaryIO, Final, TextIO

from cli.shell.exit_codes import Exit, Sorry
from cli.shell.explain import explain
from cli.shell.named_files import read_file
from cli.shell.version import PROGRAM
from cli.text.sanitize import escape
from p2p_stratego.core.language import _, english
from p2p_stratego.core.narration import joined
from p2p_stratego.core.scenario import LONGEST, Line, ScenarioError, load
from p2p_stratego.registry import ENTRIES, play_scenario

STANDARD_INPUT: Final = "-"
SUFFIX: Final = ".json"


@dataclass(frozen=True, slots=True)
class ScenarioText:
    """One scenario: its name on the command line, and its bytes, or the error over them."""

    name: str
    content: bytes | Sorry | OSError


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a scenario was not played to its end."""

    name: str
    text: str
    code: Exit
    noise: bool = False
    """A line of standard input that is no scenario of a known game at all."""

    @property
    def sentence(self) -> str:
        """The trouble in a sentence, with the name unless the text has it."""
        return self.text if f"'{self.name}'" in self.text else f"{self.name}: {self.text}"


def run(arguments: Namespace) -> Exit:
    """The command; see `referee`."""
    return referee(arguments.files, sys.stdin.buffer, sys.stdout, sys.stderr)


def referee(paths: Sequence[str], stdin: BinaryIO, stdout: TextIO, stderr: TextIO) -> Exit:
    """Play the scenarios of all `paths` in order: files, folders of them, or `-` with one on each line.

    Returns 0, or 65 if a scenario was refused, or 74 if one could not even be read.  An OSError of `stdout`
    is not caught: it ends the command.
    """
    scenarios = chain.from_iterable(_sources(path, stdin) for path in paths)
    first = list(islice(scenarios, 2))
    troubles = (_play(source, stdout, several=len(first) > 1) for source in chain(first, scenarios))
    worst = Exit.OK
    for noise, run in groupby(troubles, lambda trouble: trouble is not None and trouble.noise):
        for trouble in _in_one(run) if noise else run:
            if trouble is not None:
                print(f"{PROGRAM}: {escape(trouble.sentence)}", file=stderr)
                worst = max(worst, trouble.code)
    return worst


def _in_one(run: Iterable[Trouble | None]) -> Iterator[Trouble]:
    """One trouble for a run of lines that are no scenarios."""
    lines = (trouble for trouble in run if trouble is not None)
    first = last = next(lines)
    for last in lines:  # noqa: B007 - only the last one counts, and a stream of noise may not fill the memory
        pass
    more = _(" Nor are the lines that follow, up to {last}.", last=last.name) if last is not first else ""
    yield replace(first, text=first.text + more)


def _play(source: ScenarioText, stdout: TextIO, *, several: bool) -> Trouble | None:
    """Print the lines of one scenario, of several with its name in the last; the error, if any."""
    if not isinstance(source.content, bytes):
        text, code = explain(source.content) or (str(source.content), Exit.IO)
        return Trouble(source.name, text, code)
    known = False
    try:
        scenario = load(source.content)
        known = isinstance(scenario, dict) and scenario.get("game") in tuple(ENTRIES)
        with english():
            for line in play_scenario(scenario):
                named: Line = {"scenario": source.name} if several and "winner" in line else {}
                print(json.dumps(line | named), file=stdout)
    except ScenarioError as error:
        noise = not known and source.name.startswith(f"{STANDARD_INPUT}:")
        hint = "" if known or noise else _("docs/scenarios.md tells what one is.")
        return Trouble(source.name, joined(f"{error}.", hint), Exit.DATA, noise)
    return None


def _sources(path: str, stdin: BinaryIO) -> Iterator[ScenarioText]:
    """The scenarios of one argument; if there are none, one that holds the reason."""
    try:
        if path == STANDARD_INPUT:
            yield from _lines(stdin)
        elif Path(path).is_dir():
            yield from _files(path)
        else:
            yield _file(path)
    except OSError as error:
        yield ScenarioText(path, error)


def _file(path: str) -> ScenarioText:
    try:
        return ScenarioText(path, read_file(path, LONGEST + 1))
    except (OSError, Sorry) as error:
        return ScenarioText(path, error)


def _files(folder: str) -> Iterator[ScenarioText]:
    """The folder's own scenarios by name, without those of folders in it."""
    names = sorted(
        file.name for file in Path(folder).iterdir() if file.suffix == SUFFIX and not file.is_dir()
    )
    if not names:
        yield ScenarioText(
            folder,
            Sorry(
                _("No file in this folder ends in {suffix}: it holds no scenario.", suffix=SUFFIX), Exit.DATA
            ),
        )
    for name in names:
        yield _file(os.path.join(folder, name))


def _lines(stdin: BinaryIO) -> Iterator[ScenarioText]:
    """One scenario a line; empty lines are skipped."""
    number = count = 0
    while line := stdin.readline(LONGEST + 1):
        number += 1
        if line.strip():
            count += 1
            yield ScenarioText(f"{STANDARD_INPUT}:{number}", line.rstrip(b"\r\n"))
        # The rest of an overlong line is read in pieces and dropped: it must not fill the memory.
        while len(line) > LONGEST and not line.endswith(b"\n"):
            line = stdin.readline(LONGEST + 1)
    if not count:
        yield ScenarioText(
            STANDARD_INPUT, Sorry(_("It holds no scenario; one on each line is expected."), Exit.DATA)
        )
