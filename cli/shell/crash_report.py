"""The report of a bug: where it happened, and nothing that was in memory.

A report is meant to be sent to strangers.  So it holds types and places only: no values of variables, no
texts of exceptions (they quote values), no arguments beyond the command's name (`join`'s is a secret), no
paths outside this program (threat 38).
"""

from __future__ import annotations

import os
import platform
import traceback
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

from cli.shell import version

NAME: Final = "crash.log"
_ROOT: Final = Path(__file__).parents[2]


def report(error: BaseException, given: Sequence[str], commands: Collection[str]) -> Path | None:
    """Write a report of `error` to the home folder; the file's path, or None if it cannot be written.

    `given`: the command line, of which only a word among `commands` is written.  Only the latest report is
    kept: 0600, and never through a symbolic link (threat 36).
    """
    from cli.shell.locations import given_in, locate
    from protocol.storage.files import make_folders

    try:
        folder = locate(given_in(given))
        make_folders(folder)
        path = folder / NAME
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
            file.write("\n".join(_lines(error, given, commands)) + "\n")
    except (OSError, RuntimeError):  # RuntimeError: a machine without a home directory
        return None
    return path


def _lines(error: BaseException, given: Sequence[str], commands: Collection[str]) -> Iterator[str]:
    yield f"{version.told()}, Python {platform.python_version()}, {platform.system()}"
    yield f"command: {next((word for word in given if word in commands), 'start menu')}"
    yield from _told(error, "")


def _told(error: BaseException, indent: str) -> Iterator[str]:
    """An exception's type and places, its cause, and the members of a group."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield from _told(before, indent)
        yield f"{indent}then:"
    yield f"{indent}{type(error).__module__}.{type(error).__qualname__}"
    for frame in traceback.extract_tb(error.__traceback__):
        path = Path(frame.filename)
        name = path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else Path(path.name)
        yield f"{indent}  {name}:{frame.lineno} in {frame.name}"
    if isinstance(error, BaseExceptionGroup):
        for member in error.exceptions:
            yield from _told(member, indent + "    ")
