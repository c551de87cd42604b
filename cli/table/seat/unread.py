"""News at a table that its player has not read: looks for it alone, days and rounds that are over, and events
for the screen to play.

A match that is resumed opens no page again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cli.games.drama import DramaEvent
from cli.games.interface import GameTerminal, Page, Players, ViewContext
from cli.table.news.events import Happenings, NewsItem
from cli.table.news.looks import Looks, unknown
from cli.table.pages import match_pages
from p2p_stratego.core.game import OpenTo, Slot
from protocol.record.asks.base import Answered
from protocol.seat.session import Session


class Unread:
    """Reads one match as it grows."""

    def __init__(self, session: Session, terminal: GameTerminal, players: Players) -> None:
        """All that has happened so far counts as read."""
        self._session, self._terminal, self._players = session, terminal, players
        self.begin()
        self.waiting = list[Page]()
        """Pages to be read, the next one first."""
        self._opened: Page | None = None
        """The page among them that was opened last."""
        self._events = list[DramaEvent]()
        self._chapter = list[str]()
        """The sentences since the day, year or round began."""
        self._happenings = Happenings(session, terminal, players)
        self._table = session.referee.table
        self._looked_page: Page | None = None
        self._looked = list[str]()
        """The sentences on that page."""
        self._steps, self._alone = len(self._table.history), len(self.looks.all)
        """How much of the history and of `looks` was read."""
        self._slots, self._pressed = self._shown(0), self.looks.sentences(pressing=True)
        """The looks told so far: if a Gone takes steps back, none of them is told twice."""

    def begin(self) -> None:
        """Read the looks of the player alone once more: in another language, say."""
        self.looks = Looks(self._session, self._players, self._terminal.alone)

    def look(self, context: ViewContext | None, page: Page | None) -> Page | None:
        """A page with the newest looks of the player alone, or None; `page`: the open page."""
        again = self._session.referee.table is not self._table
        if again:  # a Gone took the place of records: all is read anew, and what was shown stays told
            self._table, self._steps, self._alone = self._session.referee.table, 0, 0
        self.looks.read()
        slots, self._steps = self._shown(self._steps), len(self._table.history)
        sentences, self._alone = self.looks.sentences(self._alone, pressing=True), len(self.looks.all)
        if again:
            slots, sentences = unknown(slots, self._slots), unknown(sentences, self._pressed)
        self._slots += slots
        self._pressed += sentences
        sentences += self._sentences(context, slots)
        if not sentences:
            return None
        if page is None or page is not self._looked_page:
            self._looked = []
        self._looked += sentences
        self._looked_page = match_pages.looked(self._looked, proved=self._terminal.alone is not None)
        return self._looked_page

    def looked_at(self, context: ViewContext | None) -> list[str] | None:
        """All looks of our player alone, and where each thing is now; None if the game keeps no list."""
        if self._terminal.alone is not None:
            return self.looks.sentences()  # as each was then
        if context is None or self._terminal.looked is None:
            return None
        return self._sentences(context, dict.fromkeys(self._shown(0)))

    def _sentences(self, context: ViewContext | None, slots: Iterable[Slot]) -> list[str]:
        tell = self._terminal.looked
        if context is None or tell is None:
            return []
        return [text for slot in slots for text in tell(context, slot)]

    def _shown(self, start: int) -> list[Slot]:
        """The slots that were shown to our player alone from a place of the history on."""
        session = self._session
        return [
            step.ask.slot
            for step in session.referee.table.history[start:]
            if isinstance(step, Answered)
            and isinstance(step.ask, OpenTo)
            and step.ask.seat == session.seat
            and step.ask.slot in session.known
        ]

    def happen(self, items: Sequence[NewsItem], *, keys: bool, summary: bool) -> bool:
        """Keep the events to be seen; whether a day, a year or a round is over.

        `keys`: on a screen, where no line has told `items`; `summary`: the player wants a page for each end.
        """
        began = self._happenings.began
        events, closings = self._happenings.read()
        self._events += events
        # A match that is resumed tells its whole history again: what was before this chapter is none of it.
        self._chapter += [
            item.text for item in items if item.kind in ("step", "alone") and item.number > began
        ]
        if not closings:
            return False
        sentences, self._chapter = self._chapter if keys else [], []
        self.waiting += (
            [match_pages.closing(end, sentences, match_pages.COLUMNS) for end in closings] if summary else []
        )
        return summary

    def turn(self) -> Page | None:
        """The next page that waits to be read."""
        if not self.waiting:
            return None
        self._opened = self.waiting.pop(0)
        return self._opened

    def is_open(self, page: Page | None) -> bool:
        """Whether `page` is the one that `turn` gave last."""
        return page is not None and page is self._opened

    def take_events(self) -> list[DramaEvent]:
        """The events to be seen since the last call."""
        taken, self._events = self._events, []
        return taken
