"""The program in processes of its own, forked from one that has loaded it: a start takes 10 ms, not 450.

`python -m tests.helpers.machine.forked NUMBER` is that one, the nursery. It loads what players and bots need,
and forks for each request on the socket of this number.  Without a nursery, and for tests of the start,
`subprocess` starts a process.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import json
import os
import random
import runpy
import select
import signal
import socket
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, Final
from unittest.mock import patch

from cli.commands import demo

ROOT: Final = Path(__file__).parents[3]
LOADED: Final = (
    *(
        "cli.shell.parser",
        "cli.menu.entrance",
        "cli.menu.first_screen",
        "cli.commands.learn",
        "cli.commands.play",
        "cli.commands.host",
        "cli.commands.join",
        "cli.commands.resume",
    ),
    *("cli.commands.watch", "cli.play.bots.bot_process", "cli.screen.lobby", "cli.screen.match.application"),
    *("cli.screen.replay.projector", *(f"cli.games.{game}.terminal" for game in ("conquest", "stratego"))),
    *("cli.games.spies_and_lies.terminal", "protocol.audit.verdict"),
)
_MOST: Final = 1 << 16
_nursery: list[socket.socket] = []


@contextmanager
def nursery() -> Iterator[None]:
    """A nursery runs until the end of the block."""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", __name__, str(there.fileno())]
    numbers = [there.fileno()]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, pass_fds=numbers, start_new_session=True
    ):
        there.close()
        _nursery.append(here)
        try:
            yield
        finally:
            _nursery.remove(here)
            here.close()  # which ends it


def ready() -> bool:
    """Whether there is a nursery."""
    return bool(_nursery)


class Forked:
    """A process from the nursery, with as much of `subprocess.Popen` as tests ask for."""

    def __init__(
        self,
        words: Sequence[str],
        streams: Sequence[int],
        environment: Mapping[str, str],
        *,
        session: bool = False,
        terminal: bool = False,
    ) -> None:
        """`words`: a module and its arguments; `streams`: its standard input, output and errors.

        `session`: it leads a session of its own; `terminal`: that is at the terminal of its input.
        """
        answers, status = os.pipe()
        asked = {"words": words, "env": dict(environment), "session": session, "terminal": terminal}
        socket.send_fds(_nursery[-1], [json.dumps(asked).encode()], [*streams, status])
        os.close(status)
        self._told = os.fdopen(answers, "rb", 0)
        self.pid = int(self._line())
        self.returncode: int | None = None

    def _line(self) -> bytes:
        line = b""
        while not line.endswith(b"\n"):
            line += self._told.read(1) or b"\n"
        return line

    def poll(self) -> int | None:
        """The exit code, if it has ended."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """The exit code.  Raises TimeoutExpired."""
        code = self._ended(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return code

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._told], [], [], timeout)[0]:
            self.returncode = int(self._line())
            self._told.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)


class ForkedBot(Forked):
    """A bot's process with three pipes, as `demo` starts it."""

    def __init__(self, command: Sequence[str], *, env: Mapping[str, str], **_pipes: Any) -> None:
        pipes = [os.pipe() for _ in range(3)]
        (inner, ours), (output, out), (errors, err) = pipes
        super().__init__(command[command.index("-m") + 1 :], (inner, out, err), env)
        for descriptor in (inner, out, err):
            os.close(descriptor)
        self.stdin: IO[bytes] = os.fdopen(ours, "wb", 0)
        self.stdout, self.stderr = os.fdopen(output, "rb", 0), os.fdopen(errors, "rb", 0)

    def __enter__(self) -> ForkedBot:
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self.stdin, self.stdout, self.stderr):
            stream.close()
        self.wait()


@contextmanager
def forked_bots() -> Iterator[None]:
    """`demo` takes its bots from the nursery; else each is a fresh Python, with other hashes."""
    with patch.object(demo, "subprocess", SimpleNamespace(Popen=ForkedBot, PIPE=subprocess.PIPE)):
        yield


# In the nursery and its children


def _serve(line: socket.socket) -> dict[str, Any] | None:
    """Fork for each request; in a child the request that it is to obey, in the nursery None at the end."""
    children = set[int]()
    while True:
        data, descriptors, _flags, _address = socket.recv_fds(line, _MOST, 4)
        children -= {child for child in children if os.waitpid(child, os.WNOHANG)[0]}
        if not data:
            for child in children:  # of a test that failed: its program would wait for ever
                os.kill(child, signal.SIGTERM)
                os.waitpid(child, 0)
            return None
        child = os.fork()
        if child == 0:
            line.close()
            return _child(json.loads(data), descriptors)
        children.add(child)
        for descriptor in descriptors:
            os.close(descriptor)


def _child(asked: dict[str, Any], descriptors: Sequence[int]) -> dict[str, Any]:
    """The program's process; its parent, which is no program, tells how it ends."""
    *streams, status = descriptors
    pid = os.fork()
    if pid:
        for descriptor in (0, 1, 2, *streams):  # a pipe or a terminal that it holds would never end
            os.close(descriptor)
        os.write(status, b"%d\n" % pid)
        signal.signal(signal.SIGTERM, lambda _number, _frame: os.kill(pid, signal.SIGKILL))
        _pid, ended = os.waitpid(pid, 0)
        os.write(status, b"%d\n" % os.waitstatus_to_exitcode(ended))
        os.kill(os.getpid(), signal.SIGKILL)  # at once: what its own end would flush is the nursery's
    os.close(status)
    if asked["session"]:
        os.setsid()
    if asked["terminal"]:
        fcntl.ioctl(streams[0], termios.TIOCSCTTY, 0)
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
    for descriptor in {*streams} - {0, 1, 2}:
        os.close(descriptor)
    return asked


def _become(asked: dict[str, Any]) -> None:
    """Run the module as a fresh Python would."""
    os.environ.clear()
    os.environ.update(asked["env"])
    random.seed()
    whole = bool(os.environ.get("PYTHONUNBUFFERED"))
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    for name, number, errors in (("stdout", 1, "strict"), ("stderr", 2, "backslashreplace")):
        stream = open(number, "w", 1, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115
        stream.reconfigure(write_through=whole, line_buffering=whole or stream.isatty() or number == 2)
        setattr(sys, name, stream)
    module, *arguments = asked["words"]
    if not hasattr(sys.modules.get(module), "__path__"):
        sys.modules.pop(module, None)  # it is run anew, as the main one
    sys.argv[1:] = arguments
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    for entry in LOADED:
        importlib.import_module(entry)
    gc.freeze()
    wanted = _serve(socket.socket(fileno=int(sys.argv[1])))
    if wanted is not None:
        _become(wanted)
