"""Line mode: the same game as plain prompts and lines, for screen readers, scripts and simple terminals.

Everything the screen shows is printed when it happens, or asked for by a word; nothing is drawn, nothing
moves.  When standard input is no terminal, a move that comes early waits until it is asked for, so that a
script can be written down in advance.  The end of the input means: save and leave.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from itertools import zip_longest
from typing import Final

import trio

from cli.games.interface import Page, ViewContext
from cli.lines.console import Console
from cli.table.news.events import NewsItem
from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.scene.calls import Calls
from cli.table.seat.controller import TableController
from cli.table.words import clocks, commands, connection, status
from cli.table.words.commands import Order
from cli.text.layout import NO_BREAK, words
from cli.text.sanitize import escape
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _
from protocol.replication.replica import Status

_ARROWS: Final = "←→↑↓ "
"""Signs before a goal, which show a way on the drawn board and none in lines."""
_SEQUEL: Final = frozenset(command.order for command in commands.AFTERWARDS)
_AHEAD: Final = 64
"""Lines of a script that are read before they are needed."""


class LineFront:
    """Line mode for one table."""

    def __init__(
        self,
        table: TableController,
        talk: Console,
        *,
        interactive: bool,
        visit: Callable[[], Awaitable[None]] = trio.lowlevel.checkpoint,
    ) -> None:
        """`interactive`: a person types at a terminal, sees a prompt and hears a bell; `visit`: fulfils the
        wish of the table's player, which may read the input.
        """
        self.table = table
        self._visit = visit
        self._listening = trio.CancelScope()
        self._talk = talk
        self._interactive = interactive
        self._woken = trio.Event()
        self._calls = Calls(table)
        self._asked: tuple[str, str] | None = None
        self._awaited: Seat | None = None
        """For whose decision the player waits, as told last."""
        self._there: Mapping[Seat, bool] = {}
        """By seat, whether each other player is there, as told last."""
        self._relayed: Mapping[Seat, bool] = {}
        self._marks = clocks.Marks()
        """By seat, whether the link to it goes through a relay, as told last."""
        self._urgent: tuple[object, ...] = ()
        """Whether the copy is old, a draw offered, the game claimed against us; for whom that is away the
        match waits, what is said of somebody's silence, whether a claim is possible; as told last.
        """
        self._watchers = 0
        """How many spectators there are, as told last."""
        self._printed: Page | None = None
        self._goal_told = False
        self._coached = ""

    def changed(self) -> None:
        """Something happened in the match.  May be called at any time from the thread that runs it."""
        self._woken.set()

    async def run(self) -> None:
        """Play until the player leaves, the input ends, or nothing can be added to the match any more."""
        self._talk.say(_("Type ? for all commands."))
        send, typed = trio.open_memory_channel[str](_AHEAD)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._listen, send)
            held: str | None = None
            while not self._done():
                self._woken = trio.Event()
                self.show_news()
                try:
                    while not self.table.left and self.table.wish is None:
                        held = typed.receive_nowait() if held is None else held
                        if not self._due(held):
                            self._stop_waiting()
                            break
                        line, held = held, None
                        self.ask()
                        self._take(line)
                except trio.WouldBlock:
                    pass
                except trio.EndOfChannel:
                    if self._due(None):
                        self.table.go()
                if self.table.wish is not None and not self.table.left:
                    self._listening.cancel()  # the input is another program's meanwhile
                    await self._visit()
                    nursery.start_soon(self._listen, send)
                    continue
                self.ask()
                if not self._done():
                    await self._woken.wait()
            self.show_news()  # the last news may have come with the end of the connection
            nursery.cancel_scope.cancel()

    async def _listen(self, send: trio.MemorySendChannel[str]) -> None:
        """Pass lines on until the input ends; while the player is away from the table it is another's."""
        with trio.CancelScope() as self._listening:
            while (line := await self._talk.line()) is not None:
                await send.send(line)
                self._woken.set()
            send.close()
        self._woken.set()

    def _due(self, line: str | None) -> bool:
        """Whether to take a line, or the end of the input (None), now.

        In a script a possible move, or back, waits for its question, and later lines wait behind it.
        """
        table, replica = self.table, self.table.replica
        connected = replica.status is Status.CONNECTED
        if self._interactive or table.ended:
            return True
        if line is not None and (
            (replica.status is Status.CONNECTING and not replica.by_post)
            or (connected and not replica.session.live and not table.over)
        ):
            return False  # nothing can be said yet
        if table.asked or table.pending is not None:
            return True
        order = None if line is None else commands.read(line)
        if line is None or (order is not None and order[0] is Order.LEAVE):
            return not connected
        if order is not None and order[0] is Order.BACK:
            return table.over  # once it is the player's turn again
        if order is not None and table.over and order[0] in _SEQUEL:
            return not connected  # once the end stands
        return order is not None or not line.strip()

    def _stop_waiting(self) -> None:
        """Leave if a line of a script waits for a question that only a post can bring."""
        table, replica = self.table, self.table.replica
        alone = replica.by_post and replica.status in (Status.CONNECTING, Status.AWAY)
        if alone and not table.asked and table.pending is None:
            self._talk.say(
                _("What comes next, a post must bring: the other lines of the input are not taken.")
            )
            table.go()

    def _done(self) -> bool:
        """A claim does not end it: the other side can still answer, and its player says how long to wait.

        Nor does the end of a lesson, from which a learner goes on to the next one.
        """
        alone = self.table.replica.status in (Status.OVER, Status.STALE)
        goes_on = self._interactive and self.table.coach.teaches
        return self.table.left or (self.table.over and alone and not goes_on)

    # Printing

    def _take(self, line: str) -> None:
        if not self._interactive:
            self._talk.say(f"> {escape(line)}")
        self._asked = self._awaited = None  # the question is put again after every answer
        actions.enter(self.table, line)
        if self.table.notice is not None:
            self._talk.say(self.table.notice[1])
        self._page()
        self.show_news()

    def show_news(self) -> None:
        """Tell what has happened, the page that was asked for, and what is new about the others."""
        items, turn = self.table.refresh()
        offered = any(self._urgent[1:2])  # else its notice follows, and tells the offer too
        for item in items:
            if not presentation.stands_in_question(self.table, item.text) and (
                offered or not presentation.stands_in_notice(self.table, item.text)
            ):
                self._tell(item)
        self._page()
        self._changes()
        if self.table.coach.teaches and items and not self.table.asked and not self.table.ended:
            self._coach()  # what came of the learner's own decision, while the tutor waits
        notice = self._calls.news(turn=turn)
        if notice and self._interactive:
            self._talk.notify(self.table.settings, notice, self.table.environment.call)

    def _changes(self) -> None:
        """Tell, once, what is new about the other players, and what needs to be noticed."""
        replica, now = self.table.replica, self.table.environment.clock()
        self._there, sentences = connection.presence(replica, self.table.players, self._there, now)
        for sentence in sentences:
            self._talk.say(sentence)
        self._relayed, moved = connection.moved(replica, self.table.players, self._relayed)
        for sentence in moved:
            self._talk.say(sentence)
        if replica.watchers != self._watchers and math.isinf(connection.settles(replica, now)):
            self._watchers = replica.watchers
            self._talk.say(connection.watched(self._watchers))
        if (left := self.table.timing.mark()) is not None:
            self._talk.say(presentation.time_left(left))
        if low := self._marks.mark(replica, self.table.players, now):
            self._talk.say(low)
        session, before = replica.session, self._urgent
        claimed = session.outcome is not None and not session.over
        self._urgent = (
            replica.status is Status.STALE,
            session.draw_offer is not None,
            claimed,
            connection.missed(replica, self.table.players, now),
            status.standing_silence(replica),
            replica.claimable_in == 0,
        )
        urgent = any(new and new != old for new, old in zip_longest(self._urgent, before))
        alert = presentation.noticed(self.table)
        if urgent and alert is not None and alert[1] not in sentences:  # told once is enough
            self._talk.say(alert[1])

    def _tell(self, item: NewsItem) -> None:
        if item.kind != "chat" or item.seat is None:
            self._talk.say(_("✓ {text}", text=item.text) if item.opened else item.text)
        elif item.seat != self.table.replica.seat:
            alone = "" if item.reader is None else _(" to you alone")
            self._talk.say(
                _(
                    "{name} says{alone}: {text}",
                    name=self.table.players.names[item.seat],
                    alone=alone,
                    text=item.text,
                )
            )

    def _page(self) -> None:
        """Print the open page, and those that wait behind it."""
        self._print(self.table.page)
        while self.table.more_to_read:
            self.table.page = None
            self.table.turn_page()
            self._print(self.table.page)

    def _print(self, page: Page | None) -> None:
        """Print a page, unless that was done."""
        if page is not None and page is not self._printed:
            self._talk.say(f"{page.title.upper()}")
            for line in page.lines:
                text = words(line)  # what is held together is a path or a command, to be copied
                (self._talk.verbatim if NO_BREAK in text else self._talk.say)(text.replace(NO_BREAK, " "))
        self._printed = page

    def ask(self) -> None:
        """Put the question and the facts it rests on; say once for whom the match waits."""
        question = presentation.question(self.table)
        if self.table.left:
            return
        awaited = self._waiting_for()
        if question == self._asked or (awaited is not None and awaited == self._awaited):
            self._talk.prompt_again()
            return
        self._asked, self._awaited = question, awaited
        text, how = question
        if self.table.pending is not None:
            for warning in self.table.pending.warnings:
                self._talk.say(warning)
        elif self.table.asked and (context := self.table.context) is not None:
            self._goal(context)
            self._coach()
            for line in self.table.terminal.description.asked(context):
                self._talk.say(line)
        elif not self.table.waits_for_player:
            return
        left = self.table.timing.left
        clock = "" if left is None else f"{presentation.time_left(left)} "
        if self.table.asked and (clocks := presentation.clocks_sentence(self.table)):
            clock = f"{clocks} {clock}"
        self._talk.say(f"{clock}{text} ({how})" if how else f"{clock}{text}")
        if self._interactive:
            self._talk.prompt(">")

    def _coach(self) -> None:
        """Tell what the coach says, if it is new."""
        advice = presentation.coached(self.table)
        if advice and advice != self._coached:
            *before, now = advice.split("\n")
            # What stood in the text before is not read out again, but for what to do now.
            new = [paragraph for paragraph in before if paragraph not in self._coached.split("\n")]
            # What to type has a line of its own: at the end of a paragraph nobody saw it.
            first, *last = [" ".join(new), now] if new else [now]
            self._talk.say(_("Coach: {advice}", advice=first))
            for line in last:
                self._talk.say(f"  {line}")
            self._coached = advice

    def _waiting_for(self) -> Seat | None:
        """Whose decision the player waits for; None while the player has one, or nobody has.

        A player who makes many in a row is named once: the news tell what comes of each.
        """
        table, owed = self.table, self.table.session.referee.owed
        waits = owed is not None and not table.asked and table.pending is None and not table.over
        return owed.seat if waits and owed is not None else None

    def _goal(self, context: ViewContext) -> None:
        """Tell how the game is won, before the first question, unless the player has switched that off."""
        wanted = self.table.settings.goal and not self.table.coach.teaches
        if wanted and not self._goal_told:
            goal = self.table.terminal.description.goal(context.view).lstrip(_ARROWS)
            self._talk.say(_("Goal (hide: goal off): {goal}", goal=goal))
        self._goal_told = wanted
