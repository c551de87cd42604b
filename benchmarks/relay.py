"""Figures of a relay in a process of its own: a word through it, and many idle pairs."""

from __future__ import annotations

import os
import resource
import secrets
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import trio

from benchmarks.measure import Floor, Missing, Sampler, Taken, exact, rounds, timed
from benchmarks.report import summed
from protocol.rendezvous.relay_switchboard import Role, hello, token_of

LOOPBACK: Final = "127.0.0.1"
ROUNDS: Final = 15
TRIPS: Final = 200
IDLE: Final = 1000
_WORD: Final = bytes(range(110))
WIDE: Final = ("--max-streams", "1000000", "--per-network", "1000000", "--max-rate", "1000000")


@contextmanager
def listening_process(*words: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A process of Python that prints its port at the end of a line, behind a colon."""
    with subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            ends = (line.rsplit(":", 1)[-1].strip() for line in process.stdout)
            yield process, int(next(end for end in ends if end.isdigit()))
        finally:
            process.terminate()


def _call(port: int) -> socket.socket:
    end = socket.create_connection((LOOPBACK, port))
    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return end


def joined_pair(port: int) -> tuple[socket.socket, socket.socket]:
    """Two that the relay at `port` has joined."""
    secret = secrets.token_bytes(16)
    waiter, caller = _call(port), _call(port)
    waiter.sendall(hello(Role.WAIT, secret))
    waiter.recv(1)
    caller.sendall(hello(Role.CALL, token_of(secret)))
    waiter.recv(1)
    caller.recv(1)
    return waiter, caller


@contextmanager
def _answering(end: socket.socket) -> Iterator[int]:
    """A process that sends back all that comes on `end`, until that ends; its number."""
    child = os.fork()
    if not child:
        while data := end.recv(1024):
            end.sendall(data)
        os._exit(0)
    yield child
    os.waitpid(child, 0)


def _trip(end: socket.socket) -> Sampler:
    def there_and_back() -> None:
        end.sendall(_WORD)
        left = len(_WORD)
        while left:
            left -= len(end.recv(left))

    return timed(there_and_back, TRIPS)


@contextmanager
def _placed(*helpers: int) -> Iterator[None]:
    """This process on one core, and those that help it on another: else a system with few of them moves the
    processes about while they wait for each other, and a trip takes up to twice as long as the one before.
    """
    every = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if len(every) < 2:
        yield
        return
    for helper in helpers:
        os.sched_setaffinity(helper, {every[1]})
    os.sched_setaffinity(0, {every[0]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, set(every))


@contextmanager
def _relay() -> Iterator[tuple[subprocess.Popen[str], int]]:
    with listening_process("-m", "cli", "relay", "--port", "0", *WIDE) as relay:
        yield relay


def word() -> Taken:
    """A word to somebody through the relay and back, beside two to a process that does nothing else."""
    with ExitStack() as stack:
        relay, port = stack.enter_context(_relay())
        alone, bare = stack.enter_context(listening_process("-m", "benchmarks.relay"))
        waiter, caller = (stack.enter_context(end) for end in joined_pair(port))
        echo = stack.enter_context(_call(bare))
        with _answering(waiter) as answering, _placed(relay.pid, alone.pid, answering):
            value, floor = rounds(ROUNDS, _trip(caller), _trip(echo))
            caller.shutdown(socket.SHUT_RDWR)
    return Taken(value, summed({"there and back": (2, floor)}))


def idle() -> Taken:
    """The memory of a relay for each of many silent pairs, beside that of an echo for two streams."""
    if not Path("/proc/self/statm").exists():
        raise Missing("The system does not tell how much memory another process has.")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with _relay() as (process, port), listening_process("-m", "benchmarks.relay") as (alone, bare):
        memory = _growth(process.pid, lambda: joined_pair(port))
        floor = _growth(alone.pid, lambda: (_answered(bare), _answered(bare)))
    return Taken(exact(memory), Floor("two bare streams", exact(floor)))


def _answered(port: int) -> socket.socket:
    end = _call(port)
    end.sendall(b".")
    end.recv(1)
    return end


def _growth(process: int, pair: Callable[[], tuple[socket.socket, socket.socket]]) -> float:
    """The bytes of memory by which a process grows for each of many pairs of streams."""
    with ExitStack() as stack:
        for end in pair():
            stack.enter_context(end)
        before = _resident(process)
        for _ in range(IDLE):
            for end in pair():
                stack.enter_context(end)
        return (_resident(process) - before) / IDLE


def _resident(process: int) -> int:
    pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


async def _echo() -> None:
    """Send every word back, over the same event loop as a relay's."""

    async def answer(stream: trio.SocketStream) -> None:
        while data := await stream.receive_some(16 * 1024):
            await stream.send_all(data)

    listeners = await trio.open_tcp_listeners(0, host=LOOPBACK)
    print(f"port:{listeners[0].socket.getsockname()[1]}", flush=True)
    await trio.serve_listeners(answer, listeners)


if __name__ == "__main__":
    trio.run(_echo)
