"""The bot as a front end: in the place of a screen or lines, it looks at the match and decides.

The same front end plays against a person in this process (`cli.play.bots.bot_match`) and as a process of
its own (`cli.play.bots.bot_process`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

import trio

from cli.games.interface import Decided, terminal
from cli.play.bots.memory import past_matches
from cli.play.bots.small_talk import SmallTalk
from cli.play.engines.consultation import Lost
from cli.reports.history import Step, Teller
from p2p_stratego.core.game import Choose
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.view import Bot, LearningBot, View
from protocol.failures import NotNow
from protocol.network.peer import Peer
from protocol.record.asks.base import Answered, Reached
from protocol.record.statements import Kind
from protocol.record.time_control import TimeControl
from protocol.replication.replica import Status


class ReadingPace(Protocol):
    """How long a step is left to be read before the bot's next decision."""

    def __call__(self, step: Step, *, own: bool) -> float:
        """Seconds; `own`: the bot made the last choice of the step."""


NO_DRAWS: Final = mark("I am a bot, and bots do not agree to draws.")
"""A message at the table: no other program can be sure which player is a bot."""
_LEAST: Final = 0.9
_MOST: Final = 4.0
_LETTERS_PER_SECOND: Final = 40.0


def steadily(seconds: float) -> ReadingPace:
    """The same pause after every step; 0.0: nobody reads along."""
    return lambda _, *, own: seconds  # noqa: ARG005 - the same for all


def for_reading(step: Step, *, own: bool) -> float:
    """A pause as long as the step takes to read, within limits; the player can end it.

    Results of the bot's own choice stay in sight while the player decides, so they need only a moment.
    """
    letters = sum(map(len, step.sentences))
    return _LEAST if own else min(max(letters / _LETTERS_PER_SECOND, _LEAST), _MOST)


def slower(pace: ReadingPace, factor: float) -> ReadingPace:
    """`pace` with longer pauses, for somebody who reads what a coach says, too."""
    return lambda step, *, own: factor * pace(step, own=own)


_THINKS_WITHIN: Final = 3.0
"""Seconds within which a bot has decided, on a slow machine too."""
_READING: Final = 0.05
"""The part of the time left on a bot's clock for which it waits while a step is read."""


THINK: Final = 50
"""Milliseconds, about, that a bot that looks ahead thinks about a decision, unless it is told otherwise."""
_RESERVE: Final = 1.0
"""Seconds on its clock that a bot keeps back."""
_MOVES: Final = 30
"""Decisions for which what is left on a clock must suffice, as far as each adds nothing to it."""
_SLOWER_MACHINE: Final = 5
"""How much longer a decision can take on a slow and busy machine."""


def affordable(control: TimeControl, left: float) -> float:
    """The seconds, on a usual machine, for a decision of a seat whose clock has so many seconds left.

    Then its time is not used up, on a slow machine either.
    """
    spare = max(left - _RESERVE, 0.0)
    if control.increment is None:
        return spare / _SLOWER_MACHINE
    return (spare / _MOVES + min(control.increment, spare * (1 - 1 / _MOVES))) / _SLOWER_MACHINE


@runtime_checkable
class _LooksAhead(Protocol):
    positions: int
    """The most that a bot looks at for one decision."""


class BotFront:
    """Plays one seat of a match, and of its return matches."""

    def __init__(
        self,
        peer: Peer,
        bot: Bot[Any],
        pace: ReadingPace,
        on_step: Callable[[Step], None] | None = None,
        hold: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """`on_step`: is called with each step of the game, in order; `hold`: draws the seconds for which a
        pass is held back, if its moment could tell something about closed cards (threat 40).
        """
        self._peer, self._bot = peer, bot
        self.replica = peer.replica
        self._pace = pace
        self._on_step = on_step
        self._hold = hold
        self.quick: Callable[[View[Any]], bool] = lambda _view: False
        """Whether the bot, now asked, leaves only a moment to read the last step."""
        self.over: Callable[[View[Any]], bool] | None = None
        """Of a tutor: whether its lesson is over, so that it gives up, whether it is asked or not."""
        self.parting = False
        """Whether it gives up as soon as the player has read the last step."""
        self.hurries = False
        """Whether it leaves no time to read."""
        self.thinks: Callable[[View[Any]], Callable[[], Decided]] = lambda view: partial(
            self._bot.decide, view
        )
        """Prepares a decision here, to be made in a thread; an engine's may raise Lost there."""
        self.small_talk: Callable[[], SmallTalk | None] = lambda: None
        """Makes the talk of the bot in a match; None for a bot that is silent."""
        self.talks: Callable[[], bool] = lambda: False
        """Whether our player wishes to hear it."""
        self._talk: SmallTalk | None = None
        self.anew: Callable[[], Bot[Any]] | None = None
        """Makes the bot anew when a decision was taken back, as a bot may remember what was undone."""
        self.think = THINK
        """Milliseconds, about, that the bot takes if it looks ahead and has the time."""
        self._positions = bot.positions if isinstance(bot, _LooksAhead) else 0
        self._taken_back = 0
        self.on_lost: Callable[[Lost], None] = lambda _lost: None
        """Told that the bot's engine plays no further, and that the bot resigns therefore."""
        self.session = peer.replica.session
        self._teller = Teller(peer.replica.match)
        self._due_at = -math.inf
        self._pause: trio.CancelScope | None = None
        self._changed = trio.Event()

    async def run(self, *, rematches: bool) -> None:
        """Decide everything that the match asks of this seat, up to its end; `rematches`: until cancelled."""
        self.replica.on_change = self._stir
        self._meet()
        self._talk = self.small_talk()
        while True:
            self._changed = trio.Event()
            self._look()
            self._say_a_word()
            self._refuse_draws()
            self.parting = self._gives_up()
            if self.parting:
                await self._leave_to_read()
                if self._gives_up():
                    self.replica.resign()
                continue
            if self._asked():
                await self.decide()
                continue
            if self.replica.finished and not rematches:
                return
            ours, theirs = self.replica.rematch_wanted
            if theirs and not ours:
                self.replica.offer_rematch()
            await self._changed.wait()

    async def serve(self, *, rematches: bool = True) -> None:
        """Keep this end of the match running, return matches too if they are wanted, until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._peer.run)
            await self.run(rematches=rematches)
            self._peer.leave()

    @property
    def pausing(self) -> bool:
        """Whether the bot waits for the player to read the last step."""
        return self._pause is not None

    def go_on(self) -> None:
        """End the pause: the player has read enough."""
        if self._pause is not None:
            self._pause.cancel()

    def _stir(self) -> None:
        self._changed.set()

    def _meet(self) -> None:
        """Let a bot that learns from earlier matches know that one begins."""
        if isinstance(self._bot, LearningBot):
            folder = Path(self.replica.store.path).parent
            self._bot.meet(partial(past_matches, self.replica.match, self.replica.seat, folder))

    def _look(self) -> None:
        """Read the steps that are new."""
        if self.replica.session is not self.session:  # a return match
            self.session, self._teller = self.replica.session, Teller(self.replica.match)
            self._taken_back = 0
            self._talk = self.small_talk()
            self._meet()
        taken_back = self.session.referee.table.taken_back
        if taken_back != self._taken_back and self.anew is not None:
            self._taken_back, self._bot = taken_back, self.anew()
            self._meet()
        history = self.session.referee.table.history
        for step in self._teller.hear(history):
            # Results of its own choice stay in sight while the player decides, but not while it goes on.
            own = self._chose_last(history) and not self._asked() and not self._gives_up()
            self._due_at = trio.current_time() + self._pace(step, own=own)
            if self._on_step is not None:
                self._on_step(step)

    def _refuse_draws(self) -> None:
        """Refuse the first offer of a draw in a match by chat: people would wait for an answer."""
        session, statements = self.session, self.session.referee.statements
        offered = any(statement.kind is Kind.OFFER_DRAW for by_seat in statements for statement in by_seat)
        refused = any(
            (statement.kind, statement.content) == (Kind.CHAT, (_(NO_DRAWS),))
            for statement in statements[session.seat]
        )
        if offered and not refused and not session.over:
            with suppress(NotNow):  # the copies are not compared yet, or too much was said
                self.replica.say(_(NO_DRAWS))

    def _say_a_word(self) -> None:
        """Say what fits the moment, if anything does."""
        session = self.session
        if self._talk is None or not self.talks():
            return
        states = [step.state for step in session.referee.table.history if isinstance(step, Reached)]
        chats = (statement for by_seat in session.referee.statements for statement in by_seat)
        heard = {statement.content[0] for statement in chats if statement.kind is Kind.CHAT}
        if words := self._talk.line(states, session.outcome, heard):
            with suppress(NotNow):  # the copies are not compared yet, or too much was said
                self.replica.say(words)

    def _chose_last(self, history: Sequence[Answered | Reached]) -> bool:
        """Whether the last choice in the record is the bot's."""
        asks = (step.ask for step in reversed(history) if isinstance(step, Answered))
        return next((ask.seat == self.session.seat for ask in asks if isinstance(ask, Choose)), False)

    def _asked(self) -> bool:
        replica = self.replica
        return (
            replica.session.decision is not None and replica.status is Status.CONNECTED and not replica.closed
        )

    @property
    def _serial(self) -> int:
        """Of the Ask under way: after a takeback another one can put an equal question."""
        return self.replica.session.referee.table.serial

    async def decide(self) -> None:
        passing, earliest = self._pass()
        if self.quick(self.replica.session.view):
            self._due_at = min(self._due_at, trio.current_time() + _LEAST)
        self._hurry()
        await self._leave_to_read()
        if not self._asked():
            return
        view, serial = self.replica.session.long_view, self._serial
        self._keep_time()
        # In a thread: half a second of thinking must not freeze the player's screen, and a silent engine must
        # not keep the player from leaving.
        try:
            decided = await trio.to_thread.run_sync(self.thinks(view), abandon_on_cancel=True)
        except Lost as lost:
            if self._asked():
                self.on_lost(lost)
                self.replica.resign()
            return
        if decided == passing:
            await trio.sleep_until(earliest)
        if self._asked() and (self._serial, self.replica.session.view.decision) == (serial, view.decision):
            self.replica.decide(decided)

    async def _leave_to_read(self) -> None:
        """Wait until the last step is read, or the player ends the pause."""
        if self._due_at > trio.current_time() and not self.hurries:
            with trio.CancelScope(deadline=self._due_at) as self._pause:
                await trio.sleep_forever()
            self._pause = None
            self._due_at = -math.inf

    def _gives_up(self) -> bool:
        """Whether this is a tutor whose lesson is over."""
        session, replica = self.replica.session, self.replica
        if self.over is None or session.over or not session.live or session.referee.table.state is None:
            return False
        here = replica.status is Status.CONNECTED and not replica.closed
        return here and self.over(session.long_view)

    def _hurry(self) -> None:
        """With a clock, leave a step to be read for a small part of what is left on the bot's own."""
        clocks, now = self.replica.clocks, trio.current_time()
        if clocks is not None:
            left = clocks.left(self.session.seat, now)
            self._due_at = min(self._due_at, now + max(left - _THINKS_WITHIN, 0.0) * _READING)

    def _keep_time(self) -> None:
        """With a clock, look ahead no longer than its time allows."""
        clocks = self.replica.clocks
        if clocks is not None and isinstance(self._bot, _LooksAhead):
            seconds = affordable(clocks.control, clocks.left(self.session.seat, trio.current_time()))
            self._bot.positions = int(self._positions * min(1.0, seconds * 1000 / self.think))

    def _pass(self) -> tuple[Decided | None, float]:
        """If the present question hides a pass: that pass, and the moment at which it may go out.

        A bot without a choice thinks for a shorter time than a bot with a hand, so the moment is drawn first;
        people's programs hold their passes back, too (threat 40).
        """
        session = self.replica.session
        limit = terminal(self.replica.match.game.name).limit
        hiding = None if limit is None else limit(session.view)
        if hiding is None or not hiding.hides:
            return None, 0.0
        return hiding.answer, trio.current_time() + self._hold()
