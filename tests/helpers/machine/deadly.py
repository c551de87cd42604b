"""Work for other processes, some of which kills them.  It imports little, so that they start soon."""

from __future__ import annotations

import os
import signal


def double(item: int, *, fatal: tuple[int, ...]) -> int:
    """The work of a process that the system kills over some items."""
    if item in fatal:
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * item


def stumble(item: int) -> int:
    """Work with a bug."""
    return 1 // (item - 3)
