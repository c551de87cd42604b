"""The coach of the first battle: the results of the last moves with their reasons, and what to do now.

A learner may leave the script at any time: every text starts from the state as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from p2p_stratego.core.game import Commit
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.view import View
from p2p_stratego.stratego.formats.narration import piece
from p2p_stratego.stratego.lessons.script import Goal, comes, proposal
from p2p_stratego.stratego.rules.notation import NONE
from p2p_stratego.stratego.rules.pieces import BOMB, MARSHAL, MINER, RED, SCOUT, SPY
from p2p_stratego.stratego.rules.state import Report, State

_WHY: Final[Mapping[Goal, str]] = {
    "scout": mark(
        "A scout runs any number of free squares in a line, and is worth little: let it find out what stands "
        "on e7.\nType {move}"
    ),
    "strike": mark(
        "The Marshal stands beside your spy! The spy beats it, but only if it attacks first.\nType {move}"
    ),
    "marshal": mark(
        "Your Marshal (10) beats every piece that moves but their Marshal, with which it would fall: lead it "
        "up the edge against what stands on j7.\nType {move}"
    ),
    "miner": mark(
        "Blue's flag hides in the corner behind a bomb on j9. Only a miner takes a bomb: bring it "
        "there.\nType {move}"
    ),
    "flag": mark("The flag stands on j10: whoever takes it wins.\nType {move}"),
    "other": mark("Move on as you like, such as {move}"),
}


def coach(view: View[State]) -> str:
    """The coach's text for the learner, who is red."""
    state = view.state
    if state.ended is not None:
        won = RED in state.ended.winners
        return (
            _("You have the flag, and the battle!") if won else _("The battle is over. Try it again: learn.")
        )
    if isinstance(view.decision, Commit) or state.phase != "play":
        return _(
            "Goal: take blue's flag. Nobody sees the other's ranks until two pieces meet: then the higher "
            "rank wins. Your eight pieces stand ready, flag and bomb never move.\nType ready"
        )
    sentences = [*_came(state), *_asked(view)]
    return "\n".join(sentences)


def strayed(view: View[State], since: Sequence[State]) -> str:
    """A sentence if the learner, who was asked at `view`, left the proposed move; else ""."""
    if view.decision is None or isinstance(view.decision, Commit) or view.state.phase != "play":
        return ""
    plan, made = proposal(view), view.state.plies + 1
    report = next((state.report for state in since if state.plies == made), None)
    if report is None or report.move == plan.move or plan.goal == "other" or since[-1].ended is not None:
        return ""
    if plan.goal == "strike":
        return _("Your spy could have taken the Marshal just now: that chance has passed.")
    return _("Another way than mine: all right, we go on from here.")


def _asked(view: View[State]) -> Iterator[str]:
    """The next thing to do."""
    if view.decision is None:
        return
    plan = proposal(view)
    if plan.goal != "strike" and comes(view):
        yield _("Blue's Marshal comes: keep your spy where it stands.")
    if plan.move == NONE:
        yield _("You cannot move: type none.")
        return
    yield _(_WHY[plan.goal], move=plan.move)


def _came(state: State) -> Iterator[str]:
    """The result of the last move, with its reason, if pieces met."""
    report = state.report
    if report is None or report.attacker is None or report.defender is None:
        return
    mine, theirs = report.attacker, report.defender
    names = {"attacker": piece(mine), "defender": piece(theirs)}
    yield from (_we(report, names) if report.seat == RED else _they(report, names))


def _we(report: Report, names: Mapping[str, str]) -> Iterator[str]:
    """The learner attacked."""
    if report.result == "both":
        yield _("Equal ranks: both fall.")
    elif (report.attacker, report.defender) == (SPY, MARSHAL):
        yield _("The spy beats the Marshal, the highest of all, since it attacked.")
    elif (report.attacker, report.defender) == (MINER, BOMB):
        yield _("The miner clears the bomb; any other piece would have fallen.")
    elif report.result == "won":
        yield _("Your {attacker} beats the {defender}: the higher rank wins.", **names)
    elif report.attacker == SCOUT:
        yield _(
            "Your scout falls, but now you know the {defender}: it stays face up.",
            **names,
        )
    elif report.defender == BOMB:
        yield _("A bomb! Your {attacker} falls; only a miner takes bombs.", **names)
    else:
        yield _("Your {attacker} falls: the {defender} is higher.", **names)


def _they(report: Report, names: Mapping[str, str]) -> Iterator[str]:
    """The tutor attacked."""
    if report.defender == BOMB and report.result == "lost":
        yield _("Blue's {attacker} ran into your bomb and fell: bombs never move, and guard well.", **names)
    elif report.result == "both":
        yield _("Equal ranks: both fall.")
    elif report.defender == SPY:
        yield _("Your spy was attacked and fell: it only wins when it attacks the Marshal first.")
    elif report.result == "won":
        yield _("Blue's {attacker} beats your {defender}: the higher rank wins.", **names)
    else:
        yield _("Blue's {attacker} falls to your {defender}, which is higher.", **names)
