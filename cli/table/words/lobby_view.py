"""The lobby as a player sees it before a match: who is here, on which seat, known or new, ready or not.

Pure functions from a listing to rows, and to sentences for both front ends.  A name proves
nothing, so the fingerprint stands beside it; people met before are recognised by their key, and a known name
with another key is a loud warning (threat 24).  All text of others is escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from cli.reports import clocks, describe
from cli.shell.explain import rules
from cli.table.words.nearby import Newcomer
from cli.text.layout import series
from cli.text.names import shown, unworn
from cli.text.sanitize import looks_like
from p2p_stratego.core.characters import CHARACTERS
from p2p_stratego.core.game import Edition
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.registry import ENTRIES
from protocol.crypto.keys import fingerprint
from protocol.lobby.handshake import Person
from protocol.lobby.listing import Listing
from protocol.lobby.lobby_talk import LobbyTalk
from protocol.storage.contacts import Contacts, Recognition, Standing

STANDINGS: Final = {
    Standing.KNOWN: mark("You have met before: same name, same key."),
    Standing.RENAMED: mark("You have met before, by the key; the name then was {old}."),
    Standing.NEW: mark(
        "NEW: you have not met before. Compare the fingerprint over another way, if it matters."
    ),
    Standing.LOOKALIKE: (
        mark("CAREFUL: the name looks like that of {old}, whom you know, but the key is not theirs [{key}].")
    ),
    Standing.CHANGED: (
        mark(
            "WARNING: you know a {old}, and this is NOT THE SAME KEY (it was {key}). Either your "
            "friend has a "
            "new key, or somebody else uses the name. Ask over another way before you play."
        )
    ),
    Standing.BLOCKED: mark("You have BLOCKED this player, whom you know as {old}."),
}
ALARMS: Final = (Standing.LOOKALIKE, Standing.CHANGED, Standing.BLOCKED)
_WORDS: Final = {
    Standing.KNOWN: mark("known"),
    Standing.RENAMED: mark("known, renamed"),
    Standing.NEW: mark("NEW"),
    Standing.LOOKALIKE: mark("LOOK-ALIKE!"),
    Standing.CHANGED: mark("OTHER KEY!"),
    Standing.BLOCKED: mark("BLOCKED"),
}
START: Final = mark("Type start to play.")
"""What a host is told once every seat is taken."""
NAME: Final = 20
"""Cells of a name."""
_LEVEL: Final = max(map(len, CHARACTERS))


def about(person: Person, contacts: Contacts) -> str:
    """A warning or a reminder for our player about a `person`, in a sentence; "" for a new person."""
    recognition = _recognised(person, contacts)
    return "" if recognition.standing is Standing.NEW else alarm(recognition)


def _recognised(person: Person, contacts: Contacts) -> Recognition:
    """The standing of a `person`, who may wear the word of a tournament's round."""
    return contacts.recognise(person.key, unworn(person.name), looks_like)


def alarm(recognition: Recognition) -> str:
    """A sentence for our player on a person whose key or name is known."""
    old = shown(recognition.contact.names[0]) if recognition.contact else ""
    key = fingerprint(recognition.contact.key) if recognition.contact else ""
    return _(STANDINGS[recognition.standing], old=old, key=key)


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat, its texts already escaped.

    `number`: as players type it, from 1; `colour`: the seat's name; `mates`: the names of the seats on its
    side; `name`: "" if it is empty; `recognition`: None for ourselves and for bots; `bot`: its level, or "".
    """

    number: int
    colour: str
    mates: tuple[str, ...]
    name: str = ""
    fingerprint: str = ""
    recognition: Recognition | None = None
    bot: str = ""
    ready: bool = False
    own: bool = False
    host: bool = False

    @property
    def standing(self) -> str:
        """Our player's knowledge of this player, in a word or two."""
        if not self.name:
            return ""
        if self.own:
            return _("you")
        if self.bot:
            known = CHARACTERS.get(self.bot)  # its name names the character
            return _("bot, {bot}", bot=self.bot if known is None else _(known.strength))
        return _(_WORDS[self.recognition.standing]) if self.recognition else ""

    @property
    def answer(self) -> str:
        """The player's answer to the list, in a word."""
        if not self.name:
            return ""
        return _("ready") if self.ready else _("not yet")


@dataclass(frozen=True, slots=True)
class LobbyView:
    """A lobby as one player sees it.  `title`: the game; `terms`: its options and profile, a clause each."""

    number: int
    title: str
    terms: tuple[str, ...]
    rows: tuple[SeatRow, ...]
    hosting: bool
    watching: int = 0
    """Spectators who wait, as far as the host knows."""
    out: tuple[tuple[str, str], ...] = ()
    """Name and fingerprint of those whom the host has sent away for keeping the table busy."""

    @property
    def full(self) -> bool:
        """Whether somebody sits on every seat."""
        return all(row.name for row in self.rows)

    @property
    def own(self) -> SeatRow:
        """Our own seat."""
        return next(row for row in self.rows if row.own)

    @property
    def asks(self) -> bool:
        """Whether our player's yes is asked for."""
        return self.full and not self.own.ready


def call(of: LobbyView) -> str:
    """Why to call our player, now that somebody has come: a sentence for a notification."""
    others = [row.name for row in of.rows if row.name and not row.own]
    if of.asks:
        return _("Play {title} with {others}?", title=of.title, others=series(others))
    return _(
        "{count} of {count2} are here for {title}, with {others}",
        count=len(others) + 1,
        count2=len(of.rows),
        title=of.title,
        others=series(others),
    )


def view(
    listing: Listing, keys: tuple[bytes, bytes], contacts: Contacts, *, ascii_only: bool = False
) -> LobbyView:
    """The `listing` for the player with the first of `keys`; the second is the host's."""
    entry = ENTRIES.get(listing.game.name)
    names = [*map("/".join, _called(listing))]
    rows = []
    for seat, place in enumerate(listing.places):
        side = next(side for side in listing.game.sides(len(names)) if seat in side)
        mates = tuple(names[other] for other in sorted(side - {seat}))
        if place is None:
            rows.append(SeatRow(seat + 1, names[seat], mates))
            continue
        person = place.person
        own = person.key == keys[0]
        known = _recognised(person, contacts)
        rows.append(
            SeatRow(
                seat + 1,
                names[seat],
                mates,
                shown(person.name, NAME, ascii_only=ascii_only),
                fingerprint(person.key),
                None if own or place.bot else known,
                place.bot and shown(place.bot, _LEVEL, ascii_only=ascii_only),
                place.ready,
                own,
                person.key == keys[1],
            )
        )
    terms = entry.narration.load().options(listing.options, len(names)) if entry else []
    if isinstance(listing.game.version, Edition):  # of a package: the other side could have another one
        terms.append(rules(listing.game.version))
    terms += describe.profile(listing.game, len(listing.places), proofs=listing.proofs, escrow=listing.escrow)
    terms += map(_, describe.PACES[listing.pace])
    terms += [] if listing.clock is None else [clocks.clause(listing.clock)]
    title = entry.title if entry else listing.game.name
    out = tuple(
        (shown(person.name, NAME, ascii_only=ascii_only), fingerprint(person.key)) for person in listing.out
    )
    return LobbyView(
        listing.number, title, tuple(terms), tuple(rows), keys[0] == keys[1], listing.watching, out
    )


def _called(listing: Listing) -> Iterable[Collection[str]]:
    """By seat, what a player chooses it by, as it is shown: its own name, or those of all that it runs."""
    entry, seats = ENTRIES.get(listing.game.name), len(listing.places)
    if entry is None or entry.seats is None:
        return [[_(name)] for name in listing.game.seat_names(seats)]
    return [own.values() for own in entry.seats.load()(seats, listing.options)]


@dataclass(frozen=True, slots=True)
class PlaceKey:
    """A key, and the line that it types; `line` may hold `{seat}` and `{own}`, numbers of seats.

    `asks`: a question to answer with yes before it is typed, "" for none; it may hold `{name}`.
    """

    key: str
    words: str
    line: str
    asks: str = ""


class LobbyPlace(Protocol):
    """Our player's place in a lobby."""

    on_change: Callable[[], None]
    notice: str
    """The answer to the last typed line, if it needs one."""
    invites: list[tuple[str, str]]
    """Invites to print for good, each behind a sentence about it; a front end takes them out."""
    remarks: list[str]
    """Sentences for our player that nothing typed led to; a front end takes them out."""
    left: bool
    """Whether our player has left the lobby."""
    declined: bool
    """Whether that was because it did not want this match."""

    @property
    def view(self) -> LobbyView | None:
        """What is shown; None before the host has proposed anything."""
        ...

    @property
    def commands(self) -> str:
        """What can be typed, in a line."""
        ...

    @property
    def keys(self) -> Sequence[PlaceKey]:
        """What keys do on a screen."""
        ...

    @property
    def handed(self) -> Sequence[tuple[str, str]]:
        """What our player gives to friends so that they come, each behind a sentence: the invite, a code."""
        ...

    @property
    def talk(self) -> LobbyTalk:
        """What was said in the lobby."""
        ...

    @property
    def newcomer(self) -> Newcomer | None:
        """Somebody without an invite, whose digits our player is to compare."""
        ...

    def enter(self, line: str, number: int | None, digits: str = "") -> None:
        """Take a typed line; `number`: of the listing that our player saw then; `digits`: those of the
        newcomer that it was asked about, if any.
        """
        ...


def ready(of: LobbyView) -> str:
    """That our player is ready, and whom the match waits for."""
    waiting = [row.name for row in of.rows if not row.ready]
    if not waiting:
        return _("Everybody is ready.")
    return _("You are ready. Waiting for {waiting} ...", waiting=series(waiting))


def sentences(of: LobbyView) -> list[str]:
    """The whole lobby in sentences: the game, its options, and each seat."""
    heading = [
        _(
            "Game: {title}; you play {colour}{value}.",
            title=of.title,
            colour=of.own.colour,
            value=_with(of.own),
        ),
        _("Options: {terms}.", terms="; ".join(of.terms)),
    ]
    return [*heading, *(seat(row) for row in of.rows)]


def seat(row: SeatRow) -> str:
    """One seat in a sentence."""
    where = _("Seat {number}, {colour}", number=row.number, colour=row.colour)
    if not row.name:
        return _("{where}: empty.", where=where)
    person = f"{row.name} [{row.fingerprint}]"
    # A stranger's fingerprint comes first: the name could end like one (threat 24).
    if row.recognition is not None and row.recognition.standing is not Standing.KNOWN:
        person = f"[{row.fingerprint}] {row.name}"
    notes = [row.standing, *([_("the host")] if row.host and not row.own else []), row.answer]
    return f"{where}: {person}; {', '.join(notes)}."


def _with(row: SeatRow) -> str:
    return _(", together with {mates}", mates=series(row.mates)) if row.mates else ""


def _sent_away(before: LobbyView | None, now: LobbyView) -> list[str]:
    """Who was sent away since `before` for keeping the table busy, a sentence each."""
    return [
        _(
            "{name} [{key}] came and went, changed its mind or kept you waiting too often: it is sent away "
            "and cannot come back.",
            name=name,
            key=key,
        )
        for name, key in now.out
        if before is None or (name, key) not in before.out
    ]


def news(before: LobbyView | None, now: LobbyView, *, brief: bool = False, listed: bool = False) -> list[str]:
    """The changes, in sentences.

    A new person comes with all that is known of it, or, if the list itself is in sight, in a few words
    (`brief`).  `listed`: the list with everybody who is here is told next, and its facts are left out here.
    """
    sentences = _sent_away(before, now)
    came: list[SeatRow] = []
    old = {row.fingerprint: row for row in before.rows if row.name} if before else {}
    new = {row.fingerprint: row for row in now.rows if row.name}
    for key, row in old.items():
        if key not in new:
            sentences.append(
                _(
                    "{row} is gone; seat {number}, {colour}, is empty.",
                    row=row.name,
                    number=row.number,
                    colour=row.colour,
                )
            )
    for key, row in new.items():
        was = old.get(key)
        if was is None and not row.own and listed:
            came.append(row)
        elif was is None and not row.own:
            here = _(
                "{row} is here: seat {number}, {colour}.", row=row.name, number=row.number, colour=row.colour
            )
            sentences += [here] if brief else arrival(row)
        elif was is not None and (was.number, was.colour) != (row.number, row.colour):
            subject = _("You are") if row.own else _("{row} is", row=row.name)
            sentences.append(
                _(
                    "{who} on seat {number} now: {colour}{value}.",
                    who=subject,
                    number=row.number,
                    colour=row.colour,
                    value=_with(row),
                )
            )
        elif (
            was is not None
            and was.ready != row.ready
            and not row.own
            and before
            and before.number == now.number
        ):
            sentences.append(
                _("{row} is ready.", row=row.name)
                if row.ready
                else _("{row} is not ready any more.", row=row.name)
            )
    if before is not None and before.watching != now.watching:
        sentences.append(
            _(
                "{counted} waiting to watch.",
                counted=n_("{count} spectator", "{count} spectators", now.watching),
            )
        )
    return [*sentences, *_strangers(came)]


def _strangers(rows: Sequence[SeatRow]) -> Iterator[str]:
    """Our player's knowledge of people beyond their rows in the list."""
    new = [
        row.name for row in rows if row.recognition is not None and row.recognition.standing is Standing.NEW
    ]
    if new:
        several = _("NEW: you have not met before. Compare the fingerprints over another way, if it matters.")
        yield f"{series(new)}: {_(STANDINGS[Standing.NEW]) if len(new) == 1 else several}"
    for row in rows:
        if row.recognition is not None and row.recognition.standing not in (Standing.NEW, Standing.KNOWN):
            bar = ["!" * 72] if row.recognition.standing in ALARMS else []
            yield from (*bar, f"{row.name}: {alarm(row.recognition)}", *bar)


def arrival(row: SeatRow) -> list[str]:
    """A newcomer in the lobby, with our player's knowledge of it."""
    if row.bot:
        character = CHARACTERS.get(row.bot)
        return [
            _(
                "{row} is here: a bot ({bot}), on seat {number}, {colour}.",
                row=row.name,
                bot=row.bot if character is None else f"{_(character.name)}, {_(character.strength)}",
                number=row.number,
                colour=row.colour,
            )
        ]
    known = row.recognition is not None and row.recognition.standing is Standing.KNOWN
    person = f"{row.name} [{row.fingerprint}]" if known else f"[{row.fingerprint}] {row.name}"
    lines = [
        _("Opponent: {who}, on seat {number}, {colour}.", who=person, number=row.number, colour=row.colour)
    ]
    if row.recognition is not None:
        bar = ["!" * 72] if row.recognition.standing in ALARMS else []
        lines += [*bar, alarm(row.recognition), *bar]
    return lines
