"""Figures of a relay in a process of its own: a word through it, a heap of bytes, and many idle pairs."""

from __future__ import annotations

import os
import resource
import secrets
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import perf_counter
from typing import Final

import trio

from benchmarks.measure import Measure, Sampler, exact, rounds, timed
from benchmarks.report import Figure, at_least, at_most, times
from protocol.rendezvous.relay import Role, hello, token_of

LOOPBACK: Final = "127.0.0.1"
ROUNDS: Final = 15
TRIPS: Final = 200
HEAP: Final = 32 * 2**20
IDLE: Final = 1000
_WORD: Final = bytes(range(110))
_WIDE: Final = ("--max-streams", "1000000", "--per-network", "1000000", "--max-rate", "1000000")


@contextmanager
def _process(*words: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
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


def _pair(port: int) -> tuple[socket.socket, socket.socket]:
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


def _word(relay: int, port: int) -> Figure:
    """A word to somebody through the relay and back, against two to a process that does nothing else."""
    with ExitStack() as stack:
        alone, bare = stack.enter_context(_process("-m", "benchmarks.relaying"))
        waiter, caller = (stack.enter_context(end) for end in _pair(port))
        echo = stack.enter_context(_call(bare))
        with _answering(waiter) as answering, _placed(relay, alone.pid, answering):
            value, floor = rounds(ROUNDS, _trip(caller), _trip(echo))
            caller.shutdown(socket.SHUT_RDWR)
    two = Measure(tuple(2 * sample for sample in floor.samples))
    return Figure(
        "a word through a relay and back",
        value,
        lambda seconds: f"{seconds * 1e6:.0f} µs",
        f"2 x there and back {floor.median * 1e6:.0f} = {two.median * 1e6:.0f} µs",
        times(value.over(two), 1.3),
    )


def _heap(port: int) -> Figure:
    """A heap of bytes through the relay."""

    def carry() -> float:
        waiter, caller = _pair(port)
        with waiter, caller:
            began = perf_counter()
            threading.Thread(target=caller.sendall, args=(bytes(HEAP),), daemon=True).start()
            left = HEAP
            while left:
                left -= len(waiter.recv(2**20))
            return perf_counter() - began

    [taken] = rounds(5, carry)
    rate = taken.rate(HEAP / 2**20)
    return Figure(
        "bytes through a relay",
        rate,
        lambda speed: f"{speed:.0f} MiB/s",
        "",
        at_least(rate, 20, "≥ 20 MiB/s, ten pairs at their limit"),
    )


def _idle(process: subprocess.Popen[str], port: int) -> Figure:
    """The memory of a relay for each of many pairs that say nothing."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    before = _resident(process.pid)
    with ExitStack() as stack:
        for _ in range(IDLE):
            for end in _pair(port):
                stack.enter_context(end)
        each = exact((_resident(process.pid) - before) / IDLE)
    return Figure(
        f"memory of a relay, each of {IDLE:,} idle pairs",
        each,
        lambda size: f"{size / 1024:.0f} KiB",
        f"{before / 2**20:.0f} MiB with one",
        at_most(each, 64 * 1024, "≤ 64 KiB"),
    )


def _resident(process: int) -> int:
    pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def figures() -> list[Figure]:
    """All figures of this room."""
    with _process("-m", "cli", "relay", "--port", "0", *_WIDE) as (process, port):
        return [_word(process.pid, port), _heap(port), _idle(process, port)]


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
