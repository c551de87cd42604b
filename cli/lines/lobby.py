"""The lobby in line mode: news as sentences, and what is typed as commands.

A script's lines are read only when they are asked for, so that it can be written down in advance.
"""

from __future__ import annotations

from collections.abc import Callable

import trio

from cli.lines.console import Console
from cli.table.words import lobby_view
from cli.table.words.lobby_view import LobbyPlace, LobbyView
from cli.table.words.nearby import QUESTION
from cli.text.names import shown
from cli.text.sanitize import escape
from p2p_stratego.core.language import _, mark

_QUESTION = mark("Play? (yes/no)")
_HOSTS_QUESTION = mark("Start? (yes/no)")


class LobbyLines:
    """Line mode for one place in a lobby."""

    def __init__(
        self,
        place: LobbyPlace,
        talk: Console,
        *,
        interactive: bool,
        call: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`interactive`: a person types at a terminal; `call`: calls that person, with a sentence."""
        self._place, self._talk, self._interactive, self._call = place, talk, interactive, call
        self._here = 1
        """How many sat there at the last look; our player alone is called for nothing."""
        self._changed = trio.Event()
        self._before: LobbyView | None = None
        self._waits: bool | None = None
        """Whether the prompt that was put last asks for our player's yes."""
        self._asked: int | None = None
        """The number of the listing that our player was asked about last."""
        self._digits = ""
        """Those that our player was asked to compare last."""
        self._heard = 0
        """Lines of talk that were told."""

    def changed(self) -> None:
        """Something happened in the lobby."""
        self._changed.set()

    async def run(self) -> None:
        """Until our player leaves; cancelled when the match begins."""
        self._place.on_change = self.changed
        while not self._place.left:
            self._changed = trio.Event()
            self.show_news()
            if self._interactive or self._asks():
                await self._read()
            else:
                await self._changed.wait()

    def _asks(self) -> bool:
        view = self._place.view
        return (view is not None and view.asks) or self._place.newcomer is not None

    def show_news(self) -> None:
        """Tell what has changed; once the table is full, the whole list, and the question."""
        now = self._place.view
        for text in self._place.remarks:
            self._talk.say(text)
        self._place.remarks.clear()
        self._hand_over()
        if now is None:
            return
        newcomer = self._place.newcomer
        here = sum(bool(row.name) for row in now.rows) + (newcomer is not None)
        if here > self._here:
            self._call(lobby_view.call(now) if newcomer is None else newcomer.call)
        self._here = here
        listed = now.asks and self._asked != now.number
        for text in lobby_view.news(self._before, now, listed=listed):
            self._talk.say(text)
        self._hear()
        self._before = now
        if listed:
            if self._place.notice:  # that a yes is void, for the list has changed
                self._talk.say(self._place.notice)
            for text in lobby_view.sentences(now):
                self._talk.say(text)
            self._talk.forget()  # what was typed before the question does not answer it
            self._asked = now.number
            self._talk.prompt(self._question(now))
        elif newcomer is not None and newcomer.digits != self._digits:
            for text in newcomer.as_guest:
                self._talk.say(text)
            if newcomer.asked:
                self._talk.forget()
            self._talk.prompt(_(QUESTION) if newcomer.asked else ">")
        elif self._interactive and (self._waits != now.asks or (self._digits and newcomer is None)):
            self._talk.prompt(self._question(now) if now.asks else ">")
        else:
            self._talk.prompt_again()
        self._waits = now.asks
        self._digits = "" if newcomer is None else newcomer.digits

    def _hear(self) -> None:
        """Tell what was said since the last look."""
        talk = self._place.talk
        for line in list(talk.lines)[self._heard - talk.count :] if talk.count > self._heard else ():
            self._talk.say(f"{shown(line.person.name)}: {escape(line.text)}")
        self._heard = talk.count

    def _hand_over(self) -> None:
        """Print invites and codes, each in a line of its own."""
        for sentence, invite in self._place.invites:
            self._talk.say(sentence)
            self._talk.verbatim(invite)
        self._place.invites.clear()

    def _question(self, of: LobbyView) -> str:
        """The question once every seat is taken."""
        return _(_HOSTS_QUESTION) if of.hosting else _(_QUESTION)

    async def _read(self) -> None:
        """One typed line, unless something happens first."""
        place = self._place
        with trio.CancelScope() as reading:
            place.on_change = reading.cancel
            if self._changed.is_set():
                reading.cancel()
            line = await self._talk.line()
            place.on_change = self.changed
            if line is None:
                line = "quit"
            elif not self._interactive:
                self._talk.say(f"> {escape(line)}")
            self.take(line)
        place.on_change = self.changed

    def take(self, line: str) -> None:
        place = self._place
        place.enter(line, self._asked, self._digits)
        if place.notice:
            self._talk.say(place.notice)
        self._hand_over()
        view = place.view
        if line.strip().lower() in ("", "list") and view is not None:
            for text in lobby_view.sentences(view):
                self._talk.say(text)
        if view is not None and not place.left and (view.asks or self._interactive):
            newcomer = place.newcomer
            question = _(QUESTION) if newcomer is not None and newcomer.asked else ">"
            self._talk.prompt(self._question(view) if view.asks else question)
            self._waits = view.asks
            self._digits = self._digits if place.newcomer is not None else ""
