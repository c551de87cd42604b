"""Questions before a lobby: our player's name, the invite of somebody else, and where ours leads."""

from __future__ import annotations

import getpass
import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from ipaddress import ip_address
from typing import Final, TypeVar

import trio

from cli.lines.console import Console
from cli.play.own_name import objection
from cli.play.runner import PlaySession
from cli.shell import settings
from cli.shell.exit_codes import Sorry
from cli.shell.explain import sentence
from cli.shell.spelling_hints import is_invite
from cli.text.names import unworn
from p2p_stratego.core.language import _, mark
from protocol.failures import InviteFailure, NotAnAddress
from protocol.limits import MAX_NAME
from protocol.rendezvous import invite as invites
from protocol.rendezvous import short_code
from protocol.rendezvous.invite import MAX_ADDRESSES
from protocol.rendezvous.own_addresses import own_addresses
from protocol.storage.route import Place, Route
from protocol.wire.addresses import Address, Endpoint, Relayed
from protocol.wire.addresses import read as read_address

T = TypeVar("T")

_LOOPBACK: Final = "127.0.0.1"
PASTED_WITHIN: Final = 0.3
"""Seconds between two lines of one paste: nobody types that fast."""


_WHAT_FOR: Final = mark(
    "Before the first game: the other players see you by a name, which stands in the record of each game. "
    "Enter takes the one in brackets. You can change it later, in the settings of the start menu."
)


async def own_name(session: PlaySession, *, read: bool = True) -> str:
    """The name that the opponent will see: from the settings, else asked for and remembered.

    `read`: whether another player reads it.  Else nobody is asked, and a person without a name is "Player":
    the record may be shown to others later, and nobody has agreed to show a login name.

    If another name is remembered, a name on the command line counts for this run alone, as in one round of
    a tournament.  The word of such a round is never remembered.

    Raises Sorry for a name that will not do.
    """
    name, explained = session.settings.name, False
    while not name:
        usual = _login()
        if not session.interactive:
            return usual
        if not read:
            return _("Player")
        if not explained:
            session.talk.say(_(_WHAT_FOR))
            explained = True
        given = await session.talk.ask(_("Your name, as your opponent will see it [{usual}]:", usual=usual))
        name = (usual if given is None else given.strip()) or usual
        if wrong := objection(name):
            session.talk.say(wrong)
            session.pasted = name if is_invite(name) else session.pasted
            name = ""
    if wrong := objection(name):
        raise Sorry(_("{wrong} Choose another --name.", wrong=wrong))
    saved = settings.read(session.home.settings())
    if not saved.name:
        settings.remember(session.home, saved, replace(saved, name=unworn(name)))
    return name


def _login() -> str:
    """The user's login name, if it will do as a player's name."""
    with suppress(OSError, KeyError, ImportError):
        name = getpass.getuser().capitalize()[:MAX_NAME]
        if objection(name) is None:
            return name
    return "Player"


async def ask_pasted(talk: Console, read: Callable[[str], T], *, interactive: bool) -> T | None:
    """The pasted invite, or that on standard input, over as many lines as it was broken into.

    `read`: parses the text, and may raise InviteFailure.  None at the end of the input.  Raises
    InviteFailure for a script; a person is asked again.
    """
    if interactive:
        talk.say(_("Paste the invite and press Enter; spaces and line breaks do not matter."))
    while True:
        if interactive:
            talk.prompt(">")
        text = await paste(talk, patience=PASTED_WITHIN if interactive else None)
        if text is None:
            return None
        if interactive and not text.strip():
            continue
        try:
            return read(text)
        except InviteFailure as error:
            if not interactive:
                raise
            talk.say(sentence(error))


async def paste(talk: Console, patience: float | None) -> str | None:
    """Lines up to a whole invite, a line that begins as a short code, an empty line, the end of the
    input, or a pause of `patience` seconds.
    """
    text = await talk.line()
    if text is not None and short_code.is_code(text):
        return text
    while text is not None and len(text) <= invites.MAX_TEXT:
        with suppress(InviteFailure):
            invites.read(text)
            return text
        more = None
        with trio.move_on_after(math.inf if patience is None else patience):
            more = await talk.line()
        if not more:
            return text
        text += more
    return text


def addresses(given: Sequence[str] | None, port: int) -> tuple[Address, ...]:
    """Where an invite leads: the addresses `given` on the command line, else this machine's own.

    `port`: where we listen, for an address without a port of its own.  Raises Sorry for a text that is no
    address, and for too many.
    """
    if given and len(given) > MAX_ADDRESSES:
        raise Sorry(
            _(
                "An invite holds up to {max_addresses} addresses. Name those at which you can be reached.",
                max_addresses=MAX_ADDRESSES,
            )
        )
    if given:
        return tuple(_address(address, port) for address in given)
    return tuple(Endpoint(host, port) for host in own_addresses() or [_LOOPBACK])


def heard_at(route: Route, ours: Sequence[Address]) -> Address:
    """The address of `ours` at which the other players can probably call us; if all play on this machine, its
    loopback address.
    """
    places = [address for place in route.others.values() for address in place.addresses]
    if places and all(map(_is_here, places)):
        return next(
            (Endpoint(_LOOPBACK, address.port) for address in ours if isinstance(address, Endpoint)), ours[0]
        )
    return ours[0]


def _is_here(address: Address) -> bool:
    """Whether `address` is on this machine alone."""
    if not isinstance(address, Endpoint):
        return False
    if address.host == "localhost":
        return True
    with suppress(ValueError):
        return ip_address(address.host).is_loopback
    return False


def _address(text: str, port: int, *, zones: bool = False) -> Address:
    """The address in `text`, from the command line.  Raises Sorry."""
    try:
        return read_address(text, port, zones=zones)
    except NotAnAddress as error:
        raise Sorry(sentence(error)) from error


def place(text: str, port: int) -> Address:
    """The address in `text`, "host", "host:4000" or "[::1]:4000"; `port` where none is given.

    An IPv6 address may have a "%eth0" behind it, which says from where to call it; in an invite it
    would have no meaning.  Raises Sorry.
    """
    return _address(text, port, zones=True)


def usual_port(known: Place) -> int:
    """The port of a player that has told only another address of itself."""
    return next((address.port for address in known.addresses if not isinstance(address, Relayed)), 0)


def qr_code(text: str) -> list[str]:
    """`text` as a QR code of half blocks, light modules drawn: for terminals that are dark."""
    import segno

    rows = [[not dark for dark in row] for row in segno.make(text, error="l").matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([True] * len(rows[0]))
    signs = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
    pairs: Sequence[tuple[list[bool], list[bool]]] = list(zip(rows[::2], rows[1::2], strict=True))
    return ["".join(signs[pair] for pair in zip(upper, lower, strict=True)) for upper, lower in pairs]
