"""The lesson of Spies & Lies: a first day, with the tutor's moves, the coach's proposals and its sentences.

The tutor is blue and guesses second.  As in every match chance decides who rests and which intel comes; the
script makes the best of it, from public information.  A learner may leave it at any time: every text starts
from the state as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.lesson import LEARNER, Lesson
from p2p_stratego.core.view import Chance, View
from p2p_stratego.spies_and_lies.bots.agent import Agent
from p2p_stratego.spies_and_lies.bots.beliefs import Evidence, chances
from p2p_stratego.spies_and_lies.formats.narration import card
from p2p_stratego.spies_and_lies.rules.components import (
    BOMB,
    CAPTAIN,
    COLONEL,
    GENERAL,
    LIEUTENANT,
    MARSHAL,
    MINER,
    MISSIONS,
    RED,
    SCOUT,
    SERGEANT,
    SOLDIERS,
    SPY,
    Rank,
    title,
)
from p2p_stratego.spies_and_lies.rules.notation import (
    CAPTAIN_POINTS,
    KEEP,
    LAY,
    MARSHAL_TEN,
    copy,
    guess,
    missions_typed,
)
from p2p_stratego.spies_and_lies.rules.observation import honest_marks, todays_intel
from p2p_stratego.spies_and_lies.rules.state import Deployment, Report, State


def coach(view: View[State]) -> str:
    """The coach's text for the learner, who is red."""
    state = view.state
    if state.ended is not None or state.day > 1:
        return _("The day is over, and so is the lesson: the tutor gives up. A whole game has three days.")
    sentences = [*came(state.report), *_asked(view)]
    return "\n".join(text for text in sentences if text)


def _asked(view: View[State]) -> Iterator[str]:
    """The present question, its worth, and the words to type."""
    state, decision = view.state, view.decision
    if decision is None:
        return
    if isinstance(decision, Commit):
        yield _lay(state)
    elif state.phase == "intel":
        yield _mark(view)
    elif LAY in decision.options:
        yield _token(state)
    elif state.guesser == RED:
        yield _guess(state)
    elif CAPTAIN_POINTS in decision.options:
        yield _("Your Captain may score 6 points, or do what your resting soldier does.\nType points")
    elif MARSHAL_TEN in decision.options:
        yield _("Your Marshal may score 10 points, or 5 while the tutor loses 5.\nType ten")


def _lay(state: State) -> str:
    return _(
        "Goal: push the double agent to blue's flag, or further in three days than blue.\n"
        "Lay four soldiers in secret, low ranks first. The tutor guesses each; one it does not name acts for "
        "you. The {resting} rests.\nType {line}",
        resting=title(state.exhausted[RED][0]),
        line=" ".join(map(str, proposed_line(state))),
    )


def _mark(view: View[State]) -> str:
    intel, honest = todays_intel(view), honest_marks(view)
    if intel is None or not honest:
        return ""
    return _(
        "Intel: both must tell where soldiers of {low} to {high} lie. A soldier with a false mark counts as "
        "named; only the Sergeant may lie. This is honest:\nType {marks}",
        low=intel[0],
        high=intel[1],
        marks=marks_named(honest[-1]),
    )


def marks_named(marks: Move) -> str:
    """A move of MARKS as the coach names it: in the words in which the table offers it."""
    typed = missions_typed(marks)
    return _("none") if typed == "none" else typed


def _token(state: State) -> str:
    if state.blast[1 - RED]:
        return _(
            "The blast makes this soldier retreat; a token still scores 4 if it is not named.\n"
            "Type yes, or no"
        )
    if state.mission == 1:
        return _(
            "Now the tutor guesses at your mission 1. A deception token on it scores 4 if the guess is "
            "wrong, and is gone either way.\nType yes"
        )
    return _("A token scores 4 if the tutor guesses wrongly now.\nType yes, or no")


def _guess(state: State) -> str:
    likely = possible_ranks(state)
    rank = proposed_guess(state)
    if state.mission == 1:
        return _(
            "Name the soldier under blue's mission 1. Just once you may peep: it is the {soldier}. Named "
            "rightly it scores 2 for you, and cannot act.\nType guess {rank}",
            soldier=card(rank),
            rank=rank,
        )
    if state.mission == 2:
        return n_(
            "Ranks rise and marks are true: {count} soldier is possible. A wrong guess lets it act. Try "
            "one.\nType guess {rank}",
            "Ranks rise and marks are true: {count} soldiers are possible. A wrong guess lets it act. Try "
            "one.\nType guess {rank}",
            len(likely),
            rank=rank,
        )
    return _(
        "By order and marks it is one of {shown}. Name what would help blue most.\nType guess {rank}",
        shown=", ".join(map(str, likely)),
        rank=rank,
    )


def came(report: Report | None) -> Iterator[str]:
    """The result of the last guess, and the reason of its points."""
    if report is None or report.soldier is None:
        return
    mine = report.owner == RED
    soldier = card(report.soldier)
    yield from (_mine if mine else _theirs)(report, soldier)
    for effect in report.effects:
        if effect.kind == "infiltrated" and effect.side == RED:
            yield n_(
                "10 points: the agent goes {count} step, the day's number.",
                "10 points: the agent goes {count} steps, the day's number.",
                report.day,
            )


_ACTS: Final[Mapping[Rank, tuple[str, str]]] = {
    SPY: (
        mark("You score 1 and win a token, and blue's Marshal retreats today."),
        mark("Blue scores 1 and wins a token, and your Marshal retreats today."),
    ),
    SCOUT: (
        mark("You score 2, and your right guesses are worth 4 today."),
        mark("Blue scores 2, and its right guesses are worth 4 today."),
    ),
    MINER: (
        mark("You score 3, and blue's Bomb retreats today."),
        mark("Blue scores 3, and your Bomb retreats today."),
    ),
    SERGEANT: (
        mark("You score 4."),
        mark("Blue scores 4."),
    ),
    CAPTAIN: (
        mark("You score 6, or use a soldier that rests."),
        mark("Blue scores 6, or uses a soldier that rests."),
    ),
    BOMB: (
        mark("Your next guess blasts: the soldier retreats, or costs blue two."),
        mark("At its next guess your soldier retreats before the blast."),
    ),
    COLONEL: (
        mark("You score 8, and what goes over 10 stays yours."),
        mark("Blue scores 8, and what goes over 10 stays its own."),
    ),
    MARSHAL: (
        mark("You score 10, or 5 while blue loses 5."),
        mark("Blue scores 10, or 5 while you lose 5."),
    ),
}
"""By soldier: what follows when it acts for the learner, and for blue; not of those that push."""


def _mine(report: Report, soldier: str) -> Iterator[str]:
    """A soldier of the learner's was guessed at."""
    if report.result == "activated":
        yield " ".join((_("Named wrongly, so your {soldier} acts.", soldier=soldier), _acts(report)))
    elif report.result == "retreated":
        yield _("The blast made your {soldier} retreat: it does nothing.", soldier=soldier)
    elif report.result == "identified":
        yield _("Your {soldier} was named: 2 points for blue, and it does nothing.", soldier=soldier)
    elif report.result == "incorrect-order":
        yield _(
            "Your {soldier} is lower than one before it: your gains of today are undone, and all your "
            "soldiers count as named.",
            soldier=soldier,
        )
    elif report.result == "incorrect-intel":
        yield _("Your mark for the {soldier} was false: it counts as named.", soldier=soldier)
    else:
        yield _("You were caught out of order: your {soldier} counts as named.", soldier=soldier)
    if report.token and report.result in ("activated", "retreated"):
        yield _("Your token deceived: 4 points.")
    elif report.token:
        yield _("Your token is gone.")


def _theirs(report: Report, soldier: str) -> Iterator[str]:
    """A soldier of the tutor's was guessed at."""
    if report.result == "identified":
        points = sum(e.amount for e in report.effects if e.kind == "points" and e.side == RED)
        yield _(
            "Right: {points} points for you, and the {soldier} cannot act.", points=points, soldier=soldier
        )
        if points > 2:
            yield _("4 instead of 2: your {scout} is in force.", scout=card(SCOUT))
    elif report.result == "activated":
        yield " ".join((_("Wrong: the {soldier} acts.", soldier=soldier), _acts(report)))
    elif report.result == "retreated":
        yield _("Wrong, but the {soldier} retreats before your soldier in force.", soldier=soldier)


def _acts(report: Report) -> str:
    """What follows, as the soldier of the last guess acts for its owner."""
    if report.soldier is None:
        return ""
    if SOLDIERS[report.soldier].steps:
        return _pushes(report)
    return _(_ACTS[report.soldier][report.owner != RED])


def _pushes(report: Report) -> str:
    """The way of the agent: the wall stops it, and a step behind the wall takes the flag."""
    mine = report.owner == RED
    # The first one is the soldier's own: a token's points, which can push as well, come behind it.
    moves = [e for e in report.effects if e.side == report.owner and e.kind in ("agent", "wall", "flag")]
    if moves and moves[0].kind == "agent":
        steps = moves[0].amount
        return (
            n_("You push the agent {count} step.", "You push the agent {count} steps.", steps)
            if mine
            else n_("Blue pushes the agent {count} step.", "Blue pushes the agent {count} steps.", steps)
        )
    if moves and moves[0].kind == "flag":
        return _("You push the agent into the flag.") if mine else _("Blue pushes the agent into the flag.")
    return _("The agent waits at the wall until the next guess.")


class Tutor:
    """The opponent, who plays the script and then as the strong bot; implements `view.Bot[State]`."""

    def __init__(self, chance: Chance) -> None:
        self._agent = Agent(chance)

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """The script's answer on the first day."""
        state, decision = view.state, view.asked
        if state.day > 1:
            return self._agent.decide(view)
        if isinstance(decision, Commit):
            return tutors_line(state)
        if state.phase == "intel":
            return honest_marks(view)[0]
        if KEEP in decision.options:
            return KEEP  # the learner is the one who tries it
        if copy(BOMB) in decision.options:
            return copy(BOMB)
        if state.seating.side(view.seat) == state.guesser and (named := tutors_guess(state)) is not None:
            return guess(named)
        return self._agent.decide(view)


def gives_up(view: View[State]) -> bool:
    """The lesson is one day long."""
    return view.state.day > 1


LESSON: Final = Lesson(
    options={"starter": "red"},
    tutor=Tutor,
    coach=coach,
    over=gives_up,
    quick=lambda view: view.state.phase != "mission" or view.state.guesser == LEARNER,
    learnt=(
        mark("You laid four soldiers in rising order, and marked by the intel card."),
        mark("A right guess scores; a soldier guessed wrongly acts for its owner."),
        mark("A deception token scores when the guess is wrong."),
        mark("10 points move the agent: one step on day 1, two on day 2, three on day 3."),
        mark("Who takes the flag behind the wall wins, if the own line was in order."),
    ),
)


_OF_TUTOR: Final = ((SCOUT, SPY), (BOMB, CAPTAIN), (COLONEL, GENERAL), (MARSHAL, GENERAL))
_OF_LEARNER: Final = ((SCOUT, SPY), (SERGEANT, MINER), (LIEUTENANT, CAPTAIN), (GENERAL, MARSHAL))
"""By mission: the soldier to lay, and the one in its place if it rests; at most one soldier of a side does.
A Captain in the place of the Bomb uses the Bomb, which rests then.
"""


def _line(choices: tuple[tuple[Rank, Rank], ...], resting: tuple[Rank, ...]) -> Deployment:
    first, second, third, fourth = (usual if usual not in resting else other for usual, other in choices)
    return first, second, third, fourth


def tutors_line(state: State) -> Deployment:
    """The tutor's four soldiers."""
    return _line(_OF_TUTOR, state.exhausted[1 - RED])


def proposed_line(state: State) -> Deployment:
    """The four soldiers that the coach proposes."""
    resting = state.exhausted[RED]
    if {SERGEANT, MINER} & {*resting}:  # behind a Scout the marks could leave one soldier: the Spy leaves two
        resting = (SCOUT, *resting)
    return _line(_OF_LEARNER, resting)


def follows(state: State) -> bool:
    """Whether the learner's open soldiers of today follow the proposal."""
    cards = zip(proposed_line(state), state.cards[RED], strict=True)
    return all(card is None or card.rank == rank for rank, card in cards)


def tutors_guess(state: State) -> Rank | None:
    """The rank that the tutor names: until the last mission the likeliest that is not the proposed one, so
    that a learner's soldiers act; at the last mission the proposed one.  None: the tutor thinks for itself.
    """
    proposed = proposed_line(state)[state.mission - 1]
    if state.mission == MISSIONS[-1]:
        likely = chances(Evidence.of(state, RED))[state.mission - 1]
        return proposed if follows(state) and proposed in likely else None
    return wrong_guess(state, proposed)


def wrong_guess(state: State, spared: Rank) -> Rank | None:
    """The likeliest rank under the learner's next card, by what everybody sees, that is not `spared`; None if
    there is no other.
    """
    likely = chances(Evidence.of(state, RED))[state.mission - 1]
    others = [rank for rank in likely if rank != spared]
    return max(others, key=lambda rank: likely[rank], default=None)


def possible_ranks(state: State) -> tuple[Rank, ...]:
    """The ranks that the tutor's next card can have, by what everybody sees."""
    return tuple(chances(Evidence.of(state, 1 - RED))[state.mission - 1])


def proposed_guess(state: State) -> Rank:
    """The rank for the learner to name: wrong at the second mission, so that a soldier of blue's acts, and
    right at the others.
    """
    rank = tutors_line(state)[state.mission - 1]
    if state.mission != MISSIONS[1]:
        return rank
    likely = chances(Evidence.of(state, 1 - RED))[state.mission - 1]
    others = [candidate for candidate in likely if candidate != rank]
    return max(others, key=lambda candidate: likely[candidate], default=rank)


def proposal(view: View[State]) -> Move | tuple[Face, ...]:
    """The answer that the coach proposes."""
    state, decision = view.state, view.asked
    if isinstance(decision, Commit):
        return proposed_line(state)
    if state.phase == "intel":
        return honest_marks(view)[-1]
    if LAY in decision.options:
        return LAY
    if state.guesser == RED:
        return guess(proposed_guess(state))
    return next(iter(decision.options))
