"""Invites that our player brings: kept from before, given on the command line, or picked at a prompt."""

from __future__ import annotations

import time

from cli.play.arriving import host_search
from cli.play.arriving.host_search import Lead
from cli.play.own_name import objection
from cli.play.runner import PlaySession
from cli.shell import spelling_hints
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.explain import sentence
from p2p_stratego.core.language import _, n_
from p2p_stratego.core.narration import joined
from protocol.failures import NotAnInvite
from protocol.lobby.introductions import OpenInvite, open_invites
from protocol.rendezvous import invite as invites
from protocol.rendezvous import short_code
from protocol.rendezvous.invite import Invite


async def kept_invite(session: PlaySession) -> OpenInvite | None:
    """An invite that was handed out earlier and is still good, if the player wants to wait with it again."""
    if not session.interactive:
        return None
    for kept in open_invites(session.home, time.time()):
        left = n_("{count} minute", "{count} minutes", round(kept.left / 60))
        question = _("An invite that you gave out before is good for another {left}.", left=left)
        if await session.talk.confirm(_("{question} Wait with that one?", question=question)):
            # A late answer gives an old invite no more time (threat 26).
            return next(
                (it for it in open_invites(session.home, time.time()) if it.invite == kept.invite), None
            )
        session.home.drop_invite(kept.invite.name)
    return None


async def lead(session: PlaySession, given: str | None, *, nearby: bool) -> Lead:
    """The invite or code from the command line or standard input, or the lead that our player picks.

    `nearby`: whether the own network may be asked for games.
    """
    if given is not None and given != "-":
        return short_code.read(given) if short_code.is_code(given) else _read(given)
    if session.pasted:
        session.talk.say(_("The invite that you pasted before is used."))
        return invites.read(session.pasted)
    picked = await host_search.lead(session, nearby=nearby and given is None)
    if picked is None:
        raise Sorry(_("No invite was given. Ask your friend for one: the command host prints it."), Exit.DATA)
    return picked


def _read(given: str) -> Invite:
    """The invite `given` on the command line.  Raises InviteFailure, and Sorry for a name or an id."""
    try:
        return invites.read(given)
    except NotAnInvite as error:
        if spelling_hints.is_id(given):
            reason = sentence(error)
            raise Sorry(
                lambda run: joined(
                    reason,
                    _(
                        "If it is a game's id: {command} goes on with that game.",
                        command=run(f"resume {given}"),
                    ),
                ),
                Exit.DATA,
            ) from error
        if objection(given) is None:
            raise Sorry(
                joined(sentence(error), _("If it is your name, it goes behind --name.")), Exit.DATA
            ) from error
        raise
