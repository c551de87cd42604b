"""One player as a process: hosts, joins or resumes one match with a bot, and is a witness of all it sends.

Its settings: see `Setting`.  Standard output: lines of JSON, by `event`: listening, invite, begin, at, sent,
finished, waited, failed, end.  Once there is a match, time runs RATE times as fast as elsewhere.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import trio
from trio.testing import MockClock

from cli.shell.trace_log import tracing
from p2p_stratego.core.game import Game
from p2p_stratego.registry import GAMES as REGISTERED
from p2p_stratego.registry import make_bot
from protocol.channel import tls
from protocol.errors import Refusal
from protocol.failures import Failure, NotNow
from protocol.lobby.handshake import Terms
from protocol.network import guest, host
from protocol.network.host import Host
from protocol.network.link import Link
from protocol.network.peer import Peer
from protocol.record import statements
from protocol.record.asks.base import Decided
from protocol.record.entries import parse_entry
from protocol.rendezvous import invite
from protocol.replication import presence
from protocol.storage.home import Home, Owner
from protocol.trace import silent
from protocol.wire.addresses import Endpoint
from protocol.wire.encoding import ENTRY, STATEMENT, Deframer, Frame
from tests.campaigns.chaos import faults
from tests.campaigns.chaos.plan import Fault
from tests.helpers.games.cups import CUPS, Honest

RATE: Final = 6.0
AWAY_AFTER: Final = 20.0
"""Seconds without a connection after which a player may claim that the other one is away."""
LOOPBACK: Final = "127.0.0.1"
FAILED: Final = 3
"""The exit code after a failure with a name, which `failed` told."""
GAMES: Final = MappingProxyType[str, Game[Any]]({**REGISTERED, CUPS.name: CUPS})
MARKS: Final[dict[str, Any]] = {}
"""What else this process says of each record that it sends."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What one process is told.  `role`: "host", "join" or "resume"; `invite`: for who joins; `door`: the
    port at which others reach it, that of a proxy; `claims`: whether to claim that the other side is away as
    soon as that is possible.
    """

    role: str
    home: str
    game: str
    options: dict[str, Any]
    seed: str
    invite: str | None
    door: int
    fault: dict[str, Any] | None
    claims: bool


def say(event: str, **more: Any) -> None:
    """Tell the campaign, in one write: threads tell, too, and no line may stand in another one."""
    os.write(1, json.dumps({"event": event, **more}).encode() + b"\n")


def witnessed(tell: Callable[..., None] = say) -> Callable[[Link, bytes], None]:
    """`Link.send` that tells of every record before it is handed to a connection: from there on it may have
    arrived.
    """
    send, reported = Link.send, set[str]()

    def telling(self: Link, data: bytes) -> None:
        for frame in Deframer().feed(data):
            if frame.kind not in (ENTRY, STATEMENT):
                continue
            digest = hashlib.sha256(frame.payload).hexdigest()
            if digest not in reported:
                reported.add(digest)
                tell("sent", place=place(frame.kind, frame.payload), digest=digest, **agrees(frame), **MARKS)
        send(self, data)

    return telling


def agrees(frame: Frame) -> dict[str, str]:
    """Of an AGREE the id of its match: a player may agree to several before one begins."""
    if (
        frame.kind == STATEMENT
        and (statement := statements.parse(frame.payload)).kind is statements.Kind.AGREE
    ):
        return {"agrees": statement.previous.hex()}
    return {}


def place(kind: int, payload: bytes) -> list[int]:
    """Kind of record, seat, number or index: where only one record may ever stand."""
    if kind == ENTRY:
        entry = parse_entry(payload)
        return [kind, entry.seat, entry.number]
    statement = statements.parse(payload)
    return [kind, statement.seat, statement.index]


async def play(setting: Setting, clock: MockClock) -> None:
    """Play until the match is over and the other side gone, or SIGTERM."""
    place = Path(setting.home)
    with Home(place) as home, tracing(place.with_name(f"{place.name}.log")) as log:
        async with trio.open_nursery() as nursery:
            workers = int(GAMES[setting.game].needs_proofs)
            owner = Owner(home, home.identity(), place.name, GAMES, log or silent, workers)
            match = await begun(nursery, owner, setting)
            clock.rate = RATE
            say("begin", match=match.replica.match.id.hex())
            if setting.fault is not None:
                faults.install(Fault(**setting.fault))
            nursery.start_soon(leave_when_told, match)
            nursery.start_soon(decide, match, setting)
            await match.run()
            say("end", finished=match.replica.finished, path=match.replica.store.path)
            nursery.cancel_scope.cancel()


async def begun(nursery: trio.Nursery, owner: Owner, setting: Setting) -> Peer:
    """The match of this process."""
    if setting.role == "join":
        assert setting.invite is not None
        return await guest.join(nursery, owner, invite.read(setting.invite), _agree)
    if setting.role == "host":
        waiting = await listening(nursery, owner, tls.make(), setting.door)
        say("invite", invite=invite.write(waiting.invite(waiting.desk.addresses)))
        game = GAMES[setting.game]
        terms = Terms(game, game.options(setting.options), proofs=game.needs_proofs)
        return await waiting.meet(terms, _agree)
    [saved] = owner.home.games()
    match = Peer(nursery, owner, owner.home.open(saved.id))
    if match.replica.route.own is not None:
        certificate = tls.Certificate(match.replica.store.certificate)
        (await listening(nursery, owner, certificate, setting.door)).show(match)
    return match


async def listening(nursery: trio.Nursery, owner: Owner, certificate: tls.Certificate, door: int) -> Host:
    """Listen behind `door`, the port of a proxy, which invites and address cards name."""
    waiting = await host.listen(nursery, owner, certificate, interfaces=[LOOPBACK])
    say("listening", port=waiting.desk.port)
    waiting.desk.addresses = (Endpoint(LOOPBACK, door),)
    return waiting


async def _agree(_: object) -> bool:
    return True


async def leave_when_told(match: Peer) -> None:
    """Save and leave on SIGTERM."""
    with trio.open_signal_receiver(signal.SIGTERM) as signals:
        async for _ in signals:
            match.leave()


async def decide(match: Peer, setting: Setting) -> None:
    """Decide whatever the match asks, and claim that the other side is away once that is possible."""
    rng = random.Random(setting.seed)
    bot = Honest(rng) if setting.game == CUPS.name else make_bot(setting.game, "recruit", rng)
    give_up_at = trio.current_time() + 2 * AWAY_AFTER  # without a receipt there is nothing to claim

    def waited() -> bool:
        return setting.claims and (claimed(match) or trio.current_time() > give_up_at)

    await deciding(match, lambda: bot.decide(match.replica.session.view), waited)


async def deciding(match: Peer, answer: Callable[[], Decided], waited: Callable[[], bool]) -> None:
    """Give each `answer` that the match asks for, connected or not, and tell how far it is; leave the match
    once its player has `waited` long enough.
    """
    replica = match.replica
    changed = trio.Event()
    replica.on_change = lambda: changed.set()  # noqa: PLW0108  # the event is a new one each time
    count, finished = -1, False
    while True:
        if replica.session.decision is not None and not (replica.finished or replica.closed):
            replica.decide(answer())
        if replica.session.referee.count != count:
            count = replica.session.referee.count
            say("at", count=count)
        if replica.finished and not finished and replica.failure is None:
            replica.store.sync()  # nobody comes again for the last words of the others
            finished = True
            say("finished")
        if waited():
            say("waited")
            match.leave()
            return
        if replica.session.decision is None:
            with trio.move_on_after(1):
                await changed.wait()
            changed = trio.Event()
        else:
            await trio.lowlevel.checkpoint()


def claimed(match: Peer) -> bool:
    """Whether the match has ended with our claim that the other side is away; claims it if it can be."""
    replica = match.replica
    if replica.session.outcome is None and replica.claimable_in == 0:
        try:
            replica.claim_away()
        except NotNow:
            return False
    return replica.claimed


def leaves(error: BaseException) -> list[BaseException]:
    """What went wrong, without the groups that trio puts around it."""
    if isinstance(error, BaseExceptionGroup):
        return [leaf for inner in error.exceptions for leaf in leaves(inner)]
    return [error]


def perform(player: Callable[[MockClock], Coroutine[Any, Any, None]], away_after: float = AWAY_AFTER) -> int:
    """Let `player` play; 0 at an end, FAILED after a failure with a name; a bug leaves with its traceback."""
    vars(presence)["CLAIM_WHEN_AWAY"] = away_after  # a campaign has no three minutes
    Link.send = witnessed()  # type: ignore[method-assign, assignment]  # a witness, and nothing else
    try:
        clock = MockClock(rate=1.0)
        trio.run(player, clock, clock=clock)
    except BaseException as error:
        errors = leaves(error)
        if not all(isinstance(leaf, Failure | Refusal) for leaf in errors):
            raise
        say("failed", kinds=[type(leaf).__name__ for leaf in errors], told=[str(leaf) for leaf in errors])
        return FAILED
    return 0


def main(setting: dict[str, Any]) -> int:
    """The whole life of one process; returns its exit code."""
    return perform(partial(play, Setting(**setting)))
