"""One player of a match between namespaces, as a process: it plays slowly until it is told to go.

    FOLDER RATE host PORT ADDRESS RELAY      prints its invite
    FOLDER RATE join INVITE
    FOLDER RATE meet INVITE PORT             the same, but listens there, too
    FOLDER RATE call INVITE                   only calls its host, and prints "called WAY"

Then a line "via WAY" whenever the way to the other one is another, and "end COUNT HEAD".
"""

from __future__ import annotations

import hashlib
import random
import sys
from pathlib import Path

import trio
from trio.testing import MockClock

from p2p_stratego.registry import GAMES
from protocol.channel import tls
from protocol.lobby.handshake import Terms
from protocol.lobby.introductions import place_of
from protocol.network.guest import join, visit
from protocol.network.host import listen
from protocol.network.link import call
from protocol.network.peer import Peer
from protocol.rendezvous import invite as invites
from protocol.rendezvous.own_addresses import own_addresses
from protocol.storage.home import Home, Owner
from protocol.wire.addresses import Endpoint, Relayed, read
from tests.helpers.games.players import honest

GAME = next(iter(GAMES.values()))


async def _yes(_: object) -> bool:
    return True


async def _met(nursery: trio.Nursery, owner: Owner, role: str, words: list[str]) -> Peer:
    if role == "join":
        return await join(nursery, owner, invites.read(words[0]), _yes)
    if role == "meet":
        door = await listen(nursery, owner, tls.make(), int(words[1]))
        door.desk.addresses = (Endpoint(own_addresses()[0], door.desk.port),)
        visitor = await visit(nursery, owner, invites.read(words[0]), door.desk)
        visitor.on_seated = door.show
        return await visitor.agreeing(_yes)
    host = await listen(nursery, owner, tls.make(), int(words[0]))
    relay = read(words[2])
    assert not isinstance(relay, Relayed)
    address, waiter = host.wait_at(relay)
    await waiter.tried.wait()
    print(invites.write(host.invite([read(words[1]), address])), flush=True)
    return await host.meet(Terms(GAME, GAME.options({})), _yes)


class _Player:
    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.going = trio.Event()
        self.via = ""

    async def listen(self) -> None:
        """Go once standard input says so."""
        await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)
        self.going.set()

    async def play(self) -> None:
        """Decide now and then, or at once."""
        rng, replica = random.Random(1), self.peer.replica
        while not replica.finished:
            via = next((link.via.value for link in self.peer.links if link.via is not None), "")
            if via not in ("", self.via):
                self.via = via
                print(f"via {via}", flush=True)
            decision = replica.session.decision
            if decision is not None:
                replica.decide(honest(replica.session, decision, rng))
            if self.going.is_set():
                await trio.sleep(0.01)
            else:
                with trio.move_on_after(4.0):
                    await self.going.wait()
        self.peer.leave()


async def main(clock: MockClock, /, *given: str) -> None:
    """Play one match."""
    folder, rate, role, *words = given
    if role == "call":
        async with trio.open_nursery() as nursery:
            link = await call(nursery, place_of(invites.read(words[0])))
            print(f"called {link.via.value}", flush=True)
            nursery.cancel_scope.cancel()
        return
    with Home(Path(folder)) as home:
        async with trio.open_nursery() as nursery:
            peer = await _met(nursery, Owner(home, home.identity(), role.title(), GAMES), role, words)
            clock.rate = float(rate)
            player = _Player(peer)
            nursery.start_soon(player.listen)
            nursery.start_soon(player.play)
            await peer.run()
            referee = peer.replica.session.referee
            assert peer.replica.finished
            assert referee.outcome is not None
            assert referee.outcome.breach is None
            print(f"end {referee.count} {hashlib.sha256(referee.head).hexdigest()[:16]}", flush=True)
            nursery.cancel_scope.cancel()


if __name__ == "__main__":
    CLOCK = MockClock(rate=1.0)
    trio.run(main, CLOCK, *sys.argv[1:], clock=CLOCK)
