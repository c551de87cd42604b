"""How our player finds its host: a game nearby, picked from a list, or an invite that is pasted.

Without an invite both persons compare six digits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import trio

from cli.play.arriving import introduction
from cli.play.runner import PlaySession
from cli.shell.explain import sentence
from cli.table.words import nearby as nearby_words
from p2p_stratego.core.language import _
from protocol.failures import InviteFailure, NoNearby
from protocol.rendezvous import invite as invites
from protocol.rendezvous import short_code
from protocol.rendezvous.invite import Invite
from protocol.rendezvous.nearby import OpenGame
from protocol.rendezvous.short_code import ShortCode

if TYPE_CHECKING:
    from protocol.network.transport.nearby import Browser


from cli.table.words.lobby_view import about
from cli.text.large_digits import large
from cli.text.layout import words
from protocol.crypto.keys import fingerprint
from protocol.failures import AnotherPlayer
from protocol.network.guest import Approach, Visitor


async def compare_digits(session: PlaySession, game: OpenGame, came: Approach) -> Visitor:
    """Our player in the lobby of the host of `game`, once both see the same digits or know the key.

    Raises AnotherPlayer, NotTheSame, NetworkFailure, or a Refusal.
    """
    meeting, talk = came.encounter.meeting, session.talk
    if fingerprint(meeting.other.key) != game.fingerprint:
        came.give_up()
        raise AnotherPlayer
    contacts = session.home.contacts()
    known, asked = about(meeting.other, contacts), not nearby_words.familiar(meeting.other, contacts)
    host = nearby_words.newcomer(
        meeting.other, meeting.digits, known, asked=asked, ascii_only=talk.ascii_only
    )
    for text in host.as_host:
        talk.say(text)
    if session.stage is not None:
        for row in large(meeting.digits):
            talk.verbatim(words(row))
    if not asked:
        came.encounter.answer(same=True)
        return await came.visitor()
    visitor: Visitor | None = None
    async with trio.open_nursery() as nursery:

        async def ask() -> None:
            same = await talk.confirm(_(nearby_words.SAME))
            if same:
                talk.say(_(nearby_words.SAID_SAME))
            came.encounter.answer(same=same)

        nursery.start_soon(ask)
        try:
            visitor = await came.visitor()
        finally:
            talk.break_off()  # an open question, if the host has gone meanwhile
        nursery.cancel_scope.cancel()
    return visitor


Lead: TypeAlias = Invite | OpenGame | ShortCode
"""A way to a host: what our player has pasted, typed or picked."""

_NUMBER: Final = 4
"""Digits of the longest number that picks a game."""


async def lead(session: PlaySession, *, nearby: bool) -> Lead | None:
    """The lead that our player picks or pastes; a script's standard input is an invite.  None at its end.

    `nearby`: whether games of the own network are listed meanwhile.  Raises InviteFailure for a script; a
    person is asked again.
    """
    if not (session.interactive and nearby):
        return await introduction.ask_pasted(session.talk, read, interactive=session.interactive)
    from protocol.network.transport.nearby import Browser

    browser = Browser()
    session.talk.say(
        _("Looking for games nearby: type the number of one, or paste an invite, or type a code.")
    )
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_listed, session, browser)
        picked = await _chosen(session, browser)
        nursery.cancel_scope.cancel()
    return picked


def read(text: str) -> Invite | ShortCode:
    """The invite or the code in a text.  Raises InviteFailure."""
    return short_code.read(text) if short_code.is_code(text) else invites.read(text)


async def _chosen(session: PlaySession, browser: Browser) -> Lead | None:
    """The lead that a person types in the end; None if the input ended."""
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
            talk.say(_("No game nearby has the number {number}.", number=number))
            continue
        try:
            return read(text)
        except InviteFailure as error:
            talk.say(sentence(error))


async def _listed(session: PlaySession, browser: Browser) -> None:
    """Tell of the games nearby, as they come and go."""
    known = nearby_words.NearbyList(session.home.contacts(), ascii_only=session.talk.ascii_only)

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
    known = nearby_words.NearbyList(session.home.contacts(), ascii_only=session.talk.ascii_only)
    for line in known.news(browser.heard) or [_("No game is open nearby, as far as can be heard.")]:
        session.talk.say(line)


def _number(text: str) -> int:
    """The number that somebody typed; 0 if it is something else."""
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= _NUMBER else 0
