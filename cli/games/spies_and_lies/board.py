"""The board of Spies & Lies as text: both sides' missions, and the agent's track between the two forts.

The player's own side is at the bottom, its fort on the left, in either colour.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cli.games.interface import ViewContext
from cli.games.spies_and_lies.cards import LAID, LOWEST, NARROWEST, OWN_MISSION, Card, bar, card_lines, listed
from cli.games.spies_and_lies.names import roster, soldier, span
from cli.games.spies_and_lies.snapshot import Snapshot, known_rank, snapshot
from cli.games.spies_and_lies.soldiers import drafted
from cli.text.layout import EMPTY, Line, block, fit, marked, overlaid, styled, width
from p2p_stratego.core.language import _, mark
from p2p_stratego.spies_and_lies.bots.beliefs import Evidence, chances
from p2p_stratego.spies_and_lies.rules.components import (
    FORWARD,
    MISSIONS,
    SIDE_NAMES,
    TOKENS_HELD_AT_MOST,
    Side,
    title,
)

BETWEEN: Final = 3
"""Rows between the two lines of cards: the agent, its track, the intel."""
AROUND: Final = 4
"""Rows for the two sides' names and points."""
LEAST: Final = (4 * NARROWEST, 2 * LOWEST + BETWEEN + AROUND)
_HIGHEST: Final = 12
_WIDEST: Final = 30
_NARROW: Final = 20
_HIGH_ENOUGH: Final = 6
"""Rows of a card that tell all in short."""
_GAPS: Final = 4
"""Blank rows between the parts of a high board."""
_PANEL: Final = 14
"""Rows below the board for all soldiers' abilities, in full, before cards grow."""
SIGNS: Final = (
    ("◉", mark("marked: its owner says that this soldier is in the range of today's intel")),
    ("◆ ◇", mark("a deception token; one that is missing")),
    ("═ ║", mark("the card that is being guessed")),
    ("■□", mark("points on the infiltration track, 0 to 10")),
    ("12·4···8·X", mark("notes: the ranks that a card can still be, X for 10; the likeliest stand out")),
    ("⚑ ▐ ▌", mark("the flags, and the walls before them; the agent stands under the ▼")),
)


def fitting(columns: int, rows: int) -> tuple[int, int]:
    """As much of `columns` and `rows` as a board makes use of."""
    enough, most = (2 * high + BETWEEN + AROUND for high in (_HIGH_ENOUGH, _HIGHEST))
    left = rows - _PANEL
    high = min(left, most + _GAPS) if left >= enough else min(rows, enough + _GAPS)
    return min(columns, 4 * _WIDEST), high


def draw(context: ViewContext, columns: int, rows: int) -> list[Line]:
    """The whole board in `rows` lines of `columns` cells; LEAST says how many it needs."""
    moment = snapshot(context.view)
    me = moment.side
    high = _card_rows(rows)
    spare = rows - BETWEEN - AROUND - 2 * high
    gaps = [1 if spare > gap else 0 for gap in (0, 2, 3, 1)]
    parts: list[list[Line]] = [
        [_name(context, moment, 1 - me, columns), _standing(moment, 1 - me, columns)],
        [EMPTY] * gaps[0],
        _row(_cards(context, moment, 1 - me), me, columns, high),
        [EMPTY] * gaps[1],
        [*_track(moment, columns), _intel(moment)],
        [EMPTY] * gaps[2],
        _row(_cards(context, moment, me), me, columns, high),
        [EMPTY] * gaps[3],
        [_standing(moment, me, columns), _name(context, moment, me, columns)],
    ]
    return block((line for part in parts for line in part), columns, rows)


def _card_rows(rows: int) -> int:
    """The rows of a card on a board of `rows`."""
    high = min((rows - BETWEEN - AROUND) // 2, _HIGH_ENOUGH)
    return max(high, min((rows - BETWEEN - AROUND - _GAPS) // 2, _HIGHEST))


def listed_on_card(columns: int, rows: int) -> int:
    """How many ranks a closed card lists by name on a board of this size."""
    return listed(columns // len(MISSIONS) - 2, _card_rows(rows) - 2)


def _name(context: ViewContext, moment: Snapshot, side: Side, columns: int) -> Line:
    """A rule with a side's colour, its players, and its exhausted soldiers."""
    state = context.view.state
    tired = ", ".join(map(soldier, state.exhausted[side])) or _("nobody")
    right = styled(_(" exhausted {tired} ─", tired=tired), "dim")
    colour = styled(f" {_(SIDE_NAMES[side]).upper()} ", f"seat{side}")
    room = columns - width(right) - width(colour) - 2
    name = (*colour, *styled(roster(context.players, moment.state.seating, side, room), ""))
    left = (*styled("─", "rule"), *name, ("", " "))
    fill = max(columns - width(left) - width(right), 0)
    return (*fit(left, min(width(left), columns - width(right))), *styled("─" * fill, "rule"), *right)


def _standing(moment: Snapshot, side: Side, columns: int) -> Line:
    """A side's points, tokens and soldiers in force; in short if it would not fit otherwise."""
    state = moment.state
    laid = moment.token and moment.target is not None and moment.target[0] == side
    held = state.tokens[side] - laid
    active = [title(rank) for rank in sorted(state.active[side])]
    flags = (state.blast[side], state.caught[side], state.double[side])
    for label, force, notes in _WORDINGS:
        line = (
            *styled(" ", ""),
            *bar(state.points[side]),
            *styled(f"  {_(label)}", "dim"),
            *styled(LAID * held, "token"),
            *styled("◇" * (TOKENS_HELD_AT_MOST - held), "dim"),
            *styled(
                f"  {_(force, soldiers=' '.join(active), joined='+'.join(active))}" if active else "", "good"
            ),
        )
        for flag, note in zip(flags, notes, strict=True):
            line += styled(f"  {_(note)}" if flag else "", "warn")
        if width(line) <= columns:
            break
    return line


_WORDINGS: Final = (
    (
        mark("tokens "),
        mark("in force: {soldiers}"),
        (mark("blast waits"), mark("caught: all cards count"), mark("2 exhausted tomorrow")),
    ),
    ("", mark("in force: {soldiers}"), (mark("blast"), mark("caught"), mark("2 tomorrow"))),
    ("", "{joined}", (mark("blast"), mark("caught"), mark("2 tomorrow"))),
)
"""From the longest: before the tokens; soldiers in force, listed or joined; blast, caught, double damage."""


def _cards(context: ViewContext, moment: Snapshot, side: Side) -> Iterator[Card]:
    """A side's four cards of today as this seat can see them."""
    state, mine = moment.state, side == moment.side
    typed = drafted(context.view, context.typed) if mine else ()
    draft = dict(zip(moment.asked, typed, strict=False))
    hidden = mine or not context.notes or state.phase in ("deploy", "look")
    notes = None if hidden else chances(Evidence.of(state, side))
    for mission in MISSIONS:
        shown = state.cards[side][mission - 1]
        target = (side, mission) == moment.target
        rank = shown.rank if shown else known_rank(context, moment, side, mission)
        if target and moment.opened is not None:
            rank = moment.opened
        tried = draft.get(mission) if rank is None else None
        report = state.report
        fresh = report is not None and (report.owner, report.mission) == (side, mission)
        lost = mission in state.closed[side] and shown is None
        yield Card(
            mission,
            side,
            rank or tried,
            shown.result if shown else None,
            draft=tried is not None,
            laid=tried is not None or rank is not None or moment.is_laid(side, mission),
            marked=mission in state.marks[side],
            token=(target and moment.token) or (fresh and report is not None and report.token),
            target=target,
            fresh=fresh and not moment.guess,
            chances=notes[mission - 1] if notes and not shown and not lost else None,
            lost=lost,
        )


def _row(cards: Iterator[Card], side: Side, columns: int, high: int) -> list[Line]:
    """Four cards side by side; those of `side` can be clicked."""
    wide, left = divmod(columns, len(MISSIONS))
    boxes = []
    for card in cards:
        lines = card_lines(card, wide, high)
        mine = marked(f"{OWN_MISSION}{card.mission}")
        boxes.append([overlaid(line, mine) for line in lines] if card.owner == side else lines)
    return [fit(sum(lines, EMPTY), columns - left) for lines in zip(*boxes, strict=True)]


def _track(moment: Snapshot, columns: int) -> list[Line]:
    """The agent over its track: our fort on the left, the enemy's on the right."""
    state, me = moment.state, moment.side
    place = state.agent * FORWARD[me]
    spots = 2 * state.wall + 1
    step = max(min((columns - 8) // spots, 6 if columns > 4 * _NARROW else 4), 2)
    inner = spots * step - (step - 1)
    left = (columns - inner - 6) // 2
    at = left + 3 + (place + state.wall) * step
    at = left if place < -state.wall else left + inner + 5 if place > state.wall else at
    label = _("▼ double agent") if at + 14 <= columns else ""
    above = styled(label, "agent") if label else styled(_("double agent ▼"), "agent")
    pad = at if label else at - 13
    track: Line = (("", " " * left), *styled("⚑", f"seat{me}"), *styled("▐ ", "strong"))
    for spot in range(-state.wall, state.wall + 1):
        here = spot == place
        track += styled(str(abs(spot)), _("agent") if here else "" if spot else "dim")
        track += styled(("─" * (step - 1)) if spot < state.wall else "", "rule")
    track += (*styled(" ▌", "strong"), *styled("⚑", f"seat{1 - me}"))
    return [fit((("", " " * pad), *above), columns), fit(track, columns)]


def _intel(moment: Snapshot) -> Line:
    """The intel cards: today's, the old ones, and how many are still to come."""
    old = moment.intel[:-1] if moment.turned else moment.intel
    parts = styled(_(" Intel "), "dim")
    if moment.turned:
        parts += (
            *styled(_("today "), ""),
            *styled(span(moment.intel[-1]), "mark"),
            *styled(" (◉)   ", "dim"),
        )
    parts += styled(_("old "), "dim") + styled(" ".join(map(span, old)), "")
    return parts + styled(_("   {intel_to_come} to come", intel_to_come=moment.intel_to_come), "dim")
