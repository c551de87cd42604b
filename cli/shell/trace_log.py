"""The trace for developers and reports of bugs: one line an event, in a file for its owner only.

    1042 2711 frame way=out kind=entry size=171

Milliseconds on a monotonic clock since the log was opened, the process, the event, its fields.  `_safe` lets
only numbers and short names into a line (threat 38).  A log that fails is given up, and the game goes on.
"""

from __future__ import annotations

import errno
import os
import platform
import re
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from cli.shell.version import program_version

VARIABLE: Final = "P2P_STRATEGO_LOG"
_SHORT: Final = re.compile(r"[\w.:-]{1,40}", re.ASCII)
_FLAGS: Final = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class TraceLog:
    """A Trace (`protocol.trace`) that writes lines."""

    def __init__(self, fd: int) -> None:
        """Takes over `fd`, open for appending."""
        self._fd = fd
        self._began = time.monotonic_ns()
        self._process = os.getpid()

    def __call__(self, event: str, /, **fields: int | str) -> None:
        """Write one event, in one call of the system: two processes can share a file."""
        if self._fd < 0:
            return
        since = (time.monotonic_ns() - self._began) // 1_000_000
        shown = "".join(f" {name}={_safe(value)}" for name, value in fields.items())
        line = f"{since} {self._process} {_safe(event)}{shown}\n".encode("ascii", errors="replace")
        try:
            os.write(self._fd, line)
        except OSError:
            self.close()

    def close(self) -> None:
        """Let go of the file; closing twice does no harm."""
        if self._fd >= 0:
            with suppress(OSError):
                os.close(self._fd)
            self._fd = -1


def _safe(value: object) -> str:
    text = str(value)
    return text if _SHORT.fullmatch(text) else "?"


def _open(path: Path) -> int:
    """A new file 0600 at `path`, or the one there to append to.  Raises OSError.

    An older file must be a regular one, ours, and under no other name: a link that somebody left in a
    shared folder would lead the trace elsewhere (threat 36).
    """
    with suppress(FileExistsError):
        return os.open(path, _FLAGS | os.O_CREAT | os.O_EXCL, 0o600)
    fd = os.open(path, _FLAGS)
    status = os.fstat(fd)
    if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid() or status.st_nlink != 1:
        os.close(fd)
        raise OSError(errno.EPERM, os.strerror(errno.EPERM), str(path))
    os.fchmod(fd, 0o600)
    return fd


@contextmanager
def tracing(given: Path | None) -> Iterator[TraceLog | None]:
    """The log that --log (`given`) or the environment names, or None; closed behind the block.

    Raises OSError for a file that cannot be used.
    """
    named = os.environ.get(VARIABLE)
    path = given or (Path(named) if named else None)
    if path is None:
        yield None
        return
    log = TraceLog(_open(path.expanduser()))
    version = program_version().rpartition(" ")[2].strip("()")
    log("start", version=version, python=platform.python_version(), system=platform.system())
    try:
        yield log
    except BaseException as error:
        for leaf in _leaves(error):
            log("error", why=type(leaf).__name__)
        raise
    finally:
        log.close()


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for member in error.exceptions:
            yield from _leaves(member)
    else:
        yield error
