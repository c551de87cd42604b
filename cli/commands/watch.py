"""`watch`: a game of others as everybody sees it, on the screen or in lines, while it is played.

A spectator signs nothing and sends nothing that a player could see.  Its copy of the record stays in the home
folder, as a transcript for `replay` and `audit`.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Final

import trio

from cli.play.arriving import introduction, network_options
from cli.play.background_audit import verdict
from cli.play.runner import PlaySession, spend
from cli.reports import describe
from cli.reports.rows import SHOWN_ID
from cli.screen.event_loops import Stage
from cli.shell.exit_codes import Exit, Sorry
from cli.table.seat.watching import WatchedMatch
from cli.text.layout import own_line
from cli.text.sanitize import escape
from p2p_stratego.core.language import _, mark
from p2p_stratego.registry import GAMES
from protocol.crypto.workers import MOST
from protocol.failures import Refused, SeenEnough
from protocol.network.watcher import Watcher, watch
from protocol.rendezvous import invite as invites
from protocol.replication.replica import Status

_LINKS: Final = {
    "live": mark("The host is there again."),
    "the host does not answer": mark(
        "The host does not answer; it is called again until it does. Another player "
        "of the game can let you watch too: it types watch on, and gives you the invite."
    ),
}


def run(arguments: argparse.Namespace) -> int:
    """Watch the match to which an invite leads."""
    return spend(arguments, partial(watching, arguments))


async def watching(arguments: argparse.Namespace, session: PlaySession) -> None:
    given = arguments.invite
    if given is None or given == "-":
        invite = await introduction.ask_pasted(session.talk, invites.read, interactive=session.interactive)
        if invite is None:
            raise Sorry(_("No invite was given. Ask the host for one to watch."), Exit.DATA)
    else:
        invite = invites.read(given)
    invite.require(watch=True)
    session.talk.say(_("Calling the host ... The game is shown once it has begun. (Ctrl-C ends it)"))
    async with trio.open_nursery() as nursery:
        by = network_options.of(arguments, session.settings)
        watcher = await watch(
            nursery, session.home, GAMES, invite, session.trace, transports=by.transports, workers=MOST
        )
        refused: Refused | SeenEnough | None = None
        async with trio.open_nursery() as running:
            if session.stage is None:
                running.start_soon(watch_in_lines, session, watcher, running.cancel_scope)
            else:
                running.start_soon(_on_screen, session, watcher, session.stage, running.cancel_scope)
            try:
                await watcher.run()  # on the screen the game can still be looked at
            except (Refused, SeenEnough) as error:
                refused = error
                running.cancel_scope.cancel()
        if refused is not None:  # the record up to here stays
            await _tell_of_the_record(session, WatchedMatch(watcher.onlooker))
            raise refused
        nursery.cancel_scope.cancel()


_GOES_ON: Final = mark("A late answer has come, and the game goes on.")


async def watch_in_lines(session: PlaySession, watcher: Watcher, over: trio.CancelScope) -> None:
    """Tell every step and message, until the match is over."""
    while True:
        onlooker, watched = watcher.onlooker, WatchedMatch(watcher.onlooker)
        changed, link, ended = trio.Event(), "live", ""
        for seat in range(len(onlooker.match.players)):
            session.talk.say(_("Player: {who}", who=describe.seat_and_player(onlooker.match, seat)))
        while watcher.onlooker is onlooker:
            changed = trio.Event()
            onlooker.on_change = changed.set
            for sentence in watched.read():
                session.talk.say(sentence)
            ending = "" if onlooker.copy.outcome is None else watched.ending
            if ending != ended:  # an answer can undo an end by claims
                ended = ending
                session.talk.say(ended or _(_GOES_ON))
            if onlooker.finished or watched.settled:
                await _tell_of_the_record(session, watched)
                watcher.leave()
                over.cancel()
                return
            if onlooker.status is not Status.CONNECTING and link != watched.link:
                link = watched.link
                session.talk.say(_(_LINKS[link]))
            await changed.wait()


async def _on_screen(session: PlaySession, watcher: Watcher, stage: Stage, over: trio.CancelScope) -> None:
    """Show the board as everybody sees it, until our player has seen enough."""
    from cli.screen.replay.replay_screen import ReplayScreen
    from cli.studies.playback import Replay

    watched = WatchedMatch(watcher.onlooker)
    watched.read()
    screen = ReplayScreen(
        Replay(watched.story, max(len(watched.story.steps), 1), live=watched.link), session.settings
    )

    def changed() -> None:
        nonlocal watched
        if watcher.onlooker is not watched.onlooker:
            watched = WatchedMatch(watcher.onlooker)  # a return match has begun
        watched.read()
        screen.show(watched.story, watched.link, watched.heard)

    watcher.onlooker.on_change = watcher.on_rematch = changed
    changed()
    await stage.show(screen.app)
    watcher.leave()
    session.talk.say(watched.ending)
    await _tell_of_the_record(session, watched)
    over.cancel()


async def _tell_of_the_record(session: PlaySession, watched: WatchedMatch) -> None:
    """Tell the verdict on a match that is over, and the place of its record."""
    path = Path(watched.onlooker.store.path)
    if watched.onlooker.finished or watched.settled:
        session.talk.say(_("Audit: {value}", value=await trio.to_thread.run_sync(verdict, path)))
    again = own_line(f"{session.command} replay {path.parent.name[:SHOWN_ID]}")
    session.talk.say(_("See it again: {again}", again=again))
    session.talk.verbatim(_("Record: {path}", path=escape(str(path))))
