"""The board of Spies & Lies in sentences: for line mode, screen readers, and players who ask for it.

It tells everything that the drawn board shows, to one reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from cli.games.interface import THE_END, ViewContext
from cli.games.spies_and_lies.names import RESULTS, soldier, soldiers, span
from cli.games.spies_and_lies.panels import ASSUMED
from cli.games.spies_and_lies.people import roster, side_name
from cli.games.spies_and_lies.questions import choices, kind
from cli.games.spies_and_lies.snapshot import Snapshot, known_rank, snapshot
from cli.text.layout import percent, whole
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots.beliefs import Evidence, chances
from p2p_stratego.spies_and_lies.rules.soldiers import (
    DAYS,
    FORWARD,
    INFILTRATION,
    MISSIONS,
    SIDE_NAMES,
    SOLDIERS,
    TURNS,
    Mission,
    Side,
)
from p2p_stratego.spies_and_lies.rules.state import State


def banner(view: View[State]) -> str:
    """Where the game stands: "Day 2/3 · guess 5/8"."""
    state = view.state
    day = f"Day {state.day}/{DAYS}"
    if state.phase == "over":
        return day + THE_END
    if state.phase == "mission":
        return f"{day} · guess {state.turn + 1}/{TURNS}"
    return f"{day} · {_STEPS.get(state.phase, state.phase)}"


_STEPS: Final = {"look": "mates deploy"}
"""What a phase is called, where its own name would say nothing."""


def goal(_: View[State]) -> str:
    """How the game is won, and in which direction."""
    return f"→ Push the agent right: past the middle by day {DAYS}, or into the flag."


def board(context: ViewContext) -> list[str]:
    """The whole table, a sentence a line, the enemy first."""
    moment = snapshot(context.view)
    state = moment.state
    step = (
        f", guess {state.turn + 1} of {TURNS}"
        if state.phase == "mission"
        else f", {_STEPS.get(state.phase, state.phase)}"
    )
    old = moment.intel[:-1] if moment.turned else moment.intel
    today = f"Today's intel is {span(moment.intel[-1])}. " if moment.turned else ""
    return [
        f"Day {state.day} of {DAYS}{step}.",
        f"{today}Old intel: {', '.join(map(span, old)) or 'none'}; {moment.intel_to_come} cards to come.",
        _agent(context, moment),
        *_side(context, moment, 1 - moment.side),
        *_side(context, moment, moment.side),
    ]


def _agent(context: ViewContext, moment: Snapshot) -> str:
    state = moment.state
    place = state.agent * FORWARD[moment.side]
    if not place:
        return f"The double agent stands in the middle; each wall is {state.wall} steps away."
    enemy = side_name(context.players, 1 - moment.side)
    whose = f"{enemy}'s" if place > 0 else "your side's" if state.seating.is_team(moment.side) else "your"
    if abs(place) > state.wall:
        return f"The double agent has taken {whose} flag."
    wall = " at the wall" if abs(place) == state.wall else f", {state.wall - abs(place)} from the wall"
    return f"The double agent stands {abs(place)} steps into {whose} ground{wall}."


def _side(context: ViewContext, moment: Snapshot, side: Side) -> Iterator[str]:
    state = moment.state
    held = state.tokens[side]
    force = f"; in force: {', '.join(SOLDIERS[r].name for r in sorted(state.active[side]))}" * bool(
        state.active[side]
    )
    blast = "; the next guess meets a blast" * state.blast[side]
    caught = "; caught out of order, so every card counts" * state.caught[side]
    yield (
        f"{_called(context, moment, side)}: {state.points[side]} of {INFILTRATION} points, {held} "
        f"token{'s' * (held != 1)}, exhausted {soldiers(state.exhausted[side]) or 'nobody'}"
        f"{force}{blast}{caught}."
    )
    if any(moment.is_laid(side, mission) for mission in MISSIONS):
        for mission in MISSIONS:
            yield f"  Mission {mission}: {_card(context, moment, side, mission)}."


def _called(context: ViewContext, moment: Snapshot, side: Side) -> str:
    """A side with its colour and its players."""
    players, seating = context.players, moment.state.seating
    if seating.teams:
        return f"{side_name(players, side)}, {roster(players, seating, side)}"
    you = side == players.me
    name = f"You, {players.names[side]}," if you else players.names[side]
    return f"{name} ({SIDE_NAMES[side]})"


def _card(context: ViewContext, moment: Snapshot, side: Side, mission: Mission) -> str:
    state = moment.state
    shown = state.cards[side][mission - 1]
    marked = ", marked" if mission in state.marks[side] else ""
    target = (side, mission) == moment.target
    token = ", a token on it" if target and moment.token else ""
    if shown is not None:
        return f"{soldier(shown.rank)}, {RESULTS[shown.result]}{marked}"
    if not moment.is_laid(side, mission):
        return "no card yet"
    if mission in state.closed[side]:
        return "face down for good, as its player is gone"
    own = known_rank(context, moment, side, mission) if side == moment.side else None
    if own is not None:
        yours = ", your mate's" if moment.seen[mission - 1] is not None else ""
        return f"{soldier(own)}, face down{yours}{marked}{token}{', being guessed' * target}"
    if not context.notes or state.phase in ("deploy", "look") or side == moment.side:
        return f"face down{marked}{token}"
    shares = chances(Evidence.of(state, side))[mission - 1]
    can = ", ".join(whole(f"{rank} ({percent(share)})") for rank, share in shares.items())
    return f"face down{marked}{token}; can be {can}"


def notes(context: ViewContext) -> list[str]:
    """The ranks that each closed enemy card can still have."""
    context = replace(context, notes=True)  # a request in words overrides the setting
    moment = snapshot(context.view)
    enemy = 1 - moment.side
    if moment.state.phase in ("deploy", "look", "over"):
        return ["There is nothing to note until both sides have deployed."]
    return [f"Mission {m}: {_card(context, moment, enemy, m)}." for m in MISSIONS] + [
        f"The percentages take all {ASSUMED}."
    ]


def hand(context: ViewContext) -> list[str]:
    """The soldiers of this seat and what they do; those laid today and those exhausted are told apart."""
    moment = snapshot(context.view)
    lines = []
    for rank, each in SOLDIERS.items():
        where = (
            "exhausted"
            if rank in moment.state.exhausted[moment.side]
            else f"mission {moment.before.index(rank) + 1}"
            if rank in moment.before
            else "in hand"
        )
        lines.append(f"{soldier(rank)} ({where}): {each.ability}.")
    return lines


def asked(context: ViewContext) -> list[str]:
    """The facts that the present question rests on."""
    asked = kind(context.view)
    moment = snapshot(context.view)
    state = moment.state
    if asked == "deploy":
        old = ", ".join(map(span, state.intel))
        return [f"In hand: {', '.join(map(soldier, moment.hand))}. Old intel: {old}."]
    if asked == "marks":
        line = [f"{m}: {soldier(rank)}" for m, rank in zip(MISSIONS, moment.line, strict=True) if rank]
        return [f"Your missions: {', '.join(line)}."]
    if asked == "guess":
        card = _card(context, moment, 1 - moment.side, state.mission)
        assumed = f" The percentages take all {ASSUMED}." if "%" in card else ""
        return [f"Mission {state.mission}: {card}.{assumed}"]
    if asked in ("captain", "marshal"):
        return [f"{choice.shown}." for choice in choices(replace(context, typed=""))]
    return []
