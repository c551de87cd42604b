"""What has happened at a table and its player has not read: what it alone was shown, days and rounds that are
over, and events for the screen to play.

A match that is resumed opens no page again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cli.games.drama import DramaEvent
from cli.games.interface import GameTerminal, Page, Players, ViewContext
from cli.table.news.events import Item
from cli.table.news.happenings import Happenings
from cli.table.news.looks import Looks, unknown
from cli.table.words import pages
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
        """The one of them that was opened last."""
        self._events = list[DramaEvent]()
        self._chapter = list[str]()
        """What was told since the day, year or round began, as far as it was seen."""
        self._happenings = Happenings(session, terminal, players)
        self._table = session.referee.table
        self._looked_page: Page | None = None
        self._looked = list[str]()
        """What stands on that page."""
        self._steps, self._alone = len(self._table.history), len(self.looks.found)
        """How much of the history and of `looks` was read."""
        self._slots, self._pressed = self._shown(0), self.looks.sentences(pressing=True)
        """What was told so far, of a match that can lose steps again."""

    def begin(self) -> None:
        """Read what the player alone was told once more: in another language, say."""
        self.looks = Looks(self._session, self._players, self._terminal.alone)

    def look(self, context: ViewContext | None, page: Page | None) -> Page | None:
        """A page with what the player alone was just shown, if anything; `page`: the one that is open."""
        again = self._session.referee.table is not self._table
        if again:  # a Gone took the place of records: all is read anew, and what was shown stays told
            self._table, self._steps, self._alone = self._session.referee.table, 0, 0
        self.looks.read()
        slots, self._steps = self._shown(self._steps), len(self._table.history)
        told, self._alone = self.looks.sentences(self._alone, pressing=True), len(self.looks.found)
        if again:
            slots, told = unknown(slots, self._slots), unknown(told, self._pressed)
        self._slots += slots
        self._pressed += told
        told += self._sentences(context, slots)
        if not told:
            return None
        if page is None or page is not self._looked_page:
            self._looked = []
        self._looked += told
        self._looked_page = pages.looked(self._looked, proved=self._terminal.alone is not None)
        return self._looked_page

    def looked_at(self, context: ViewContext | None) -> list[str] | None:
        """All that our player alone was shown, and where it is now; None if the game keeps no such thing."""
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

    def happen(self, items: Sequence[Item], *, keys: bool, summary: bool) -> bool:
        """Keep what can be seen to have happened; whether a day, a year or a round is over.

        `keys`: nobody has told `items` in lines already; `summary`: the player wants pages of what is over.
        """
        events, closings = self._happenings.read()
        self._events += events
        self._chapter += [item.text for item in items if item.kind in ("step", "alone")]
        if not closings:
            return False
        told, self._chapter = self._chapter if keys else [], []
        self.waiting += [pages.closing(each, told, pages.COLUMNS) for each in closings] if summary else []
        return summary

    def turn(self) -> Page | None:
        """The next page that waits to be read."""
        if not self.waiting:
            return None
        self._opened = self.waiting.pop(0)
        return self._opened

    def put_back(self, page: Page | None) -> None:
        """Read `page` behind the others, if it was one of them."""
        if page is not None and page is self._opened:
            self.waiting.append(page)

    def take_events(self) -> list[DramaEvent]:
        """What can be seen to have happened since the last call."""
        taken, self._events = self._events, []
        return taken
