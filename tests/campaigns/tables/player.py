"""One player of a table as a process: hosts, joins or resumes one match, and is a witness of all it sends.

Its settings: see `Setting`.  Standard input: lines of a word and a seat: "gone 2" for good, "away 2", "back
2".  Standard output: lines of JSON, by `event`: listening, invite, begin, at, sent, state, failed, end.
"""

from __future__ import annotations

import os
import random
import time
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
from protocol.channel import tls
from protocol.lobby.handshake import Terms
from protocol.network import guest
from protocol.network.host import Host
from protocol.network.peer import Peer
from protocol.rendezvous import invite
from protocol.storage.home import Home, Owner, SavedMatch
from protocol.trace import silent
from tests.campaigns.chaos import faults
from tests.campaigns.chaos.plan import Fault
from tests.campaigns.chaos.player import MARKS, RATE, leave_when_told, listening, perform, say
from tests.campaigns.tables.conduct import Company, Conduct, Wishes
from tests.campaigns.tables.daggers import Dagger, Wound
from tests.helpers.games.cups import CUPS
from tests.helpers.games.toy import TOY

GAMES: Final = MappingProxyType[str, Game[Any]]({**REGISTERED, TOY.name: TOY, CUPS.name: CUPS})
_IN_THE_LOBBY: Final = 2.0
"""Times as fast as elsewhere time runs before there is a match."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What one process is told.

    `role`: "host" or "join", until its home has a match; `invite`: for who joins; `door`: the port at which
    others reach it, that of a proxy, or None if it does not listen; `anew`: whether the
    match in its home never began; `watched`: whether to invite spectators;
    `escrow`: as in the genesis; `dagger`: as in Plan; `gone`, `away`: as in Company; `patience`: as in Plan.
    """

    role: str
    home: str
    game: str
    seats: int
    options: dict[str, Any]
    seed: str
    invite: str | None
    door: int | None
    anew: bool
    watched: bool
    fault: dict[str, Any] | None
    escrow: int
    dagger: dict[str, Any] | None
    gone: list[Seat]
    away: list[Seat]
    wishes: dict[str, Any]
    patience: float


async def play(setting: Setting, clock: MockClock) -> None:
    """Play until the match is over and the others gone, or SIGTERM."""
    place = Path(setting.home)
    with Home(place) as home, tracing(place.with_name(f"{place.name}.log")) as log:
        async with trio.open_nursery() as nursery:
            workers = int(GAMES[setting.game].needs_proofs)
            owner = Owner(home, home.identity(), place.name, GAMES, log or silent, workers)
            clock.rate = _IN_THE_LOBBY
            for never_begun in home.games() if setting.anew else ():
                home.set_aside(home.open(never_begun.id))
            saved = home.games()
            number = MARKS["number"] = max(0, len(saved) - 1)
            match = await (
                _resumed(nursery, owner, setting, saved) if saved else _sat(nursery, owner, setting)
            )
            clock.rate = RATE
            company = Company(set(setting.gone), set(setting.away))
            rng, wishes = random.Random(setting.seed), Wishes(**setting.wishes)
            conduct = Conduct(match, wishes, company, rng, number)
            conduct.on_begin = partial(_doom, setting, match)
            nursery.start_soon(leave_when_told, match)
            nursery.start_soon(hear, company)
            nursery.start_soon(conduct.run)
            await match.run()
            say("end", finished=match.replica.finished, path=match.replica.store.path)
            nursery.cancel_scope.cancel()


def _doom(setting: Setting, match: Peer) -> None:
    """From now on this process suffers what it is meant to."""
    if setting.fault is not None:
        faults.install(Fault(**setting.fault))
    if setting.dagger is not None:
        Wound(Dagger(**setting.dagger), match.replica.seat).install()


async def _sat(nursery: trio.Nursery, owner: Owner, setting: Setting) -> Peer:
    """The match after sitting down."""
    if setting.role == "host":
        assert setting.door is not None
        waiting = await listening(nursery, owner, tls.make(), setting.door)
        say("invite", invite=invite.write(waiting.invite(waiting.desk.addresses, uses=setting.seats - 1)))
        if setting.watched:
            watch = waiting.desk.invite_to_watch(waiting.desk.addresses, time.time())
            say("watch", invite=invite.write(watch))
        game = GAMES[setting.game]
        terms = Terms(
            game,
            game.options(setting.options),
            setting.seats,
            proofs=game.needs_proofs,
            escrow=setting.escrow,
        )
        return await waiting.meet(terms, _agree)
    assert setting.invite is not None
    door: Host | None = None
    if setting.door is not None:
        door = await listening(nursery, owner, tls.make(), setting.door)
    visitor = await guest.visit(
        nursery, owner, invite.read(setting.invite), None if door is None else door.desk
    )
    if door is not None:
        visitor.on_seated = door.show
    return await visitor.agreeing(_agree)


async def _resumed(nursery: trio.Nursery, owner: Owner, setting: Setting, saved: list[SavedMatch]) -> Peer:
    """The match that the home has; of several, the newest."""
    newest = max(saved, key=lambda game: game.path.with_name("lock").stat().st_mtime_ns)
    match = Peer(nursery, owner, owner.home.open(newest.id))
    if setting.door is not None and match.replica.route.own is not None:
        certificate = tls.Certificate(match.replica.store.certificate)
        host = await listening(nursery, owner, certificate, setting.door)
        host.desk.reopen_to_watch()
        host.show(match)
    return match


async def _agree(_: object) -> bool:
    return True


async def hear(company: Company) -> None:
    """Take note of the seats that are gone, away, and back."""
    async with trio.lowlevel.FdStream(os.dup(0)) as lines:
        async for data in lines:  # of a few bytes each, so no read ends within one
            for line in data.decode().splitlines():
                word, seat = line.split()
                {"gone": company.gone, "away": company.away}.get(word, set()).add(int(seat))
                if word == "back":
                    company.away.discard(int(seat))


def main(setting: dict[str, Any]) -> int:
    """The whole life of one process; returns its exit code."""
    return perform(partial(play, Setting(**setting)), setting["patience"])
