"""Calling a friend at its standing door: all its addresses at once, until the friend answers at one."""

from __future__ import annotations

import trio

from protocol.channel import limits
from protocol.errors import Refusal
from protocol.failures import Code, NetworkFailure, Refused
from protocol.lobby.handshake import Person
from protocol.lobby.introductions import asking
from protocol.network.link import Link, call_unknown
from protocol.network.transport.registry import Transports
from protocol.rendezvous.own_addresses import unreachable
from protocol.storage.contacts import Contact, Door
from protocol.storage.home import Owner
from protocol.storage.route import Place
from protocol.wire.addresses import Address, Relayed, address_text
from protocol.wire.encoding import Frame


async def ring(
    nursery: trio.Nursery, owner: Owner, friend: Contact, place: Place | None, transports: Transports
) -> tuple[Link, Person]:
    """A link to a friend who has proven its key, and who knows now who we are; `place`: where we listen.

    Addresses are hints: they can be old, and somebody else can answer there, who then learns nothing but
    that somebody called.  Raises Refused with what was answered, by the friend or in its place, or another
    NetworkFailure.
    """
    door = friend.door or Door((), b"")
    found: list[tuple[Link, Person, Frame]] = []
    failures: list[Exception] = []
    links: list[Link] = []

    async def attempt(address: Address) -> None:
        try:
            if isinstance(address, Relayed):
                await trio.sleep(limits.RELAY_AFTER)
            link, _ = await call_unknown(nursery, (address,), owner.trace, transports)
            links.append(link)
            person, asker = await link.attend(
                lambda say: asking(
                    say, link.binding, owner, friend=friend.key, ticket=door.ticket, place=place
                )
            )
        except (NetworkFailure, Refusal) as error:
            failures.append(error)
        else:
            found.append((link, person, asker))
            attempts.cancel_scope.cancel()

    with trio.move_on_after(transports.within + limits.AUTHENTICATE_AFAR_WITHIN):
        async with trio.open_nursery() as attempts:
            for address in door.addresses:
                attempts.start_soon(attempt, address)
    for link in links:
        if not found or link is not found[0][0]:
            link.close(Code.LEFT)
    if not found:
        refused = (error for error in failures if isinstance(error, Refused))
        raise next(refused, None) or unreachable(tuple(map(address_text, door.addresses)), failures)
    link, person, asker = found[0]
    link.trust()
    link.send(bytes(asker))
    return link, person
