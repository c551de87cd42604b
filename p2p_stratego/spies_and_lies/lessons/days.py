"""Lessons two to five of Spies & Lies: one day each, with a goal that the record shows.

The tutor is blue.  It guesses by what everybody sees: never a soldier that cannot be there.  Who meets the
goal, or can meet it no more, ends the lesson: the tutor gives up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from p2p_stratego.core.game import Commit, Face, Move, Options
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.lesson import LEARNER, Lesson, states
from p2p_stratego.core.view import Bot, Chance, View
from p2p_stratego.spies_and_lies.bots.agent import Agent
from p2p_stratego.spies_and_lies.bots.beliefs import FREE, Evidence, chances
from p2p_stratego.spies_and_lies.formats.narration import card
from p2p_stratego.spies_and_lies.lessons.advice import advise
from p2p_stratego.spies_and_lies.lessons.lesson import came, marks_named, possible_ranks, wrong_guess
from p2p_stratego.spies_and_lies.rules.components import (
    BLUE,
    CAPTAIN,
    COLONEL,
    GENERAL,
    INFILTRATION,
    LIEUTENANT,
    MARSHAL,
    MINER,
    MISSIONS,
    RED,
    SCOUT,
    SERGEANT,
    Rank,
    Side,
    title,
)
from p2p_stratego.spies_and_lies.rules.notation import KEEP, LAY, copy, guess
from p2p_stratego.spies_and_lies.rules.observation import honest_marks, own_line, todays_intel
from p2p_stratego.spies_and_lies.rules.state import COUNTS_AS_IDENTIFIED, Deployment, Report, State

Naming: TypeAlias = Callable[[State], Rank | None]
"""The rank that the tutor names; None: it thinks for itself."""
Laying: TypeAlias = Callable[[State], Deployment]


@dataclass(frozen=True, slots=True)
class Day:
    """One lesson."""

    options: Options
    lays: Laying
    """The tutor's line."""
    names: Naming
    proposes: Laying
    """A line for the learner, to be named as an example."""
    met: Callable[[Sequence[State]], bool | None]
    """Whether the goal is met, by the states of the first day; None while that is open."""
    goal: Callable[[State, str], str]
    """The goal, while soldiers are laid; takes the example, too, as it is typed."""
    tip: Callable[[View[State]], str]
    """What there is to think of at another question; "" for the usual advice."""
    end: Callable[[bool], str]
    """A sentence on how the goal was met or missed."""
    learnt: Sequence[str]

    def lesson(self) -> Lesson:
        """The day as a lesson."""
        return Lesson(
            options=self.options,
            tutor=lambda chance: _Tutor(self.lays, self.names, chance),
            coach=self._coach,
            learnt=self.learnt,
            over=lambda view: self._result(view) is not None,
            quick=lambda view: view.state.phase != "mission" or view.state.guesser == LEARNER,
            met=lambda view: self._result(view) is True,
        )

    def _result(self, view: View[State]) -> bool | None:
        known = states(view)
        result = self.met(known)
        over = known[-1].day > 1 or known[-1].ended is not None
        return False if result is None and over else result

    def _coach(self, view: View[State]) -> str:
        state, result = view.state, self._result(view)
        if result is not None:
            return self.end(result)
        if isinstance(view.decision, Commit):
            return self.goal(state, " ".join(map(str, self.proposes(state))))
        sentences = list(came(state.report))
        if view.decision is not None:
            usual = next((remark.text for remark in advise(view)), "")
            sentences.append(self.tip(view) or usual)
        return "\n".join(text for text in sentences if text)


class _Tutor(Bot[State]):
    """Lays and names by a lesson's script, marks honestly, and keeps its tokens."""

    def __init__(self, lays: Laying, names: Naming, chance: Chance) -> None:
        self._lays, self._names, self._agent = lays, names, Agent(chance)

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        state, decision = view.state, view.asked
        if state.day > 1:
            return self._agent.decide(view)
        if isinstance(decision, Commit):
            return self._lays(state)
        if state.phase == "intel":
            return honest_marks(view)[0]
        if KEEP in decision.options:
            return KEEP
        if state.guesser == BLUE and any(move.startswith("guess") for move in decision.options):
            named = self._names(state)
            if named is not None:
                return guess(named)
        return self._agent.decide(view)


# What days are made of


def reports(known: Sequence[State], owner: Side) -> list[Report]:
    """What became of a side's soldiers on the first day, in order."""
    guesses = [state.report for state in known if state.report is not None]
    return [report for report in guesses if report.owner == owner and report.day == 1]


def wrong(guesses: Sequence[Report]) -> int:
    """How many of these guesses were wrong."""
    return sum(report.result not in COUNTS_AS_IDENTIFIED for report in guesses)


def likely(state: State, side: Side) -> Mapping[Rank, float]:
    """How likely each rank is under a side's card of this mission, by what everybody sees."""
    return chances(Evidence.of(state, side))[state.mission - 1]


def line(state: State, side: Side, *wanted: Rank) -> Deployment:
    """The first four of these ranks that do not rest, in rising order."""
    able = [rank for rank in wanted if rank not in state.exhausted[side]]
    first, second, third, fourth = sorted(able[: len(MISSIONS)])
    return first, second, third, fourth


def likeliest(shares: Mapping[Rank, float]) -> Rank:
    """The likeliest rank, of equals the lowest."""
    return max(sorted(shares), key=shares.__getitem__)


def shown(state: State) -> str:
    """The ranks that the tutor's next card can have."""
    return ", ".join(map(str, possible_ranks(state)))


# Two: bluffing with marks


def _gullible(state: State) -> Rank:
    """The likeliest rank for somebody who never thinks of a Sergeant."""
    shares = likely(state, RED)
    return likeliest({rank: share for rank, share in shares.items() if rank not in FREE} or shares)


def _with_sergeant(state: State) -> Deployment:
    """A line with the Sergeant second, where it can be laid."""
    if SERGEANT in state.exhausted[RED]:
        return line(state, RED, MINER, CAPTAIN, GENERAL, MARSHAL, SCOUT)
    able = [rank for rank in (MINER, CAPTAIN, GENERAL, MARSHAL) if rank not in state.exhausted[RED]]
    return able[0], SERGEANT, able[1], able[2]


def _marks_met(known: Sequence[State]) -> bool | None:
    guesses = reports(known, RED)
    if wrong(guesses) > 1:
        return True
    return False if len(guesses) - wrong(guesses) > len(MISSIONS) - 2 else None


def _marks_goal(state: State, example: str) -> str:
    if SERGEANT in state.exhausted[RED]:
        return _(
            "Goal: make the tutor guess wrong twice today. It believes every mark. Your Sergeant, who may "
            "lie, rests today: so let the line deceive, with low and high ranks.\nType {line}",
            line=example,
        )
    return _(
        "Goal: make the tutor guess wrong twice today. It believes every mark, and never thinks of your "
        "Sergeant (4): he alone may stand anywhere, and lie with his mark.\nType {line}",
        line=example,
    )


def _marks_tip(view: View[State]) -> str:
    state = view.state
    intel, honest = todays_intel(view), honest_marks(view)
    if state.phase == "intel" and intel is not None and len(honest) > 1:
        return _(
            "Marked, your Sergeant passes for a soldier of {low} to {high}; unmarked, for any other. Which "
            "lie leaves more to choose from?\nType {answer} or {other}",
            low=intel[0],
            high=intel[1],
            answer=marks_named(honest[0]),
            other=marks_named(honest[-1]),
        )
    if state.phase == "mission" and state.guesser == BLUE and own_line(view)[state.mission - 1] == SERGEANT:
        return _("Here stands your Sergeant, and the tutor does not think of him. A token?\nType yes")
    return ""


MARKS: Final[Lesson] = Day(
    options={"starter": "blue"},
    lays=lambda state: line(state, BLUE, SCOUT, LIEUTENANT, CAPTAIN, COLONEL, MINER),
    names=_gullible,
    proposes=_with_sergeant,
    met=_marks_met,
    goal=_marks_goal,
    tip=_marks_tip,
    end=lambda met: (
        _("Two wrong guesses: the tutor read your marks, and they led it astray. That was a bluff!")
        if met
        else _("The tutor saw through too many. A Sergeant among high ranks, marked or not, is hard to name.")
    ),
    learnt=(
        mark("Marks must be true, but the Sergeant's: he may be marked or not, as you like."),
        mark("He also stands anywhere, so that the order tells less than it seems."),
        mark("A guess is wrong more often where many soldiers fit: leave the other side a choice."),
    ),
).lesson()


# Three: reading an opponent


def _reading_met(known: Sequence[State]) -> bool | None:
    guesses = reports(known, BLUE)
    if len(guesses) - wrong(guesses) >= len(MISSIONS) - 1:
        return True
    return False if wrong(guesses) > 1 else None


def _reading_tip(view: View[State]) -> str:
    state = view.state
    if state.phase != "mission" or state.guesser != RED:
        return ""
    if state.mission == 1:
        return _(
            "Blue loves high ranks, and has to lay them in rising order: which soldier comes first? Its "
            "{resting} rests, and by the marks this can be {shown}.",
            resting=title(state.exhausted[BLUE][0]),
            shown=shown(state),
        )
    return _(
        "Ranks rise, and the higher the last one, the fewer are left. Now it can be {shown}.",
        shown=shown(state),
    )


READING: Final[Lesson] = Day(
    options={"starter": "red", "wall": 5},
    lays=lambda state: line(state, BLUE, MARSHAL, GENERAL, COLONEL, 7, CAPTAIN),
    names=lambda _state: None,
    proposes=lambda state: line(state, RED, SCOUT, LIEUTENANT, COLONEL, MARSHAL, MINER),
    met=_reading_met,
    goal=lambda _state, example: _(
        "Goal: name three of blue's four soldiers today. This tutor has a habit: it loves high ranks. And "
        "everybody lays in rising order. Lay your own line first.\nType {line}",
        line=example,
    ),
    tip=_reading_tip,
    end=lambda met: (
        _("Three named: you knew the habit, and counted what was left. So one reads an opponent.")
        if met
        else _("Two got away. A line of the highest four that do not rest: begin with the lowest of them.")
    ),
    learnt=(
        mark("Players have habits: who lays high once often does it again."),
        mark("Ranks rise: behind a high card only higher ones are left, and the Sergeant."),
        mark("Count out who rests, and who lies open already."),
    ),
).lesson()


# Four: when to lay a token


def _token_met(known: Sequence[State]) -> bool | None:
    guesses = reports(known, RED)
    laid = [report for report in guesses if report.token]
    if wrong(laid):
        return True
    spent = laid and not known[-1].tokens[RED]
    return False if spent or len(guesses) == len(MISSIONS) else None


def _token_tip(view: View[State]) -> str:
    state, decision = view.state, view.decision
    if decision is None or isinstance(decision, Commit) or LAY not in decision.options:
        return ""
    rank = own_line(view)[state.mission - 1]
    return _(
        "The tutor sees that {shown} fit here. It names the likeliest, of equals the lowest. Yours is the "
        "{soldier}. A token?\nType yes, or no",
        shown=", ".join(map(str, likely(state, RED))),
        soldier="" if rank is None else card(rank),
    )


TOKEN: Final[Lesson] = Day(
    options={"starter": "blue", "wall": 5},
    lays=lambda state: line(state, BLUE, SCOUT, CAPTAIN, COLONEL, GENERAL, MINER),
    names=lambda state: likeliest(likely(state, RED)),
    proposes=lambda state: line(state, RED, MINER, CAPTAIN, COLONEL, MARSHAL, LIEUTENANT),
    met=_token_met,
    goal=lambda _state, example: _(
        "Goal: win 4 points with your deception token. You have one, and may lay it on a soldier that the "
        "tutor is about to guess: it pays if the guess is wrong, and is gone either way.\nType {line}",
        line=example,
    ),
    tip=_token_tip,
    end=lambda met: (
        _("Your token paid 4 points: the tutor had many to choose from, and took another one.")
        if met
        else _("The token is gone, or was never laid. Lay it where many fit, and yours is not the likeliest.")
    ),
    learnt=(
        mark("Lay a token where many soldiers fit, and yours is not the likeliest."),
        mark("Think as the other side does: it sees order, marks and open cards, as you do."),
        mark("Late in the day fewer soldiers fit: a token waits at its peril."),
    ),
).lesson()


# Five: the guess that wins


def _winning_line(state: State) -> Deployment:
    """A Lieutenant, points, a General, and the Marshal; the Captain can use one of them that rests."""
    if SERGEANT in state.exhausted[RED]:  # then the order alone would tell the last one
        return line(state, RED, SCOUT, LIEUTENANT, GENERAL, MARSHAL)
    return line(state, RED, LIEUTENANT, CAPTAIN, GENERAL, MARSHAL, COLONEL)


def _readable_line(state: State) -> Deployment:
    """A Sergeant first and then the highest: who counts can name the last two."""
    if SERGEANT in state.exhausted[BLUE]:
        return line(state, BLUE, MARSHAL, GENERAL, COLONEL, 7)
    return (SERGEANT, *line(state, BLUE, MARSHAL, GENERAL, COLONEL, 7, CAPTAIN)[1:])


def _winning_met(known: Sequence[State]) -> bool | None:
    ended = known[-1].ended
    return True if ended is not None and LEARNER in ended.winners else None


def _winning_tip(view: View[State]) -> str:
    state, decision = view.state, view.decision
    if decision is not None and not isinstance(decision, Commit):
        for rank in (MARSHAL, GENERAL, LIEUTENANT):
            if copy(rank) in decision.options:
                return _(
                    "Your Captain may do what your resting {soldier} does, which brings the agent nearer.\n"
                    "Type {move}",
                    soldier=card(rank),
                    move=copy(rank),
                )
    if state.phase != "mission" or state.guesser != RED:
        return ""
    if state.agent >= state.wall and state.points[RED] + 2 >= INFILTRATION:
        return _(
            "The agent stands at blue's wall, and you have {points} points. Name this soldier rightly, and "
            "you have the flag. By order and marks it can be {shown}.",
            points=state.points[RED],
            shown=shown(state),
        )
    return _(
        "Each right guess gives you 2 points, and lets no soldier of blue's push the agent back. It can be "
        "{shown}.",
        shown=shown(state),
    )


WINNING: Final[Lesson] = Day(
    options={"starter": "red", "wall": 2},
    lays=_readable_line,
    names=lambda state: wrong_guess(state, _winning_line(state)[state.mission - 1]),
    proposes=_winning_line,
    met=_winning_met,
    goal=lambda _state, example: _(
        "Goal: take blue's flag today. The walls are near: two steps, and one more takes the flag. "
        "Lieutenant and General push the agent, and so do 10 points: one right guess can be the last 2 of "
        "them.\nType {line}",
        line=example,
    ),
    tip=_winning_tip,
    end=lambda met: (
        _("The flag is yours. Step by step to the wall, and then the points that were missing.")
        if met
        else _("The day is over, and the flag still stands. Count steps and points before each guess.")
    ),
    learnt=(
        mark("At the wall any step takes the flag: also the one that 10 points give."),
        mark("A right guess is 2 points: with 8 on the marker it moves the agent."),
        mark("Before the last guess, count who is left: often only one soldier fits."),
    ),
).lesson()
