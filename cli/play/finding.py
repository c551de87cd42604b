"""How our player finds its host: a game nearby, picked from a list, or an invite that is pasted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import trio

from cli.play import introduction
from cli.play.runner import PlaySession
from cli.play.ways import Ways
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.explain import sentence
from cli.table import nearby as drawn
from protocol.failures import InviteFailure, NoNearby
from protocol.network import invite as invites
from protocol.network import short_code
from protocol.network.invite import Invite
from protocol.network.nearby import OpenGame
from protocol.network.short_code import ShortCode
from protocol.wire.addresses import Callee, Numbered

if TYPE_CHECKING:
    from protocol.network.transport.nearby import Browser

Found: TypeAlias = Invite | OpenGame | ShortCode
"""What leads to a host."""

_LOOK: Final = 5.0
"""Seconds that a host nearby is looked for by the number of its code."""
_LOOK_BESIDES: Final = 1.0
"""The same if it may wait at a relay."""
_NUMBER: Final = 4
"""Digits of the longest number that picks a game."""


async def asked(session: PlaySession, *, nearby: bool) -> Found | None:
    """What our player picks or pastes; a script's standard input is an invite.  None at the end of the input.

    `nearby`: whether the own network is asked for games meanwhile.  Raises InviteFailure for a script; a
    person is asked again.
    """
    if not (session.interactive and nearby):
        return await introduction.pasted(session.talk, read, interactive=session.interactive)
    from protocol.network.transport.nearby import Browser

    browser = Browser()
    session.talk.say("Looking for games nearby: type the number of one, or paste an invite, or type a code.")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_listed, session, browser)
        found = await _chosen(session, browser)
        nursery.cancel_scope.cancel()
    return found


def read(text: str) -> Invite | ShortCode:
    """The invite or the code in a text.  Raises InviteFailure."""
    return short_code.read(text) if short_code.is_code(text) else invites.read(text)


async def places_of(session: PlaySession, number: int, ours: Ways) -> list[tuple[Callee, ...]]:
    """Where a host may wait whose code has this `number`: at our relays, or else nearby.

    Raises Sorry if we may look nowhere.
    """
    if not (ours.relays or ours.nearby):
        raise Sorry(
            "A code leads to a host in your network, or at a relay: name the one that your friend has "
            "named, with --relay HOST:PORT.",
            Exit.USAGE,
        )
    places: list[tuple[Callee, ...]] = [(Numbered(relay, number),) for relay in ours.relays]
    if ours.nearby:
        places += await _nearby(session, number, _LOOK_BESIDES if places else _LOOK)
    return places


async def _nearby(session: PlaySession, number: int, patience: float) -> list[tuple[Callee, ...]]:
    """The games nearby whose code has this `number`, once there is one."""
    from protocol.network.transport.nearby import Browser

    browser = Browser()
    found: list[tuple[Callee, ...]] = []

    def look() -> None:
        found[:] = [game.addresses for game in browser.heard.games.values() if game.code == number]
        if found:
            looking.cancel()

    browser.on_change = look
    with trio.move_on_after(patience) as looking:
        try:
            await browser.run()
        except NoNearby as error:
            session.talk.say(sentence(error))
    return found


async def _chosen(session: PlaySession, browser: Browser) -> Found | None:
    """What a person types in the end."""
    talk = session.talk
    while True:
        talk.prompt(">")
        text = await introduction.paste(talk, introduction.PASTED_WITHIN)
        if text is None:
            return None
        if not text.strip():
            _tell(session, browser)
            continue
        if number := _number(text):
            if number in browser.heard.games:
                return browser.heard.games[number]
            talk.say(f"No game nearby has the number {number}.")
            continue
        try:
            return read(text)
        except InviteFailure as error:
            talk.say(sentence(error))


async def _listed(session: PlaySession, browser: Browser) -> None:
    """Tell of the games nearby, as they come and go."""
    known = drawn.Listed(session.home.contacts(), ascii_only=session.talk.ascii_only)

    def tell() -> None:
        for line in known.news(browser.heard):
            session.talk.say(line)
        session.talk.prompt_again()

    browser.on_change = tell
    try:
        await browser.run()
    except NoNearby as error:
        session.talk.say(sentence(error))
        session.talk.prompt_again()


def _tell(session: PlaySession, browser: Browser) -> None:
    """The whole list."""
    known = drawn.Listed(session.home.contacts(), ascii_only=session.talk.ascii_only)
    for line in known.news(browser.heard) or ["No game is open nearby, as far as can be heard."]:
        session.talk.say(line)


def _number(text: str) -> int:
    """The number that somebody typed; 0 if it is something else."""
    said = text.strip()
    return int(said) if said.isascii() and said.isdigit() and len(said) <= _NUMBER else 0
