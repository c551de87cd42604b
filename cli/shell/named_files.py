"""Files that a person names: regular ones are read, up to a limit, and new ones are written.

A pipe, a socket or a device would wait for ever, or never end (threat 47).
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, Final

from cli.shell.exit_codes import Exit, Sorry
from p2p_stratego.core.language import _, mark

_KINDS: Final = (
    (stat.S_ISFIFO, mark("a pipe")),
    (stat.S_ISSOCK, mark("a socket")),
    (stat.S_ISCHR, mark("a device")),
    (stat.S_ISBLK, mark("a device")),
)

SYSTEM: Final[dict[int, tuple[str, Exit]]] = {
    errno.ENOENT: (mark("There is no {name}. Check the path."), Exit.IO),
    errno.EEXIST: (
        mark("{Name} is there already, and nothing is overwritten. Choose another name."),
        Exit.IO,
    ),
    errno.EISDIR: (mark("{Name} is a folder, and a file is needed here. Name a file in it."), Exit.IO),
    errno.ENOTDIR: (
        mark("{Name} is not in a folder: something on its path is a file. Check the path."),
        Exit.IO,
    ),
    errno.EACCES: (
        mark(
            "{Name} may not be opened or changed by this user. Change its permissions, or use another place: "
            "for the home folder with --home DIR."
        ),
        Exit.IO,
    ),
    errno.EPERM: (
        mark(
            "{Name} may not be changed by this user. Change its permissions, or use another place: "
            "for the home "
            "folder with --home DIR."
        ),
        Exit.IO,
    ),
    errno.EROFS: (
        mark("{Name} is on a read-only disk. Choose another place, for the home folder with --home DIR."),
        Exit.IO,
    ),
    errno.ENOSPC: (
        mark("The disk of {name} is full. Make room and try again; what was saved is intact."),
        Exit.IO,
    ),
    errno.EDQUOT: (
        mark("The quota for {name} is used up. Make room and try again; what was saved is intact."),
        Exit.IO,
    ),
    errno.EFBIG: (
        mark("{Name} may not grow. Lift that limit and try again; what was saved is intact."),
        Exit.IO,
    ),
    errno.EIO: (
        mark(
            "The disk failed at {name}. Nothing more is written; copy the folder to another disk "
            "before trying "
            "again."
        ),
        Exit.IO,
    ),
    errno.ELOOP: (
        mark("{Name} is a symbolic link, which is not followed here. Name the real file."),
        Exit.IO,
    ),
    errno.ENAMETOOLONG: (mark("The name of {name} is too long. Choose a shorter one."), Exit.IO),
    errno.EMFILE: (mark("Too many files are open. Close some programs and try again."), Exit.IO),
    errno.EADDRINUSE: (
        mark("The port is already in use. Choose another one with --port N, or --port 0 for any."),
        Exit.UNREACHABLE,
    ),
    errno.EADDRNOTAVAIL: (
        mark("This machine does not have that address. Choose one that it has, or leave it out."),
        Exit.UNREACHABLE,
    ),
    errno.ECONNREFUSED: (
        mark("Nobody answers at the address of the invite. Ask whether your opponent still waits."),
        Exit.UNREACHABLE,
    ),
    errno.ECONNRESET: (
        mark("The other side closed the connection; what was saved is intact. Go on with the game later."),
        Exit.UNREACHABLE,
    ),
    errno.ETIMEDOUT: (
        mark("The other side did not answer in time. Check the address and the network between you."),
        Exit.UNREACHABLE,
    ),
    errno.EHOSTUNREACH: (
        mark("There is no way to that address. Check the address and the network."),
        Exit.UNREACHABLE,
    ),
    errno.ENETUNREACH: (
        mark("There is no way to that network. Check that this machine is online."),
        Exit.UNREACHABLE,
    ),
}
"""By error number: what happened and what to do, with `{name}`, and the exit code."""


def read_file(path: str | os.PathLike[str], limit: int) -> bytes:
    """The first bytes of a regular file, up to `limit`.  Raises the same as `opened`."""
    with opened(path) as file:
        return file.read(limit)


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A regular file, to be read.

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
            yield file
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


def of_system(error: OSError) -> tuple[str, Exit]:
    """The sentence and the exit code for a refusal of the system."""
    path = os.fspath(error.filename) if isinstance(error.filename, str | bytes | os.PathLike) else None
    name = f"'{os.fsdecode(path)}'" if path is not None else _("the file in use")
    if error.errno in SYSTEM:
        text, code = SYSTEM[error.errno]
        return about(text, name), code
    reason = (error.strerror or type(error).__name__).rstrip(".")
    if path is not None:
        words = _("The system refused: {reason} ({name}). Mend that and try again.", reason=reason, name=name)
    else:
        words = _("The system refused: {reason}. Mend that and try again.", reason=reason)
    return words, Exit.IO


def about(text: str, name: str) -> str:
    """A sentence of SYSTEM about the file or folder `name`."""
    return _(text, name=name, Name=name[0].upper() + name[1:])


def write_new(path: str | os.PathLike[str], data: bytes) -> None:
    """Write `data` into a file that is not there yet.

    Raises OSError with its name: EISDIR for a folder; with that of its folder: ENOENT if this is missing.
    """
    name = os.fspath(path)
    folder = os.path.dirname(name)
    if folder and not os.path.lexists(folder):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), folder)
    if os.path.isdir(name):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
    with open(name, "xb") as file:
        file.write(data)
