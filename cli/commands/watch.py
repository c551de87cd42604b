"""`watch`: somebody else's game as everybody sees it, told in lines while it is played.

A spectator signs nothing and sends nothing that a player could see.  What it was sent stays in the home
folder, as a transcript for `replay` and `audit`.
"""

from __future__ import annotations

import argparse
from functools import partial

import trio

from cli.play import introduction
from cli.play.runner import PlaySession, spend
from cli.reports import describe
from cli.reports.history import Teller
from cli.shell.exit_codes import Exit, Sorry
from cli.text.names import shown
from cli.text.sanitize import escape
from p2p_stratego.registry import GAMES
from protocol.network import invite as invites
from protocol.network.watcher import Watcher, watch
from protocol.record.statements import Kind


def run(arguments: argparse.Namespace) -> int:
    """Watch the match to which an invite leads."""
    return spend(arguments, partial(_watching, arguments))


async def _watching(arguments: argparse.Namespace, session: PlaySession) -> None:
    given = arguments.invite
    if given is None or given == "-":
        invite = await introduction.pasted(session.talk, interactive=session.interactive)
        if invite is None:
            raise Sorry("No invite was given. Ask the host for one to watch.", Exit.DATA)
    else:
        invite = invites.read(given)
    invite.require(watch=True)
    session.talk.say("Calling the host ... The game is shown once it has begun. (Ctrl-C ends it)")
    async with trio.open_nursery() as nursery:
        watcher = await watch(nursery, session.home, GAMES, invite, session.trace)
        async with trio.open_nursery() as running:
            running.start_soon(_tell, session, watcher, running.cancel_scope)
            await watcher.run()
            running.cancel_scope.cancel()
        nursery.cancel_scope.cancel()


async def _tell(session: PlaySession, watcher: Watcher, over: trio.CancelScope) -> None:
    """Tell every step and message, until the match is over."""
    while True:
        onlooker, changed = watcher.onlooker, trio.Event()
        teller, spoken = Teller(onlooker.match), [0] * len(onlooker.match.players)
        for seat in range(len(onlooker.match.players)):
            session.talk.say(f"Player: {describe.who(onlooker.match, seat)}")
        while watcher.onlooker is onlooker:
            changed = trio.Event()
            onlooker.on_change = changed.set
            referee = onlooker.copy.referee
            for step in teller.hear(referee.table.history):
                for sentence in step.sentences:
                    session.talk.say(sentence)
            for seat, known in enumerate(referee.statements):
                name = shown(onlooker.match.players[seat].name)
                for one in known[spoken[seat] :]:
                    if one.kind is Kind.CHAT:
                        session.talk.say(f"Chat, {name}: {escape(str(one.content[0]))}")
                spoken[seat] = len(known)
            if onlooker.finished:
                session.talk.verbatim(f"The game is over. Record: {escape(str(onlooker.store.path))}")
                watcher.leave()
                over.cancel()
                return
            await changed.wait()
