"""Our short code while we wait for guests: one at a time, told next to the invite."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from math import inf
from typing import Final

import trio

from cli.play.arriving.announcement import Announcement
from cli.play.arriving.lobby_places import HostPlace
from cli.play.arriving.network_options import OwnDoor
from cli.shell.version import PROGRAM
from cli.text.layout import own_line
from p2p_stratego.core.language import _, mark, n_
from protocol.limits import CODE_LIFETIME, CODE_TRIES
from protocol.lobby.code_exchange import OpenCode
from protocol.network.transport.relay_client import Waiter
from protocol.rendezvous import short_code

_NUMBER_WITHIN: Final = 3.0
"""Seconds that the invite waits for a relay's number."""
_ANEW: Final = 2
"""Codes made without our player's asking, for one that was spoilt: each gives three more tries to guess."""
_NEARBY_NUMBERS: Final = 99
_ANOTHER: Final = mark("Say code for another one, or send the invite.")


class ShortCodes:
    """The codes of one lobby.

    The first of our relays to answer gives the number; without a relay the number is drawn here, and leads
    here in our own network only.
    """

    def __init__(self, door: OwnDoor, place: HostPlace, guests: int) -> None:
        """`guests`: how many people are wanted."""
        self.on_number: Callable[[int], None] = lambda _: None
        """Called with the number of the standing code, 0 if none stands."""
        self._host, self._place = door.host, place
        self._guests = guests
        self._relays = door.ways.relays
        self._there = any(waiter.there for waiter in door.waiters)
        self._waiters: list[Waiter] = []
        self._open: OpenCode | None = None
        self._made = 0
        """Codes made without our player's asking, since it asked last."""
        self._wanted = False
        self._changed = trio.Event()
        self._tries = CODE_TRIES
        """The number of tries left, as our player was told last."""
        place.code = self.want

    async def begin(self) -> list[str]:
        """Make the first code; the lines that tell of it, or none if no relay has a number for us."""
        for relay in self._relays:
            waiter = self._host.wait_at_number(relay)
            waiter.on_change = self._stir
            self._waiters.append(waiter)
        with trio.move_on_after(_NUMBER_WITHIN if self._there else 0):
            while self._relays and not self._number():
                await self._changed.wait()
                self._changed = trio.Event()
        if not self._number():
            return []
        await self._make()
        return self.lines()

    def lines(self) -> list[str]:
        """The lines for our player about the standing code."""
        if self._open is None:
            return []
        where = f" --relay {self._at().relay}" if self._waiters else ""
        code = self._open.code
        minutes = n_("{count} minute", "{count} minutes", round(CODE_LIFETIME / 60))
        return [
            _("Or say this code, which is good for {minutes}: {code}", minutes=minutes, code=code),
            _("Then your friend runs: {command}", command=own_line(f"{PROGRAM} join {code}{where}")),
        ]

    @property
    def handed(self) -> list[tuple[str, str]]:
        """A word about the standing code, and the code."""
        return [] if self._open is None else [(_("Or say this code:"), str(self._open.code))]

    def want(self) -> str:
        """Our player wants another code: a sentence about it."""
        if self._relays and not self._number():
            return _("No relay gives a number for a code now.")
        self._wanted = True
        self._stir()
        return ""

    async def run(self) -> None:
        """Keep a code until cancelled: tell of wrong words, and replace a spoilt code a few times."""
        try:
            while True:
                now = self._open
                with trio.move_on_at(inf if now is None else now.expires):
                    await self._changed.wait()
                self._changed = trio.Event()
                await self._look(now)
        finally:
            for waiter in self._waiters:
                waiter.stop()
            self._void()

    async def _look(self, now: OpenCode | None) -> None:
        """Replace or void the code where it is due, and tell of wrong words."""
        number = self._number()
        if self._wanted and number:
            self._wanted, self._made = False, 0
            await self._make()
            self._hand(_("This is the code now:"))
        elif now is None:
            if number and self._made < _ANEW:
                await self._anew(_("A relay gives a number now. Your code:"))
        elif not now.tries:
            await self._anew(
                _("Three tries with wrong words: {code} is void. This is the code now:", code=now.code)
            )
        elif trio.current_time() >= now.expires:
            self._void()
            self._place.tell(
                _("The code {code} is no longer good. {another}", code=now.code, another=_(_ANOTHER))
            )
        elif number and number != now.code.number:
            await self._anew(_("The relay has given you another number. The code is now:"))
        elif now.tries < self._tries:
            self._tries = now.tries
            left = _("one try is") if now.tries == 1 else _("{tries} tries are", tries=now.tries)
            self._place.tell(
                _(
                    "Somebody said wrong words for {code}, or broke off: {left} left.",
                    code=now.code,
                    left=left,
                )
            )

    async def _anew(self, sentence: str) -> None:
        """Make another code unasked, at most _ANEW times: each gives a guesser more tries."""
        if self._made >= _ANEW:
            void = "" if self._open is None else f" {self._open.code}"
            self._void()
            self._place.tell(
                _("The code{void} is void: somebody guesses at it. {another}", void=void, another=_(_ANOTHER))
            )
            return
        self._made += 1
        await self._make()
        self._hand(sentence)

    async def _make(self) -> None:
        code = short_code.new_code(self._number())
        scalar = await trio.to_thread.run_sync(code.scalar)
        made = OpenCode(code, scalar, trio.current_time() + CODE_LIFETIME, self._guests)
        made.on_failure = self._stir
        self._void()
        self._open = self._host.desk.code = made
        self._tries = made.tries
        self.on_number(code.number)

    def _void(self) -> None:
        if self._open is not None:
            self._open.void = True
            self._open = None
            self.on_number(0)

    def _hand(self, sentence: str) -> None:
        if self._open is not None:
            self._place.invites.append((sentence, str(self._open.code)))
            self._place.on_change()

    def _number(self) -> int:
        """The number at which we wait; 0 for none."""
        if not self._waiters:
            return 0 if self._relays else self._drawn()
        return self._at().number

    def _drawn(self) -> int:
        return self._open.code.number if self._open is not None else secrets.randbelow(_NEARBY_NUMBERS) + 1

    def _at(self) -> Waiter:
        """The relay that gives the number: the first that has given one."""
        return next((waiter for waiter in self._waiters if waiter.number), self._waiters[0])

    def _stir(self) -> None:
        self._changed.set()


def short_codes(
    door: OwnDoor, place: HostPlace, guests: int, announced: Announcement | None
) -> ShortCodes | None:
    """The codes of a lobby for so many `guests`; None if nobody could come with one."""
    if not guests or not (door.ways.relays or (announced is not None and announced.on)):
        return None
    codes = ShortCodes(door, place, guests)
    if announced is not None:
        codes.on_number = announced.number
    return codes
