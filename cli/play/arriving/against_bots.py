"""A table in this program: bots on every seat but our player's, or on some of them."""

from __future__ import annotations

import argparse
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from functools import partial

import trio

from cli.play.arriving import introduction
from cli.play.bots import hired
from cli.play.bots.bot_front import ReadingPace, for_reading, steadily
from cli.play.bots.bot_match import Bots
from cli.play.bots.hired import HiredEngine
from cli.play.runner import PlaySession
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.settings import Settings
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import n_
from protocol.channel import tls
from protocol.lobby.handshake import Terms
from protocol.lobby.host_lobby import Lobby
from protocol.lobby.introductions import Desk
from protocol.network.host import Host
from protocol.record.genesis import Genesis
from protocol.storage.home import Owner


async def play_alone(
    session: PlaySession,
    terms: Terms,
    level: str,
    begun: Callable[[Genesis], None] = lambda _match: None,
    engines: Sequence[HiredEngine] = (),
) -> None:
    """Play a match against `engines`, and bots of `level` on the other seats; then against the next ones, as
    long as the player goes on up the ladder.

    `begun`: is called with the match before its first question.
    """
    owner = session.owner(await introduction.own_name(session, read=False))
    while level:
        level = await _play(session, owner, terms, level, begun, engines)


async def climb(session: PlaySession, match: Genesis, seat: Seat, level: str) -> None:
    """Play on up the ladder as in `match`, from the bots of `level` on; with "" nobody comes next."""
    terms = Terms(
        match.game,
        match.options,
        len(match.players),
        seat,
        match.proofs,
        match.escrow,
        match.pace,
        match.clock,
    )
    if level:
        await play_alone(session, terms, level)


async def _play(  # noqa: PLR0913, PLR0917 - who, where, what
    session: PlaySession,
    owner: Owner,
    terms: Terms,
    level: str,
    begun: Callable[[Genesis], None],
    engines: Sequence[HiredEngine],
) -> str:
    """Play one match; the level of the opponent whom the player wants to meet next, or ""."""
    async with table(session, owner) as (nursery, bots):
        host = Host(nursery, Desk(owner, tls.make(), 0))  # nobody calls: the bots are here
        lobby = host.open(terms)
        bots.seat(host, engines, terms.seats - 1, level)
        lobby.on_change = partial(_start_once_full, host, lobby)
        match = await host.gather()
        begun(match.replica.match)
        return await session.play(match, bots)


def _start_once_full(host: Host, lobby: Lobby) -> None:
    if lobby.listing.full and not lobby.started:
        host.guarded(lobby.start)


def reading_pace(settings: Settings, *, interactive: bool) -> ReadingPace:
    """How long bots leave each step to be read: by a person who wishes it."""
    return for_reading if interactive and settings.unhurried else steadily(0.0)


@asynccontextmanager
async def table(session: PlaySession, player: Owner) -> AsyncIterator[tuple[trio.Nursery, Bots]]:
    """A nursery for a match, and the bots that may play in it; both end with the block."""
    pace = reading_pace(session.settings, interactive=session.interactive)
    with ExitStack() as homes:
        async with trio.open_nursery() as nursery:
            bots = Bots(nursery, session.home, homes, pace, player.trace)
            bots.think = session.think
            yield nursery, bots
            nursery.cancel_scope.cancel()


async def hire_engines(
    arguments: argparse.Namespace, session: PlaySession, room: int, more: str = ""
) -> tuple[hired.HiredEngine, ...]:
    """The engines of the command line, of which each has said hello.

    `more`: the option that makes more room, if there is one.  Raises Sorry, also for too many.
    """
    if len(arguments.engines or ()) > room:
        raise Sorry(_no_room(room, more), Exit.USAGE)
    engines = await hired.hire(arguments, session.home.path)
    if engines and (words := hired.warning()):
        session.talk.say(words)
    return engines


def _no_room(engines: int, more: str) -> str:
    if not more:
        return n_(
            "At any table there is room for {count} engine.",
            "At any table there is room for {count} engines at most.",
            engines,
        )
    return n_(
        "There is room for {count} engine: make more with {option}.",
        "There is room for {count} engines: make more with {option}.",
        engines,
        option=more,
    )
