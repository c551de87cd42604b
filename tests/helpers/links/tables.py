"""Tables of real peers over loopback, each seat in a process of its own as far as tasks go."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trio

from p2p_stratego.core.game import Game
from protocol.channel import tls
from protocol.network.host import Host, listen
from protocol.network.peer import Peer
from protocol.replication.presence import Way
from protocol.storage.home import Owner
from protocol.storage.route import Place, Route
from protocol.wire.addresses import Endpoint
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.links.founding import founded
from tests.helpers.links.peers import HANGING, LOOPBACK, until
from tests.helpers.machine.homes import KeptHome

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve")
CERTIFICATES = [tls.make() for _ in NAMES]


@dataclass
class Process:
    """What dies at once."""

    nursery: trio.Nursery
    ended: trio.Event = field(default_factory=trio.Event)


async def _process(task_status: trio.TaskStatus[Process]) -> None:
    process = None
    try:
        async with trio.open_nursery() as nursery:
            process = Process(nursery)
            task_status.started(process)
            await trio.sleep_forever()
    finally:
        if process is not None:
            process.ended.set()


@dataclass
class Seat:
    """One seat in a process of its own, as far as tasks go."""

    owner: Owner
    peer: Peer
    host: Host | None
    process: Process
    plays: bool = True
    stirred: trio.Event = field(default_factory=trio.Event)

    def __post_init__(self) -> None:
        self.peer.replica.on_change = self._stir

    def _stir(self) -> None:
        self.stirred.set()
        self.stirred = trio.Event()

    async def run(self) -> None:
        """Play what its player would."""
        rng = random.Random(self.owner.name)
        replica = self.peer.replica
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.peer.run)
            while not replica.closed:
                decision = replica.session.decision
                if decision is not None and self.plays:
                    replica.decide(honest(replica.session, decision, rng))
                else:
                    await self.stirred.wait()


class Room:
    """The seats of one match; only seat 0 knows nobody, all others know where seat 0 listens."""

    def __init__(
        self,
        nursery: trio.Nursery,
        path: Path,
        seats: int,
        listening: set[int],
        game: Game[Any] = TOY,
        workers: int = 0,
    ) -> None:
        self.nursery = nursery
        self.listening = listening
        self.seats: dict[int, Seat] = {}
        self.owners = []
        for name in NAMES[:seats]:
            home = KeptHome(path / name)
            self.owners.append(Owner(home, home.identity(), name, {game.name: game}, workers=workers))
        options = {"rounds": 2} if "rounds" in game.options({}) else {}
        self.stores = founded(game, game.options(options), self.owners, "")
        self.match = self.stores[0].path.split("/")[-2]
        for seat, store in enumerate(self.stores):
            Path(store.path).with_name("tls.pem").write_bytes(CERTIFICATES[seat].pem)
            store.close()

    async def sit(self, seat: int, *, plays: bool = True) -> Seat:
        """A process opens the match of `seat`."""
        process: Process = await self.nursery.start(_process)
        owner = self.owners[seat]
        store = owner.home.open(self.match)
        host = None
        if seat in self.listening:
            port = store.route.port
            host = await listen(process.nursery, owner, CERTIFICATES[seat], port, [LOOPBACK])
            place = Place((Endpoint(LOOPBACK, host.desk.port),), CERTIFICATES[seat].hash)
            store.set_route(store.route.relocated(seat, place, host.desk.port))
        if seat and not store.route.others:
            first = self.seats[0].host
            assert first is not None
            place = Place((Endpoint(LOOPBACK, first.desk.port),), CERTIFICATES[0].hash)
            known = Route(store.route.own, serials=store.route.serials, port=store.route.port)
            store.set_route(known.with_place(0, place))
        peer = Peer(process.nursery, owner, store)
        if host is not None:
            host.peer = peer
        self.seats[seat] = Seat(owner, peer, host, process, plays)
        process.nursery.start_soon(self.seats[seat].run)
        return self.seats[seat]

    async def kill(self, seat: int) -> None:
        """The process of `seat` dies."""
        gone = self.seats.pop(seat)
        gone.process.nursery.cancel_scope.cancel()
        await gone.process.ended.wait()

    async def all(self, condition: object) -> None:
        """Return once `condition` holds for every seat."""
        for seat in self.seats.values():
            await until(seat.peer, lambda seat=seat: condition(seat.peer))  # type: ignore[operator,misc]


@asynccontextmanager
async def room(
    path: Path, seats: int, listening: set[int], game: Game[Any] = TOY, workers: int = 0
) -> AsyncIterator[Room]:
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            yield Room(nursery, path, seats, listening, game, workers)
            nursery.cancel_scope.cancel()


def finished(peer: Peer) -> bool:
    return peer.replica.finished


def ways(peer: Peer) -> list[Way]:
    return [link.way for link in peer.links]
