"""Figures of matches over the network: a guess, the way into a match, what gossip adds, and a demo of four.

All goes over TLS on loopback, and is synced to disk at every seat.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from itertools import combinations, count
from pathlib import Path
from time import perf_counter
from typing import Any, Final, TypeAlias

import trio

from benchmarks import floors
from benchmarks.measure import Floor, Measure, Sampler, Taken, exact, rounds, timed
from benchmarks.report import summed
from p2p_stratego.core.game import Choose, Game, Open
from p2p_stratego.registry import GAMES, make_bot
from protocol.channel import tls
from protocol.limits import CODE_LIFETIME
from protocol.lobby.code_exchange import OpenCode
from protocol.lobby.handshake import Terms
from protocol.network.guest import join, visit_by_code
from protocol.network.host import Host, listen
from protocol.network.link import Link, TLSStream
from protocol.network.peer import Peer
from protocol.network.transport.relay_server import Relay
from protocol.record.asks.base import Answered
from protocol.rendezvous.relay_switchboard import Limits
from protocol.rendezvous.short_code import new_code
from protocol.storage.home import Home, Owner
from protocol.wire.addresses import Endpoint, Numbered
from tests.helpers.links.gossiping import Gossiping

LOOPBACK: Final = "127.0.0.1"
GAME: Final = GAMES["spies-and-lies"]
GUESSED: Final = 12
"""Matches in which guesses are measured."""
JOINED: Final = 9
SYNCED: Final = 14
"""Both seats keep their secrets, the genesis, two AGREEs, two shares of a die, and a move."""
GOSSIPING: Final = 5
"""Seats, each linked to each."""
SEATS: Final = 4
SEEDS: Final = (1, 2, 3)
"""Of the demos: with a seed the bots play the same match each time."""
PLAYER: Final = "cli.play.bots.bot_process"
"""What each player of a demo is."""


@contextmanager
def owners(
    folder: Path, seats: int = 2, games: Mapping[str, Game[Any]] = GAMES, workers: int = 0
) -> Iterator[list[Owner]]:
    """Players with a home folder each."""
    with ExitStack() as stack:
        homes = [stack.enter_context(Home(folder / str(seat))) for seat in range(seats)]
        yield [
            Owner(home, home.identity(), f"seat {seat}", games, workers=workers)
            for seat, home in enumerate(homes)
        ]


async def handshake(certificate: tls.Certificate) -> list[TLSStream]:
    """Both ends of a TLS connection."""
    [listener] = await trio.open_tcp_listeners(0, host=LOOPBACK)
    async with listener:
        here = await trio.open_tcp_stream(LOOPBACK, listener.socket.getsockname()[1])
        there = await listener.accept()
    ends = [
        TLSStream(here, tls.TLSSession(tls.joining_context(), hosting=False), here),
        TLSStream(there, tls.TLSSession(certificate.context(), hosting=True), there),
    ]
    async with trio.open_nursery() as shaking:
        for end in ends:
            shaking.start_soon(end.do_handshake)
    return ends


async def linked(nursery: trio.Nursery, certificate: tls.Certificate) -> list[Link]:
    """Both ends of a running link between two seats of this process."""
    links = [Link(end) for end in await handshake(certificate)]
    for link in links:
        link.trust()
        nursery.start_soon(link.run)
    return links


async def _yes(_: object) -> bool:
    return True


# A guess: from the decision to the opened card back at it


def guess() -> Taken:
    """The median guess of each match, beside the trip, signature, check and sync of two entries."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        seeds = count()
        value, *parts = rounds(
            GUESSED,
            lambda: trio.run(_guesses, folder, next(seeds)),
            stack.enter_context(floors.one_way_trip()),
            floors.signature(),
            floors.verification(),
            stack.enter_context(floors.sync(str(folder))),
        )
    names = ("trip", "sign", "verify", "sync")
    return Taken(value, summed({name: (2, part) for name, part in zip(names, parts, strict=True)}))


async def _guesses(folder: Path, seed: int) -> float:
    """Seconds of the median guess of one match between two bots."""
    with owners(folder / str(seed)) as (owner, other):
        async with trio.open_nursery() as nursery:
            host = await listen(nursery, owner, tls.make(), interfaces=[LOOPBACK])
            invite = host.invite([Endpoint(LOOPBACK, host.desk.port)])
            peers: list[Peer] = []

            async def come() -> None:
                peers.append(await join(nursery, other, invite, _yes))

            async with trio.open_nursery() as meeting:
                meeting.start_soon(come)
                peers.append(await host.meet(Terms(GAME, GAME.options({})), _yes))
            turn = trio.Lock()
            players = [_Player(peer, seed + peer.replica.seat, turn) for peer in peers]
            async with trio.open_nursery() as playing:
                for player in players:
                    playing.start_soon(player.play)
            nursery.cancel_scope.cancel()
    return statistics.median(seconds for player in players for seconds in player.took)


class _Player:
    """A bot that notes how long each of its guesses took until the card was open here.

    While it waits for that, the other bot must not think about its own next move: both share one thread here.
    """

    def __init__(self, peer: Peer, seed: int, turn: trio.Lock) -> None:
        self.took: list[float] = []
        self._peer = peer
        self._turn = turn
        self._bot = make_bot(GAME.name, "recruit", random.Random(seed))
        self._began: float | None = None
        self._read = 0
        self._stirred = trio.Event()
        peer.replica.on_change = self._stir

    def _stir(self) -> None:
        now = perf_counter()
        history = self._peer.replica.session.referee.table.history
        opened = any(isinstance(s, Answered) and isinstance(s.ask, Open) for s in history[self._read :])
        self._read = len(history)
        if opened and self._began is not None:
            self.took.append(now - self._began)
            self._began = None
        self._stirred.set()

    async def play(self) -> None:
        """Play to the end of the match."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._peer.run)
            while not self._peer.replica.finished:
                self._stirred = trio.Event()
                if self._peer.replica.session.decision is None:
                    await self._stirred.wait()
                    continue
                async with self._turn:
                    await self._decide()
            await trio.sleep(0.05)  # the other side may still be taking our END
            self._peer.leave()

    async def _decide(self) -> None:
        decision = self._peer.replica.session.decision
        if decision is None:
            return
        decided = self._bot.decide(self._peer.replica.session.view)
        if isinstance(decision, Choose) and isinstance(decided, str) and decided.startswith("guess"):
            self._began = perf_counter()
        self._peer.replica.decide(decided)
        while self._began is not None:
            await self._stirred.wait()
            self._stirred = trio.Event()


# The way in: from a guest's first byte to the first move at its side

Coming: TypeAlias = Callable[[], Awaitable[Peer]]
WayIn: TypeAlias = Callable[[trio.Nursery, Host, Owner], Awaitable[Coming]]
"""What a guest does to come to a host."""


async def _straight(nursery: trio.Nursery, host: Host, guest: Owner) -> Coming:
    return partial(join, nursery, guest, host.invite([Endpoint(LOOPBACK, host.desk.port)]), _yes)


async def _by_relay(nursery: trio.Nursery, host: Host, guest: Owner) -> Coming:
    address, waiter = host.wait_at(await _relay(nursery))
    await waiter.tried.wait()
    return partial(join, nursery, guest, host.invite([address]), _yes)


async def _by_code(nursery: trio.Nursery, host: Host, guest: Owner) -> Coming:
    relay = await _relay(nursery)
    waiter = host.wait_at_number(relay)
    await waiter.tried.wait()
    code = new_code(waiter.number)
    host.desk.code = OpenCode(code, code.scalar(), trio.current_time() + CODE_LIFETIME, 1)

    async def come() -> Peer:
        visitor = await visit_by_code(nursery, guest, code, [(Numbered(relay, code.number),)])
        return await visitor.agreeing(_yes)

    return come


async def _relay(nursery: trio.Nursery) -> Endpoint:
    relay = Relay(Limits())
    await relay.listen(nursery, 0, [LOOPBACK])
    return Endpoint(LOOPBACK, relay.port)


@cache
def joined() -> tuple[Taken, Taken, Taken]:
    """Straight, beside a handshake and syncs; over a relay, beside straight; by a short code, beside straight
    and the stretching of its words.
    """
    with tempfile.TemporaryDirectory() as folder, floors.sync() as sync:
        places = count()

        def coming(way: WayIn) -> Sampler:
            return lambda: trio.run(_join, Path(folder) / str(next(places)), way)

        certificate = tls.make()
        shaking = timed(lambda: trio.run(handshake, certificate))
        ways = map(coming, (_straight, _by_relay, _by_code))
        stretching = timed(new_code(1).scalar)
        straight, relayed, coded, shaken, synced, stretched = rounds(JOINED, *ways, shaking, sync, stretching)
    return (
        Taken(straight, summed({"TLS handshake": (1, shaken), "sync": (SYNCED, synced)})),
        Taken(relayed, Floor("straight", straight)),
        Taken(coded, summed({"straight": (1, straight), "scrypt": (1, stretched)})),
    )


async def _join(folder: Path, way: WayIn) -> float:
    """Seconds until the host's first decision, behind the draw of who begins, is at the guest."""
    took = list[float]()
    with owners(folder) as (owner, other):
        async with trio.open_nursery() as nursery:
            host = await listen(nursery, owner, tls.make(), interfaces=[LOOPBACK])
            come_in = await way(nursery, host, other)

            async def come() -> None:
                began = perf_counter()
                guest = await come_in()
                nursery.start_soon(guest.run)
                await _until(guest, lambda: guest.replica.session.referee.count > 2)
                took.append(perf_counter() - began)

            async with trio.open_nursery() as meeting:
                meeting.start_soon(come)
                peer = await host.meet(Terms(GAME, GAME.options({})), _yes)
                nursery.start_soon(peer.run)
                await _until(peer, lambda: peer.replica.session.decision is not None)
                bot = make_bot(GAME.name, "recruit", random.Random(1))
                peer.replica.decide(bot.decide(peer.replica.session.view))
            nursery.cancel_scope.cancel()
    return took[0]


async def _until(peer: Peer, condition: Callable[[], bool]) -> None:
    stirred = trio.Event()

    def stir() -> None:
        stirred.set()

    peer.replica.on_change = stir
    while not condition():
        stirred = trio.Event()
        await stirred.wait()


# Tables


def gossip() -> Taken:
    """The bytes of a record over all links of a table, beside one copy of it for each other seat."""
    with tempfile.TemporaryDirectory() as folder:
        mesh = combinations(range(GOSSIPING), 2)
        table = Gossiping(Path(folder), GOSSIPING, mesh, options={"rounds": 3}).mend_all().settle()
        before = len(table.seats[0].session.referee.record)
        table.sent.clear()
        table.play()
        record = table.seats[0].session.referee.record[before:]
        carried = sum(len(frame) for _, _, frame in table.sent) / len(record)
        copies = (GOSSIPING - 1) * statistics.mean(len(kept.frame) for kept in record)
        table.close()
    return Taken(exact(carried), Floor(f"{GOSSIPING - 1} copies", exact(copies)))


@cache
def _demos() -> tuple[Measure, int]:
    """Of demos of Conquest by bots, each a process: seconds of a record, and the most bytes of a seat."""
    seeds = iter((*SEEDS[:1], *SEEDS))
    largest = 0
    with tempfile.TemporaryDirectory() as home:

        def demo() -> float:
            nonlocal largest
            options = ("--seats", str(SEATS), "--seed", str(next(seeds)), "--fast", "--json", "--home", home)
            printed, memory = _with_memory("-m", "cli", "demo", "conquest", *options)
            largest = max(largest, memory)
            played = json.loads(printed)
            return float(played["seconds"] / played["entries"])

        [record] = rounds(len(SEEDS), demo)
    return record, largest


def record() -> Taken:
    """A record of a match of four, beside its signature, and its check at the others and sync at all."""
    seconds, _ = _demos()
    with floors.sync() as sync:
        parts = rounds(len(SEEDS), floors.signature(), floors.verification(), sync)
    names = ("sign", "verify", "sync")
    times = (1, SEATS - 1, SEATS)
    return Taken(
        seconds, summed({name: (n, part) for name, n, part in zip(names, times, parts, strict=True)})
    )


def memory() -> Taken:
    """The largest of its processes, beside one that has loaded what a player needs, and plays nothing."""
    _, loaded = _with_memory("-c", f"import {PLAYER}")
    return Taken(exact(_demos()[1]), Floor("loaded", exact(loaded)))


_TELLING: Final = """
import resource, subprocess, sys
code = subprocess.run([sys.executable, *sys.argv[1:]]).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(peak * (1 if sys.platform == "darwin" else 1024))
sys.exit(code)
"""
"""A small parent: a child begins with the memory of its parent (getrusage(2)), which must not be ours."""


def _with_memory(*command: str) -> tuple[str, int]:
    """What a command of Python prints, and the bytes of the largest of its processes."""
    words: Sequence[str] = (sys.executable, "-c", _TELLING, *command)
    *printed, peak = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
    return "\n".join(printed), int(peak)
