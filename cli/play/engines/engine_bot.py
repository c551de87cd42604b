"""An engine as a bot: one process on one seat, of one game after another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from cli.games.interface import terminal
from cli.play.engines.consultation import Consultation, EngineHello, LossCause, Lost, Pipe
from cli.play.engines.forms import GameTerms, Herald, History, plain
from cli.play.engines.question import EngineQuestion, question
from p2p_stratego.core.game import Choose, Outcome
from p2p_stratego.core.self_play import Decided
from p2p_stratego.core.view import Bot, Chance, View
from p2p_stratego.registry import ENTRIES, make_bot

USUAL_SECONDS: Final = 10.0
"""For a decision, unless the player says otherwise."""


class EngineBot:
    """Implements `core.view.Bot` for any game; `decide` blocks, for at most `seconds`."""

    def __init__(
        self,
        launch: Callable[[], Pipe],
        options: Mapping[str, str],
        clock: Callable[[], float],
        chance: Chance,
    ) -> None:
        """`options`: the engine's, as a person typed them; `chance`: of the examples that it is given."""
        self.hello = EngineHello("")
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
        self._pipe: Pipe | None = None
        self._consultation: Consultation | None = None
        self._terms: GameTerms | None = None
        self._herald: Herald | None = None
        self._example: Bot[Any] | None = None
        self._known_to_engine = False
        self._leaving = False
        self._busy = threading.Lock()
        """Held while the engine is used; another thread may wait for it."""
        self._in_use = threading.Lock()
        """Held for a moment, while the pipe is interrupted or taken away: a closed one is left alone."""

    @property
    def complaints(self) -> str:
        """The end of what it wrote to its standard error, not escaped."""
        return "" if self._pipe is None else self._pipe.complaints

    def greet(self) -> EngineHello:
        """Start the engine, unless it runs.  Raises Lost, and ValueError: it has no such option."""
        with self._busy:
            return self._greet()

    def _greet(self) -> EngineHello:
        if self._consultation is None:
            self._pipe = self._launch()
            if self._leaving:  # since before there was anything to interrupt
                self._pipe.interrupt()
            consultation = Consultation(self._pipe, self._clock)
            self.hello = consultation.greet(self._options)
            self._consultation = consultation
        return self.hello

    def begin(self, terms: GameTerms, history: History = ()) -> None:
        """Sit down for a new game; an engine that was lost is started again."""
        with self._busy:
            self._begin(terms, history)

    def _begin(self, terms: GameTerms, history: History) -> None:
        if self.lost is not None and self.lost.cause is not LossCause.RESIGNED:
            self._close()
        self.lost, self.history, self._known_to_engine = None, history, False
        self._terms = terms
        entry = ENTRIES[terms.game.name]
        self._herald = Herald(entry.narration.load(), terms.names)
        self._example = make_bot(terms.game.name, list(entry.bots)[-1], self.chance)

    def decide(self, view: View[Any]) -> Decided:
        """See `Bot.decide`; where the rules leave no choice, the engine is not asked.  Raises Lost."""
        with self._busy:
            return self._decide(view)

    def _decide(self, view: View[Any]) -> Decided:
        if self._terms is None:
            raise RuntimeError("no game has begun")
        if self._leaving:  # nobody would end a process that began now
            raise Lost(LossCause.GONE)
        if self.lost is not None:
            raise self.lost
        forced = terminal(self._terms.game.name).forced
        if forced is not None and (decided := forced(view)) is not None:
            return decided
        asked = question(self._terms.game, view)
        left = None if self.left is None else round(self.left, 3)
        news = {"left": left, **self._news(), **_seen(view), **self._examples(asked)}
        try:
            consultation = self._sitting(self._terms)
            begun = self._clock()
            try:
                return consultation.decide(asked, news, self.seconds)
            finally:
                self.spent.append(self._clock() - begun)
        except Lost as lost:
            self.lost = lost
            raise

    def _sitting(self, terms: GameTerms) -> Consultation:
        """The engine, which knows which game is played.  Raises Lost."""
        try:
            self._greet()
        except ValueError as error:  # another program answers to the same name now
            raise Lost(LossCause.WRONG, str(error)) from error
        if self._consultation is None:
            raise RuntimeError("an engine that said hello has a consultation")
        if not self._known_to_engine:
            self._consultation.begin(terms)
            self._known_to_engine = True
        return self._consultation

    def _news(self) -> dict[str, Any]:
        return {} if self._herald is None else self._herald.news(self.history).parts()

    def _examples(self, asked: EngineQuestion) -> dict[str, Any]:
        """An answer that keeps the rules, where they are not listed."""
        decision = asked.view.asked
        if self._example is None or (isinstance(decision, Choose) and asked.complete):
            return {"example": None}
        return {"example": plain(self._example.decide(asked.view))}

    def end(self, outcome: Outcome | None, history: History | None = None) -> None:
        """Tell the engine that the game is over, if it knows of it; None: no result, no other history."""
        with self._busy:
            self._end(outcome, self.history if history is None else history)

    def _end(self, outcome: Outcome | None, history: History) -> None:
        self.history = history
        if self._consultation is None or not self._known_to_engine:
            return
        self._known_to_engine = False
        winners, reason = (None, None) if outcome is None else (plain(outcome.winners), outcome.reason)
        try:
            self._consultation.end({**self._news(), "winners": winners, "reason": reason})
        except Lost as lost:
            self.lost = lost

    def stop_waiting(self) -> None:
        """End a `decide` of another thread, which raises Lost there: before `close`."""
        self._leaving = True
        with self._in_use:
            if self._pipe is not None:
                self._pipe.interrupt()
        with self._busy:
            pass

    def close(self) -> None:
        """End the engine and all that it started."""
        with self._busy:
            self._close()

    def _close(self) -> None:
        with self._in_use:
            pipe, consultation = self._pipe, self._consultation
            self._pipe = self._consultation = None
        if consultation is not None:
            with suppress(Lost):
                consultation.quit()
        if pipe is not None:
            pipe.close()


def _seen(view: View[Any]) -> dict[str, Any]:
    """The keys of the line "decide" for what the seat sees."""
    return {"state": plain(view.state), "known": plain(dict(sorted(view.known.items())))}
