"""`join`: calls the host of an invite or a short code, sits down, and plays."""

from __future__ import annotations

import argparse
from functools import partial

import trio

from cli.play.arriving import by_code, host_search, introduction, invitations, lobby_loop, network_options
from cli.play.arriving.invite_desk import to_watch
from cli.play.arriving.lobby_places import GuestPlace
from cli.play.arriving.network_options import Ways
from cli.play.runner import PlaySession, spend
from cli.shell.explain import sentence
from p2p_stratego.core.language import _
from protocol.channel import tls
from protocol.failures import CannotListen
from protocol.network import guest
from protocol.network.host import Host
from protocol.rendezvous.invite import Invite
from protocol.rendezvous.short_code import ShortCode
from protocol.storage.home import Owner


def run(arguments: argparse.Namespace) -> int:
    """A match with the host of an invite."""
    return spend(arguments, partial(join_match, arguments))


async def join_match(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Call the host of an invite, sit down, and play."""
    owner = session.owner(await introduction.own_name(session))
    ours = network_options.of(arguments, session.settings)
    lead = await invitations.lead(session, arguments.invite, nearby=ours.nearby)
    session.talk.say(_("Calling the host ..."))
    async with trio.open_nursery() as nursery:
        door = await _door(session, nursery, owner, arguments.port, ours)
        desk = None if door is None else door.desk
        if isinstance(lead, ShortCode):
            visitor = await by_code.visit(session, nursery, owner, lead, ours, desk=desk)
        elif isinstance(lead, Invite):
            visitor = await guest.visit(nursery, owner, lead, desk, ours.transports)
        else:
            came = await guest.approach(nursery, owner, lead.addresses, desk, ours.transports)
            visitor = await host_search.compare_digits(session, lead, came)
        if door is not None:
            visitor.on_seated = door.show
        place = GuestPlace(session, visitor, owner.identity.key)
        if desk is not None:
            desk.on_void = place.called
        match = await lobby_loop.visit_lobby(session, visitor, place)
        await session.play(match)
        if door is not None and match.replica.finished:
            door.desk.revoke()
        nursery.cancel_scope.cancel()


async def _door(
    session: PlaySession, nursery: trio.Nursery, owner: Owner, port: int, ours: Ways
) -> Host | None:
    """The door at which the other players of a match can call us; None, and a remark, if we cannot listen."""
    if not (ours.listens or ours.relays):
        return None
    try:
        door = await network_options.open_door(nursery, owner, tls.make(), port, ours)
    except CannotListen as error:
        session.talk.say(
            _("{sentence} The others cannot call you, but you can call them.", sentence=sentence(error))
        )
        return None
    await door.settle(session, invites=False)
    door.host.desk.addresses = door.addresses
    session.watch = partial(to_watch, door.host, door.addresses)
    return door.host
