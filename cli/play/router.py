"""The router, which is asked to let friends in while our player listens; and what came of it, in words."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Final

import trio

from cli.shell.settings import SWITCHED_OFF
from p2p_stratego.core.language import _, mark
from protocol.network.transport.mapping import MappedPort, ports_to_map
from protocol.rendezvous.own_addresses import own_addresses
from protocol.wire.addresses import Endpoint

SWITCH: Final = SWITCHED_OFF["upnp"]
"""If this is in the environment, no router is asked for anything."""
ANSWERS_WITHIN: Final = 2.0
"""Seconds that an invite waits for the router: friends may use it at once."""
BEING_ASKED: Final = mark("Your router has not answered yet whether it lets friends in; it is being asked.")


def asked(nursery: trio.Nursery, port: int) -> tuple[MappedPort, ...]:
    """Have the routers of this machine asked to let callers in to `port`, until the nursery ends."""
    if os.environ.get(SWITCH):
        return ()
    ports = ports_to_map(port, own_addresses())
    for one in ports:
        nursery.start_soon(one.run)
    return tuple(ports)


async def answered(ports: Sequence[MappedPort]) -> None:
    """Wait for the routers' answers, but not for long."""
    with trio.move_on_after(ANSWERS_WITHIN):
        for one in ports:
            await one.tried.wait()


async def tell_late(ports: list[MappedPort], tell: Callable[[MappedPort], None]) -> None:
    """Tell of each of `ports` once its router has answered, and take it out of them; until all have."""

    async def late(one: MappedPort) -> None:
        await one.tried.wait()
        ports.remove(one)
        tell(one)

    async with trio.open_nursery() as nursery:
        for each in tuple(ports):
            nursery.start_soon(late, each)


def outside(ports: Sequence[MappedPort]) -> tuple[Endpoint, ...]:
    """Where friends from outside reach us, as the routers say."""
    found = (one.outside for one in ports)
    return tuple(dict.fromkeys(each for each in found if each is not None))


def told(one: MappedPort, *, relays: bool) -> str:
    """What came of asking, in a sentence or two; "" if nothing is worth one.

    `relays`: whether friends can use some, too.
    """
    outcome = one.outcome
    if outcome is None:
        return _(BEING_ASKED)
    if one.outside is not None:
        language = outcome.by.value if outcome.by is not None else ""
        return _(
            "Your router lets friends in at {outside} ({language}).", outside=one.outside, language=language
        )
    if one.of_ipv6:
        return ""  # where it does not, most firewalls let nobody in: IPv4 or a relay has to serve
    else_ = "" if relays else _(" Friends outside of your network need a relay: --relay.")
    if outcome.granted is not None:
        return _(
            "Your router has no address of its own on the Internet ({outside}): your "
            "provider, or another router, stands before it.{value}",
            outside=outcome.granted.outside,
            value=else_,
        )
    if relays:
        return ""
    how = (
        _("did not let friends in when it was asked")
        if outcome.refused
        else _("did not answer when it was asked")
    )
    return _(
        "Your router {how} (UPnP, NAT-PMP, PCP). Friends in your network reach you; for others forward port "
        "{port} there, or use a relay: --relay.",
        how=how,
        port=one.port,
    )
