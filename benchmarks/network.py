"""From one peer's guess to the opened card back at it: TLS on loopback, synced to disk on both sides."""

from __future__ import annotations

import random
import statistics
import tempfile
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from time import perf_counter

import trio

from benchmarks import floors
from benchmarks.measure import Measure, rounds
from benchmarks.report import Figure, times
from p2p_stratego.core.game import Choose, Open
from p2p_stratego.registry import GAMES, make_bot
from protocol.channel import tls
from protocol.lobby.handshake import Person, Terms
from protocol.lobby.visit import Visit
from protocol.network.guest import join
from protocol.network.host import listen
from protocol.network.peer import Peer
from protocol.record.asks.base import Answered
from protocol.storage.home import Home, Owner
from protocol.wire.addresses import Endpoint

LOOPBACK = "127.0.0.1"
MATCHES = 12


def guess() -> Figure:
    """The median guess of each of some matches, against the sum of its unavoidable parts."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        seeds = count()
        guesses: list[float] = []

        def play() -> float:
            seed = next(seeds)
            took = trio.run(_match, folder / str(seed), seed)
            guesses.extend(took)
            return statistics.median(took)

        value, *parts = rounds(
            MATCHES,
            play,
            stack.enter_context(floors.one_way_trip()),
            floors.signature(),
            floors.verification(),
            stack.enter_context(floors.sync(str(folder))),
        )
    floor = Measure(
        tuple(2 * sum(samples) for samples in zip(*(part.samples for part in parts), strict=True))
    )
    trip, sign, verify, sync = (f"{part.median * 1e6:.0f}" for part in parts)
    return Figure(
        f"guess to opened card, of {len(guesses)}",
        value,
        lambda seconds: f"{seconds * 1e6:.0f} µs",
        f"2 x (trip {trip}, sign {sign}, verify {verify}, sync {sync}) = {floor.median * 1e6:.0f} µs",
        times(value.over(floor), 2.5),
    )


async def _yes(_: Person | Visit) -> bool:
    return True


async def _match(folder: Path, seed: int) -> list[float]:
    """Seconds of every guess of one match between two bots, a home folder each."""
    game = GAMES["spies-and-lies"]
    with ExitStack() as homes:
        owners = []
        for name in ("host", "guest"):
            home = homes.enter_context(Home(folder / name))
            owners.append(Owner(home, home.identity(), name, GAMES))
        async with trio.open_nursery() as nursery:
            host = await listen(nursery, owners[0], tls.make(), interfaces=[LOOPBACK])
            invite = host.invite([Endpoint(LOOPBACK, host.desk.port)])
            peers: list[Peer] = []

            async def come() -> None:
                peers.append(await join(nursery, owners[1], invite, _yes))

            async with trio.open_nursery() as meeting:
                meeting.start_soon(come)
                peers.append(await host.meet(Terms(game, game.options({})), _yes))
            turn = trio.Lock()
            players = [_Player(one, seed + one.replica.seat, turn) for one in peers]
            async with trio.open_nursery() as playing:
                for player in players:
                    playing.start_soon(player.play)
            nursery.cancel_scope.cancel()
    return [seconds for player in players for seconds in player.took]


class _Player:
    """A bot that notes how long each of its guesses took until the card was open here.

    While it waits for that, the other bot must not think about its own next move: both share one thread here.
    """

    def __init__(self, one: Peer, seed: int, turn: trio.Lock) -> None:
        self.took: list[float] = []
        self._peer = one
        self._turn = turn
        self._bot = make_bot(one.replica.match.game.name, "recruit", random.Random(seed))
        self._began: float | None = None
        self._read = 0
        self._stirred = trio.Event()
        one.replica.on_change = self._stir

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


def figures() -> list[Figure]:
    """All figures of this room."""
    return [guess()]
