"""One player of a table as a process: hosts, joins or resumes one match, and is a witness of all it sends.

Standard input: one line of settings (see `Setting`), then a line with the number of each seat that is gone
for good.  Standard output: lines of JSON as those of chaos/player.py.
"""

from __future__ import annotations

import json
import os
import random
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import trio
from trio.testing import MockClock

from cli.shell.trace_log import tracing
from p2p_stratego.core.game import Game, Seat
from p2p_stratego.registry import GAMES as REGISTERED
from protocol.failures import NotNow
from protocol.network import invite, peer, tls
from protocol.network.handshake import Terms
from protocol.network.peer import Peer
from protocol.record.asks.base import Decided
from protocol.record.statements import Kind
from protocol.storage.home import Home, Owner
from protocol.trace import silent
from tests.campaigns.chaos import faults
from tests.campaigns.chaos.plan import Fault
from tests.campaigns.chaos.player import (
    AWAY_AFTER,
    LOOPBACK,
    RATE,
    deciding,
    leave_when_told,
    listening,
    perform,
    say,
)
from tests.helpers.players import honest
from tests.helpers.toy import TOY

GAMES: Final = MappingProxyType[str, Game[Any]]({**REGISTERED, TOY.name: TOY})


@dataclass(frozen=True, slots=True)
class Setting:
    """What one process is told.  `role`: "host", "join" or "resume"; `invite`: for who joins; `door`: the
    port at which others reach it, that of a proxy, or None if it does not listen; `gone`: the seats that are
    gone for good.
    """

    role: str
    home: str
    game: str
    seats: int
    options: dict[str, Any]
    seed: str
    invite: str | None
    door: int | None
    fault: dict[str, Any] | None
    gone: list[Seat]


async def play(setting: Setting, clock: MockClock) -> None:
    """Play until the match is over and the others gone, or SIGTERM."""
    place = Path(setting.home)
    with Home(place) as home, tracing(place.with_name(f"{place.name}.log")) as log:
        async with trio.open_nursery() as nursery:
            owner = Owner(home, home.identity(), place.name, GAMES, log or silent)
            match = await begun(nursery, owner, setting)
            clock.rate = RATE
            say("begin", match=match.replica.match.id.hex(), seat=match.replica.seat)
            if setting.fault is not None:
                faults.install(Fault(**setting.fault))
            gone = set(setting.gone)
            nursery.start_soon(leave_when_told, match)
            nursery.start_soon(hear, gone)
            nursery.start_soon(decide, match, setting, gone)
            await match.run()
            say("end", finished=match.replica.finished, path=match.replica.store.path)
            nursery.cancel_scope.cancel()


async def begun(nursery: trio.Nursery, owner: Owner, setting: Setting) -> Peer:
    """The match of this process."""
    if setting.role == "host":
        assert setting.door is not None
        waiting = await listening(nursery, owner, tls.make(), setting.door)
        say("invite", invite=invite.write(waiting.invite([LOOPBACK], uses=setting.seats - 1)))
        game = GAMES[setting.game]
        return await waiting.meet(Terms(game, game.options(setting.options), setting.seats), _agree)
    if setting.role == "join":
        assert setting.invite is not None
        door = None
        if setting.door is not None:
            door = await listening(nursery, owner, tls.make(), setting.door)
        desk = None if door is None else door.desk
        visitor = await peer.visit(nursery, owner, invite.read(setting.invite), desk)
        if door is not None:
            visitor.on_seated = door.show
        return await visitor.agreeing(_agree)
    [saved] = owner.home.games()
    match = Peer(nursery, owner, owner.home.open(saved.id))
    if setting.door is not None:
        certificate = tls.Certificate(match.replica.store.certificate)
        (await listening(nursery, owner, certificate, setting.door)).show(match)
    return match


async def _agree(_: object) -> bool:
    return True


async def hear(gone: set[Seat]) -> None:
    """Take note of the seats that are gone."""
    async with trio.lowlevel.FdStream(os.dup(sys.stdin.fileno())) as lines:
        async for data in lines:  # one digit a line
            gone.update(map(int, data.split()))


async def decide(match: Peer, setting: Setting, gone: set[Seat]) -> None:
    """Decide whatever the match asks, and say of those who are gone that they are away."""
    rng = random.Random(setting.seed)
    since: float | None = None

    def answer() -> Decided:
        session = match.replica.session
        assert session.decision is not None
        return honest(session, session.decision, rng)

    def waited() -> bool:
        """Whether only the gone keep the match waiting, for long enough, play being over."""
        nonlocal since
        claim(match, gone)
        if not match.replica.session.over or match.replica.finished or not only(match, gone):
            since = None
            return False
        since = trio.current_time() if since is None else since
        return trio.current_time() > since + 3 * AWAY_AFTER

    await deciding(match, answer, waited)


def only(match: Peer, gone: set[Seat]) -> bool:
    """Whether the last words that are missing are those of `gone`, or wait for theirs."""
    referee = match.replica.session.referee
    if referee.waited_for:
        return gone.issuperset(referee.waited_for)
    silent = {
        seat
        for seat, known in enumerate(referee.statements)
        if all(one.kind is not Kind.END for one in known)
    }
    return bool(gone) and gone.issuperset(silent)


def claim(match: Peer, gone: set[Seat]) -> None:
    """Say that a seat which is gone is away, as soon as that is possible."""
    replica = match.replica
    if replica.session.claimable in gone and replica.claimable_in == 0 and replica.failure is None:
        with suppress(NotNow):
            replica.claim_away()


if __name__ == "__main__":
    first = os.fdopen(os.dup(0), "rb", buffering=0).readline()  # and not a byte of the next line
    sys.exit(perform(partial(play, Setting(**json.loads(first)))))
