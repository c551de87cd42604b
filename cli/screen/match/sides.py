"""The panels beside and below the board, and the part of each that fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from cli.games.interface import Page, Panel
from cli.table.scene.scene import Scene
from cli.table.words.commands import Order
from cli.table.words.keymap import PANELS, key_of, named
from cli.table.words.other_players import FellowWay, places_of
from cli.text.layout import Line, block, fit, indented, longest, styled, width, wrapped
from cli.text.theme import Tone
from p2p_stratego.core.language import _, mark

_RECENT: Final = 60
"""Sentences of the history that a panel could show; wrapping a thousand at every key would be felt."""


HEADED: Final = 3
"""Cells of a panel's heading beside its title."""


def under(
    beside: list[Panel], wide: list[Panel], rows: int, *, halves: bool = False
) -> tuple[list[Panel], list[Panel]]:
    """Where the window is high: the first panel that fits below the board, and those left for its sides.

    The coach's panel, whose length changes at each step, keeps its place at the side.  `halves`: there is a
    column for facts and one for talk, and neither is left empty for a panel below.
    """
    for panel in wide:
        if halves and sum(other.newest_last == panel.newest_last for other in beside) == 1:
            continue
        fits = max(len(panel.lines), panel.least) + 1 <= rows or (panel.newest_last and panel.least < rows)
        if fits and panel.name != "coach":
            return [panel], [other for other in beside if other.name != panel.name]
    return [], beside


def page_panel(page: Page, columns: int) -> Panel:
    """A page in the place of the panels."""
    lines = [part for line in page.slim or page.lines for part in wrapped((("", " "), *line), columns, 1)]
    titles = (_("{title} (Esc closes)", title=page.title), f"{page.title} (Esc)", page.title)
    return Panel("page", longest(titles, columns - HEADED), lines, len(lines))


def panels(scene: Scene, columns: int, board: tuple[int, int]) -> list[Panel]:
    """All panels beside a `board` of this size; the panel that the player has chosen comes first."""
    if scene.page is not None:
        page = page_panel(scene.page, columns)
        return [page, *[_chat(scene, columns)] * bool(scene.chat), _history(scene, columns)]
    panels = list(scene.terminal.panels.panels(scene.context, columns, board)) if scene.context else []
    if scene.fellows:
        panels.insert(1, _fellows(scene, columns))
    if scene.goal:
        lines = indented(styled(scene.goal), columns)
        heading = longest((_("Goal (hide: goal off)"), _("Goal: goal off"), _("Goal")), columns - HEADED)
        panels.insert(1 + bool(scene.fellows), Panel("goal", heading, lines, len(lines)))
    if scene.chat or not scene.goal or scene.side == "chat":
        panels.append(_chat(scene, columns))
    panels.append(_history(scene, columns))
    if scene.coach:
        panels.insert(0, _coach(scene, columns, board[1]))
    return sorted(panels, key=lambda panel: panel.name != scene.side)


def _coach(scene: Scene, columns: int, rows: int) -> Panel:
    """The coach's panel; in a lesson it may take all the `rows` of the board.  Of a longer text the end is in
    sight, which says what to do, and the heading names the key for all of it.
    """
    *came, now = scene.coach.split("\n") if scene.lesson else (scene.coach, "")
    parts = [*((text, "told") for text in came), (now, "strong")]
    lines = [line for part in parts for line in wrapped((("", " "), *styled(*part)), columns, 1)]
    if not scene.lesson:
        return Panel("coach", _("Coach ({key})", key=key_of(Order.COACH)), lines[:-1], len(lines) - 1)
    least = min(len(lines), max(rows - 1, 3))
    return Panel("coach", _("Coach"), lines, least, newest_last=True, pressing=True)


def _fellows(scene: Scene, columns: int) -> Panel:
    """The other players of a table of many, the way to each, and a mark for whom the match waits."""
    lines = []
    for fellow in scene.fellows:
        tone, places = places_of(fellow)
        room = columns - width(styled(fellow.name)) - 2
        where = longest((*places, *map(_, _IN_SHORT.get(fellow.way, ())), SIGNS[tone]), room)
        name = (
            *styled("▶" if fellow.owes else " ", "strong"),
            *styled(fellow.name, "dim" if fellow.way == "gone" else f"seat{fellow.side}"),
            *styled(_(" (ally)") if fellow.ally else ""),
        )
        right = styled(f" {where}", tone)
        lines.append((*fit(name, max(columns - width(right), 0)), *fit(right, min(width(right), columns))))
    return Panel("table", _("Table"), lines, len(lines))


_IN_SHORT: Final[Mapping[FellowWay, Sequence[str]]] = {
    "through": (mark("indirect"),),
    "direct": (mark("here"),),
    "never": (mark("not here"),),
    "away": (mark("away"),),
    "post": (mark("post"),),
}
"""How a player is reached, beside a name that leaves no room for more; else a sign must do."""


SIGNS: Final[Mapping[Tone, str]] = {"good": "●", "warn": "◆", "bad": "✗", "dim": "○"}


def _history(scene: Scene, columns: int) -> Panel:
    recent = scene.history[-_RECENT:]
    lines = [line for text in recent for line in indented(styled(text), columns)]
    title = _("History")
    if scene.fresh:
        title = longest((_("History: {count} new", count=scene.fresh), title), columns - HEADED)
    return Panel("history", title, lines, 3, newest_last=True)


def _chat(scene: Scene, columns: int) -> Panel:
    lines = [
        line
        for style, name, text in scene.chat
        for line in indented((*styled(f"{name}: ", style), *styled(text, "chat")), columns)
    ]
    empty = [styled(_(" Tab or / to say something"), "dim")]
    hearing = scene.context.players.hearing if scene.context else ""
    count = len(scene.context.players.names) if scene.context else 0
    titles = (
        (_("Chat: {hearing}", hearing=hearing), hearing.capitalize(), _("Chat: all {count}", count=count))
        if hearing
        else (_("Chat"),)
    )
    if scene.terminal.private is not None:
        titles = (_("Chat: to all, or to one alone"), _("Chat: to all, or to one"), _("Chat"))
    title = longest(titles, columns - HEADED)
    return Panel("chat", title, lines or empty, 3, newest_last=True, pressing=bool(lines))


_CUT: Final = 2
"""Rows of a panel without which its beginning tells nothing."""


def column(panels: Sequence[Panel], columns: int, rows: int) -> list[Line]:
    """As many panels as fit, one below the other; rows that are left go to the panels that can use them.

    The first panel and the pressing ones go before all others.  A chat presses once it holds a message:
    nobody should miss one, and without messages help for deciding goes before.  The panel next to the coach
    may be cut, and so may the coach of a lesson behind another panel: the heading tells so.
    """
    heights: dict[str, int] = {}
    left = rows
    beside_coach = len(panels) > 1 and panels[0].name == "coach" and not panels[1].newest_last
    coach_waits = any(panel.name == "coach" and panel.pressing for panel in panels[1:])
    for panel in sorted(panels, key=lambda other: other is not panels[0] and not other.pressing):
        least = panel.least if panel.newest_last else min(panel.least, max(len(panel.lines), 1))
        if coach_waits and panel is panels[0]:  # a lesson goes on whatever is looked at
            least = max(min(least, rows - 2 - _CUT), _CUT)
        elif coach_waits and panel.name == "coach":
            least = max(min(least, left - 1), _CUT)
        if least + 1 > left and beside_coach and panel is panels[1]:
            least = max(left - 1, _CUT)
        if least + 1 <= left:
            heights[panel.name] = least
            left -= least + 1
    lines: list[Line] = []
    for panel in panels:
        if panel.name not in heights:
            continue
        more = min(left, max(len(panel.lines) - heights[panel.name], 0))
        left -= more
        given = heights[panel.name] + more
        lines.append(_heading(panel, columns, given, first=panel is panels[0]))
        lines += block(panel.lines[-given:] if panel.newest_last else panel.lines[:given], columns, given)
    return block(lines, columns, rows)


def _heading(panel: Panel, columns: int, rows: int, *, first: bool) -> Line:
    """A panel's title, and how many of its lines are left out at the end; a key brings it to the front."""
    cut = panel.name == "coach" and rows < len(panel.lines)
    named_title = _cut_title(panel, columns) if cut else panel.title
    title = styled("─ ", "rule") + styled(named_title, "panel") + styled(" ", "rule")
    left_out = 0 if panel.newest_last else max(len(panel.lines) - rows, 0)
    forms = (
        (
            _(" … {left_out} more ", left_out=left_out)
            if first
            else _(" … {left_out} more: {key} ", left_out=left_out, key=named(PANELS))
        ),
        _(" … {left_out} more ", left_out=left_out),
        " … ",
        "",
    )
    more = styled(longest(forms, columns - width(title)) if left_out else "", "dim")
    return (*title, *styled("─" * (columns - width(title) - width(more)), "rule"), *more)


def _cut_title(panel: Panel, columns: int) -> str:
    """The title of a coach's panel of whose text the beginning is left out: the key for all of it."""
    if not panel.newest_last:
        return panel.title
    key = key_of(Order.COACH)
    forms = (
        _("Coach: {key} has all of it", key=key),
        _("Coach: {key} has all", key=key),
        _("Coach: {key}", key=key),
    )
    return longest(forms, columns - HEADED)
