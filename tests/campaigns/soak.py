"""What a long run holds on to: memory, descriptors and tasks (`python -m tests.campaigns.soak`).

`matches`: so many matches between two processes, over TLS on loopback, one behind the other; `relay`: a relay
with so many pairs that talk, leave and come again, for so many minutes; `wait`: a day at a standing door,
by a clock that jumps, with a stranger every minute who calls and says nothing, or rubbish.

Memory is what a process holds of its own and its share of what it has in common with others (PSS), behind a
collection and with free pages given back: what is left when nothing is going on.  RSS would count pages that
are free.  Exits with 1 if the last quarter holds over a hundredth more than the first one behind the
warm-up, or a descriptor or task more.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import median
from typing import IO, Any, Final, NamedTuple, cast

import trio
import trio.testing

from benchmarks.relay import WIDE, joined_pair, listening_process
from cli.play.arriving import friends
from p2p_stratego.core.game import Game, Options
from p2p_stratego.registry import GAMES
from protocol.channel import tls
from protocol.lobby.handshake import Terms
from protocol.network.guest import join
from protocol.network.host import listen
from protocol.network.peer import Peer
from protocol.rendezvous import invite as invites
from protocol.storage.home import Home, Owner
from tests.helpers.games.cups import CUPS
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.links.peers import LOOPBACK, Bot, here, running, yes
from tests.helpers.machine.homes import MEMORY
from tests.helpers.program.playing import arguments, lines, play_session, seen

WARM: Final = 0.2
"""The part of a run in which caches fill, code is compiled, and pools get their threads."""
GROWTH: Final = 0.01
SAMPLES: Final = 60
_TOY: Final[Options] = {"rounds": 1, "claims": "yes", "looks": "yes"}
SHORT: Final[tuple[tuple[Game[Any], Options, bool], ...]] = (
    (TOY, _TOY, False),
    (TOY, _TOY, False),
    (TOY, _TOY, True),
    (GAMES["spies-and-lies"], {"wall": 2}, False),
    (GAMES["stratego"], {"army": "duel", "quiet": 6}, False),
    (GAMES["conquest"], {"rounds": 1}, False),
    (CUPS, {}, True),
)
"""The matches, in turn."""
_PSS: Final = re.compile(rb"^Pss: +(\d+) kB", re.MULTILINE)
_HOURS: Final = 24
_RUBBISH: Final = bytes(range(256)) * 8


class Held(NamedTuple):
    """What a process holds."""

    memory: int
    """KiB."""
    descriptors: int
    tasks: int


def of_process(pid: int, tasks: int = 0) -> Held:
    """What a process holds, as the system tells it."""
    folder = Path(f"/proc/{pid}")
    hit = _PSS.search((folder / "smaps_rollup").read_bytes())
    if hit is None:
        raise RuntimeError("the system does not tell a process's share of memory")
    return Held(int(hit[1]), len(os.listdir(folder / "fd")), tasks)


def held() -> Held:
    """What this process holds, while nothing is going on."""
    gc.collect()
    with suppress(AttributeError):  # a C library that keeps no free pages
        ctypes.CDLL(None).malloc_trim(0)
    return of_process(os.getpid(), trio.lowlevel.current_statistics().tasks_living)


def judged(name: str, samples: Sequence[Held]) -> bool:
    """Whether a run holds no more at its end than behind its warm-up; prints both."""
    warm = samples[int(len(samples) * WARM) :]
    part = max(1, len(warm) // 4)
    first, last = (
        Held(*(median(getattr(sample, field) for sample in some) for field in Held._fields))
        for some in (warm[:part], warm[-part:])
    )
    growth = last.memory / first.memory - 1
    more = last.descriptors > first.descriptors or last.tasks > first.tasks
    print(
        f"{name}: {first.memory:,.0f} KiB behind the warm-up, {last.memory:,.0f} at the end ({growth:+.2%});",
        f"{first.descriptors:.0f} and {last.descriptors:.0f} descriptors,",
        f"{first.tasks:.0f} and {last.tasks:.0f} tasks",
        flush=True,
    )
    return growth <= GROWTH and not more


# Matches


def _is_over(peer: Peer) -> bool:
    return peer.replica.finished


async def _matches(folder: Path, count: int, say: Callable[[str], None] | None) -> list[Held]:
    """One of two players: the host says the invites, the guest reads them."""
    games = {**GAMES, TOY.name: TOY, CUPS.name: CUPS}
    name = "Ben" if say is None else "Ada"
    samples = []
    with Home(folder / name) as home:
        own = Owner(home, home.identity(), name, games)
        certificate = tls.make()
        for number in range(count):
            game, options, proofs = SHORT[number % len(SHORT)]
            with trio.fail_after(300):
                async with trio.open_nursery() as nursery:
                    if say is None:
                        word = await trio.to_thread.run_sync(sys.stdin.readline)
                        peer = await join(nursery, own, invites.read(word.strip()), yes)
                    else:
                        host = await listen(nursery, own, certificate, interfaces=[LOOPBACK])
                        say(invites.write(host.invite(here(host))))
                        peer = await host.meet(Terms(game, game.options(options), proofs=proofs), yes)
                    async with running(peer):
                        await Bot(peer, number, decide=honest).play(partial(_is_over, peer))
                    nursery.cancel_scope.cancel()
            if number % max(1, count // SAMPLES) == 0:
                await trio.sleep(0.1)  # threads that end take a moment
                samples.append(held())
    return samples


def guest(folder: Path, count: int) -> bool:
    """The other process, which reads the invites."""
    return judged("The guest", trio.run(_matches, folder, count, None))


def matches(folder: Path, count: int) -> bool:
    """Two processes play."""
    command = [sys.executable, "-m", __spec__.name, "guest", "--count", str(count), "--folder", str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, text=True) as other:
        words = cast("IO[str]", other.stdin)
        samples = trio.run(_matches, folder, count, partial(print, file=words, flush=True))
    return judged("The host", samples) and other.returncode == 0


# A relay


def relay(pairs: int, minutes: float) -> bool:
    """A relay in a process of its own; every pair says a word in each round, and each tenth is made anew."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    samples: list[Held] = []
    with listening_process("-m", "cli", "relay", "--port", "0", *WIDE) as (running_one, port):
        before = of_process(running_one.pid).descriptors
        joined = [joined_pair(port) for _ in range(pairs)]
        rounds, lost, until = 0, 0, time.monotonic() + 60 * minutes
        while time.monotonic() < until:
            for number, (waiter, caller) in enumerate(joined):
                cut = not _exchange(waiter, caller)
                lost += cut
                if cut or number % 10 == rounds % 10:
                    waiter.close()
                    caller.close()
                    joined[number] = joined_pair(port)
            rounds += 1
            time.sleep(min(10.0, 15 * minutes / SAMPLES))
            samples.append(of_process(running_one.pid))
        for ends in joined:
            for end in ends:
                end.close()
        time.sleep(2)
        after = of_process(running_one.pid).descriptors
    good = judged(f"A relay with {pairs} pairs, {rounds} rounds, {lost} pairs cut", samples)
    print(f"Descriptors before the first pair {before}, behind the last one {after}.")
    return good and after <= before


def _exchange(near: socket.socket, other: socket.socket) -> bool:
    """A word there and one back; whether both came: a relay cuts two that are silent for long."""
    try:
        for speaker, hearer in ((near, other), (other, near)):
            speaker.sendall(b"word")
            if hearer.recv(4, socket.MSG_WAITALL) != b"word":
                return False
    except ConnectionError:
        return False
    return True


# A standing door


async def _day(folder: Path) -> list[Held]:
    samples = []
    waiting = play_session(folder / "home", lines(), name="Ada")
    port = waiting.home.doorstep().port
    async with trio.open_nursery() as nursery:
        nursery.start_soon(
            friends.wait_for_friends, arguments("wait", "--address", LOOPBACK, "--no-upnp"), waiting
        )
        await seen(waiting, "may ask you|Nobody may ask")
        for minute in range(60 * _HOURS):
            nursery.start_soon(_stranger, port, minute)
            await trio.sleep(60)
            if minute % 30 == 29:
                samples.append(held())
        nursery.cancel_scope.cancel()
    waiting.home.close()
    return samples


async def _stranger(port: int, number: int) -> None:
    """One that calls and says nothing, or rubbish, until it is put out."""
    with suppress(OSError, trio.BrokenResourceError):
        stream = await trio.open_tcp_stream(LOOPBACK, port)
        async with stream:
            if number % 2:
                await stream.send_all(_RUBBISH)
            while await stream.receive_some(1024):
                continue


def day(folder: Path) -> bool:
    """A day of `wait`, in some minutes."""
    return judged(
        "A day of wait", trio.run(_day, folder, clock=trio.testing.MockClock(autojump_threshold=0.002))
    )


def main(given: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.soak")
    parser.add_argument("part", choices=("matches", "guest", "relay", "wait"))
    parser.add_argument("--count", type=int, default=100, help="matches, or pairs of the relay")
    parser.add_argument("--minutes", type=float, default=2.0, help="of the relay")
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    wanted = parser.parse_args(given)
    if wanted.part == "guest":
        return int(not guest(wanted.folder, wanted.count))
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        parts = {
            "matches": partial(matches, Path(name), wanted.count),
            "relay": partial(relay, wanted.count, wanted.minutes),
            "wait": partial(day, Path(name)),
        }
        return int(not parts[wanted.part]())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
