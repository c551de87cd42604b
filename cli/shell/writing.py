"""Writing files that a person names: new ones only, so that nothing is lost."""

from __future__ import annotations

import errno
import os


def write_new(path: str | os.PathLike[str], data: bytes) -> None:
    """Write `data` into a file that is not there yet.  Raises OSError with its name: EISDIR for a folder."""
    name = os.fspath(path)
    if os.path.isdir(name):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
    with open(name, "xb") as file:
        file.write(data)
