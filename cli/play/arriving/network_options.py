"""The ways by which our player reaches others and is reached, as the command line says."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import trio

from cli.play import router
from cli.play.arriving import introduction
from cli.play.own_relays import WatchedRelay
from cli.play.runner import PlaySession
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.explain import sentence
from cli.shell.settings import SWITCHED_OFF, Settings
from cli.text.layout import series
from p2p_stratego.core.language import _
from protocol.channel import tls
from protocol.failures import NotAnAddress
from protocol.lobby.introductions import Desk
from protocol.network.host import Host, listen
from protocol.network.transport import tcp
from protocol.network.transport.choice import Wishes, transports_for
from protocol.network.transport.mapping import MappedPort
from protocol.network.transport.proxied import Proxy, read_proxy
from protocol.network.transport.registry import Transports
from protocol.network.transport.relay_client import Waiter
from protocol.rendezvous.invite import MAX_ADDRESSES
from protocol.rendezvous.relay_switchboard import token_of
from protocol.storage.home import Home, Owner
from protocol.storage.route import Place, Route
from protocol.storage.standing_door import Doorstep
from protocol.wire.addresses import Address, Endpoint, Onion, Relayed, pack, read

_USUAL: Final = Settings()
HIDDEN: Final = SWITCHED_OFF["nearby"]
"""Set to anything: as --hidden."""
_RELAYS_ANSWER_WITHIN: Final = 3.0
"""Seconds that an invite waits for the relays that it names: friends may use it at once."""


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways of one run.

    `relays`: those that our player names, where others can reach us; `given`: the addresses that it names, if
    any; `upnp`: whether the program may ask the router to let others in.
    """

    wishes: Wishes
    relays: tuple[Endpoint | Onion, ...] = ()
    given: tuple[str, ...] = ()
    upnp: bool = True
    shown: bool = True
    """Whether our player lets others in the own network see its games."""

    @property
    def nearby(self) -> bool:
        """Whether the own network may be told of our game, or asked for those of others."""
        return self.shown and not self.wishes.hidden

    @property
    def listens(self) -> bool:
        """Whether others can call us straight: behind a proxy only where our player says so, such as at an
        onion service that leads to this machine.
        """
        return self.wishes.straight and (self.wishes.proxy is None or bool(self.given))

    @property
    def asks(self) -> bool:
        """Whether the router is asked: not where our player says where we are reached, or hides it."""
        return self.upnp and self.listens and not self.given and not self.wishes.hidden

    @property
    def transports(self) -> Transports:
        """The transports for our calls."""
        return transports_for(self.wishes, self.relays)

    def again(self, own: Place | None, *, shown: bool = False) -> Ways:
        """These ways for a match in which others could call us at `own` before.

        Our relays of then are added.  If we could be called at relays alone, we do not go straight now
        either, unless our address may be `shown`.  Behind a proxy our player's addresses of then stay.
        """
        if own is None:
            return self
        relays = [address.relay for address in own.addresses if isinstance(address, Relayed)]
        others = tuple(str(address) for address in own.addresses if not isinstance(address, Relayed))
        given = self.given or (others if self.wishes.proxy is not None else ())
        if not self.wishes.relays:
            return replace(self, given=given)
        wishes = replace(self.wishes, straight=self.wishes.straight and (shown or bool(others)))
        return replace(self, wishes=wishes, relays=tuple(dict.fromkeys((*self.relays, *relays))), given=given)


@dataclass(frozen=True, slots=True)
class OwnDoor:
    """The place where others reach us: `host` answers them, at `addresses`; `waiters`: one for each relay;
    `ports`: of routers that let them in besides (see `Desk.mapped`).
    """

    host: Host
    addresses: tuple[Address, ...]
    waiters: tuple[Waiter, ...]
    ports: tuple[MappedPort, ...] = ()
    ways: Ways = Ways(Wishes())
    stands: bool = False
    """Whether this is our standing door."""

    def standing(self, home: Home) -> tuple[Address, ...]:
        """The addresses at which friends ask our player: at our standing door, by the ways of this door.

        The standing door has a port of its own.  An address that our player named stays as it is, and a
        router is assumed to let callers in at the same port.
        """
        desk = self.host.desk
        if self.stands:
            return desk.reached_at(self.addresses)[:MAX_ADDRESSES]
        doorstep = home.doorstep()
        straight = introduction.addresses(self.ways.given, doorstep.port) if self.ways.listens else ()
        mapped = [
            replace(address, port=doorstep.port) for address in desk.mapped if isinstance(address, Endpoint)
        ]
        relays = [Relayed(relay, token_of(doorstep.waiting(pack(relay)))) for relay in self.ways.relays]
        return tuple(dict.fromkeys((*straight, *mapped, *relays)))[:MAX_ADDRESSES]

    async def settle(self, session: PlaySession, *, invites: bool = True) -> None:
        """Give relays and routers a moment, and tell their answers; lobby and table tell later changes.

        `invites`: whether our player hands out invites; if not, no router is waited for: the table tells its
        answer.
        """
        ports = self.ports if invites else ()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(router.wait_for_answers, ports)
            with trio.move_on_after(_RELAYS_ANSWER_WITHIN):
                for waiter in self.waiters:
                    await waiter.tried.wait()
        for port in ports:
            if words := router.report(port, relays=bool(self.waiters)):
                session.talk.say(words)
        for waiter in self.waiters:
            if not waiter.there:
                why = f"{sentence(waiter.trouble)} " if waiter.trouble is not None else ""
                session.talk.say(
                    _(
                        "{why}Nobody can reach you at the relay {relay} now; it is tried again and again.",
                        why=why,
                        relay=waiter.relay,
                    )
                )
        session.late = [port for port in ports if port.outcome is None]
        session.standing = partial(self.standing, session.home)
        session.relays = tuple(WatchedRelay(waiter, waiter.there) for waiter in self.waiters)

    def follow(self) -> None:
        """A router lets others in elsewhere, or no longer: tell it to all who ask from now on."""
        self.host.desk.mapped = router.outside(self.ports)
        self.host.reached()


def moved_place(route: Route, door: OwnDoor) -> Place:
    """Our place in a match of before: the straight addresses of then at the port of now, and the addresses
    at routers and relays of now.
    """
    known = () if route.own is None else route.own.addresses
    kept = [address for address in known if not isinstance(address, Relayed) and address not in route.mapped]
    straight = [
        replace(address, port=door.host.desk.port) if address.port == route.port else address
        for address in kept
    ]
    now = [address for address in door.addresses if isinstance(address, Relayed)]
    if not door.host.desk.port:
        straight = []
    elif not straight:
        straight = [address for address in door.addresses if not isinstance(address, Relayed)]
    reached = door.host.desk.reached_at((*straight, *now))
    return Place(reached, door.host.desk.certificate.hash)


def of(arguments: argparse.Namespace, saved: Settings = _USUAL) -> Ways:
    """The ways that a command line names, and else the settings.

    Raises Sorry for options that exclude each other, and for settings that cannot be read: without them an
    address that was to stay hidden might be shown.
    """
    texts: Sequence[str] = getattr(arguments, "relay", None) or ()
    given: Sequence[str] = getattr(arguments, "address", None) or ()
    if arguments.no_relay and (texts or arguments.relay_only):
        raise Sorry(_("--no-relay excludes --relay and --relay-only."), Exit.USAGE)
    if arguments.relay_only and given:
        raise Sorry(_("--relay-only hides your addresses, and --address tells one."), Exit.USAGE)
    _check(arguments, saved)
    only = saved.relay_only if arguments.relay_only is None else arguments.relay_only
    url = saved.proxy if arguments.proxy is None else arguments.proxy
    named = () if arguments.no_relay else texts or saved.relays
    asked: bool | None = getattr(arguments, "upnp", None)
    wishes = Wishes(straight=not only, relays=not arguments.no_relay, proxy=proxy(url) if url else None)
    upnp = saved.upnp if asked is None else asked
    return Ways(wishes, tuple(map(relay, named)), tuple(given), upnp, _nearby(arguments, saved))


def _nearby(arguments: argparse.Namespace, saved: Settings) -> bool:
    """Whether the own network may see what our player does."""
    given: bool | None = getattr(arguments, "nearby", None)
    return saved.nearby and not os.environ.get(HIDDEN) if given is None else given


def _check(arguments: argparse.Namespace, saved: Settings) -> None:
    """Raise Sorry for a command line that the settings contradict."""
    # A setting that hides an address is switched off by its own option alone, never in passing.
    if saved.unclear:
        raise Sorry(
            _(
                "What stands in your settings for {unclear} cannot be read, and it may be "
                "there to hide your address. Set it anew in the start menu, or mend settings.json in "
                "your home "
                "folder.",
                unclear=series(list(saved.unclear)),
            ),
            Exit.DATA,
        )
    if saved.relay_only and arguments.relay_only is None:
        for option, why in (
            ("no_relay", _("leaves relays out")),
            ("address", _("tells an address")),
            ("show_address", _("shows it")),
        ):
            if getattr(arguments, option, None):
                raise Sorry(
                    _(
                        "By your settings others reach you through relays only, so that they do not "
                        "learn your "
                        "address; --{replace} {why}. Add --no-relay-only to go straight.",
                        replace=option.replace("_", "-"),
                        why=why,
                    ),
                    Exit.USAGE,
                )
    if saved.proxy and arguments.proxy is None and getattr(arguments, "show_address", False):
        raise Sorry(
            _(
                "By your settings you call through a proxy, which hides your address. Add --no-proxy "
                "to show it."
            ),
            Exit.USAGE,
        )


def proxy(url: str) -> Proxy:
    """The proxy at `url`.  Raises Sorry."""
    try:
        return read_proxy(url)
    except NotAnAddress as error:
        raise Sorry(
            _(
                "A proxy is socks5://HOST:PORT, with an IP address or localhost for HOST: another name would "
                "have to be looked up beside the proxy."
            ),
            Exit.USAGE,
        ) from error


def relay(text: str) -> Endpoint | Onion:
    """The relay at `text`.  Raises Sorry."""
    try:
        address = read(text)
    except NotAnAddress as error:
        raise Sorry(_("A relay is HOST:PORT. {sentence}", sentence=sentence(error)), Exit.USAGE) from error
    if isinstance(address, Relayed):
        raise Sorry(_("A relay is HOST:PORT; that is somebody's place at one."), Exit.USAGE)
    return address


async def open_door(  # noqa: PLR0913 - who listens, where, by which ways
    nursery: trio.Nursery,
    owner: Owner,
    certificate: tls.Certificate,
    port: int,
    ways: Ways,
    *,
    doorstep: Doorstep | None = None,
) -> OwnDoor:
    """Open the door at which others reach us, by these `ways`; `doorstep`: given for our standing door.

    Raises CannotListen, Damaged, or Sorry.
    """
    addresses: list[Address] = []
    if ways.listens:
        interfaces = tcp.EVERYWHERE if ways.wishes.proxy is None else ("127.0.0.1",)
        host = await listen(nursery, owner, certificate, port, interfaces, transports=ways.transports)
        addresses += introduction.addresses(ways.given, host.desk.port)
    else:
        host = Host(nursery, Desk(owner, certificate, 0), ways.transports)
    if len(addresses) + len(ways.relays) > MAX_ADDRESSES:
        raise Sorry(
            _(
                "An invite holds up to {max_addresses} addresses, those at relays among them.",
                max_addresses=MAX_ADDRESSES,
            ),
            Exit.USAGE,
        )
    waiters = []
    for relay in ways.relays:
        address, waiter = host.wait_at(relay, None if doorstep is None else doorstep.waiting(pack(relay)))
        addresses.append(address)
        waiters.append(waiter)
    ports = router.ask_routers(nursery, host.desk.port) if ways.asks else ()
    door = OwnDoor(host, tuple(addresses), tuple(waiters), ports, ways, doorstep is not None)
    for router_port in ports:
        router_port.on_change = door.follow
    return door
