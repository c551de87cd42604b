"""The versions of what is installed; reading them costs milliseconds, so only who needs them asks."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Final

PROGRAM: Final = "p2p-stratego"


def installed(package: str = PROGRAM) -> str | None:
    """The version of `package`, or None if it is not installed: this program, when run from its sources."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
