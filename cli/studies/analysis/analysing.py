"""The analysis of one match: its decisions judged, how the chance to win went, and each seat's sums.

`cli.studies.analysis.analysis_text` and `cli.studies.analysis.analysis_json` say it.  Everything follows from
the record (and the owner's own secrets), so the same file gives the same analysis, unless the time for a
decision is over.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Any, Final

from cli.reports.history import Step, Story
from cli.shell.exit_codes import Exit, Sorry
from p2p_stratego.core.analysis import COSTLY, Analysis, Enough, Judgement, MadeDecision, Outlook
from p2p_stratego.core.game import Ask, Choose, Commit, Face, Open, Seat, Slot, Together
from p2p_stratego.core.language import _
from p2p_stratego.core.narration import listed
from p2p_stratego.core.view import View, read_by
from p2p_stratego.registry import ENTRIES
from protocol.audit.verdict import Replayed, Report, Verdict
from protocol.record.asks.base import Answered
from protocol.record.asks.registry import is_drawn
from protocol.record.referee import Referee


def decisions(referee: Referee, secrets: Mapping[Slot, Face]) -> Iterator[MadeDecision]:
    """Every decision that was made, in order; a step at a time.

    `secrets`: faces that are known beyond the record's; what stays unknown is missing in the views.
    """
    return _Walk(referee, {**secrets, **referee.table.faces}).made()


class _Walk:
    """A walk through the history of a match."""

    def __init__(self, referee: Referee, truth: Mapping[Slot, Face]) -> None:
        self._history, self._truth = referee.table.history, truth
        self._known: dict[Seat, dict[Slot, Face]] = {
            seat: {} for seat, _player in enumerate(referee.genesis.players)
        }
        self._state: Any = None
        self._step = 1
        self._since: list[tuple[Ask, Any]] = []

    def made(self) -> Iterator[MadeDecision]:
        """The decisions of each step, once its end is known."""
        waiting: list[MadeDecision] = []
        for item in self._history:
            if isinstance(item, Answered):
                waiting += self._decided(item)
                self._learn(item)
                continue
            for decision in waiting:
                yield MadeDecision(decision.number, decision.step, decision.view, decision.answer, item.state)
            waiting = []
            self._state, self._since = item.state, []
            self._step += 1
        yield from waiting

    def _decided(self, item: Answered) -> Iterator[MadeDecision]:
        if self._state is None:
            return
        several = isinstance(item.ask, Together)
        parts = item.ask.asks if isinstance(item.ask, Together) else (item.ask,)
        answers = item.answer if several else (item.answer,)
        for part, answer in zip(parts, answers or [None] * len(parts), strict=True):
            if isinstance(part, Choose) and answer is None:
                continue  # its seat had left
            if isinstance(part, Choose | Commit) and not is_drawn(part):
                view = View(part.seat, self._state, dict(self._known[part.seat]), part, tuple(self._since))
                yield MadeDecision(item.number, self._step, view, self._answer(part, answer), None)

    def _answer(self, part: Choose | Commit, answer: Any) -> str | tuple[Face, ...] | None:
        if isinstance(part, Choose):
            return str(answer)
        if any(slot not in self._truth for slot in part.slots):
            return None
        return tuple(self._truth[slot] for slot in part.slots)

    def _learn(self, item: Answered) -> None:
        """What each seat can read from now on."""
        self._since.append((item.ask, item.answer))
        if isinstance(item.ask, Open) and item.answer is not None:
            for known in self._known.values():
                known[item.ask.slot] = item.answer
        for seat, slots in read_by(item.ask):
            self._known[seat].update((slot, self._truth[slot]) for slot in slots if slot in self._truth)


TURNING: Final = 3
"""How many turning points are told."""
LEAST_TURN: Final = 0.05
"""The least change of the chance to win that is one."""
LEAST_PIVOT: Final = 0.15
"""The least gain of its winner by which a game turned: less convinces nobody who was there."""
RECENT: Final = 20
"""Steps before the end: a way that was open for longer was not what decided."""
THINKS: Final = 2.0
"""Seconds that the bot may think about one decision; it hardly ever needs them."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A step, by its place from 1, in which the chance to win of one seat, seat 0 unless said otherwise, went
    from `before` to `after`.
    """

    at: int
    before: float
    after: float
    reason: str = ""
    """Why, in a sentence, of a step that was no event."""


@dataclass(frozen=True, slots=True)
class Sums:
    """The decisions of one seat, summed up; `luck` counts what others' chances brought it, too."""

    decided: int
    judged: int
    """Of these, those whose loss is known."""
    unknown: int
    """Those that could not be judged, since closed pieces or cards are not known."""
    best: int
    """Of the judged, those that lost less than COSTLY."""
    lost: float
    luck: float
    given: float
    gained: float
    worst: Judgement | None
    """The costliest one, if it lost COSTLY or more."""


@dataclass(frozen=True, slots=True)
class Analysed:
    """All findings about one match."""

    report: Report
    names: tuple[str, ...]
    steps: tuple[Step, ...]
    judged: tuple[Judgement, ...]
    outlooks: tuple[Outlook, ...]
    """By step: how likely each seat was to win after it; as many as were made so far."""
    chances: tuple[tuple[float, ...], ...]
    """The same by seat: with everything known, if each step has that, else by public knowledge."""
    open: bool
    """Whether it is with everything known."""
    truth: Mapping[Slot, Face]
    """All faces, if they are; else none."""
    lesson: bool = False
    """Whether a tutor's script led the game: then no decision is weighed against others."""

    @property
    def game(self) -> Analysis:
        """The judge of its game."""
        return of_game(self.report)

    def at(self, step: int) -> list[Judgement]:
        """The judged decisions that were made in a step, counted from 1."""
        return [decision for decision in self.judged if decision.made.step == step]

    @property
    def turns(self) -> list[Turn]:
        """The turning points, the greatest first: events, and steps of which a reason can be told.

        An end that the rules did not bring about is none, nor is the beginning of play, before which nothing
        is estimated.
        """
        explained = map(self._told, self.great)
        return list(islice((turn for turn in explained if turn is not None), TURNING))

    @property
    def pivot(self) -> Turn | None:
        """Where the game turned, by what its winner gained: the greatest rise after which nobody was likelier
        to win than it any more.

        If none was great, the step that opened the way to the end.  The last step only if there is no other,
        since all saw it decide, and never one that takes a flag: what led there was long open.  Of a game
        without a winner, the greatest turning point.
        """
        outcome = self.report.outcome
        if outcome is None or not outcome.winners:
            turns, opened = self.turns, None
        else:
            winner = min(outcome.winners)
            rises = (turn for turn in self._great(winner) if turn.after - turn.before >= LEAST_PIVOT)
            explained = map(self._told, (turn for turn in rises if self._leads_from(turn.at, winner)))
            turns = [turn for turn in explained if turn is not None]
            opened = self._opened(winner)
        earlier = (turn for turn in turns if turn.at < len(self.steps))
        captured = outcome is not None and outcome.reason == "flag"
        return next(earlier, opened or (None if captured else next(iter(turns), None)))

    def _opened(self, winner: Seat) -> Turn | None:
        """The step that opened the winner's way to the end, not long before it."""
        breakthrough = ENTRIES[self.report.genesis.game.name].breakthrough
        if breakthrough is None or not self.steps or self.steps[-1].ends:
            return None
        opened = breakthrough.load()([step.state for step in self.steps], self.names)
        if opened is None or len(self.steps) - opened[0] > RECENT:
            return None
        at, reason = opened
        return Turn(at, self.chances[at - 2][winner], self.chances[at - 1][winner], reason)

    def _leads_from(self, step: int, seat: Seat) -> bool:
        """Whether nobody is likelier to win than `seat` after a step, counted from 1, and all behind it."""
        return all(chances[seat] >= max(chances) for chances in self.chances[step - 1 :])

    @property
    def great(self) -> list[Turn]:
        """All steps that changed the chance to win by as much as a turning point does, the greatest first."""
        return self._great(0)

    def _great(self, seat: Seat) -> list[Turn]:
        """The same by the chance of `seat`."""
        steps = (
            Turn(at, before[seat], after[seat])
            for at, (before, after) in enumerate(pairwise(self.chances), start=2)
            if not self.steps[at - 1].ends and self.outlooks[at - 2].begun
        )
        turns = [turn for turn in steps if abs(turn.after - turn.before) >= LEAST_TURN]
        return sorted(turns, key=lambda turn: -abs(turn.after - turn.before))

    @property
    def luckiest(self) -> Judgement | None:
        """The decision of the greatest luck, good or bad, if that is as much as of a turning point."""
        decision = max(self.judged, key=lambda decision: abs(decision.luck or 0.0), default=None)
        return decision if decision is not None and abs(decision.luck or 0.0) >= LEAST_TURN else None

    def luck(self, decision: Judgement, seat: Seat) -> float:
        """What the luck of one decision brought a seat."""
        return (decision.luck or 0.0) * self._share(seat, decision.made.seat)

    def _told(self, turn: Turn) -> Turn | None:
        """A step with its reason; None for one that nobody could understand, or that the next one undid."""
        before, step = self.steps[turn.at - 2], self.steps[turn.at - 1]
        reason = self.game.reason(before.state, step.state, self.names, self.truth)
        if not step.moment and (reason is None or not self._lasts(turn.at)):
            return None
        return replace(turn, reason=reason or "")

    def _lasts(self, at: int) -> bool:
        """Whether the chance of two steps before and that of two steps after lie apart."""
        before, after = (
            [chances[0] for chances in self.chances[max(i, 0) : i + 2]] for i in (at - 3, at - 1)
        )
        return max(min(after) - max(before), min(before) - max(after)) >= LEAST_TURN

    @property
    def broken_off(self) -> Turn | None:
        """The end by a resignation, a claim or an agreement, as the step that it is; None of other games."""
        if not self.steps or not self.steps[-1].ends or len(self.chances) < max(len(self.steps), 2):
            return None
        return Turn(len(self.steps), self.chances[-2][0], self.chances[-1][0])

    def of(self, seat: Seat) -> list[Judgement]:
        """The judged decisions of one seat, in order."""
        return [decision for decision in self.judged if decision.made.seat == seat]

    def sums(self, seat: Seat) -> Sums:
        """The decisions of `seat`, summed up."""
        own = self.of(seat)
        known = [decision for decision in own if decision.lost is not None]
        worst = max(known, key=lambda decision: decision.lost or 0.0, default=None)
        return Sums(
            decided=len(own),
            judged=len(known),
            unknown=sum(decision.unknown for decision in own),
            best=sum((decision.lost or 0.0) < COSTLY for decision in known),
            lost=sum(decision.lost or 0.0 for decision in known),
            luck=sum(self.luck(decision, seat) for decision in self.judged),
            given=sum(decision.given or 0.0 for decision in own),
            gained=sum(decision.gained or 0.0 for decision in own),
            worst=worst if worst is not None and (worst.lost or 0.0) >= COSTLY else None,
        )

    def _share(self, seat: Seat, other: Seat) -> float:
        """How much of the luck of `other` is `seat`'s: 1 on its side, else an even part of the opposite."""
        genesis = self.report.genesis
        sides = genesis.game.sides(len(genesis.players))
        return 1.0 if any({seat, other} <= side for side in sides) else -1 / (len(sides) - 1)


def of_game(report: Report) -> Analysis:
    """The judge of a match's game.  Raises Sorry for a game that has none."""
    entry = ENTRIES[report.genesis.game.name]
    if entry.analysis is None:
        able = listed([game.title for game in ENTRIES.values() if game.analysis is not None])
        raise Sorry(
            lambda run: _(
                "{game} has no analysis yet; {games} have one. {command} shows this game step by step.",
                game=entry.title,
                games=able,
                command=run("replay FILE"),
            ),
            Exit.UNSUPPORTED,
        )
    return entry.analysis.load()


def within(seconds: float) -> Callable[[], Enough]:
    """A clock for each decision: whether so many seconds have passed since it began."""

    def begin() -> Enough:
        end = time.monotonic() + seconds
        return lambda: time.monotonic() >= end

    return begin


def whole(begin: Callable[[], Work], seconds: float) -> Analysed:
    """A whole analysis, made at once."""
    work = begin()
    for _one in work.judge(within(seconds)):
        pass
    return work.done()


class Work:
    """An analysis under way: `total` decisions, judged one by one."""

    def __init__(self, match: Replayed, story: Story, *, lesson: bool = False) -> None:
        """`story`: of `match`, perhaps with its owner's secrets; `lesson`: whether a tutor's script led it.

        Raises Sorry if it cannot be analysed.
        """
        report = match.report
        self._game = of_game(report)
        if report.verdict is Verdict.TAMPERED:
            raise Sorry(
                lambda run: _(
                    "The record was changed or is damaged, so it is not analysed. {command} says where.",
                    command=run("audit FILE"),
                ),
                Exit.TAMPERED,
            )
        self._report = report
        self._story = story
        self._lesson = lesson
        self._made: Sequence[MadeDecision] = [*decisions(match.referee, story.secrets)]
        self.total = len(self._made)
        self._judged: list[Judgement] = []
        self._outlooks: list[Outlook] = []
        self._truth = {**story.secrets, **match.referee.table.faces}
        self._looking = self._game.outlooks(
            (step.state for step in story.steps), len(report.genesis.players), self._truth
        )

    def judge(self, enough: Callable[[], Enough]) -> Iterator[Judgement]:
        """Judge one decision after the other."""
        for decision in self._game.judge(self._made, enough):
            self._judged.append(
                replace(decision, best="", lost=None, best_odds=None) if self._lesson else decision
            )
            self._look(decision.made.step)
            yield self._judged[-1]
        self._look(len(self._story.steps))

    def done(self) -> Analysed:
        """The findings, once all is judged; or as far as it has come."""
        known = all(outlook.whole is not None for outlook in self._outlooks)
        pairs = [(outlook, outlook.whole if known else None) for outlook in self._outlooks]
        return Analysed(
            self._report,
            self._story.names,
            self._story.steps,
            tuple(self._judged),
            tuple(self._outlooks),
            tuple(outlook.seen if whole is None else whole for outlook, whole in pairs),
            known,
            self._truth if known else {},
            self._lesson,
        )

    def _look(self, upto: int) -> None:
        """Make the outlooks up to a step, counted from 1; exact for an end that is no step of the game's."""
        outcome = self._report.outcome
        for step in self._story.steps[len(self._outlooks) : upto]:
            outlook = next(self._looking)
            if step.ends and outcome is not None:
                seats = range(len(self._report.genesis.players))
                even = tuple(float(seat in outcome.winners) if outcome.winners else 0.5 for seat in seats)
                outlook = Outlook(even, outlook.own and even, outlook.whole and even)
            self._outlooks.append(outlook)
