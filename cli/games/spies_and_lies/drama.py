"""The visible events of a turn of Spies & Lies: the card that turns, points, the agent's walk, the flag.

At the end of a day, the gains of each side in it, with their reasons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from cli.games.drama import Capture, CardTurn, Closing, DramaEvent, Figure, Finale, PointsChange, Walk
from cli.games.interface import Players
from cli.games.spies_and_lies.names import RESULTS, side_name, soldier
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.spies_and_lies.rules.components import BLUE, INFILTRATION, RED, SIDES, Rank, Side
from p2p_stratego.spies_and_lies.rules.components import title as soldier_title
from p2p_stratego.spies_and_lies.rules.state import COUNTS_AS_IDENTIFIED, Effect, EffectKind, Report, State

_POINTS: Final[Mapping[EffectKind, str]] = {
    "points": mark("{count} by the {soldier}"),
    "lost": mark("{count} lost to the {soldier}"),
    "zeroed": mark("{count} lost by a false line, as the {soldier} shows"),
}
"""The effects that change a marker, with their words."""
_FOR_FINDING: Final = mark("{count} for finding the {soldier}")
_FOR_TOKEN: Final = mark("{count} for the token on the {soldier}")
_FORTS = (0, 1)
"""Whose flag stands at the low and at the high end of the track."""
FINALE: Final[Finale] = {
    "won": (
        "    ╭█████╮",
        "  ══╧═════╧══",
        "    │ ^ ^ │  ★",
        "    │ ╰─╯ │",
        "    ╰──▼──╯",
    ),
    "lost": (
        "    ╭█████╮",
        "  ══╧═════╧══",
        "    │ o o │  !",
        "    │ ╭─╮ │",
        "    ╰──▼──╯",
    ),
    "drawn": (
        "    ╭█████╮",
        "  ══╧═════╧══",
        "    │ ■ ■ │  ?",
        "    │ ─── │",
        "    ╰──▼──╯",
    ),
}
"""By result: an agent who smiles, one who is seen through, one who shrugs."""


def events(before: State, after: State, players: Players) -> list[DramaEvent]:
    """The events of the step between two states."""
    report = after.report
    if report is None or report is before.report:
        return []
    happenings: list[DramaEvent] = []
    if report.soldier is not None:
        happenings.append(_turned(report, report.soldier, players))
    happenings += [
        _counted(side, before.points[side], report.points[side], players)
        for side in SIDES
        if before.points[side] != report.points[side]
    ]
    if before.agent != report.agent:
        sentence = _agent(report.agent)
        wall = after.wall + 1
        happenings.append(Walk(_("The agent"), before.agent, report.agent, -wall, wall, _FORTS, sentence))
    happenings += [_flag(effect, players) for effect in report.effects if effect.kind == "flag"]
    return happenings


def _agent(place: int) -> str:
    if not place:
        return _("The agent is in the middle.")
    return n_(
        "The agent is {count} step from the middle.",
        "The agent is {count} steps from the middle.",
        abs(place),
    )


def _turned(report: Report, rank: Rank, players: Players) -> CardTurn:
    owner = report.owner
    title = _("{player}'s mission {mission}", player=players.names[report.owning], mission=report.mission)
    figure = Figure(owner, str(rank), soldier_title(rank), players.names[report.owning])
    result = _(RESULTS[report.result])
    if report.guess is None:
        sentence = f"{soldier(rank)}: {result}"
    else:
        name = soldier(rank)
        sentence = _(
            "Guessed {guess}, it is {soldier}: {result}", guess=report.guess, soldier=name, result=result
        )
    return CardTurn(title, figure, sentence, report.result != "impossible")


def _counted(side: Side, start: int, end: int, players: Players) -> PointsChange:
    name = side_name(players, side)
    sentence = _("{player}: {start} → {end}", player=name, start=start, end=end)
    return PointsChange(_("Infiltration"), side, name, start, end, INFILTRATION, sentence)


def _flag(effect: Effect, players: Players) -> Capture:
    sentence = _("{player} takes the enemy's flag!", player=side_name(players, effect.side))
    return Capture(_("The flag"), effect.side, "⚑", sentence)


def closing(steps: Sequence[tuple[State, State]], players: Players) -> Closing | None:
    """The gains of a day, once it is over; `steps`: the states before and after each of its steps."""
    before, after = steps[-1]
    over = after.phase == "over" and after.turn > 0
    if not over and after.day == before.day:
        return None
    reports = [now.report for was, now in steps if now.report is not None and now.report is not was.report]
    gains: list[tuple[int, str, str]] = []
    for side in SIDES:
        total, why = _gained(side, reports)
        name = side_name(players, side)
        line = n_("{player}: {count} point", "{player}: {count} points", total, player=name)
        gains.append((side, line, "; ".join(why)))
    gains += _walk(steps[0][0].agent, after.agent, players)
    return Closing(_("Day {day} is over", day=before.day), tuple(gains))


def _walk(start: int, end: int, players: Players) -> list[tuple[Side, str, str]]:
    """How far the agent came, for the side that pushed it."""
    if start == end:
        return []
    pushed = RED if end > start else BLUE
    sentence = n_(
        "{count} step toward {player}'s fort",
        "{count} steps toward {player}'s fort",
        abs(end - start),
        player=side_name(players, 1 - pushed),
    )
    return [(pushed, _("The agent"), sentence)]


def _gained(side: Side, reports: Sequence[Report]) -> tuple[int, list[str]]:
    """The points that a side scored and did not lose again, and by what."""
    total, why = 0, list[str]()
    for report in reports:
        named = "?" if report.soldier is None else soldier(report.soldier)
        for number, effect in enumerate(report.effects):
            if effect.side != side or effect.kind not in _POINTS:
                continue
            total += effect.amount if effect.kind == "points" else -effect.amount
            why.append(_(_cause(report, number, effect), count=effect.amount, soldier=named))
    return total, why


def _cause(report: Report, number: int, effect: Effect) -> str:
    """The sentence for points won or lost."""
    if effect.kind != "points":
        return _POINTS[effect.kind]
    if effect.side == report.guesser and report.result in COUNTS_AS_IDENTIFIED:
        return _FOR_FINDING
    return _FOR_TOKEN if number == report.paid_for_token else _POINTS["points"]
