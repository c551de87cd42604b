"""Our player in a lobby, as its host or as a guest: the view of it, and the effect of a typed line.

Line mode (`cli.lines.lobby`) and the screen (`cli.screen.lobby`) both call `enter` and draw `view`.  A yes
holds for the list that our player saw: if the list has changed meanwhile, the yes is void.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from cli.play.runner import PlaySession
from cli.reports.rows import SHOWN_ID
from cli.table.words import lobby_view, nearby
from cli.table.words.lobby_view import LobbyView, PlaceKey
from cli.table.words.nearby import Newcomer
from cli.text.language import leaves, on_or_off, yes_or_no
from cli.text.names import shown, unworn
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _, mark
from protocol.errors import Malformed
from protocol.failures import Code, NotNow, Why
from protocol.limits import MAX_CHAT
from protocol.lobby.guest_lobby import Visit
from protocol.lobby.host_lobby import Lobby
from protocol.lobby.listing import Listing
from protocol.lobby.lobby_talk import LobbyTalk
from protocol.lobby.meeting import Encounter
from protocol.network.guest import Visitor
from protocol.network.host import Host
from protocol.record.genesis import Genesis
from protocol.rendezvous import invite as invites
from protocol.wire.normal_form import normal_form

_HELP: Final = ("?", "h", "help")
_SAME: Final = {"same": True, "different": False}
_REFUSED: Final = {
    Why.SEATS_EMPTY: mark("Not everybody is here yet: you are asked once every seat is taken."),
    Why.OTHER_LISTING: mark("The list has changed meanwhile. Look at it again, please."),
    Why.NOBODY_THERE: mark("Nobody else sits there. Seats have numbers from 1, as the list shows."),
}


def spoken(line: str) -> str | None:
    """The text that a typed line says to the others, as at the table; None if it is a command."""
    word, _blank, text = line.strip().partition(" ")
    if word.lower() == "say":
        return text.strip()
    return line.strip().removeprefix("/").strip() if line.strip().startswith("/") else None


_ANEW: Final = mark("The list has changed since your yes. Look at it again, please, and say it once more.")


class _OwnPlace(ABC):
    """The common part of host and guest."""

    def __init__(self, session: PlaySession, keys: tuple[bytes, bytes]) -> None:
        self.on_change: Callable[[], None] = lambda: None
        self.notice = ""
        self._agreed = False
        """Whether our player had said yes to the list, when it changed last."""
        self._noticed: int | None = None
        """The number of the listing that the notice was about."""
        self.invites: list[tuple[str, str]] = []
        self.remarks: list[str] = []
        self.left = False
        self.declined = False
        """Whether our player has left because it did not want this match."""
        self.session = session
        self._keys = keys
        self._contacts = session.home.contacts()

    def _drawn(self, listing: Listing) -> LobbyView:
        ascii_only = self.session.talk.ascii_only
        return lobby_view.view(listing, self._keys, self._contacts, ascii_only=ascii_only)

    def enter(self, line: str, number: int | None, digits: str = "") -> None:
        """Take a typed line."""
        self.notice = ""
        if (text := spoken(line)) is not None:
            self._say(text)
        else:
            self._take(line, number, digits)
        self._noticed = self._number()
        self.on_change()

    @abstractmethod
    def _take(self, line: str, number: int | None, digits: str) -> None:
        """Take a typed line that is no talk."""

    def _say(self, text: str) -> None:
        """Say a line of talk."""
        try:
            self._speaker.say(normal_form(text))
        except Malformed:
            self.notice = _("Say something of 1 to {count} characters: say hello.", count=MAX_CHAT)
        except NotNow:
            self.notice = _("Nobody hears that now: the game is about to begin.")

    @property
    @abstractmethod
    def _speaker(self) -> Lobby | Visit:
        """Our end of the talk."""

    @property
    def talk(self) -> LobbyTalk:
        """What was said in the lobby."""
        return self._speaker.talk

    @property
    def handed(self) -> Sequence[tuple[str, str]]:
        """What our player gives to friends so that they come, each behind a sentence."""
        return ()

    @property
    @abstractmethod
    def view(self) -> LobbyView | None:
        """The list that our player is shown; None before there is one."""

    @property
    def newcomer(self) -> Newcomer | None:
        """Somebody without an invite, whose digits our player is to compare."""
        return None

    def tell(self, text: str) -> None:
        """Tell our player a sentence."""
        self.remarks.append(text)
        self.on_change()

    def _changed(self) -> None:
        """The lobby has changed: a yes or a notice about another list is void."""
        view = self.view
        asked = view is not None and view.asks
        if self._number() != self._noticed:
            self.notice = _(_ANEW) if asked and self._agreed else ""
            self._noticed = self._number()
        if view is not None and view.full:
            self._agreed = not asked and view.own.ready
        else:
            self._agreed = False
        self.on_change()  # looked up at each call: a front end sets it later

    @abstractmethod
    def _number(self) -> int | None:
        """The number of the listing that stands."""

    def _leave(self) -> None:
        self.left = True
        self.on_change()

    def meet(self, listing: Listing) -> None:
        """Our yes: from now on we know these people."""
        for place in listing.places:
            if place is not None and not place.bot and place.person.key != self._keys[0]:
                self.session.home.remember(place.person.key, unworn(place.person.name))

    def _guarded(self, action: Callable[[], None]) -> bool:
        """Do an action that may be impossible now; whether it was possible."""
        try:
            action()
        except NotNow as error:
            self.notice = _(_REFUSED.get(error.why, "That is not possible now."))
            return False
        return True


class GuestPlace(_OwnPlace):
    """Our player as a guest."""

    def __init__(self, session: PlaySession, visitor: Visitor, own: bytes) -> None:
        """`own`: our key."""
        super().__init__(session, (own, visitor.visit.host.key))
        self._visit = visitor.visit
        self._visit.on_change = self._changed
        self._void: set[bytes] = set()
        """The matches that our player was told to take up after all."""

    def called(self, match: Genesis, seat: Seat) -> None:
        """The player of `seat` calls us in a match that is void by the host's word: tell our player, once."""
        if match.id in self._void:
            return
        self._void.add(match.id)
        self.tell(
            _(
                "{name} plays a game with you of which the host said that it never began. You have signed "
                "it, so your seat is kept: leave here, and take it with {command}.",
                name=shown(match.players[seat].name),
                command=f"`{self.session.command} resume {match.id.hex()[:SHOWN_ID]}`",
            )
        )

    @property
    def view(self) -> LobbyView | None:
        """The list that our player is shown."""
        listing = self._visit.listing
        if listing is None:
            return None
        shown = self._drawn(listing)
        # The host's next list will say it too.
        rows = tuple(replace(row, ready=self._visit.ready) if row.own else row for row in shown.rows)
        return replace(shown, rows=rows)

    @property
    def commands(self) -> str:
        """The commands, in a line."""
        return _("yes: play   no: do not play   wait: take the yes back   say TEXT   list   quit")

    @property
    def keys(self) -> Sequence[PlaceKey]:
        """What keys do on a screen."""
        if self._visit.ready:
            return (PlaceKey("F2", _("take the yes back"), "wait"),)
        return (PlaceKey("F2", _("play"), "yes"),)

    @property
    def _speaker(self) -> Visit:
        return self._visit

    def _take(self, line: str, number: int | None, digits: str) -> None:  # noqa: ARG002 - for hosts
        word = line.strip().lower()
        listing = self._visit.listing
        if word in _HELP:
            self.notice = self.commands
        elif leaves(word) or yes_or_no(word) is False:
            self.declined = True
            self._leave()
        elif word == "wait":
            self._visit.take_back()
        elif yes_or_no(word) or word == "ready":
            if listing is None or number is None:
                self.notice = _(_REFUSED[Why.SEATS_EMPTY])
            elif self._guarded(lambda: self._visit.agree(number)):
                self.meet(listing)
        elif word not in ("", "list"):
            self.notice = _("That means nothing here. {commands}", commands=self.commands)

    def _number(self) -> int | None:
        listing = self._visit.listing
        return None if listing is None else listing.number


class HostPlace(_OwnPlace):
    """Our player as the host; `add_bots` seats bots, `invite` hands out an invite."""

    def __init__(self, session: PlaySession, host: Host, lobby: Lobby, own: bytes) -> None:
        """`own`: our key."""
        super().__init__(session, (own, own))
        self._host, self._lobby = host, lobby
        self.add_bots: Callable[[int, str | None], str] = lambda _number, _level: _("There are no bots here.")
        """Seat so many bots of a level, or of the usual one; a sentence about it."""
        self.invite: Callable[[bool], tuple[str, str]] = lambda _new: ("", "")
        """The invite to play, or a new one: a sentence about it, and the invite or nothing."""
        self.watch: Callable[[bool], tuple[str, str]] = lambda _on: ("", "")
        """Let spectators in, or no longer: likewise."""
        self.code: Callable[[], str] = lambda: _("There are no codes here: name a relay with --relay.")
        """Make another short code: a sentence, if there is something to tell now."""
        self.nearby: Callable[[bool], str] = lambda _on: _("Nobody nearby can see this game.")
        """Let others nearby in, or no longer: a sentence about it."""
        self.standing: Callable[[], Sequence[tuple[str, str]]] = tuple
        """The invite and the code that stand now, each behind a sentence."""
        self.announced: Callable[[], bool] = lambda: False
        """Whether others nearby can see this game."""
        self.on_list: Callable[[], None] = lambda: None
        """Called after every change of the list, and of who may come."""
        self._encounter: Encounter | None = None
        lobby.on_change = self._changed
        host.on_encounter = self._encountered

    @property
    def newcomer(self) -> Newcomer | None:
        """Somebody without an invite; its digits stay until both sides have said that they are the same."""
        now = self._encounter
        if now is None or now.same is False or now.agreed or self._lobby.listing.full:
            return None
        other, digits = now.meeting.other, now.meeting.digits
        known, asked = (
            lobby_view.about(other, self._contacts),
            now.same is None and not self._is_familiar(now),
        )
        return nearby.newcomer(other, digits, known, asked=asked, ascii_only=self.session.talk.ascii_only)

    def _is_familiar(self, encounter: Encounter) -> bool:
        return nearby.familiar(encounter.meeting.other, self._contacts)

    def _encountered(self) -> None:
        """Somebody meets our player, or no longer does."""
        before, now = self._encounter, self._host.encounter
        self._encounter = now
        if before is not None and before is not now and not before.agreed:
            if before.same is not False:
                late = self._lobby.listing.full
                self.remarks.append(nearby.broken_off(shown(before.meeting.other.name), late=late))
            if self._host.desk.meetings.stopped:
                self.remarks.append(_(nearby.STOPPED))
        if now is not None and now is not before and self._is_familiar(now):
            # Not before: anybody can name a key, and would learn by our SAME that we know it (threat 125).
            now.on_proof = partial(now.answer, same=True)
        self.on_list()
        self.on_change()

    def _changed(self) -> None:
        if self._encounter is not None and self._lobby.listing.full:
            self._encounter.dismiss(Code.NO_SEAT)  # somebody else took the last seat meanwhile
        super()._changed()
        self.on_list()

    def _compared(self, same: bool, digits: str) -> None:
        """Our player's word on these `digits`; no word to another newcomer, who may be there by now."""
        now = self._encounter
        if now is None or now.meeting.digits != digits:
            self.notice = _(nearby.OTHER_NEWCOMER)
            return
        now.answer(same=same)
        self.notice = _(nearby.SAID_SAME) if same else _(nearby.NOT_THE_SAME)

    @property
    def view(self) -> LobbyView:
        """The list that our player is shown."""
        return self._drawn(self._lobby.listing)

    @property
    def commands(self) -> str:
        """The commands, in a line."""
        return _(
            "start   list   refuse SEAT   swap SEAT SEAT   invite [new]   code   nearby on|off   "
            "watch on|off   bots [N] [LEVEL]   say TEXT   quit"
        )

    @property
    def keys(self) -> Sequence[PlaceKey]:
        """What keys do on a screen."""
        seen = self.announced()
        watched = self._host.desk.to_watch is not None
        away = _("Send {name} away for good? (yes/no)")
        keys = [
            PlaceKey("F2", _("start"), "start"),
            PlaceKey("F4", _("sit here"), "swap {own} {seat}"),
            PlaceKey("F5", _("send away"), "refuse {seat}", away),
            PlaceKey("F8", _("no watchers"), "watch off")
            if watched
            else PlaceKey("F8", _("watchers"), "watch on"),
        ]
        if not self._lobby.listing.full:
            near = (
                PlaceKey("F7", _("hide"), "nearby off") if seen else PlaceKey("F7", _("nearby"), "nearby on")
            )
            keys[1:1] = [PlaceKey("F3", _("a bot"), "bots 1")]
            keys[4:4] = [PlaceKey("F6", _("new code"), "code"), near]
        return keys

    @property
    def handed(self) -> Sequence[tuple[str, str]]:
        """The invite and the code, while a seat is empty, and the invite to watch."""
        watch = self._host.desk.to_watch
        shown = [] if self._lobby.listing.full else [*self.standing()]
        return [*shown, *([] if watch is None else [(_("Invite to watch:"), invites.write(watch))])]

    @property
    def _speaker(self) -> Lobby:
        return self._lobby

    def _take(self, line: str, number: int | None, digits: str) -> None:
        word, *rest = line.strip().lower().split() or [""]
        answer = _SAME.get(word, yes_or_no(word))
        if answer is not None and self.newcomer is not None and self.newcomer.asked:
            self._compared(answer, digits)
        elif word in _HELP:
            self.notice = self.commands
        elif leaves(word):
            self._leave()
        elif word == "start" or yes_or_no(word):
            self._start(number)
        elif yes_or_no(word) is False:
            self._no()
        elif word == "refuse":
            self._with_seats(rest, 1, lambda seats: self._lobby.refuse(seats[0]))
        elif word == "swap":
            self._with_seats(rest, 2, lambda seats: self._lobby.swap(*seats))
        elif word == "bots":
            self._bots(rest)
        elif word in ("invite", "code", "watch", "nearby"):
            self._let_in(word, rest)
        elif word not in ("", "list"):
            self.notice = _("That means nothing here. {commands}", commands=self.commands)

    def _number(self) -> int | None:
        return self._lobby.listing.number

    def _let_in(self, word: str, rest: list[str]) -> None:
        """Carry out a command on who may come, and by which way."""
        if word == "code":
            self.notice = self.code()
        elif word == "invite":
            self._hand(self.invite(rest == ["new"]))
        elif (wanted := on_or_off(" ".join(rest))) is None:
            self.notice = _("Say {word} on or {word} off.", word=word)
        elif word == "watch":
            self._hand(self.watch(wanted))
        else:
            self.notice = self.nearby(wanted)

    def _hand(self, notice: tuple[str, str]) -> None:
        """Pass on a sentence with an invite, to be printed where it stays; a sentence alone is a notice."""
        if notice[1]:
            self.invites.append(notice)
        else:
            self.notice = notice[0]

    def _no(self) -> None:
        """A host's no: a person is told of the other ways out; a script declines the guests."""
        if self.session.interactive:
            self.notice = _("Nobody begins without you. Refuse somebody, swap seats, or quit.")
        else:
            self.declined = True
            self._leave()

    def _start(self, number: int | None) -> None:
        listing = self._lobby.listing
        if number != listing.number and listing.full:
            self.notice = _(_REFUSED[Why.OTHER_LISTING])
        elif self._guarded(lambda: self._host.guarded(self._lobby.start)):
            self.meet(listing)
            if self._lobby.store is None and not all(row.ready for row in self.view.rows):
                self.notice = lobby_view.ready(self.view)

    def _with_seats(self, typed: Sequence[str], count: int, action: Callable[[Sequence[Seat]], None]) -> None:
        """Do `action` with the seats that were typed, by their number or by the names on them."""
        seats = [self._seat(name) for name in typed]
        known = [seat for seat in seats if seat is not None]
        if len(seats) != count or len(known) != count:
            self.notice = (
                _(_REFUSED[Why.NOBODY_THERE])
                if seats
                else _("Say which seat. {commands}", commands=self.commands)
            )
        else:
            self._guarded(lambda: action(known))

    def _seat(self, typed: str) -> Seat | None:
        for row in self.view.rows:
            if typed in (str(row.number), row.colour.lower(), row.name.lower()) and typed:
                return row.number - 1
        return None

    def _bots(self, rest: Sequence[str]) -> None:
        empty = sum(not row.name for row in self.view.rows)
        number = rest[0] if rest and rest[0].isascii() and rest[0].isdigit() else None
        level = next((word for word in rest if not word.isdigit()), None)
        wanted = min(int(number[:3]), empty) if number else empty
        self.notice = self.add_bots(wanted, level) if wanted else _("No seat is empty.")
