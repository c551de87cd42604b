"""Sitting down: our player's lobby is shown, in lines or on the screen, until the match begins."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio

from cli.lines.lobby import LobbyLines
from cli.play import own_relays, router
from cli.play.arriving.lobby_places import GuestPlace, HostPlace
from cli.play.runner import PlaySession
from cli.table.words import call_attempts
from cli.table.words.lobby_view import LobbyPlace
from p2p_stratego.core.language import _
from protocol.failures import Code, Declined, NetworkFailure
from protocol.network.guest import Visitor
from protocol.network.host import Host
from protocol.network.peer import Peer
from protocol.network.transport.mapping import MappedPort


async def host_lobby(session: PlaySession, host: Host, place: HostPlace) -> Peer | None:
    """The match of the open lobby of `host`, while our player sits there; None if our player closes it.

    Raises Declined if a script says no, StorageFailure.
    """
    match = await _until_begun(session, place, host.gather)
    if match is None:
        await host.dismiss(Code.DECLINED if place.declined else Code.LEFT)
        if place.declined:
            raise Declined
        session.talk.say(_("You have closed the lobby; everybody in it was told so."))
    return match


async def visit_lobby(session: PlaySession, visitor: Visitor, place: GuestPlace) -> Peer:
    """The match of the lobby that we visit, while our player sits there.

    Raises Declined if our player says no or leaves, NetworkFailure, a Refusal or StorageFailure.
    """
    match = await _until_begun(session, place, visitor.seated, visitor.quit)
    if match is None:
        await visitor.gone()
        raise Declined
    return match


async def _until_begun(
    session: PlaySession,
    place: LobbyPlace,
    begun: Callable[[], Awaitable[Peer]],
    leave: Callable[[], None] = lambda: None,
) -> Peer | None:
    """The match that `begun` waits for; None if our player has left, and `leave` has told the others."""
    match: Peer | None = None
    async with trio.open_nursery() as nursery:

        async def show() -> None:
            await _show(session, place)
            leave()
            nursery.cancel_scope.cancel()

        def tell(sentence: str) -> None:
            place.remarks.append(sentence)
            place.on_change()

        def tell_router(port: MappedPort) -> None:
            words = router.report(port, relays=bool(session.relays))
            if port.outside is not None and isinstance(place, HostPlace):
                words += _(" Say invite: the invite names that address now.")
            if words:
                tell(words)

        nursery.start_soon(show)
        session.own_command.on_failure = tell
        nursery.start_soon(session.own_command.run)
        nursery.start_soon(router.tell_late, session.late, tell_router)
        for relay in session.relays:
            nursery.start_soon(
                own_relays.report_changes, relay, lambda own: tell(call_attempts.relay_sentence(own))
            )
        try:
            match = await begun()
        except NetworkFailure:
            if not place.left:  # else it was our own word that ended the connection
                raise
        nursery.cancel_scope.cancel()
    session.talk.break_off()
    return match


async def _show(session: PlaySession, place: LobbyPlace) -> None:
    """Show the lobby until our player leaves it."""
    if session.stage is None:
        lines = LobbyLines(place, session.talk, interactive=session.interactive, call=session.call)
        await lines.run()
        return
    screen = session.stage.lobby(place, session.settings, session.own_command.tell)
    await session.stage.show(screen.app)
