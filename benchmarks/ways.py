"""From a guest's first byte to the first move at its side, by every way."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Final, TypeAlias

import trio

from benchmarks.measure import Measure, rounds, timed
from benchmarks.posts import first_move
from benchmarks.report import Figure, times
from p2p_stratego.registry import GAMES, make_bot
from protocol.channel import tls
from protocol.lobby.codes import LIFETIME, OpenCode
from protocol.lobby.handshake import Terms
from protocol.network.guest import approach, join, visit_told
from protocol.network.host import Host, listen
from protocol.network.peer import Peer
from protocol.network.transport.choice import STANDARD, Wishes, chosen
from protocol.network.transport.proxied import Proxy
from protocol.network.transport.registry import Transports
from protocol.network.transport.relaying import Relay
from protocol.rendezvous.relay import Limits
from protocol.rendezvous.short_code import ShortCode, drawn
from protocol.storage.home import Home, Owner
from protocol.wire.addresses import Address, Endpoint, Numbered
from tests.helpers.network.socks import SocksProxy

LOOPBACK: Final = "127.0.0.1"
ROUNDS: Final = 9
GAME: Final = GAMES["spies-and-lies"]

Prepared: TypeAlias = Callable[[trio.Nursery, Host], Awaitable[tuple[Address, Transports]]]
"""Where a guest calls the host, and by which transports."""


async def _straight(_: trio.Nursery, host: Host) -> tuple[Address, Transports]:
    return Endpoint(LOOPBACK, host.desk.port), STANDARD


async def _nearby(_: trio.Nursery, host: Host) -> tuple[Address, Transports]:
    """Both persons see at once that the digits are the same."""
    host.desk.meetings.open = True

    def same() -> None:
        if host.encounter is not None:
            host.encounter.answer(same=True)

    host.on_encounter = same
    return Endpoint(LOOPBACK, host.desk.port), STANDARD


async def _relayed(nursery: trio.Nursery, host: Host) -> tuple[Address, Transports]:
    relay = Relay(Limits())
    await relay.listen(nursery, 0, [LOOPBACK])
    address, waiter = host.wait_at(Endpoint(LOOPBACK, relay.port))
    await waiter.tried.wait()
    return address, STANDARD


async def _proxied(nursery: trio.Nursery, host: Host) -> tuple[Address, Transports]:
    proxy = SocksProxy({"host.example": host.desk.port})
    await proxy.listen(nursery)
    return Endpoint("host.example", 1), chosen(Wishes(proxy=Proxy(Endpoint(LOOPBACK, proxy.port))))


WAYS: Final[tuple[tuple[str, Prepared], ...]] = (
    ("straight", _straight),
    ("met nearby", _nearby),
    ("over a relay", _relayed),
    ("over a proxy", _proxied),
)


_BY_CODE: Final = ("by code over a relay", None)
_MOST: Final = 2
"""Times the straight way that each of the others may take; with a code, and the stretching of its words."""


async def _told(nursery: trio.Nursery, host: Host) -> tuple[Numbered, ShortCode]:
    """Where a guest calls the number of a code, and the code."""
    relay = Relay(Limits())
    await relay.listen(nursery, 0, [LOOPBACK])
    at = Endpoint(LOOPBACK, relay.port)
    waiter = host.wait_at_number(at)
    await waiter.tried.wait()
    code = drawn(waiter.number)
    host.desk.code = OpenCode(code, code.scalar(), trio.current_time() + LIFETIME, 1)
    return Numbered(at, code.number), code


async def _yes(_: object) -> bool:
    return True


async def _meet(folder: Path, prepare: Prepared | None) -> float:
    """Seconds; without `prepare` the guest was told a code."""
    with ExitStack() as homes:
        owners = []
        for name in ("host", "guest"):
            home = homes.enter_context(Home(folder / name))
            owners.append(Owner(home, home.identity(), name, GAMES))
        async with trio.open_nursery() as nursery:
            host = await listen(nursery, owners[0], tls.make(), interfaces=[LOOPBACK])
            took, come_in = list[float](), await _way_in(nursery, host, owners[1], prepare)

            async def come() -> None:
                began = perf_counter()
                guest = await come_in()
                nursery.start_soon(guest.run)
                await _moved(guest)
                took.append(perf_counter() - began)

            async with trio.open_nursery() as meeting:
                meeting.start_soon(come)
                peer = await host.meet(Terms(GAME, GAME.options({})), _yes)
                nursery.start_soon(peer.run)
                await _moving(peer)
            nursery.cancel_scope.cancel()
    return took[0]


async def _way_in(
    nursery: trio.Nursery, host: Host, guest: Owner, prepare: Prepared | None
) -> Callable[[], Awaitable[Peer]]:
    """What the guest does to come to the match."""
    if prepare is not None:
        address, transports = await prepare(nursery, host)
        if prepare is _nearby:
            return partial(_met, nursery, guest, address)
        return partial(join, nursery, guest, host.invite([address]), _yes, transports)
    where, code = await _told(nursery, host)

    async def by_code() -> Peer:
        return await (await visit_told(nursery, guest, code, [(where,)])).agreeing(_yes)

    return by_code


async def _met(nursery: trio.Nursery, guest: Owner, address: Address) -> Peer:
    came = await approach(nursery, guest, (address,))
    came.encounter.answer(same=True)
    return await (await came.visitor()).agreeing(_yes)


async def _until(peer: Peer, condition: Callable[[], bool]) -> None:
    stirred = trio.Event()

    def stir() -> None:
        stirred.set()

    peer.replica.on_change = stir
    while not condition():
        stirred = trio.Event()
        await stirred.wait()


async def _moving(peer: Peer) -> None:
    """Make the first decision of the match."""
    replica = peer.replica
    await _until(peer, lambda: replica.session.decision is not None)
    bot = make_bot(GAME.name, "recruit", random.Random(1))
    replica.decide(bot.decide(replica.session.view))


async def _moved(peer: Peer) -> None:
    """Return once the other side's first decision is here, behind the draw of who begins."""
    await _until(peer, lambda: peer.replica.session.referee.count > 2)


def figures() -> list[Figure]:
    """All figures of this room."""
    with tempfile.TemporaryDirectory() as folder:
        places = count()

        def meeting(prepare: Prepared | None) -> Callable[[], float]:
            return lambda: trio.run(_meet, Path(folder) / str(next(places)), prepare)

        met = [meeting(prepare) for _, prepare in (*WAYS, _BY_CODE)]
        *linked, posted, stretched = rounds(
            ROUNDS, *met, lambda: first_move(Path(folder) / str(next(places))), timed(drawn(1).scalar)
        )
    straight, *others = linked
    stretching = tuple(map(sum, zip(straight.samples, stretched.samples, strict=True)))
    floors = [*([("straight", straight)] * len(WAYS[1:])), ("straight, scrypt", Measure(stretching))]
    names = [f"first byte to first move, {name}" for name, _ in (*WAYS, _BY_CODE)]
    return [
        Figure(names[0], straight, _milliseconds),
        *(
            Figure(name, other, _milliseconds, floor, times(other.over(least), _MOST))
            for name, other, (floor, least) in zip(names[1:], others, floors, strict=True)
        ),
        Figure("first byte to first move, by post", posted, _milliseconds),
    ]


def _milliseconds(value: float) -> str:
    return f"{value * 1e3:.0f} ms"
