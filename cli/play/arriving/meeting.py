"""A meeting without an invite, as a guest has it: both persons compare six digits."""

from __future__ import annotations

import trio

from cli.play.runner import PlaySession
from cli.table.words import nearby as drawn
from cli.table.words.lobby import about
from p2p_stratego.core.language import _
from protocol.crypto.keys import fingerprint
from protocol.failures import AnotherPlayer
from protocol.network.guest import Approach, Visitor
from protocol.rendezvous.nearby import OpenGame


async def compared(session: PlaySession, game: OpenGame, came: Approach) -> Visitor:
    """Our player in the lobby of the host of `game`, once both see the same digits.

    Raises AnotherPlayer, NotTheSame, NetworkFailure, or a Refusal.
    """
    meeting, talk = came.encounter.meeting, session.talk
    if fingerprint(meeting.other.key) != game.fingerprint:
        came.give_up()
        raise AnotherPlayer
    known = about(meeting.other, session.home.contacts())
    host = drawn.newcomer(meeting.other, meeting.digits, known, ascii_only=talk.ascii_only)
    for text in host.as_host:
        talk.say(text)
    visitor: Visitor | None = None
    async with trio.open_nursery() as nursery:

        async def ask() -> None:
            same = await talk.confirm(_(drawn.SAME))
            if same:
                talk.say(_(drawn.SAID_SAME))
            came.encounter.answer(same=same)

        nursery.start_soon(ask)
        try:
            visitor = await came.visitor()
        finally:
            talk.break_off()  # an open question, if the host has gone meanwhile
        nursery.cancel_scope.cancel()
    return visitor
