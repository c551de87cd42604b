"""Clicks in Spies & Lies: soldiers in the hand, the panel and the notes, and the player's own missions.

A click writes an answer into the input line, where the player sees it and can take it back before Enter.
"""

from __future__ import annotations

from typing import Final

from cli.games.interface import ViewContext
from cli.games.spies_and_lies.cards import OWN_MISSION, SOLDIER
from cli.games.spies_and_lies.questions import kind
from cli.games.spies_and_lies.snapshot import snapshot
from cli.games.spies_and_lies.soldiers import drafted
from p2p_stratego.core.language import mark
from p2p_stratego.spies_and_lies.rules.components import Mission, Rank


class Clicks:
    """Implements `cli.games.interface.Clicks`."""

    keys: Final = (
        (
            mark("click"),
            mark("a soldier: lay it, take it back, or guess it; a mission of yours: mark it, or not"),
        ),
        (mark("click again"), mark("on the same guess or offer: say it")),
    )

    def point(self, context: ViewContext, place: str) -> tuple[str, bool] | None:
        """The line after a click on `place`, and whether it is sent at once; None: a click without effect."""
        asked = kind(context.view)
        if place.startswith(SOLDIER):
            return _soldier(context, asked, int(place.removeprefix(SOLDIER)))
        if place.startswith(OWN_MISSION):
            return _mission(context, asked, int(place.removeprefix(OWN_MISSION)))
        return None


def _soldier(context: ViewContext, asked: str | None, rank: Rank) -> tuple[str, bool] | None:
    moment = snapshot(context.view)
    if asked == "deploy" and rank in moment.hand:
        laid = list(drafted(context.view, context.typed))
        if rank in laid:
            laid.remove(rank)
        elif len(laid) < len(moment.asked) and rank not in moment.before:
            laid.append(rank)
        return " ".join(map(str, laid)), False
    if asked == "guess" or (asked == "captain" and rank in moment.state.exhausted[moment.side]):
        return _offered(context, str(rank))
    return None


def _mission(context: ViewContext, asked: str | None, mission: Mission) -> tuple[str, bool] | None:
    moment = snapshot(context.view)
    laid = list(drafted(context.view, context.typed))
    if mission in moment.asked[: len(laid)]:
        del laid[moment.asked.index(mission)]
        return " ".join(map(str, laid)), False
    if asked == "marks" and mission in moment.own:
        marked = {number for number in moment.own if str(number) in context.typed} ^ {mission}
        return " ".join(map(str, sorted(marked))) or "none", False
    if asked == "token" and mission == moment.state.mission:
        return _offered(context, "yes")
    return None


def _offered(context: ViewContext, answer: str) -> tuple[str, bool]:
    """The line with the answer; an answer that stands there already is entered."""
    return answer, context.typed.strip() == answer
