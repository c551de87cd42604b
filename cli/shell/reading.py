"""Reading files that a person names: regular files only, up to a limit.

A pipe, a socket or a device would wait for ever, or never end (threat 47).
"""

from __future__ import annotations

import errno
import os
import stat
from typing import Final

from cli.shell.exit_codes import Exit, Sorry
from p2p_stratego.core.language import _, mark

_KINDS: Final = (
    (stat.S_ISFIFO, mark("a pipe")),
    (stat.S_ISSOCK, mark("a socket")),
    (stat.S_ISCHR, mark("a device")),
    (stat.S_ISBLK, mark("a device")),
)


def read_file(path: str | os.PathLike[str], limit: int) -> bytes:
    """The first bytes of a regular file, up to `limit`.

    Raises OSError with the file's name, and Sorry for anything that is neither a file nor a folder.
    """
    name = os.fspath(path)
    try:
        # Without O_NONBLOCK, opening a pipe would wait for somebody to write to it.
        fd = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError as error:
        if error.errno == errno.ENXIO:  # so a socket is refused
            raise _not_a_file(name, _("a socket or a device")) from error
        raise
    try:
        mode = os.fstat(fd).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
        if not stat.S_ISREG(mode):
            raise _not_a_file(
                name, _(next((kind for holds, kind in _KINDS if holds(mode)), mark("no regular file")))
            )
        with os.fdopen(fd, "rb", closefd=False) as file:
            return file.read(limit)
    except OSError as error:  # unlike opening, reading names no file
        raise OSError(error.errno, error.strerror, name) from error
    finally:
        os.close(fd)


def _not_a_file(name: str, kind: str) -> Sorry:
    return Sorry(
        _(
            "'{name}' is {kind}, and only regular files are read. Save what it gives to a file, and "
            "name that.",
            name=name,
            kind=kind,
        ),
        Exit.DATA,
    )
