"""The life of one process: what it does, step by step, until it ends or dies.

Tasks carry their life as a context variable, so that each call of the system finds the process that made it.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final

import trio

LIFE: Final[ContextVar[Life]] = ContextVar("LIFE")
"""The process whose task runs."""


ERRORS: Final = {
    "mkdir": ("ENOSPC", "EACCES", "EROFS", "EIO"),
    "open": ("EACCES", "EMFILE", "EIO"),
    "create": ("ENOSPC", "EACCES", "EROFS", "EMFILE", "EIO"),
    "stat": ("EACCES", "EIO"),
    "statvfs": ("EIO",),
    "listdir": ("EIO",),
    "read": ("EIO",),
    "write": ("ENOSPC", "EIO"),
    "truncate": ("EIO",),
    "sync": ("ENOSPC", "EIO"),
    "sync names": ("EIO",),
    "unlink": ("EACCES", "EROFS", "EIO"),
    "rmdir": ("EACCES", "EROFS", "EIO"),
    "rename": ("ENOSPC", "EACCES", "EROFS", "EIO"),
    "lock": ("ENOLCK", "EIO"),
    "listen": ("EADDRINUSE", "EACCES", "EMFILE"),
    "accept": ("ECONNABORTED", "EMFILE"),
    "connect": ("ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EHOSTUNREACH", "EMFILE"),
    "send": ("ECONNRESET", "EPIPE", "ETIMEDOUT"),
    "receive": ("ECONNRESET", "ETIMEDOUT"),
}
"""By kind of call, the errors that it can have.  EINTR is none: Python makes such a call again (PEP 475)."""


class Killed(BaseException):
    """A call of the system by a process that is dead, or that dies in this call."""


@dataclass(frozen=True, slots=True)
class Misfortune:
    """What happens to one process.

    `what`: "kill" (at a step of a task), "kill before", "kill after" (a call of the system), "short writes",
    or the name of an error number; `at`: the number of that step or call, counted from 1, where an error
    meets the next call that can have it; `power`: whether the machine loses its power with the process;
    `lasts`: whether all later calls that can have the error fail, too.
    """

    what: str
    at: int
    power: bool = False
    lasts: bool = False


@dataclass
class Life:
    """One process.  `name`: of its player, or "relay"; `number`: of this start of it, from 1."""

    name: str
    number: int
    misfortune: Misfortune | None = None
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    steps: int = 0
    """Steps of its tasks."""
    calls: list[str] = field(default_factory=list)
    """The calls of the system that can fail, by kind."""
    dead: bool = False
    on_death: Callable[[Life], None] = lambda _: None
    note: Callable[..., None] = lambda *_: None
    """Takes what it does, for the log of the world."""
    clock: Callable[[], float] = lambda: 0.0
    """Its clock on the wall: Unix seconds."""
    _failed: bool = False
    """Whether a call has failed."""

    def die(self) -> None:
        """kill -9: from now on nothing that its tasks do has an effect."""
        if not self.dead:
            self.dead = True
            self.note("dies", self.steps, len(self.calls))
            self.on_death(self)
            self.scope.cancel()

    def step(self) -> None:
        """One of its tasks has gone on as far as it could."""
        self.steps += 1
        if self._due("kill", self.steps):
            self.die()

    def call(self, kind: str, *about: object) -> None:
        """A call of the system begins.  Raises OSError where it fails, Killed where the process dies."""
        if self.dead:
            raise Killed
        self.calls.append(kind)
        self.note(kind, *about)
        misfortune = self.misfortune
        if misfortune is None:
            return
        if self._due("kill before", len(self.calls)):
            self.die()
            raise Killed
        if (
            misfortune.what in ERRORS[kind]
            and len(self.calls) >= misfortune.at
            and (misfortune.lasts or not self._failed)
        ):
            self._failed = True
            self.note("fails", misfortune.what)
            number = getattr(errno, misfortune.what)
            raise OSError(number, os.strerror(number))

    def done(self) -> None:
        """The call that began last has had its effect."""
        if self._due("kill after", len(self.calls)):
            self.die()
            raise Killed

    def _due(self, what: str, at: int) -> bool:
        misfortune = self.misfortune
        return misfortune is not None and misfortune.what == what and misfortune.at == at
