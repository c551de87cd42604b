"""The place of the home folder, and commands in words that lead there again.

`protocol.storage` makes the folder and everything in it.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cli.shell.exit_codes import Run
from cli.shell.version import PROGRAM
from cli.text.sanitize import escape

VARIABLE: Final = "P2P_STRATEGO_HOME"


def locate(given: Path | None) -> Path:
    """`given` (from --home), else the environment's, else the platform's folder for a program's data."""
    if given is not None:
        return given.expanduser().absolute()
    if named := os.environ.get(VARIABLE):
        return Path(named).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("p2p-stratego", appauthor=False)


def given_in(words: Sequence[str]) -> Path | None:
    """The folder after `--home` on a command line, found without the parser, which may have failed."""
    for at, word in enumerate(words):
        if word == "--home" and at + 1 < len(words):
            return Path(words[at + 1])
        if word.startswith("--home="):
            return Path(word.partition("=")[2])
    return None


def command(given: Path | None) -> str:
    """The program with the home folder that was `given` by --home, as a shell reads it."""
    return PROGRAM if given is None else f"{PROGRAM} --home {escape(shlex.quote(str(given)))}"


def runs(given: Path | None) -> Run:
    """The Run for messages: commands that their reader may run, whole, between backticks, as a shell takes
    them, with the home folder that was `given` by --home.  Commands for the other player have no backticks.
    """
    program = command(given)
    return lambda words: f"`{program} {words}`"
