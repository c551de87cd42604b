"""Hosts for a command that joins: one waits in a thread, and invites to a missing one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import trio

from p2p_stratego.registry import GAMES
from protocol.channel import tls
from protocol.failures import NetworkFailure
from protocol.lobby.handshake import Terms
from protocol.network.guest import join
from protocol.network.host import Host, listen
from protocol.rendezvous import invite as invites
from protocol.rendezvous.invite import Invite
from protocol.storage.home import Home, Owner
from protocol.wire.addresses import Endpoint
from tests.helpers.program.commands import HANGING, ending_within

LOOPBACK = "127.0.0.1"
GAME = next(iter(GAMES.values()))


async def _yes(_: object) -> bool:
    return True


async def _no(_: object) -> bool:
    return False


async def _turned_down(host: Host, first: Owner, invite: Invite) -> None:
    """A guest comes with the invite and then declines: the invite is used all the same."""

    async def meet() -> None:
        with suppress(NetworkFailure):
            await host.meet(Terms(GAME, GAME.options({})), _yes)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(meet)
        with suppress(NetworkFailure):
            await join(nursery, first, invite, _no)
        nursery.cancel_scope.cancel()


@contextmanager
def waiting_host(folder: Path, *, lifetime: float = 3600.0, used: bool = False) -> Iterator[str]:
    """A host on loopback, in a thread of its own; the word of its invite."""
    word: Future[str] = Future()
    cancel: list[Callable[[], None]] = []

    async def wait() -> None:
        with Home(folder / "host") as home, Home(folder / "first") as first:
            async with trio.open_nursery() as nursery:
                token = trio.lowlevel.current_trio_token()
                cancel.append(partial(token.run_sync_soon, nursery.cancel_scope.cancel))
                owner = Owner(home, home.identity(), "Host", GAMES)
                host = await listen(nursery, owner, tls.make(), interfaces=[LOOPBACK])
                invite = host.invite([Endpoint(LOOPBACK, host.desk.port)], lifetime)
                if used:
                    await _turned_down(host, Owner(first, first.identity(), "First", GAMES), invite)
                word.set_result(invites.write(invite))
                await trio.sleep_forever()

    def run() -> None:
        try:
            trio.run(wait)
        except BaseException as error:
            if word.done():
                raise
            word.set_exception(error)  # the test fails with it

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        with ending_within(HANGING):
            invite = word.result()
        yield invite
    finally:
        for stop in cancel:
            with suppress(trio.RunFinishedError):
                stop()
        with ending_within(HANGING):
            thread.join()


def word_for(port: int) -> str:
    """A good invite to a host that may not be there."""
    return invites.write(Invite((Endpoint(LOOPBACK, port),), bytes(32), bytes(16)))
