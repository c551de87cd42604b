"""Two real peers, each with a home folder of its own, and bots that play anything legal for them."""

from __future__ import annotations

import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import trio

from cli.play.bots.bot_match import local_links
from p2p_stratego.core.game import Game
from p2p_stratego.registry import GAMES
from protocol.channel import tls
from protocol.failures import Code, Refused
from protocol.lobby.guest_lobby import Visit
from protocol.lobby.handshake import Person, Terms
from protocol.lobby.introductions import open_invites
from protocol.network.guest import join
from protocol.network.host import Host, listen
from protocol.network.link import Link, TLSStream
from protocol.network.peer import Peer
from protocol.rendezvous.invite import Invite
from protocol.storage.home import Owner
from protocol.storage.match_store import Store
from protocol.wire.addresses import Endpoint
from tests.helpers.links.founding import founded
from tests.helpers.machine.homes import KeptHome
from tests.helpers.seats.pair import Decide, any_decision

LOOPBACK = "127.0.0.1"
HANGING = 60.0
"""Seconds after which a hanging test fails; no passing test waits for them."""
GAME: Game[Any] = next(iter(GAMES.values()))
TERMS = Terms(GAME, GAME.options({}))
CERTIFICATE = tls.make()


def owner(path: Path, name: str) -> Owner:
    """A player with a home folder at `path`, open until the test ends; the same secrets in every run."""
    games = path / "games"
    played = len(list(games.iterdir())) if games.exists() else 0
    home = KeptHome(path, random.Random(f"{name} {played}").randbytes)
    return Owner(home, home.identity(), name, GAMES)


def here(host: Host) -> tuple[Endpoint, ...]:
    """Where `host` can be called from this machine."""
    return (Endpoint(LOOPBACK, host.desk.port),)


async def yes(_: Person | Visit) -> bool:
    """Play with anybody."""
    return True


@dataclass
class Table:
    """Two players, the host's listener, and their peers."""

    nursery: trio.Nursery
    host: Host
    invite: Invite
    peers: tuple[Peer, Peer]


async def meet(nursery: trio.Nursery, ada: Owner, ben: Owner) -> Table:
    """Ada hosts, Ben joins, over TLS on loopback; both agree."""
    host = await listen(nursery, ada, tls.make(), interfaces=[LOOPBACK])
    invite = host.invite(here(host))
    joined: list[Peer] = []

    async def come() -> None:
        joined.append(await join(nursery, ben, invite, yes))

    async with trio.open_nursery() as meeting:
        meeting.start_soon(come)
        hosting = await host.meet(TERMS, yes)
    return Table(nursery, host, invite, (hosting, joined[0]))


@asynccontextmanager
async def seated(ada: Owner, ben: Owner) -> AsyncIterator[Table]:
    """Ada and Ben after an introduction; the tasks in the table's nursery are cancelled afterwards."""
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            yield await meet(nursery, ada, ben)
            nursery.cancel_scope.cancel()


@asynccontextmanager
async def hosting(own: Owner, lifetime: float = 3600.0) -> AsyncIterator[tuple[trio.Nursery, Host, Invite]]:
    """A host with an invite out."""
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            host = await listen(nursery, own, CERTIFICATE, interfaces=[LOOPBACK])
            yield nursery, host, host.invite(here(host), lifetime)
            nursery.cancel_scope.cancel()


def encrypted(stream: trio.abc.Stream, host: tls.Certificate | None = None) -> TLSStream:
    """TLS over `stream`, with the `host`'s certificate or as a joiner."""
    context = tls.joining_context() if host is None else host.context()
    return TLSStream(stream, tls.TLSSession(context, hosting=host is not None), stream)


def users(host: Host) -> tuple[bytes, ...]:
    """The keys that have used the one open invite of `host`, as its disk tells."""
    [kept] = open_invites(host.desk.owner.home, time.time())
    return kept.keys


async def assert_refused(code: int, action: Callable[[], Awaitable[object]]) -> None:
    """`action` is refused with `code`."""
    with pytest.raises(Refused) as caught:
        await action()
    assert caught.value.code == code


def meet_locally(nursery: trio.Nursery, ada: Owner, ben: Owner, bot: str = "bot") -> tuple[Peer, Peer]:
    """Two peers on one match in this process, joined by a link without TLS."""
    near, other = (
        Peer(nursery, own, store)
        for own, store in zip((ada, ben), founded(GAME, GAME.options({}), (ada, ben), bot), strict=True)
    )
    for peer, link in zip((near, other), local_links(nursery), strict=True):
        peer.take(link)
    return near, other


class Bot:
    """Answers every decision of its peer at once."""

    def __init__(self, peer: Peer, seed: int, most: int = 10_000, decide: Decide = any_decision) -> None:
        self.peer = peer
        self.left = most
        self._decide = decide
        self._rng = random.Random(seed)
        self._stirred = trio.Event()
        self._until: Callable[[], bool] = lambda: True
        peer.replica.on_change = self._stir

    def _stir(self) -> None:
        self._stirred.set()

    async def play(self, until: Callable[[], bool]) -> None:
        """Play until `until`."""
        while not until():
            self._stirred = trio.Event()
            decision = self.peer.replica.session.decision
            if decision is not None and self.left:
                self.left -= 1
                self.peer.replica.decide(self._decide(self.peer.replica.session, decision, self._rng))
            else:
                await self._stirred.wait()


async def play_out(peers: tuple[Peer, Peer], seed: int = 1) -> None:
    """Let bots play until both records are complete."""
    async with trio.open_nursery() as nursery:
        for peer in peers:
            bot = Bot(peer, seed + peer.replica.seat)
            nursery.start_soon(bot.play, lambda peer=peer: peer.replica.finished)


async def until(peer: Peer, condition: Callable[[], bool]) -> None:
    """Return once `condition` held after some change of `peer`."""
    before = peer.replica.on_change
    held = trio.Event()

    def look() -> None:
        before()
        if condition():
            held.set()

    peer.replica.on_change = look
    look()
    await held.wait()
    peer.replica.on_change = before


def is_refused(peer: Peer, *codes: Code) -> Callable[[], bool]:
    """Whether the other side ended the last connection of `peer` with one of `codes`."""
    return lambda: isinstance(peer.replica.trouble, Refused) and peer.replica.trouble.code in codes


@asynccontextmanager
async def running(*peers: Peer) -> AsyncIterator[None]:
    """Run `peers`; afterwards they leave."""
    async with trio.open_nursery() as nursery:
        for peer in peers:
            nursery.start_soon(peer.run)
        yield
        for peer in peers:
            peer.leave()


def two_stores(path: Path, game: Game[Any] = GAME) -> tuple[Store, Store]:
    """The two stores of a new match between Ada and Ben, whose homes are in `path`; open."""
    owners = (owner(path / "ada", "Ada"), owner(path / "ben", "Ben"))
    with owners[0].home, owners[1].home:
        store, other = founded(game, game.options({}), owners, "bot")
    return store, other


def saved_match(path: Path) -> Path:
    """Ada's folder of a new match between her and Ben, which both have closed."""
    store, other = two_stores(path)
    store.close()
    other.close()
    return Path(store.path).parent


async def bare(nursery: trio.Nursery, path: Path) -> tuple[Peer, Link]:
    """Ada's peer, and a bare link in Ben's place."""
    store, other = two_stores(path)
    other.close()
    ada = Peer(nursery, owner(path / "ada", "Ada"), store)
    link, theirs = local_links(nursery)
    ada.take(link)
    return ada, theirs


async def last_word(link: Link) -> int:
    """The code with which the other side ends `link`."""
    try:
        while True:
            await link.receive()
    except Refused as refused:
        return refused.code
