"""A short code that our player was told: the places where its host may wait, and the way in."""

from __future__ import annotations

from typing import Final

import trio

from cli.play.arriving.network_options import Ways
from cli.play.runner import PlaySession
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.explain import sentence
from p2p_stratego.core.language import _, mark
from protocol.failures import Code, InviteFailure, NoNearby, Refused, RelayRefused, RelayStatus
from protocol.lobby.introductions import Desk
from protocol.network import guest
from protocol.network.guest import Visitor
from protocol.rendezvous import short_code
from protocol.rendezvous.short_code import ShortCode
from protocol.storage.home import Owner
from protocol.wire.addresses import Callee, Numbered

_LOOK: Final = 5.0
"""Seconds that a host nearby is looked for by the number of its code."""
_LOOK_BESIDES: Final = 1.0
"""The same for a host that may wait at a relay instead."""
_NOBODY: Final = mark(
    "it was misheard, its code is over ten minutes old, or your friend's program has ended."
)


async def visit(  # noqa: PLR0913 - who visits whom, by which ways
    session: PlaySession,
    nursery: trio.Nursery,
    owner: Owner,
    code: ShortCode,
    ours: Ways,
    *,
    desk: Desk | None,
) -> Visitor:
    """Our player in the lobby of the host who told it `code`; a person may type it again.

    Raises Sorry if we may look nowhere, NetworkFailure, or a Refusal.
    """
    while True:
        places = await _places_of(session, code.number, ours)
        try:
            return await guest.visit_by_code(
                nursery, owner, code, places, desk=desk, transports=ours.transports
            )
        except RelayRefused as refused:
            if refused.status != RelayStatus.NOBODY:
                raise
            reason = _("Nobody waits at number {number}: {nobody}", number=code.number, nobody=_(_NOBODY))
            if not session.interactive:
                raise Sorry(reason, Exit.UNREACHABLE) from refused
            session.talk.say(reason)
        except Refused as refused:
            if refused.code not in (Code.WRONG_CODE, Code.VOID_CODE) or not session.interactive:
                raise
            session.talk.say(sentence(refused))
        again = await _again(session)
        if again is None:
            raise Sorry(_("No code was given."), Exit.DATA)
        code = again


async def _again(session: PlaySession) -> ShortCode | None:
    """The code that a person types now; None at the end of the input."""
    while (text := await session.talk.ask("The code:")) is not None:
        try:
            return short_code.read(text)
        except InviteFailure as error:
            session.talk.say(sentence(error))
    return None


async def _places_of(session: PlaySession, number: int, ours: Ways) -> list[tuple[Callee, ...]]:
    """Where a host may wait whose code has this `number`: at our relays, or else nearby.

    Raises Sorry if we may look nowhere.
    """
    if not (ours.relays or ours.nearby):
        raise Sorry(
            _(
                "A code leads to a host in your network, or at a relay: name the one that your friend has "
                "named, with --relay HOST:PORT."
            ),
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
    places: list[tuple[Callee, ...]] = []

    def look() -> None:
        places[:] = [game.addresses for game in browser.heard.games.values() if game.code == number]
        if places:
            looking.cancel()

    browser.on_change = look
    with trio.move_on_after(patience) as looking:
        try:
            await browser.run()
        except NoNearby as error:
            session.talk.say(sentence(error))
    return places
