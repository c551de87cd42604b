"""The coach of the first day: the result of the last guess with its reason, the question now, and the answer.

A learner may leave the script at any time: every text starts from the state as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from p2p_stratego.core.game import Commit
from p2p_stratego.core.language import _, n_
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.formats.narration import card
from p2p_stratego.spies_and_lies.lessons.script import possible_ranks, proposed_guess, proposed_line
from p2p_stratego.spies_and_lies.rules.notation import CAPTAIN_POINTS, LAY, MARSHAL_TEN
from p2p_stratego.spies_and_lies.rules.observation import honest_marks, todays_intel
from p2p_stratego.spies_and_lies.rules.soldiers import RED, SCOUT, SOLDIERS, title
from p2p_stratego.spies_and_lies.rules.state import Report, State


def coach(view: View[State]) -> str:
    """The coach's text for the learner, who is red."""
    state = view.state
    if state.ended is not None or state.day > 1:
        return _("The day is over, and so is the lesson: the tutor gives up. A whole game has three days.")
    sentences = [*_came(state.report), *_asked(view)]
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
        marks=honest[-1],
    )


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
    if len(likely) == 1:
        return _("Only the {soldier} is left.\nType guess {rank}", soldier=card(rank), rank=rank)
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


def _came(report: Report | None) -> Iterator[str]:
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


def _mine(report: Report, soldier: str) -> Iterator[str]:
    """A soldier of the learner's was guessed at."""
    if report.result == "activated":
        yield _("Named wrongly: your {soldier} acts: {ability}.", soldier=soldier, ability=_does(report))
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
        yield _("Wrong: the {soldier} acts.", soldier=soldier)
        if any(effect.kind == "blast" for effect in report.effects):
            yield _("At its next guess your soldier retreats before the blast.")
        else:
            yield _("{ability}.", ability=_does(report))
    elif report.result == "retreated":
        yield _("Wrong, but the {soldier} retreats before your soldier in force.", soldier=soldier)


def _does(report: Report) -> str:
    """The ability of the soldier of the last guess."""
    return "" if report.soldier is None else _(SOLDIERS[report.soldier].ability)
