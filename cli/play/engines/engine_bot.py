"""An engine as a bot: one process on one seat, of one game after another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, Protocol

from cli.games.interface import terminal
from cli.play.engines.dialogue import Cause, Dialogue, Hello, Lost, Wire
from cli.play.engines.forms import Herald, History, Seating, plain
from cli.play.engines.question import Question, question
from p2p_stratego.core.game import Choose, Outcome
from p2p_stratego.core.self_play import Decided
from p2p_stratego.core.view import Bot, Chance, View
from p2p_stratego.registry import ENTRIES, make_bot

USUAL_SECONDS: Final = 10.0
"""For a decision, unless the player says otherwise."""


class Line(Wire, Protocol):
    """A Wire that can be ended, from another thread too."""

    @property
    def complaints(self) -> str:
        """The end of the engine's standard error, not escaped."""
        ...

    def interrupt(self) -> None: ...

    def close(self) -> None: ...


class EngineBot:
    """Implements `core.view.Bot` for any game; `decide` blocks, for at most `seconds`."""

    def __init__(
        self,
        launch: Callable[[], Line],
        options: Mapping[str, str],
        clock: Callable[[], float],
        chance: Chance,
    ) -> None:
        """`options`: the engine's, as a person typed them; `chance`: of the examples that it is given."""
        self.hello = Hello("")
        """How the engine introduced itself last."""
        self.history: History = ()
        """What was settled in the game so far; it must not be longer than what the view shows."""
        self.seconds = USUAL_SECONDS
        """For each decision."""
        self.left: float | None = None
        """Seconds on the seat's own clock, if the match has clocks."""
        self.spent: list[float] = []
        """The seconds of each decision so far, of all games."""
        self.lost: Lost | None = None
        """Why it plays no further in this game."""
        self.chance = chance
        self._launch, self._options, self._clock = launch, options, clock
        self._line: Line | None = None
        self._dialogue: Dialogue | None = None
        self._seating: Seating | None = None
        self._herald: Herald | None = None
        self._example: Bot[Any] | None = None
        self._known_to_engine = False
        self._busy = threading.Lock()
        """Held while another thread waits for the engine."""

    @property
    def complaints(self) -> str:
        """The end of what it wrote to its standard error, not escaped."""
        return "" if self._line is None else self._line.complaints

    def greet(self) -> Hello:
        """Start the engine, unless it runs.  Raises Lost, and ValueError: it has no such option."""
        if self._dialogue is None:
            self._line = self._launch()
            dialogue = Dialogue(self._line, self._clock)
            self.hello = dialogue.greet(self._options)
            self._dialogue = dialogue
        return self.hello

    def begin(self, seating: Seating, history: History = ()) -> None:
        """Sit down for a new game; an engine that was lost is started again."""
        if self.lost is not None and self.lost.cause is not Cause.RESIGNED:
            self.close()
        self.lost, self.history, self._known_to_engine = None, history, False
        self._seating = seating
        entry = ENTRIES[seating.game.name]
        self._herald = Herald(entry.narration.load(), seating.names)
        self._example = make_bot(seating.game.name, list(entry.bots)[-1], self.chance)

    def decide(self, view: View[Any]) -> Decided:
        """See `Bot.decide`; where the rules leave no choice, the engine is not asked.  Raises Lost."""
        with self._busy:
            return self._decide(view)

    def _decide(self, view: View[Any]) -> Decided:
        if self._seating is None:
            raise RuntimeError("no game has begun")
        if self.lost is not None:
            raise self.lost
        forced = terminal(self._seating.game.name).forced
        if forced is not None and (decided := forced(view)) is not None:
            return decided
        asked = question(self._seating.game, view)
        told = {"left": self.left, **self._told(), **_seen(view), **self._examples(asked)}
        try:
            dialogue = self._sitting(self._seating)
            begun = self._clock()
            try:
                return dialogue.decide(asked, told, self.seconds)
            finally:
                self.spent.append(self._clock() - begun)
        except Lost as lost:
            self.lost = lost
            raise

    def _sitting(self, seating: Seating) -> Dialogue:
        """The engine, which knows which game is played.  Raises Lost."""
        try:
            self.greet()
        except ValueError as error:  # another program answers to the same name now
            raise Lost(Cause.WRONG, str(error)) from error
        if self._dialogue is None:
            raise RuntimeError("an engine that said hello has a dialogue")
        if not self._known_to_engine:
            self._dialogue.begin(seating)
            self._known_to_engine = True
        return self._dialogue

    def _told(self) -> dict[str, Any]:
        return {} if self._herald is None else self._herald.news(self.history).told()

    def _examples(self, asked: Question) -> dict[str, Any]:
        """An answer that keeps the rules, where they are not listed."""
        decision = asked.view.asked
        if self._example is None or (isinstance(decision, Choose) and asked.complete):
            return {"example": None}
        return {"example": plain(self._example.decide(asked.view))}

    def end(self, outcome: Outcome | None) -> None:
        """Tell the engine that the game is over, if it knows of it; None: without a result."""
        if self._dialogue is None or not self._known_to_engine:
            return
        self._known_to_engine = False
        winners, reason = (None, None) if outcome is None else (plain(outcome.winners), outcome.reason)
        try:
            self._dialogue.end({**self._told(), "winners": winners, "reason": reason})
        except Lost as lost:
            self.lost = lost

    def stop_waiting(self) -> None:
        """End a `decide` of another thread, which raises Lost there: before `close`."""
        if self._line is not None:
            self._line.interrupt()
        with self._busy:
            pass

    def close(self) -> None:
        """End the engine and all that it started."""
        line, dialogue = self._line, self._dialogue
        self._line = self._dialogue = None
        if dialogue is not None:
            with suppress(Lost):
                dialogue.quit()
        if line is not None:
            line.close()


def _seen(view: View[Any]) -> dict[str, Any]:
    """The keys of the line "decide" for what the seat sees."""
    return {"state": plain(view.state), "known": plain(dict(sorted(view.known.items())))}
