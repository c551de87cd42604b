"""A friend, a returning player and a running match, while others connect and say nothing (threat 107).

`python -m tests.campaigns.flood --rate 3000 --seconds 8`: on loopback alone.  A process of its own connects
so often from 127.0.0.2; players call from 127.0.0.1.  Everything is measured without it, too, in the same
run.  Exits with 1 if a friend does not come in, or a player does not come back.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

import trio

from protocol.channel import tls
from protocol.errors import Refusal
from protocol.failures import Failure
from protocol.lobby.handshake import Terms
from protocol.network.guest import visit
from protocol.network.host import listen
from protocol.network.peer import Peer
from tests.helpers.games.toy import TOY
from tests.helpers.links.lobbies import NAMES, toy_owner
from tests.helpers.links.peers import LOOPBACK, Bot, here, owner, running, seated
from tests.helpers.machine import homes

CROWD: Final = "127.0.0.2"
HELD: Final = 200
"""Connections that the crowd keeps open at one time."""
WITHIN: Final = 10.0
"""Seconds for a friend to come in, and for a player to come back."""
PLAYED: Final = 40
"""Records of a match."""


def crowd(port: int, rate: float, seconds: float) -> int:
    """Connect `rate` times a second from CROWD and keep silent; returns how often."""
    held: list[socket.socket] = []
    began, count = time.monotonic(), 0
    while count < rate * seconds and time.monotonic() < began + seconds:
        end = socket.socket()
        end.setblocking(False)
        with suppress(OSError):
            end.bind((CROWD, 0))
            end.connect((LOOPBACK, port))
        held.append(end)
        count += 1
        if len(held) > HELD:
            held.pop(0).close()
        if (pause := began + count / rate - time.monotonic()) > 0:
            time.sleep(pause)
    return count


@contextmanager
def crowded(port: int, rate: float, seconds: float) -> Iterator[None]:
    """Another process is the crowd meanwhile; rate 0: there is none."""
    if not rate:
        yield
        return
    line = [sys.executable, "-m", __spec__.name, "--crowd", str(port)]
    process = subprocess.Popen(
        [*line, "--rate", str(rate), "--seconds", str(seconds)], stdout=subprocess.PIPE, text=True
    )
    time.sleep(0.5)  # for the process to start
    try:
        yield
    finally:
        print("   ", process.communicate()[0].strip())


async def friends(path: Path, rate: float, seconds: float) -> list[float]:
    """How many seconds two friends take to come in; fewer of them if one does not."""
    came = []
    owners = [toy_owner(path / name, name) for name in NAMES[:3]]
    async with trio.open_nursery() as nursery:
        host = await listen(nursery, owners[0], tls.make(), interfaces=[LOOPBACK])
        invite = host.invite(here(host), uses=2)
        host.open(Terms(TOY, TOY.options({}), 3))
        with crowded(host.desk.port, rate, seconds):
            await trio.sleep(1.0)
            for guest in owners[1:]:
                began = time.monotonic()
                with suppress(Failure, Refusal, trio.TooSlowError), trio.fail_after(WITHIN):
                    await visit(nursery, guest, invite)
                    came.append(time.monotonic() - began)
        nursery.cancel_scope.cancel()
    return came


def has_played(peer: Peer, records: int) -> bool:
    """Whether the match has so many records, or is over."""
    return len(peer.replica.session.referee.record) >= records or peer.replica.finished


async def cut(peer: Peer) -> None:
    """End all links of a peer without a word, and return once it knows."""
    for talk in peer.active.values():
        await trio.aclose_forcefully(talk.link.stream)
    while peer.replica.connected:
        await trio.sleep(0.001)


async def match(path: Path, rate: float, seconds: float) -> tuple[float, float, float | None]:
    """Records a second of a match between two bots, milliseconds of CPU for each, crowd included, and the
    seconds that the guest takes to come back.
    """
    async with seated(owner(path / "ada", "Ada"), owner(path / "ben", "Ben")) as table:
        host, guest = table.peers
        table.host.show(host)
        async with running(host, guest):
            with crowded(table.host.desk.port, rate, seconds):
                await trio.sleep(0.5)
                began, back = time.monotonic(), None
                with trio.move_on_after(WITHIN):
                    await cut(guest)
                    while not guest.replica.connected:
                        await trio.sleep(0.005)
                    back = time.monotonic() - began
                began, used = time.monotonic(), time.process_time()
                before = len(host.replica.session.referee.record)
                enough = partial(has_played, host, before + PLAYED)
                async with trio.open_nursery() as playing:
                    for peer in table.peers:
                        playing.start_soon(Bot(peer, peer.replica.seat).play, enough)
                played = len(host.replica.session.referee.record) - before
                pace = played / (time.monotonic() - began)
                work = 1000 * (time.process_time() - used) / max(1, played)
    return pace, work, back


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=float, default=3000.0, help="connections a second")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--crowd", type=int, metavar="PORT", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.crowd:
        print(f"{crowd(given.crowd, given.rate, given.seconds)} connections from {CROWD}")
        return 0
    kept = True
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for rate in (0.0, given.rate):
        with tempfile.TemporaryDirectory() as folder, homes.TEST:
            came = trio.run(friends, Path(folder) / "friends", rate, given.seconds)
            pace, work, back = trio.run(match, Path(folder) / "match", rate, given.seconds)
        kept = kept and len(came) == 2 and back is not None
        times = ", ".join(f"{seconds:.2f} s" for seconds in came) or "not at all"
        again = "not at all" if back is None else f"{back:.2f} s"
        print(
            f"{rate:5.0f} a second: friends came in {times}; {pace:.0f} records a second, "
            f"{work:.1f} ms of CPU each; back after {again}"
        )
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
