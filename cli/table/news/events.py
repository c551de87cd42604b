"""News of a match: steps of the game, statements beside it, and events for the screen to play.

Works from the record only, so a resumed game tells its whole history again, in the same words; but no event
is played twice: a match that is resumed begins with the next one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Final, Literal

from cli.games.drama import Closing, DramaEvent
from cli.games.interface import GameTerminal, Players
from cli.reports import asides, history
from cli.reports.asides import Aside, Asides
from cli.table.news.looks import Looks, unknown
from cli.text.sanitize import CHAT_CELLS, escape
from p2p_stratego.core.game import Mix, OpenTo, Roll, Seat, Together
from p2p_stratego.core.language import _
from protocol.record.asks.base import Answered, Reached
from protocol.record.statements import Kind, Statement
from protocol.seat.session import Session


@dataclass(frozen=True, slots=True)
class NewsItem:
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
    number: int = field(default=0, compare=False)  # after a Gone it may be another one
    """Of a step, and of what is told of it to our player only: the entry that told it, from 0."""


_VOID: Final = NewsItem("said", None, history.VOID)


class News:
    """Reads one match as it grows."""

    def __init__(self, session: Session, looks: Looks, untold: Collection[str], *, lesson: bool) -> None:
        self._session, self._looks, self._untold, self._lesson = session, looks, untold, lesson
        self._news: list[NewsItem] = []
        self._begin()

    def _begin(self) -> None:
        match = self._session.genesis
        self._table = self._session.referee.table
        self._teller = history.Teller(match, live=True)
        self._asides = Asides(match)
        self._looked = 0
        self._claim: Statement | None = None
        """The last claim between two seats, until the accused one answers after all."""

    def read(self) -> list[NewsItem]:
        """Everything that is new, in the order in which it happened.

        A Gone can take the place of the last records that we know: then all is read anew.
        """
        self._looks.read()
        before, again = self._news, self._session.referee.table is not self._table
        if again:
            self._begin()
        items = self._fresh()
        if not again:
            self._news += items
            return items
        self._news = items
        void = unknown(before, items)
        return [*[_VOID] * bool(void), *unknown(items, before)]

    def _fresh(self) -> list[NewsItem]:
        """The news that were not read yet."""
        referee = self._session.referee
        beside, parts = self._asides.read(referee), self._teller.parts(referee.table.history)
        items = [item for happening in history.woven(parts, beside) for item in self._items(happening)]
        if self._claim is not None and self._session.outcome is None:
            items += self._answered()  # with a part of a step that is told later, as one of two armies is
        return items

    def _items(self, happening: history.Part | Aside) -> list[NewsItem]:
        if isinstance(happening, history.Part):
            news = [*self._undone(happening), *self._of(happening)]
        else:
            news = self._beside(happening)
        whole = happening.step if isinstance(happening, history.Part) else happening
        more = [] if whole is None else self._asides.hear(whole, self._session.referee)
        return [*news, *(NewsItem("said", None, sentence) for sentence in more)]

    def _beside(self, aside: Aside) -> list[NewsItem]:
        if isinstance(aside, Statement):
            return self._said(aside)
        return [NewsItem("said", None, asides.speak(aside, self._session.genesis))]

    def _undone(self, part: history.Part) -> list[NewsItem]:
        """What a late answer does to a claim of one of two seats: it is told ahead of the answer."""
        if self._claim is None or part.number >= self._claim.count:
            return self._answered()
        self._claim = None
        return []

    def _answered(self) -> list[NewsItem]:
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
        return [NewsItem("said", None, text)]

    def _of(self, part: history.Part) -> list[NewsItem]:
        sentences = [sentence for sentence in part.sentences if sentence not in self._untold]
        steps = [NewsItem("step", None, sentence, number=part.number) for sentence in sentences]
        steps[:1] = [replace(item, opened=part.opened, begins=part.begins) for item in steps[:1]]
        alone = [
            NewsItem("alone", None, _("For you alone: {text}", text=text), number=part.number)
            for text in self._alone(part.number)
        ]
        # In a lesson the words of a check are one riddle more: `proofs` has them, and a real game shows them.
        proofs = () if part.step is None or self._lesson else part.step.proofs
        return [
            *steps,
            *alone,
            *[NewsItem("proved", None, _("Checked: {proofs}.", proofs="; ".join(proofs)))] * bool(proofs),
        ]

    def _alone(self, number: int) -> list[str]:
        """The sentences for our player alone up to an entry, but for looks with a page of their own."""
        looks = self._looks.all
        start = min(self._looked, len(looks))
        while self._looked < len(looks) and looks[self._looked].number <= number:
            self._looked += 1
        quiet = [look.private for look in looks[start : self._looked] if not look.private.pressing]
        return [text for private in quiet for text in private.sentences]

    def _said(self, statement: Statement) -> list[NewsItem]:
        if statement.kind in (Kind.CHAT, Kind.SEALED):
            return [self._heard(statement)]
        if statement.kind is Kind.REVEAL:
            return []  # the outcome tells its effect
        if statement.kind is Kind.RESIGN and self._lesson and statement.seat != self._session.seat:
            return []  # so the tutor ends a lesson, and the coach says why
        if statement.kind is Kind.AWAY and len(self._session.genesis.players) == 2:
            self._claim = statement
        return [NewsItem("said", statement.seat, history.speak(statement, self._session.genesis))]

    def _heard(self, statement: Statement) -> NewsItem:
        """A line of talk; of a message sealed for others, only that it was written."""
        text = self._session.talk.heard(statement)
        reader = statement.content[0] if statement.kind is Kind.SEALED else None
        if text is not None:
            return NewsItem("chat", statement.seat, escape(text, CHAT_CELLS), reader)
        sentence = history.speak(statement, self._session.genesis)
        if reader == self._session.seat:
            sentence += _(" It does not open: ask for it again.")
        return NewsItem("said", statement.seat, sentence)


_KEPT: Final = 8
"""The most sentences that are kept in `recent`."""


class EventLog:
    """All events and messages of one match, and the news since the player's last decision."""

    def __init__(
        self,
        session: Session,
        players: Players,
        looks: Looks,
        untold: Collection[str] = (),
        *,
        lesson: bool = False,
    ) -> None:
        """`untold`: sentences of steps that say nothing at this table."""
        self._news = News(session, looks, untold, lesson=lesson)
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
        self._remarks: list[NewsItem] = []

    def remark(self, text: str) -> None:
        """Add a sentence of the program's own about what it did for the player."""
        self._remarks.append(NewsItem("said", None, text))

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

    def read(self) -> list[NewsItem]:
        """Take in the news, and return it in order."""
        items, self._remarks = [*self._news.read(), *self._remarks], []
        for item in items:
            self._take(item)
        if self._looked is None:
            self.look()  # a match that is resumed tells its history again
        return items

    def _take(self, item: NewsItem) -> None:
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
class CheckCounts:
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


def checks(session: Session) -> CheckCounts:
    """Count what the referee has admitted: it admits nothing unverified."""
    table = session.referee.table
    answered = [step for step in table.history if isinstance(step, Answered)]
    return CheckCounts(
        len(table.hidden),
        len(table.faces),
        sum(len(step.answer) for step in answered if isinstance(step.ask, Together) and any(step.answer)),
        sum(isinstance(step.ask, Roll) for step in answered),
        sum(isinstance(step.ask, OpenTo) for step in answered),
        sum(isinstance(step.ask, Mix) for step in answered),
        session.referee.count,
    )


_AT_ONCE: Final = 6
"""Events of one moment that are shown: more could not be read; all of them are told in words."""


class Happenings:
    """Reads one match."""

    def __init__(self, session: Session, terminal: GameTerminal, players: Players) -> None:
        self._session, self._terminal, self._players = session, terminal, players
        self._begin()

    def _begin(self) -> None:
        """Take all that has happened as seen."""
        self._table = self._session.referee.table
        self._read = 0
        self._state: Any = None
        self._steps: list[tuple[Any, Any]] = []
        """The states before and after each step of the present day, year or round."""
        self.began = -1
        """The entry with which the day, year or round before it ended; -1: it is the first."""
        history = self._table.history
        complete = [(at, step) for at, step in enumerate(history) if isinstance(step, Reached)]
        for (_at, before), (_at, after) in pairwise(complete):  # where it began, and what it has seen so far
            self._steps.append((before.state, after.state))
            self._closed(after.number)
        if complete:
            self._read = complete[-1][0]
        self._open()
        self._fresh()

    def _open(self) -> None:
        """A step begins: none of its events was seen."""
        follow = self._terminal.following
        self._following = None if follow is None or self._state is None else follow(self._state)
        self._seen = 0

    def read(self) -> tuple[list[DramaEvent], list[Closing]]:
        """Since the last call: the events to be shown, and the days, years or rounds that ended."""
        if self._session.referee.table is not self._table:
            self._begin()  # a Gone took the place of entries: what was shown is not shown again
            return [], []
        return self._fresh()

    def _fresh(self) -> tuple[list[DramaEvent], list[Closing]]:
        history = self._table.history
        fresh, self._read = history[self._read :], len(history)
        events, closings = list[DramaEvent](), list[Closing]()
        for item in fresh:
            if isinstance(item, Answered):
                events += self._answered(item)
                continue
            before, self._state = self._state, item.state
            if before is not None:
                events += self._new(before, item.state)
                self._steps.append((before, item.state))
                closings += self._closed(item.number)
            self._open()
        return events, closings

    def _answered(self, item: Answered) -> list[DramaEvent]:
        """The events that an answer in an open step makes known, as they are told then, too."""
        now = None if self._following is None else self._following.answered(item.ask, item.answer)
        return [] if now is None else self._new(self._state, now)

    def _new(self, before: Any, now: Any) -> list[DramaEvent]:
        """The events of the step from `before` to `now` that were not seen yet."""
        if self._terminal.events is None:
            return []
        events = self._terminal.events(before, now, self._players)
        seen, self._seen = self._seen, max(self._seen, len(events))
        return list(events[seen:])[-_AT_ONCE:]

    def _closed(self, number: int) -> list[Closing]:
        """The end of a day, a year or a round, if the last step, with the entry `number`, was one."""
        tell = self._terminal.closing
        closing = None if tell is None else tell(self._steps, self._players)
        if closing is None:
            return []
        self._steps, self.began = [], number
        return [closing]
