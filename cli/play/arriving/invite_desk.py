"""The invites of a lobby, as our player hands them out: to play, and to watch."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Final

import trio

from cli.play.arriving import introduction
from cli.play.arriving.network_options import OwnDoor
from cli.play.runner import PlaySession
from cli.shell.exit_codes import Exit, Run, Sorry
from cli.shell.version import PROGRAM
from cli.table.words.call_attempts import leading
from cli.text.layout import own_line
from cli.text.names import shown
from p2p_stratego.core.language import _, n_
from protocol.crypto.keys import fingerprint
from protocol.lobby.introductions import OpenInvite
from protocol.network.host import Host
from protocol.rendezvous import invite as invites
from protocol.rendezvous.invite import Invite
from protocol.wire.addresses import Address

_LOOK_EVERY: Final = 5.0
"""Seconds between two looks whether anybody is still here, once the invite has expired."""


class InviteDesk:
    """The invites of one lobby."""

    def __init__(
        self, session: PlaySession, door: OwnDoor, arguments: argparse.Namespace, guests: int
    ) -> None:
        """`guests`: how many people are wanted."""
        self._expires = inf
        self._standing: Invite | None = None
        self._session, self._host = session, door.host
        self._guests = guests
        self._qr = arguments.qr
        self._lifetime = arguments.minutes * 60.0
        self._addresses = door.addresses

    def begin(self, kept: OpenInvite | None) -> None:
        """Print a new invite, or one that was `kept`, and its use."""
        host = self._host
        if kept is not None:
            host.desk.reopen(kept.invite, trio.current_time() + kept.left)
            self._print(kept.invite, kept.left, kept.uses)
        else:
            self._print(
                host.invite(self._addresses, self._lifetime, self._guests), self._lifetime, self._guests
            )

    def again(self, new: bool) -> tuple[str, str]:
        """A sentence about the invite, and the invite or "".

        If the standing invite is good for the seats that are empty now, it stays; else, or if a `new` invite
        is wanted, another one is made for them, and voids the first.
        """
        lobby = self._host.lobby
        empty = 0 if lobby is None else lobby.listing.places.count(None)
        if not empty:
            return _("No seat is empty."), ""
        standing, left = self._standing, self._expires - trio.current_time()
        uses = self._uses_left()
        if standing is not None and not new and left > 0 and uses >= empty:
            # A router may have answered since.
            standing = replace(standing, addresses=self._host.desk.reached_at(standing.addresses))
            return _("This invite stands; it is good {good}:", good=_good(uses, left)), invites.write(
                standing
            )
        invite = self._standing = self._host.invite(self._addresses, self._lifetime, empty)
        self._expires = trio.current_time() + self._lifetime
        void = "" if standing is None else _("The invite from before is void. ")
        return _(
            "{void}This one is good {good}:", void=void, good=_good(empty, self._lifetime)
        ), invites.write(invite)

    @property
    def handed(self) -> list[tuple[str, str]]:
        """A sentence about the standing invite, and the invite; nothing once it is void."""
        left = self._expires - trio.current_time()
        if self._standing is None or left <= 0 or not self._uses_left():
            return []
        return [
            (_("Invite, good {good}:", good=_good(self._uses_left(), left)), invites.write(self._standing))
        ]

    def _uses_left(self) -> int:
        """The number of further keys for which the standing invite is good."""
        name = "" if self._standing is None else self._standing.name
        kept = self._session.home.invites().get(name)
        if kept is None:
            return 0
        record = invites.read_record(kept[0])
        return record.uses - len(record.keys)

    def to_watch(self, on: bool) -> tuple[str, str]:
        """Let spectators in, or no longer: a sentence about it, and the invite to watch or nothing."""
        return to_watch(self._host, self._addresses, on)

    async def expire(self) -> None:
        """Wait as long as anybody is here, or can still come; then raise Sorry."""
        while trio.current_time() < self._expires or self._people():
            await trio.sleep_until(max(self._expires, trio.current_time() + _LOOK_EVERY))
        raise Sorry(_nobody_came, Exit.UNREACHABLE)

    def _people(self) -> bool:
        lobby = self._host.lobby
        return lobby is not None and any(not member.bot for _, member in lobby.guests())

    def _print(self, invite: Invite, left: float, uses: int) -> None:
        """Print the invite and its use."""
        self._expires, self._standing = trio.current_time() + left, invite
        talk, word, owner = self._session.talk, invites.write(invite), self._host.desk.owner
        single = uses == 1
        talk.say(
            _(
                "You are {owner} [{fingerprint}].",
                owner=shown(owner.name),
                fingerprint=fingerprint(owner.identity.key),
            )
        )
        talk.say(
            _(
                "Send this invite to your friend, and to nobody else. It is good {good}:",
                good=_good(uses, left),
            )
            if single
            else _(
                "Send this invite to your friends, and to nobody else. It is good {good}:",
                good=_good(uses, left),
            )
        )
        talk.say()
        if self._qr and not self._session.settings.ascii:
            for row in introduction.qr_code(word):
                talk.verbatim(row)
            talk.say()
        talk.verbatim(word)
        talk.say()
        runs = _("Your friend runs") if single else _("Your friends run")
        talk.say(
            _(
                "It leads to {leading}. {runs}: {command}",
                leading=leading(invite.addresses, self._host.desk.mapped),
                runs=runs,
                command=own_line(f"{PROGRAM} join"),
            )
        )

    def waiting(self, besides: Sequence[str]) -> None:
        """Print further sentences (`besides`), and one that we wait."""
        for text in besides:
            self._session.talk.say(text)
        self._session.talk.say(_("Waiting ... (Ctrl-C ends it)"))


def to_watch(host: Host, addresses: tuple[Address, ...], on: bool) -> tuple[str, str]:
    """Let spectators in, or no longer: a sentence about it, and the invite to watch or nothing."""
    if not on:
        host.end_watching()
        return _("Nobody can watch with the invite that was given out."), ""
    return (
        _("Anybody with this invite can watch, until you say watch off:"),
        invites.write(host.let_watch(addresses, time.time())),
    )


def _good(uses: int, left: float) -> str:
    minutes = n_("{count} minute", "{count} minutes", round(left / 60))
    return (
        _("once, for {minutes}", minutes=minutes)
        if uses == 1
        else _("for {uses} players, for {minutes}", uses=uses, minutes=minutes)
    )


def _nobody_came(run: Run) -> str:
    return _("Nobody came while the invite was good. {command} makes a new one.", command=run("host"))
