"""Games nearby, and the digits of a meeting, in sentences.

All of an announcement is a claim of somebody in the network: so the key that goes with a name is compared
with those of the people our player knows, and two of one name are told apart by it (threat 83).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final
from unicodedata import category

from cli.text.names import shown, unworn
from cli.text.sanitize import looks_like
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.registry import ENTRIES
from protocol.crypto.keys import fingerprint
from protocol.limits import MAX_NEARBY
from protocol.lobby.handshake import Person
from protocol.rendezvous.nearby import NearbyGames, OpenGame
from protocol.storage.contacts import Contacts, Standing

_STANDINGS: Final = {
    Standing.KNOWN: mark("you have met before, by the fingerprint"),
    Standing.RENAMED: mark("you have met before, by the fingerprint; the name then was {old}"),
    Standing.NEW: mark("new to you"),
    Standing.LOOKALIKE: mark("CAREFUL: the name looks like that of {old}, whom you know"),
    Standing.CHANGED: mark("CAREFUL: not the fingerprint of the {old} whom you know"),
    Standing.BLOCKED: mark("you have blocked this player"),
}
LINES: Final = 20
"""Games in one list; the others have numbers, too."""


def standing(game: OpenGame, contacts: Contacts) -> str:
    """Our player's knowledge of the host, if the announcement tells the truth."""
    key = next((contact.key for contact in contacts.all if fingerprint(contact.key) == game.fingerprint), b"")
    recognition = contacts.recognise(key, unworn(game.name), looks_like)
    old = shown(recognition.contact.name) if recognition.contact else ""
    return _(_STANDINGS[recognition.standing], old=old)


def line(number: int, game: OpenGame, contacts: Contacts, *, twin: bool, ascii_only: bool = False) -> str:
    """One game in a line; `twin`: another one has a host of the same name."""
    entry = ENTRIES.get(game.game)
    title = entry.title if entry else _("a game that this program does not know ({game})", game=game.game)
    name = shown(game.name, ascii_only=ascii_only)
    notes = [
        _("{counted} free", counted=n_("{count} seat", "{count} seats", game.seats)),
        standing(game, contacts),
    ]
    notes += [_("another host here has the same name: compare the fingerprints")] if twin else []
    return f"  {number}  [{game.fingerprint}] {name}: {title}; {'; '.join(notes)}"


class NearbyList:
    """The list that a person reads, as it grows."""

    def __init__(self, contacts: Contacts, *, ascii_only: bool = False) -> None:
        self._contacts, self._ascii = contacts, ascii_only
        self._listed: dict[int, OpenGame] = {}
        self._full = False

    def news(self, heard: NearbyGames) -> list[str]:
        """The changes since the last call, in lines."""
        games = heard.games
        lines = [self._gone(number) for number in self._listed if number not in games]
        names = Counter(game.name for game in games.values())
        fresh = [number for number, game in games.items() if self._listed.get(number) != game]
        for number in fresh[:LINES]:
            game = games[number]
            twin = names[game.name] > 1
            lines.append(line(number, game, self._contacts, twin=twin, ascii_only=self._ascii))
        if len(fresh) > LINES:
            lines.append(
                _("  ... and {count} more, up to number {fresh}.", count=len(fresh) - LINES, fresh=max(fresh))
            )
        if heard.full and not self._full:
            lines.append(
                _(
                    "Somebody announces more games than anybody would: {max_nearby} are listed. If "
                    "your friend "
                    "is not among them, ask for an invite.",
                    max_nearby=MAX_NEARBY,
                )
            )
        self._listed, self._full = dict(games), heard.full
        return lines

    def _gone(self, number: int) -> str:
        return _("  {number}  is no longer open.", number=number)


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Somebody without an invite, whose digits our player compares.  `known`: what our player knows of the
    key that it names, in a sentence; "" if it is new.  `asked`: whether our player's word is missing; a key
    that we know is not compared, but the other side may compare ours.  Texts are escaped.
    """

    name: str
    fingerprint: str
    digits: str
    known: str
    asked: bool = True

    @property
    def call(self) -> str:
        """Why to call a host, in a sentence for a notification."""
        return _("{value} is nearby and wants to play.", value=self.name)

    @property
    def as_guest(self) -> list[str]:
        """What a host is told of it before the question, in sentences."""
        return [f"[{self.fingerprint}] {self.call}", *self._both]

    @property
    def as_host(self) -> list[str]:
        """What a guest is told of it, if it is the host."""
        return [
            _("Host: [{fingerprint}] {value}.", fingerprint=self.fingerprint, value=self.name),
            *self._both,
        ]

    @property
    def _both(self) -> list[str]:
        compare = (
            _("Compare with {value}'s screen, face to face or by voice, these six digits:", value=self.name)
            if self.asked
            else _("If {value} is asked about six digits, here they are:", value=self.name)
        )
        return [*([self.known] if self.known else []), compare, f"    {self.digits}"]


SAME: Final = mark("The same six digits?")
QUESTION: Final = mark("The same six digits? (yes/no)")
NOT_THE_SAME: Final = mark(
    "Not the same: somebody may stand between you, or two have met the wrong one. Nothing was agreed, and "
    "nobody learned anything secret. Try once more; if it happens again, use an invite."
)


SAID_SAME: Final = mark("Waiting for the other side's word ...")
OTHER_NEWCOMER: Final = mark(
    "That question was about somebody else, who is gone. Compare the digits that stand here now."
)
STOPPED: Final = mark(
    "Several meetings have failed: somebody in this network may be trying. Nobody nearby is let in any more "
    "until you say nearby on; the invite works all the same."
)


def broken_off(name: str, *, late: bool) -> str:
    """What a host is told when somebody goes away without having said that the digits are the same; `late`:
    because every seat was taken.
    """
    if late:
        return _("{name} came too late: every seat is taken.", name=name)
    return _(
        "{name} did not say in time that the digits are the same, or saw others, and is gone.", name=name
    )


def familiar(person: Person, contacts: Contacts) -> bool:
    """Whether our player knows the key of a `person`, so that its signature says more than digits do."""
    standing = contacts.recognise(person.key, unworn(person.name), looks_like).standing
    return standing in (Standing.KNOWN, Standing.RENAMED)


def newcomer(
    person: Person, digits: str, known: str, *, asked: bool = True, ascii_only: bool = False
) -> Newcomer:
    """The `person` of a meeting with these `digits`; `known`, `asked`: as Newcomer has them."""
    # No digit of the name is shown: it could pass for a digit to compare, and an attacker between the two may
    # know the other screen's digits before it chooses its name here (threat 84).
    name = "".join("#" if category(sign)[0] == "N" else sign for sign in person.name)
    return Newcomer(shown(name, ascii_only=ascii_only), fingerprint(person.key), digits, known, asked)
