"""The board of Spies & Lies in sentences: for line mode, screen readers, and players who ask for it.

It tells everything that the drawn board shows, to one reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from cli.games.interface import THE_END, ViewContext
from cli.games.spies_and_lies.names import RESULTS, roster, side_name, soldier, soldiers, span
from cli.games.spies_and_lies.panels import ASSUMED
from cli.games.spies_and_lies.questions import choices, kind
from cli.games.spies_and_lies.snapshot import Snapshot, known_rank, snapshot
from cli.text.layout import whole
from p2p_stratego.core.language import _, _c, mark, mark_c, n_
from p2p_stratego.core.sampling import percent
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots.beliefs import Evidence, chances
from p2p_stratego.spies_and_lies.rules.components import (
    DAYS,
    FORWARD,
    INFILTRATION,
    MISSIONS,
    SIDE_NAMES,
    SOLDIERS,
    TURNS,
    Mission,
    Side,
    title,
)
from p2p_stratego.spies_and_lies.rules.state import State


def banner(view: View[State]) -> str:
    """Where the game stands: "Day 2/3 · guess 5/8"."""
    state = view.state
    day = _("Day {day}/{days}", day=state.day, days=DAYS)
    if state.phase == "over":
        return day + _(THE_END)
    if state.phase == "mission":
        return _("{day} · guess {turn}/{turns}", day=day, turn=state.turn + 1, turns=TURNS)
    return f"{day} · {_phase(state)}"


_STEPS: Final = {
    "deploy": mark_c("a phase", "deploy"),
    "look": mark_c("a phase", "mates deploy"),
    "intel": mark_c("a phase", "intel"),
    "night": mark_c("a phase", "night"),
}
"""The name of a phase."""


def _phase(state: State) -> str:
    return _c("a phase", _STEPS.get(state.phase, state.phase))


def goal(_unused: View[State]) -> str:
    """How the game is won, and in which direction."""
    return _("→ Push the agent right: past the middle by day {days}, or into the flag.", days=DAYS)


def board(context: ViewContext) -> list[str]:
    """The whole table, a sentence a line, the enemy first."""
    moment = snapshot(context.view)
    state = moment.state
    step = (
        _(", guess {turn} of {turns}", turn=state.turn + 1, turns=TURNS)
        if state.phase == "mission"
        else f", {_phase(state)}"
    )
    old = moment.intel[:-1] if moment.turned else moment.intel
    today = _("Today's intel is {span}. ", span=span(moment.intel[-1])) if moment.turned else ""
    return [
        _("Day {day} of {days}{step}.", day=state.day, days=DAYS, step=step),
        _(
            "{today}Old intel: {map}; {intel_to_come} cards to come.",
            today=today,
            map=", ".join(map(span, old)) or _("none"),
            intel_to_come=moment.intel_to_come,
        ),
        _agent(context, moment),
        *_side(context, moment, 1 - moment.side),
        *_side(context, moment, moment.side),
    ]


def _agent(context: ViewContext, moment: Snapshot) -> str:
    state = moment.state
    place = state.agent * FORWARD[moment.side]
    if not place:
        return _("The double agent stands in the middle; each wall is {wall} steps away.", wall=state.wall)
    enemy = side_name(context.players, 1 - moment.side)
    owner = "enemy" if place > 0 else "side" if state.seating.is_team(moment.side) else "you"
    if abs(place) > state.wall:
        return _(_FLAG_TAKEN[owner], enemy=enemy)
    wall = (
        _(" at the wall")
        if abs(place) == state.wall
        else _(", {wall} from the wall", wall=state.wall - abs(place))
    )
    steps = n_("{count} step", "{count} steps", abs(place))
    return _(_IN_GROUND[owner], steps=steps, enemy=enemy, wall=wall)


_FLAG_TAKEN: Final = {
    "enemy": mark("The double agent has taken {enemy}'s flag."),
    "side": mark("The double agent has taken your side's flag."),
    "you": mark("The double agent has taken your flag."),
}
_IN_GROUND: Final = {
    "enemy": mark("The double agent stands {steps} into {enemy}'s ground{wall}."),
    "side": mark("The double agent stands {steps} into your side's ground{wall}."),
    "you": mark("The double agent stands {steps} into your ground{wall}."),
}
"""By the owner of the flag, or of the ground."""


def _side(context: ViewContext, moment: Snapshot, side: Side) -> Iterator[str]:
    state = moment.state
    held = state.tokens[side]
    force = _("; in force: {name}", name=", ".join(title(r) for r in sorted(state.active[side]))) * bool(
        state.active[side]
    )
    blast = _("; the next guess meets a blast") * state.blast[side]
    caught = _("; caught out of order, so every card counts") * state.caught[side]
    text = n_(
        "{side}: {points} of {most} points, {count} token, exhausted {soldiers}",
        "{side}: {points} of {most} points, {count} tokens, exhausted {soldiers}",
        held,
        side=_called(context, moment, side),
        points=state.points[side],
        most=INFILTRATION,
        soldiers=soldiers(state.exhausted[side]) or _("nobody"),
    )
    yield f"{text}{force}{blast}{caught}."
    if any(moment.is_laid(side, mission) for mission in MISSIONS):
        for mission in MISSIONS:
            yield _(
                "  Mission {mission}: {card}.", mission=mission, card=_card(context, moment, side, mission)
            )


def _called(context: ViewContext, moment: Snapshot, side: Side) -> str:
    """A side with its colour and its players."""
    players, seating = context.players, moment.state.seating
    if seating.teams:
        return f"{side_name(players, side)}, {roster(players, seating, side)}"
    you = side == players.me
    name = _("You, {name},", name=players.names[side]) if you else players.names[side]
    return f"{name} ({_(SIDE_NAMES[side])})"


def _card(context: ViewContext, moment: Snapshot, side: Side, mission: Mission) -> str:
    state = moment.state
    shown = state.cards[side][mission - 1]
    marked = _(", marked") if mission in state.marks[side] else ""
    target = (side, mission) == moment.target
    token = _(", a token on it") if target and moment.token else ""
    if shown is not None:
        return _(
            "{soldier}, {result}{marked}",
            soldier=soldier(shown.rank),
            result=_(RESULTS[shown.result]),
            marked=marked,
        )
    if not moment.is_laid(side, mission):
        return _("no card yet")
    if mission in state.closed[side]:
        return _("face down for good, as its player is gone")
    known = known_rank(context, moment, side, mission)
    if known is not None:
        mates = side == moment.side and moment.seen[mission - 1] is not None
        yours = _(", your mate's") if mates else ""
        return (
            _(
                "{soldier}, face down{yours}{marked}{token}, being guessed",
                soldier=soldier(known),
                yours=yours,
                marked=marked,
                token=token,
            )
            if target
            else _(
                "{soldier}, face down{yours}{marked}{token}",
                soldier=soldier(known),
                yours=yours,
                marked=marked,
                token=token,
            )
        )
    if not context.notes or state.phase in ("deploy", "look") or side == moment.side:
        return _("face down{marked}{token}", marked=marked, token=token)
    shares = chances(Evidence.of(state, side))[mission - 1]
    can = ", ".join(whole(f"{rank} ({percent(share)})") for rank, share in shares.items())
    return _("face down{marked}{token}; can be {can}", marked=marked, token=token, can=can)


def notes(context: ViewContext) -> list[str]:
    """The ranks that each closed enemy card can still have."""
    context = replace(context, notes=True)  # a request in words overrides the setting
    moment = snapshot(context.view)
    enemy = 1 - moment.side
    if moment.state.phase in ("deploy", "look", "over"):
        return [_("There is nothing to note until both sides have deployed.")]
    return [_("Mission {m}: {card}.", m=m, card=_card(context, moment, enemy, m)) for m in MISSIONS] + [
        _("The percentages take all {assumed}.", assumed=_(ASSUMED))
    ]


def hand(context: ViewContext) -> list[str]:
    """The soldiers of this seat with their abilities; the laid ones and the exhausted ones are marked."""
    moment = snapshot(context.view)
    lines = []
    for rank, facts in SOLDIERS.items():
        where = (
            _("exhausted")
            if rank in moment.state.exhausted[moment.side]
            else _("mission {index}", index=moment.before.index(rank) + 1)
            if rank in moment.before
            else _("in hand")
        )
        lines.append(f"{soldier(rank)} ({where}): {_(facts.ability)}.")
    return lines


def asked(context: ViewContext) -> list[str]:
    """The facts that the present question rests on."""
    asked = kind(context.view)
    moment = snapshot(context.view)
    state = moment.state
    if asked == "deploy":
        old = ", ".join(map(span, state.intel))
        return [_("In hand: {map}. Old intel: {old}.", map=", ".join(map(soldier, moment.hand)), old=old)]
    if asked == "marks":
        line = [f"{m}: {soldier(rank)}" for m, rank in zip(MISSIONS, moment.line, strict=True) if rank]
        return [_("Your missions: {line}.", line=", ".join(line))]
    if asked == "guess":
        card = _card(context, moment, 1 - moment.side, state.mission)
        assumed = _(" The percentages take all {assumed}.", assumed=_(ASSUMED)) if "%" in card else ""
        return [_("Mission {mission}: {card}.{assumed}", mission=state.mission, card=card, assumed=assumed)]
    if asked in ("captain", "marshal"):
        return [f"{choice.shown}." for choice in choices(replace(context, typed=""))]
    return []
