"""News of a match: steps of the game, and statements beside it.

Works from the record only, so a resumed game tells its whole history again, in the same words.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from cli.games.interface import Players
from cli.reports import asides, history
from cli.reports.asides import Aside, Asides
from cli.table.news.looks import Looks, unknown
from cli.text.sanitize import CHAT_CELLS, escape
from p2p_stratego.core.game import Mix, OpenTo, Roll, Seat, Together
from p2p_stratego.core.language import _
from protocol.record.asks.base import Answered
from protocol.record.statements import Kind, Statement
from protocol.seat.session import Session


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that happened: a step of the game, a line of chat, or another statement of a seat."""

    kind: Literal["step", "alone", "proved", "chat", "said"]
    """alone: of a step too, but told to our player only; proved: how far a step is verified."""
    seat: Seat | None
    """Its seat; None for a step, and where two seats' records together say it."""
    text: str
    """A sentence; of chat, the message.  Escaped."""
    reader: Seat | None = None
    """Of chat: the seat that alone reads it beside its writer; None for all."""
    opened: bool = False
    """Whether hidden things were opened in it, each as it was committed to."""
    begins: bool = False
    """Whether it is the first that is told of a step."""


_VOID: Final = Item("said", None, history.VOID)


class News:
    """Reads one match as it grows."""

    def __init__(self, session: Session, looks: Looks) -> None:
        self._session, self._looks = session, looks
        self._told: list[Item] = []
        self._begin()

    def _begin(self) -> None:
        match = self._session.genesis
        self._table = self._session.referee.table
        self._teller = history.Teller(match, live=True)
        self._asides = Asides(match)
        self._looked = 0
        self._claim: Statement | None = None
        """The last claim between two seats, until the accused one answers after all."""

    def read(self) -> list[Item]:
        """Everything that is new, in the order in which it happened.

        A Gone can take the place of the last records that we know: then all is read anew.
        """
        self._looks.read()
        before, again = self._told, self._session.referee.table is not self._table
        if again:
            self._begin()
        found = self._fresh()
        if not again:
            self._told += found
            return found
        self._told = found
        void = unknown(before, found)
        return [*[_VOID] * bool(void), *unknown(found, before)]

    def _fresh(self) -> list[Item]:
        """What was not read yet."""
        referee = self._session.referee
        beside, parts = self._asides.read(referee), self._teller.parts(referee.table.history)
        items = [item for each in history.woven(parts, beside) for item in self._items(each)]
        if self._claim is not None and self._session.outcome is None:
            items += self._answered()  # with a part of a step that is told later, as one of two armies is
        return items

    def _items(self, each: history.Part | Aside) -> list[Item]:
        if isinstance(each, history.Part):
            told = [*self._undone(each), *self._of(each)]
        else:
            told = self._beside(each)
        whole = each.step if isinstance(each, history.Part) else each
        more = [] if whole is None else self._asides.hear(whole, self._session.referee)
        return [*told, *(Item("said", None, sentence) for sentence in more)]

    def _beside(self, aside: Aside) -> list[Item]:
        if isinstance(aside, Statement):
            return self._said(aside)
        return [Item("said", None, asides.speak(aside, self._session.genesis))]

    def _undone(self, part: history.Part) -> list[Item]:
        """What a late answer does to a claim of one of two seats: it is told ahead of the answer."""
        if self._claim is None or part.number >= self._claim.count:
            return self._answered()
        self._claim = None
        return []

    def _answered(self) -> list[Item]:
        """The claim is undone, if there is one."""
        claim, self._claim = self._claim, None
        if claim is None:
            return []
        names = history.names(self._session.genesis)
        text = _(
            "{name} has answered: the claim of {claimant} is undone, and the game goes on.",
            name=names[claim.content[0]],
            claimant=names[claim.seat],
        )
        return [Item("said", None, text)]

    def _of(self, part: history.Part) -> list[Item]:
        told = [Item("step", None, sentence) for sentence in part.sentences]
        told[:1] = [replace(item, opened=part.opened, begins=part.begins) for item in told[:1]]
        alone = [
            Item("alone", None, _("For you alone: {text}", text=text)) for text in self._alone(part.number)
        ]
        proofs = () if part.step is None else part.step.proofs
        return [
            *told,
            *alone,
            *[Item("proved", None, _("Checked: {proofs}.", proofs="; ".join(proofs)))] * bool(proofs),
        ]

    def _alone(self, number: int) -> list[str]:
        """What our player was told with the steps up to an entry, but for what has a page of its own."""
        found = self._looks.found
        start = min(self._looked, len(found))
        while self._looked < len(found) and found[self._looked].number <= number:
            self._looked += 1
        looks = [look.told for look in found[start : self._looked] if not look.told.pressing]
        return [text for told in looks for text in told.sentences]

    def _said(self, statement: Statement) -> list[Item]:
        if statement.kind in (Kind.CHAT, Kind.SEALED):
            return [self._heard(statement)]
        if statement.kind is Kind.REVEAL:
            return []  # the outcome tells its effect
        if statement.kind is Kind.AWAY and len(self._session.genesis.players) == 2:
            self._claim = statement
        return [Item("said", statement.seat, history.speak(statement, self._session.genesis))]

    def _heard(self, statement: Statement) -> Item:
        """Talk; of what is sealed for others, only that it was written."""
        text = self._session.talk.heard(statement)
        reader = statement.content[0] if statement.kind is Kind.SEALED else None
        if text is not None:
            return Item("chat", statement.seat, escape(text, CHAT_CELLS), reader)
        told = history.speak(statement, self._session.genesis)
        if reader == self._session.seat:
            told += _(" It does not open: ask for it again.")
        return Item("said", statement.seat, told)


_KEPT: Final = 8
"""The most sentences that are kept in `recent`."""


class EventLog:
    """All events and messages of one match, and the news since the player's last decision."""

    def __init__(self, session: Session, players: Players, looks: Looks) -> None:
        self._news = News(session, looks)
        self._voices = players
        self._sides = session.genesis.sides
        self.history: list[str] = []
        """A sentence for each thing that happened."""
        self.chat: list[tuple[str, str, str]] = []
        """Style, name and text of each line of chat, oldest first."""
        self.recent: list[tuple[bool, str]] = []
        """The news: whether a card was opened and found right, and a sentence."""
        self.own = False
        """Whether the first of `recent` begins the step of the player's own last decision."""
        self.proved = ""
        """How far the last step is verified, in a sentence, if there was anything to prove."""
        self._step: list[tuple[bool, str]] = []
        """The news of the last step, which may be open."""
        self._since = 0
        """Steps since that of the player's own last decision."""
        self._decided = False
        self._looked: int | None = None
        """Sentences of the history that the player has seen; None before the first reading."""
        self._remarks: list[Item] = []

    def remark(self, text: str) -> None:
        """Add a sentence of the program's own about what it did for the player."""
        self._remarks.append(Item("said", None, text))

    def decided(self) -> None:
        """The player has decided: the next news of the game replace the older ones, but for those of a step
        that is open still.
        """
        self._decided = True
        self.look()

    def look(self) -> None:
        """The player has seen all that happened so far."""
        self._looked = len(self.history)

    @property
    def fresh(self) -> int:
        """Sentences of the history that are new since the player looked, or decided."""
        return len(self.history) - (self._looked or 0)

    def read(self) -> list[Item]:
        """Take in the news, and return it in order."""
        items, self._remarks = [*self._news.read(), *self._remarks], []
        for item in items:
            self._take(item)
        if self._looked is None:
            self.look()  # a match that is resumed tells its history again
        return items

    def _take(self, item: Item) -> None:
        if item.kind == "chat" and item.seat is not None:
            side = next(side for side in self._sides if item.seat in side)
            voice = self._voices.names[item.seat]
            if item.reader is not None:
                voice = (
                    _("{voice} to you alone", voice=voice)
                    if item.reader == self._voices.me
                    else _("{voice} to {who} alone", voice=voice, who=self._voices.names[item.reader])
                )
            self.chat.append((f"class:seat{min(side)}", voice, item.text))
            return
        self.history.append(item.text)
        if item.begins:
            self._begin()
        if item.kind == "proved":
            self.proved = item.text
            return
        news = (item.opened, item.text)
        if self._decided and item.kind == "step":
            self.recent, self._decided, self.own, self._since = [*self._step, news], False, True, 0
        else:
            own, others = self.recent[: self.own], self.recent[self.own :]
            self.recent = [*own, *[*others, news][-_KEPT:]]
        if item.kind in ("step", "alone"):
            self._step.append(news)

    def _begin(self) -> None:
        """A step begins.  The player's own is old once each of the others could have made one."""
        self._step, self.proved = [], ""
        self._since += 1
        if self._since > len(self._voices.names):
            self.own = False


@dataclass(frozen=True, slots=True)
class Checks:
    """The checks of a match so far."""

    laid: int
    """Commitments to hidden things."""
    opened: int
    """Of those, opened, at the end too, and found true to the commitment."""
    choices: int
    """Choices made at the same time, each committed to before any was shown."""
    rolls: int
    """Rolls of chance, from shares that all had committed to."""
    looks: int
    """Things shown to one seat alone; what we were shown fitted its commitment."""
    mixes: int
    """Hidden things of one seat that were mixed; that they are the same is settled when play is over."""
    entries: int
    """Entries, each signed by the seat that owed it, and naming the hash of the one before."""

    @property
    def proofs(self) -> int:
        """The number of secrets found true to their commitments."""
        return self.opened + self.choices + self.rolls


def checks(session: Session) -> Checks:
    """Count what the referee has admitted: it admits nothing unverified."""
    table = session.referee.table
    answered = [step for step in table.history if isinstance(step, Answered)]
    return Checks(
        len(table.hidden),
        len(table.faces),
        sum(len(step.answer) for step in answered if isinstance(step.ask, Together) and any(step.answer)),
        sum(isinstance(step.ask, Roll) for step in answered),
        sum(isinstance(step.ask, OpenTo) for step in answered),
        sum(isinstance(step.ask, Mix) for step in answered),
        session.referee.count,
    )
