"""The program's name, and the versions of what is installed."""

from __future__ import annotations

from typing import Final

PROGRAM: Final = "p2p-stratego"


def installed(package: str = PROGRAM) -> str | None:
    """The version of `package`, or None if it is not installed: this program, when run from its sources."""
    from importlib.metadata import PackageNotFoundError, version  # costs more than all of `--help`

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def program_version() -> str:
    """The program and its version, for people."""
    return f"{PROGRAM} {installed() or '(run from its sources)'}"
