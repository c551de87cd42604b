"""A match as a spectator knows it so far: its steps, and the statements beside them.

Pure readings of an Onlooker's copy.  They show what everybody may know, and so are the same for all.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cli.reports import asides, describe, history
from cli.reports.asides import Aside, Asides
from cli.reports.history import Part, Step, Story
from cli.table.words import other_players
from cli.text.layout import series
from p2p_stratego.core.language import _
from p2p_stratego.core.narration import either
from protocol.record.statements import Kind, Statement
from protocol.replication.onlooker import Onlooker
from protocol.replication.replica import Status

_HEARD: Final = 2
"""How many statements stand below the last step, though they were made before it."""
_NEW: Final = 4
"""How many steps they are new for."""


class WatchedMatch:
    """The story of one match that we watch, as it grows."""

    def __init__(self, onlooker: Onlooker) -> None:
        self.onlooker = onlooker
        self._names = history.names(onlooker.match)
        self._sentences: list[str] = []
        self._begin()

    def _begin(self) -> None:
        self._table = self.onlooker.copy.referee.table
        self._teller = history.Teller(self.onlooker.match, live=True)
        self._asides = Asides(self.onlooker.match)
        self._early: tuple[str, ...] = ()
        """Statements before the first step, in sentences."""
        self._steps: list[Step] = []
        self._open: tuple[str, ...] = ()
        """The sentences of the step that is open."""
        self._heard: list[tuple[int, str]] = []
        """The last statements beside the game, each with the number of steps before it."""

    def read(self) -> list[str]:
        """Everything that is new, a sentence each, in the order in which it happened.

        A GONE can take the place of the last entries that we know: then the story is told anew from there.
        """
        before = self._sentences
        referee = self.onlooker.copy.referee
        again = referee.table is not self._table
        if again:
            self._sentences = []
            self._begin()
        beside, parts = self._asides.read(referee), self._teller.parts(referee.table.history)
        new = [text for happening in history.woven(parts, beside) for text in self._take(happening)]
        self._sentences = [*self._sentences, *new]
        if not again:
            return new
        same = 0
        while same < min(len(before), len(self._sentences)) and before[same] == self._sentences[same]:
            same += 1
        undone = [_(history.VOID)] if same < len(before) else []
        return [*undone, *self._sentences[same:]]

    def _take(self, happening: Part | Aside) -> tuple[str, ...]:
        """The sentences of a step, or of a statement, which is also shown with the step before it."""
        if isinstance(happening, Part):
            return (*happening.sentences, *self._went_on(happening))
        lapsed = self._asides.hear(happening, self.onlooker.copy.referee)
        if isinstance(happening, Statement) and happening.kind is Kind.REVEAL:
            return ()  # the outcome tells its effect
        sentences = (asides.speak(happening, self.onlooker.match), *lapsed)
        return tuple(text for sentence in sentences for text in self._beside(sentence))

    def _went_on(self, part: Part) -> tuple[str, ...]:
        """Note a part of a step; the sentences about what it makes void, if it completes the step."""
        step = part.step
        if step is None:
            self._open = (*self._open, *part.sentences)
            return ()
        lapsed = self._asides.hear(step, self.onlooker.copy.referee)
        shown = (*self._early, *step.sentences)
        self._steps.append(replace(step, sentences=shown) if self._early else step)
        self._open = self._early = ()
        return tuple(text for sentence in lapsed for text in self._beside(sentence))

    def _beside(self, sentence: str) -> tuple[str, ...]:
        """A sentence that belongs to no step; it is shown with the last step."""
        self._heard = [*self._heard, (len(self._steps), sentence)][-_HEARD:]
        if self._steps:
            last = self._steps[-1]
            self._steps[-1] = replace(last, sentences=(*last.sentences, sentence))
        else:
            self._early = (*self._early, sentence)
        return (sentence,)

    @property
    def heard(self) -> tuple[str, ...]:
        """The last statements beside the game, while they are new."""
        return tuple(sentence for at, sentence in self._heard if len(self._steps) - at < _NEW)

    @property
    def story(self) -> Story:
        """The story so far, for the screen."""
        since = history.since(self.onlooker.copy.referee)
        return Story(self.onlooker.match.game.name, self._names, tuple(self._steps), self.ending, since)

    @property
    def ending(self) -> str:
        """Who has won and why, or for whom the game waits, in a sentence."""
        copy = self.onlooker.copy
        outcome = copy.outcome
        if outcome is not None:
            result = describe.ended(self.onlooker.match, outcome, copy.referee)
            return _("The game is over: {result}.{awaited}", result=result, awaited=self._awaited)
        owed = copy.referee.owed
        if owed is None:
            return ""
        late = series(
            [self._names[seat] for seat in sorted(other_players.deciding(copy.referee) or {owed.seat})]
        )
        return " ".join((*self._open, _("The game waits for {late}.", late=late)))

    @property
    def _awaited(self) -> str:
        """Whose late answer would undo the end, as a further sentence, or nothing."""
        referee = self.onlooker.copy.referee
        if self.settled or self.onlooker.finished:
            return ""
        late = sorted(referee.silent) or referee.waited_for
        named = either([self._names[seat] for seat in late])
        return _(" Should {named} answer after all, it goes on.", named=named) if named else ""

    @property
    def settled(self) -> bool:
        """Whether claims have ended the match, and no answer undoes that: a key is missing for good."""
        referee = self.onlooker.copy.referee
        ended = referee.ended_by_rules
        return ended is not None and ended.reason == "unresponsive"

    @property
    def link(self) -> str:
        """How the game reaches us, in a word or a few."""
        if self.onlooker.finished:
            return _("over")
        live = self.onlooker.status is Status.CONNECTED
        return _("live") if live else _("the host does not answer")
