"""The router: our program asks it to let friends in while our player listens, and reports the answer."""

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


def ask_routers(nursery: trio.Nursery, port: int) -> tuple[MappedPort, ...]:
    """Have the routers of this machine asked to let callers in to `port`, until the nursery ends."""
    if os.environ.get(SWITCH):
        return ()
    ports = ports_to_map(port, own_addresses())
    for mapped in ports:
        nursery.start_soon(mapped.run)
    return tuple(ports)


async def wait_for_answers(ports: Sequence[MappedPort]) -> None:
    """Wait for the routers' answers, but not for long."""
    with trio.move_on_after(ANSWERS_WITHIN):
        for port in ports:
            await port.tried.wait()


async def tell_late(ports: list[MappedPort], tell: Callable[[MappedPort], None]) -> None:
    """Call `tell` with each of `ports` whose router answers, and remove it there; ends with the last."""

    async def late(port: MappedPort) -> None:
        await port.tried.wait()
        ports.remove(port)
        tell(port)

    async with trio.open_nursery() as nursery:
        for port in tuple(ports):
            nursery.start_soon(late, port)


def outside(ports: Sequence[MappedPort]) -> tuple[Endpoint, ...]:
    """Where friends from outside reach us, as the routers say."""
    endpoints = (port.outside for port in ports)
    return tuple(dict.fromkeys(endpoint for endpoint in endpoints if endpoint is not None))


def report(port: MappedPort, *, relays: bool) -> str:
    """The answer of a router, in a sentence or two; "" if it changes nothing for friends.

    `relays`: whether friends can use relays, too.
    """
    outcome = port.outcome
    if outcome is None:
        return _(BEING_ASKED)
    if port.outside is not None:
        language = outcome.by.value if outcome.by is not None else ""
        return _(
            "Your router lets friends in at {outside} ({language}).", outside=port.outside, language=language
        )
    if port.of_ipv6:
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
        port=port.port,
    )
