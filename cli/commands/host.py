"""`host`: asks friends, hands out an invite for the other seats, lets its bearers sit down, and plays."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from typing import Final

import trio

from cli.games import options as game_options
from cli.play.arriving import friends, introduction, invitations, lobby_loop, network_options
from cli.play.arriving.against_bots import climb, hire_engines, table
from cli.play.arriving.announcement import announcement
from cli.play.arriving.invite_desk import InviteDesk
from cli.play.arriving.lobby_places import HostPlace
from cli.play.arriving.network_options import OwnDoor, Ways
from cli.play.arriving.short_codes import short_codes
from cli.play.bots.bot_match import Bots
from cli.play.runner import PlaySession, spend
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.settings import Settings
from p2p_stratego.core.characters import level_of, short_name
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.registry import ENTRIES
from protocol.channel import tls
from protocol.lobby.handshake import Terms
from protocol.lobby.introductions import OpenInvite
from protocol.network.host import Host
from protocol.network.peer import Peer
from protocol.storage.contacts import Contact
from protocol.storage.route import Place

_NEARBY: Final = mark(
    "Friends in your network need no invite: they run p2p-stratego join, and you both compare six digits."
)


_WITH_YOU: Final = mark("Bots play in your program: stay until the end, or they go with you.")


def run(arguments: argparse.Namespace) -> int:
    """A match with the players who bring our invite."""
    return spend(arguments, partial(host_match, arguments))


async def host_match(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Ask friends, hand out an invite for the other seats, let its bearers sit down, and play."""
    if arguments.clock is None and arguments.each == "live":
        arguments.clock = session.settings.clock
    terms = game_options.at_table(arguments)
    asked = tuple(dict.fromkeys(friends.friend(session.home, name) for name in arguments.friends))
    room = terms.seats - 1 - arguments.bots - len(asked)
    if room < 0:
        raise Sorry(
            _(
                "With {seats} seats there is room for at most {counted}, and for fewer beside friends.",
                seats=terms.seats,
                counted=n_("{count} bot", "{count} bots", terms.seats - 1),
            ),
            Exit.USAGE,
        )
    engines = await hire_engines(arguments, session, arguments.bots, "--bots")
    owner = session.owner(await introduction.own_name(session))
    kept = await invitations.kept_invite(session) if room else None
    ours = _ways_of_host(arguments, session.settings, kept)
    certificate = tls.make() if kept is None else kept.certificate
    port = arguments.port if kept is None else kept.port
    async with table(session, owner) as (nursery, bots):
        door = await network_options.open_door(nursery, owner, certificate, port, ours)
        host = door.host
        await door.settle(session)
        host.desk.addresses = door.addresses
        try:
            seat_bots = partial(bots.seat, host, engines, arguments.bots, arguments.level)
            match = await _gathered(
                arguments, session, door, terms, bots=bots, seat_bots=seat_bots, kept=kept, asked=asked
            )
        finally:
            host.desk.withdraw()
        if match is not None:
            following = await session.play(match, bots)
            if match.replica.finished:
                host.desk.revoke()
    if match is not None:
        await climb(session, match.replica.match, match.replica.seat, following)


def _ways_of_host(arguments: argparse.Namespace, saved: Settings, kept: OpenInvite | None) -> Ways:
    """The ways by which friends reach a host; a `kept` invite leads where it led before."""
    ours = network_options.of(arguments, saved)
    if kept is not None:
        ours = ours.again(Place(kept.invite.addresses, kept.invite.certificate))
    if not (ours.listens or ours.relays):
        how = (
            _("a relay with --relay, or your onion service with --address")
            if ours.wishes.straight
            else "--relay"
        )
        by = ""
        if saved.proxy and arguments.proxy is None:
            by = _(" Your settings name a proxy; --no-proxy leaves it out.")
        elif saved.relay_only and arguments.relay_only is None:
            by = _(" Your settings say relays only; --no-relay-only takes that back.")
        raise Sorry(_("So friends cannot reach you: name {how}.{by}", how=how, by=by), Exit.USAGE)
    return ours


async def _gathered(  # noqa: PLR0913 - who, where, what
    arguments: argparse.Namespace,
    session: PlaySession,
    door: OwnDoor,
    terms: Terms,
    *,
    bots: Bots,
    seat_bots: Callable[[], None],
    kept: OpenInvite | None,
    asked: tuple[Contact, ...],
) -> Peer | None:
    """The match of a new lobby, or None if our player closes it."""
    host = door.host
    lobby = host.open(terms)
    place = HostPlace(session, host, lobby, host.desk.owner.identity.key)
    place.add_bots = partial(_add_bots, host, bots, arguments)
    seat_bots()
    guests = terms.seats - 1 - arguments.bots - len(asked)
    announced = announcement(session, door, lobby, place) if guests else None
    codes = short_codes(door, place, guests, announced) if guests else None
    handing = InviteDesk(session, door, arguments, guests)
    place.invite, place.watch = handing.again, handing.to_watch
    place.standing = lambda: [*handing.handed, *([] if codes is None else codes.handed)]
    session.watch = handing.to_watch
    if arguments.bots:
        session.talk.say(_(_WITH_YOU))
    if guests:
        besides = [] if codes is None else await codes.begin()  # first: guests may come from the invite on
        if announced is not None and door.ways.nearby:
            session.talk.say(_(_NEARBY))
        handing.begin(kept)
        handing.waiting(besides)
    if arguments.watch:
        sentence, word = handing.to_watch(True)
        session.talk.say(sentence)
        session.talk.verbatim(word)
    if asked:
        session.talk.say(friends.calling_sentence(asked))
    async with trio.open_nursery() as nursery:
        if guests or not asked:
            nursery.start_soon(handing.expire)
        if announced is not None:
            nursery.start_soon(announced.run)
        if codes is not None:
            nursery.start_soon(codes.run)
        if asked:
            nursery.start_soon(friends.FriendCalls(session, host, place, only=not guests).run, asked)
        match = await lobby_loop.host_lobby(session, host, place)
        nursery.cancel_scope.cancel()
    return match


def _add_bots(host: Host, bots: Bots, arguments: argparse.Namespace, number: int, level: str | None) -> str:
    """Seat `number` bots; a sentence about it, or ""."""
    lobby = host.lobby
    known = ENTRIES[arguments.game].bots
    wanted = level_of(level or arguments.level)
    if wanted not in known:
        return _(
            "There is no bot of that level. Levels: {known}.",
            known=", ".join(short_name(level).lower() for level in known),
        )
    for _unused in range(number if lobby is not None else 0):
        bots.sit_down(host, wanted)
    return _(_WITH_YOU) if number else ""
