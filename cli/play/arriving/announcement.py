"""Our game as others nearby see it: announced while a seat is free; each newcomer meets our player."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import trio

from cli.play.arriving.lobby_places import HostPlace
from cli.play.arriving.network_options import OwnDoor
from cli.play.runner import PlaySession
from cli.shell.explain import sentence
from p2p_stratego.core.language import _
from protocol.crypto.keys import fingerprint
from protocol.failures import NoNearby
from protocol.lobby.host_lobby import Lobby
from protocol.rendezvous.nearby import OpenGame
from protocol.wire.addresses import Endpoint

if TYPE_CHECKING:
    from protocol.network.transport.nearby import Announcer


class Announcement:
    """The announcement of one lobby.  `code`: the number of a code that leads here, 0 for none."""

    def __init__(self, door: OwnDoor, lobby: Lobby, place: HostPlace) -> None:
        self.code = 0
        self._on = door.ways.nearby
        self._host, self._lobby, self._place = door.host, lobby, place
        self._announcer: Announcer | None = None
        self._places: tuple[Endpoint, ...] = ()
        self._instance = secrets.token_hex(8)
        self._switched = trio.Event()
        place.nearby = self.switch
        place.announced = lambda: self._on
        place.on_list = self.update

    @property
    def on(self) -> bool:
        """Whether our player wants others nearby to see the game."""
        return self._on

    def number(self, code: int) -> None:
        """A short code with this number leads here; 0: none does."""
        self.code = code
        self.update()

    def switch(self, on: bool) -> str:
        """Let others nearby in, or no longer: a sentence about it."""
        self._on = on
        if on:
            self._host.desk.meetings.allow()
            self._switched.set()
        self.update()
        return _("Others nearby see your game.") if on else _("Nobody nearby sees your game any more.")

    def update(self) -> None:
        """After a change: announce the seats that are open now, or nothing."""
        meetings, lobby = self._host.desk.meetings, self._lobby
        empty = lobby.listing.places.count(None)
        meetings.open = self._on and bool(empty) and not lobby.started and self._announcer is not None
        if self._announcer is not None:
            shown = meetings.open and not meetings.stopped and self._places
            self._announcer.show(self._game(empty) if shown else None)

    def _game(self, empty: int) -> OpenGame:
        owner = self._host.desk.owner
        return OpenGame(
            self._instance,
            owner.name,
            self._lobby.terms.game.name,
            fingerprint(owner.identity.key),
            empty,
            self._places,
            self.code,
        )

    async def run(self) -> None:
        """Announce it until cancelled; after a failure, once our player switches it on again."""
        while True:
            self._switched = trio.Event()
            try:
                if self._on:
                    await self._announce()
            except NoNearby as error:
                self._on = False
                self._place.tell(sentence(error))
            await self._switched.wait()

    async def _announce(self) -> None:
        """Announce it until cancelled.  Raises NoNearby."""
        from protocol.network.transport import nearby

        try:
            self._places = await nearby.own_places(self._host.desk.port)
            if not self._places:
                raise NoNearby(_("this machine has no network"))
            self._announcer = nearby.Announcer()
            self.update()
            await self._announcer.run()
        finally:
            self._announcer = None
            self._host.desk.meetings.open = False


def announcement(session: PlaySession, door: OwnDoor, lobby: Lobby, place: HostPlace) -> Announcement | None:
    """The announcement of `lobby`; None if nobody nearby is to learn of it.

    A script meets nobody: its lines answer the questions that it was written for.
    """
    if not session.interactive or door.ways.wishes.hidden or not door.host.desk.port:
        return None
    return Announcement(door, lobby, place)
