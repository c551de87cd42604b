"""The table's screen, alike for every game: a pure function from a Scene to lines of text.

Title, board, panels, what just happened, the question, the input and the key hints stand here once; the board
and its words come from the game's parts.  Nothing here may read a clock, a file or a connection.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cli.games.interface import Page, Panel
from cli.table.company import Way, places_of, with_doing
from cli.table.pages import COLUMNS
from cli.table.scene import LEAST, Scene
from cli.text.layout import (
    EMPTY,
    Line,
    ascii_line,
    block,
    both_ends,
    boxed,
    fit,
    longest,
    overlaid,
    styled,
    width,
    wrapped,
)
from cli.text.regions import CHOICE, marked
from cli.text.theme import Tone
from p2p_stratego.core.game import Choose, Commit

_RECENT: Final = 60
"""Sentences of the history that a panel could show; wrapping a thousand at every key would be felt."""


_FRAME: Final = 4
"""Rows for the title, the input line, the choices and the footer."""
_HEADED: Final = 3
"""Cells of a panel's heading beside its title."""
PAGE: Final = 100
"""Columns of the frame around a page, where there is room."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A drawn screen: its rows from the top, the one of the input line between `said` and `below`."""

    title: list[Line]
    table: list[Line]
    """The board and the panels; a page or a warning floats over these rows."""
    said: list[Line]
    """The news, the alert, and the question."""
    prompt: Line
    """The cells before the input."""
    below: list[Line]
    page: Page | None = None
    """Floats over the table; its lines fit into PAGE cells with a frame around them."""
    careful: list[Line] = field(default_factory=list)
    """Floats in the middle of the table."""

    @property
    def above(self) -> list[Line]:
        """All rows above the input."""
        return [*self.title, *self.table, *self.said]


def draw(scene: Scene, columns: int, rows: int, *, ascii_only: bool = False) -> Screen:
    """The whole screen in `rows` lines of `columns` cells, the input line among them."""
    if columns < LEAST[0] or rows < LEAST[1]:
        screen = _too_small(scene, columns, rows)
    else:
        screen = _whole(scene, columns, rows)
    if not ascii_only:
        return screen
    parts = (screen.title, screen.table, screen.said, screen.below, screen.careful)
    title, table, said, below, careful = ([ascii_line(line) for line in part] for part in parts)
    return Screen(title, table, said, ascii_line(screen.prompt), below, screen.page, careful)


def _whole(scene: Scene, columns: int, rows: int) -> Screen:
    """Everything, in at least LEAST.  Long news take the row of the tray first, then the board's spare rows.

    Who lays something out of the tray keeps it, and the games that need it at any size.
    """
    said = _said(scene, columns, rows)
    left = rows - _FRAME - len(said)
    tray = scene.terminal.tray_stays or _lays(scene) or left > scene.terminal.board.LEAST[1]
    table = _table(scene, columns, left - tray)
    below_board = scene.terminal.panels.tray(scene.context, columns) if scene.context else EMPTY
    said = [*[fit(below_board, columns)] * tray, *said]
    below = [fit(_choices(scene, columns), columns), _footer(scene, columns)]
    page = None if scene.page is None or scene.page.beside else _page(scene.page, columns)
    warned = _careful(scene, columns, len(table))
    return Screen([_title(scene, columns)], table, said, _prompt(scene), below, page, warned)


def _too_small(scene: Scene, columns: int, rows: int) -> Screen:
    """The question without the table, and as much of the rest as fits: the question is left out last."""
    below = [fit(_choices(scene, columns), columns)] if rows > 2 else []
    left = max(rows - 1 - len(below), 0)
    needed = f"This window is {columns} x {rows}; the board needs at least {LEAST[0]} x {LEAST[1]}."
    parts: list[list[Line]] = []
    for wanted in (
        _indented(styled(scene.question, "question"), columns - 1),
        [line for text in scene.careful for line in _indented(styled(text, "warn"), columns - 1)],
        _attention(scene, columns - 1),
        _indented(styled(needed, "warn"), columns - 1),
    ):
        parts.append(block(wanted[:left], columns, min(len(wanted), left)))
        left -= len(parts[-1])
    question, careful, attention, window = parts
    table = block(_instead(scene, columns, left), columns, left)
    prompt = _prompt(scene) if columns > width(_prompt(scene)) else styled("> ")
    page = _page(scene.page, columns) if scene.page else None
    return Screen(window, table, [*attention, *careful, *question], prompt, below, page)


def _instead(scene: Scene, columns: int, rows: int) -> list[Line]:
    """The rows in place of a table that does not fit: the news, and the facts for an answer."""
    lines = [line for checked, text in scene.told for line in _sentence(checked, text, columns)]
    if scene.context is not None and scene.context.view.decision is not None:
        facts = scene.terminal.description.asked(scene.context)
        lines += [line for text in facts for line in _indented(styled(text), columns - 1)]
    return lines[max(len(lines) - rows, 0) :]


def _title(scene: Scene, columns: int) -> Line:
    tone, text = scene.link
    sign = _SIGNS[tone]
    left = styled(f" {scene.terminal.title} ", "title", "title.name") + styled(f" {scene.banner}", "title")
    plural = "s" if scene.checked != 1 else ""
    checked = (f"✓ {scene.checked} commitment{plural} checked   ", f"✓ {scene.checked} checked  ")
    places = (*(with_doing(text, each) for each in scene.doing), text)
    rights = [f"{each * bool(scene.checked)}{sign} {place} " for place in places for each in (*checked, "")]
    right = styled(longest(rights, columns - width(left) - 1), "title")
    fill = max(columns - width(left) - width(right), 0)
    return both_ends((*left, *styled(" " * fill, "title")), right, columns)


def _table(scene: Scene, columns: int, rows: int) -> list[Line]:
    """The board with the panels at its side, and below it where the window is high.

    If there are fewer rows than a board needs, it loses those of the side that is not asked about: the lower
    one, or the upper one for a player who lays something.
    """
    least, lowest = scene.terminal.board.LEAST
    sides = 2 if columns >= least + 76 else 1
    room = [max(least, columns - (38 if columns > 90 else 29)), max(least, columns - 68)]
    sizes = [scene.terminal.board.fitting(each, max(rows, lowest)) for each in room]
    if scene.terminal.board_first and sizes[1] < sizes[0]:
        sides = 1
    wide, high = sizes[sides - 1]
    side_columns = columns - wide - 2
    panels = _panels(scene, (side_columns - 2) // 2 if sides == 2 else side_columns, (wide, high))
    board = (
        block([], wide, high)
        if scene.context is None
        else scene.terminal.board.draw(scene.context, wide, high)
    )
    if high > rows:
        board, high = board[-rows:] if _lays(scene) else board[:rows], rows
    under, panels = _under(panels, _panels(scene, wide, (wide, high)), rows - high)
    board = board + _column(under, wide, rows - high)
    columns_of_panels = [(panels, side_columns)]
    if sides == 2:
        half = (side_columns - 2) // 2
        talk = [panel for panel in panels if panel.newest_last]
        facts = [panel for panel in panels if not panel.newest_last]
        columns_of_panels = [(facts, half), (talk, side_columns - half - 2)]
    for shown, its_columns in columns_of_panels:
        column = _column(shown, its_columns, rows)
        board = [(*left, *styled(" │", "rule"), *right) for left, right in zip(board, column, strict=True)]
    return board


def _under(beside: list[Panel], wide: list[Panel], rows: int) -> tuple[list[Panel], list[Panel]]:
    """Where the window is high: the first panel that fits below the board, and those left for its sides."""
    for panel in wide:
        if max(len(panel.lines), panel.least) + 1 <= rows or (panel.newest_last and panel.least < rows):
            return [panel], [other for other in beside if other.name != panel.name]
    return [], beside


def _panels(scene: Scene, columns: int, board: tuple[int, int]) -> list[Panel]:
    """All panels beside a `board` of this size, what the player wants to see first at the front."""
    if scene.page is not None and scene.page.beside:
        lines = [part for line in scene.page.lines for part in wrapped((("", " "), *line), columns, 1)]
        titles = (f"{scene.page.title} (Esc closes)", f"{scene.page.title} (Esc)", scene.page.title)
        page = Panel("page", longest(titles, columns - _HEADED), lines, len(lines))
        return [page, *[_chat(scene, columns)] * bool(scene.chat), _history(scene, columns)]
    panels = list(scene.terminal.panels.panels(scene.context, columns, board)) if scene.context else []
    if scene.fellows:
        panels.insert(1, _fellows(scene, columns))
    if scene.goal:
        lines = _indented(styled(scene.goal), columns)
        heading = longest(("Goal (hide: goal off)", "Goal: goal off", "Goal"), columns - _HEADED)
        panels.insert(1 + bool(scene.fellows), Panel("goal", heading, lines, len(lines)))
    if scene.chat or not scene.goal or scene.side == "chat":
        panels.append(_chat(scene, columns))
    panels.append(_history(scene, columns))
    return sorted(panels, key=lambda panel: panel.name != scene.side)


def _fellows(scene: Scene, columns: int) -> Panel:
    """The other players of a table of many, how each is reached, and for whom the match waits."""
    lines = []
    for fellow in scene.fellows:
        tone, places = places_of(fellow)
        room = columns - width(styled(fellow.name)) - 2
        where = longest((*places, *_IN_SHORT.get(fellow.way, ()), _SIGNS[tone]), room)
        name = (
            *styled("▶" if fellow.owes else " ", "strong"),
            *styled(fellow.name, "dim" if fellow.way == "gone" else f"seat{fellow.side}"),
            *styled(" (ally)" if fellow.ally else ""),
        )
        right = styled(f" {where}", tone)
        lines.append((*fit(name, max(columns - width(right), 0)), *fit(right, min(width(right), columns))))
    return Panel("table", "Table", lines, len(lines))


_IN_SHORT: Final[Mapping[Way, Sequence[str]]] = {
    "through": ("via",),
    "direct": ("here",),
    "never": ("not here",),
    "away": ("away",),
    "post": ("post",),
}
"""How a player is reached, beside a name that leaves no room for more; else a sign must do."""
_SIGNS: Final[Mapping[Tone, str]] = {"good": "●", "warn": "◆", "bad": "✗", "dim": "○"}


def _history(scene: Scene, columns: int) -> Panel:
    recent = scene.history[-_RECENT:]
    lines = [line for text in recent for line in _indented(styled(text), columns)]
    return Panel("history", "History", lines, 3, newest_last=True)


def _chat(scene: Scene, columns: int) -> Panel:
    lines = [
        line
        for style, name, text in scene.chat
        for line in _indented((*styled(f"{name}: ", style), *styled(text, "chat")), columns)
    ]
    empty = [styled(" Tab or / to say something", "dim")]
    hearing = scene.context.players.hearing if scene.context else ""
    count = len(scene.context.players.names) if scene.context else 0
    titles = (f"Chat: {hearing}", hearing.capitalize(), f"Chat: all {count}") if hearing else ("Chat",)
    if scene.terminal.private is not None:
        titles = ("Chat: to all, or to one alone", "Chat: to all, or to one", "Chat")
    return Panel("chat", longest(titles, columns - _HEADED), lines or empty, 3, newest_last=True)


def _indented(line: Line, columns: int) -> list[Line]:
    """`line` wrapped to `columns`, one cell in, what follows the first row three."""
    return wrapped((("", " "), *line), columns, 3)


def _column(panels: Sequence[Panel], columns: int, rows: int) -> list[Line]:
    """As many panels as fit, one below the other; what is left over goes to those that can use it.

    The first one and the chat go before all others: nobody should miss what is said.
    """
    heights: dict[str, int] = {}
    left = rows
    for panel in sorted(panels, key=lambda each: each is not panels[0] and each.name != "chat"):
        least = panel.least if panel.newest_last else min(panel.least, max(len(panel.lines), 1))
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
    """A panel's title, and how many of its lines are left out at the end; F2 brings it to the front."""
    title = styled("─ ", "rule") + styled(panel.title, "panel") + styled(" ", "rule")
    left_out = 0 if panel.newest_last else max(len(panel.lines) - rows, 0)
    told = (f" … {left_out} more{'' if first else ': F2'} ", f" … {left_out} more ", " … ", "")
    more = styled(longest(told, columns - width(title)) if left_out else "", "dim")
    return (*title, *styled("─" * (columns - width(title) - width(more)), "rule"), *more)


def _page(page: Page, columns: int) -> Page:
    """A page for a screen of so many columns, also if it was made for more."""
    inner = min(columns, PAGE) - 4
    if inner >= COLUMNS:
        return page
    return replace(page, lines=[part for line in page.lines for part in wrapped(line, inner)])


def _careful(scene: Scene, columns: int, rows: int) -> list[Line]:
    """The question to confirm, in a frame."""
    if not scene.careful:
        return []
    inner = min(columns - 8, 72)
    lines = [line for text in scene.careful for line in (*wrapped(styled(text), inner - 4), EMPTY)]
    return boxed("Careful", lines[:-1][: rows - 2], inner, "warn")


def _said(scene: Scene, columns: int, rows: int) -> list[Line]:
    """The recent events, an alert or hint, and the question, on a screen of so many rows.

    The board stays whole but for the rows that its game can spare.  Beside it the question is whole, and the
    newest event as far as it fits; then come the beginning of an alert or the explanation of what is laid,
    and all that happened since the player's own decision, unless an answer is begun.  Where the record is or
    what was proved, and then how to answer, is told if rows are left for it.
    For a player who points at a place, or has one answer only, how to answer comes before that; it stands
    below an alert, too.
    """
    question = _whole_or_cut(_indented(styled(scene.question, "question"), columns - 1), _QUESTION)
    told = [_sentence(checked, text, columns) for checked, text in scene.told]
    attention = _attention(scene, columns - 3)
    proved = _sentence(False, scene.proved, columns) if scene.proved else []
    record = _sentence(False, f"Record: {scene.record}", columns) if scene.record else []
    newest = len(told[-1]) if told else 0
    news = sum(map(len, told)) if scene.own else newest
    kept = newest if scene.typed else news
    due = min(len(attention), _ALERT) if scene.alert or scene.typed else 0
    pressing = due if scene.alert else min(len(attention), _due(scene))
    most = rows - _FRAME - _board_rows(scene, columns, rows)
    spare = scene.terminal.result_rows if _lays(scene) else scene.terminal.spare_rows
    height = max(
        (2 if rows < 28 else 3 if rows < 36 else 4) + 2,
        min(len(question) + news + max(due, pressing) + len(record), most),
        min(len(question) + kept + pressing, most + spare),
        min(len(question) + kept + (scene.alert is not None), most + scene.terminal.result_rows),
    )
    left = height - len(question)
    if record and kept + len(record) + pressing <= left:
        told.append(record)
        kept += len(record)
    elif proved and sum(map(len, told)) + len(proved) + pressing <= left:
        told.append(proved)
        kept += len(proved)
    shown = max(left - kept, min(pressing, left - newest), int(scene.alert is not None))
    attention = _whole_or_cut(attention, shown)
    if scene.alert is not None and scene.how and scene.mode == "move":
        how = wrapped(_how(scene), columns - 3, 3)
        attention += how if len(attention) + len(how) + kept <= left else []
    left -= len(attention)
    return [
        *_told(told, columns, left, own=scene.own),
        *block([*attention, *question], columns, len(attention) + len(question)),
    ]


def _board_rows(scene: Scene, columns: int, rows: int) -> int:
    """The rows that news leave to the board, and to the tray where it has to stay."""
    board = scene.terminal.board
    least, lowest = board.LEAST
    if scene.terminal.board_first:
        high = board.fitting(max(least, columns - 38), max(rows - _FRAME - _SAID - 1, lowest))[1]
        if high > lowest:
            return high + 1
    return lowest + int(scene.terminal.tray_stays or (_lays(scene) and not scene.terminal.result_rows))


_SAID: Final = 5
"""Rows for news and question beside which a larger board is worth its rows."""


def _lays(scene: Scene) -> bool:
    """Whether the player is to lay something: out of the tray, and on the lower side of the board."""
    return scene.context is not None and isinstance(scene.context.view.decision, Commit)


def _points(scene: Scene) -> bool:
    """Whether the player points at a place, and has typed nothing."""
    return scene.context is not None and bool(scene.context.cursor) and not scene.typed


def _due(scene: Scene) -> int:
    """Rows of how to answer, or of what is laid, that go before all news but the newest.

    Where one answer is possible, as in talks, the offered words do not tell what else can be typed.
    """
    decision = None if scene.context is None else scene.context.view.decision
    if isinstance(decision, Choose) and len(decision.options) == 1:
        return _HOW
    return int(_lays(scene) or _points(scene))


_HOW: Final = 2
"""Rows that how to answer may take before older news."""
_ALERT: Final = 4
"""Rows that an alert may ask for."""
_QUESTION: Final = 2
"""Rows that a question may take."""


def _whole_or_cut(lines: list[Line], most: int) -> list[Line]:
    """At most so many lines, with a sign where some are left out."""
    if len(lines) <= most:
        return lines
    if not most:
        return []
    return [*lines[: most - 1], (*lines[most - 1], ("class:dim", " …"))]


def _told(told: list[list[Line]], columns: int, rows: int, *, own: bool) -> list[Line]:
    """The recent events, the newest last: as many sentences as fit, each whole.

    The result of the player's `own` decision goes before all others but the newest.
    """
    if not rows:
        return []
    first: list[Line] = []
    if own and len(told) > 1 and len(told[0]) + len(told[-1]) <= rows:
        first, *told = told
    shown, left_out = _newest(told, rows - len(first))
    lines = [*first, *shown]
    more = styled(f" … {left_out} more: F5 ", "dim")
    if left_out and first and width(first[-1]) + width(more) <= columns:
        lines[len(first) - 1] = both_ends(first[-1], more, columns)
    return block(lines, columns, rows)


def _sentence(checked: bool, text: str, columns: int) -> list[Line]:
    return _indented((*_sign(checked), *styled(text, "told")), columns - 2)


def _sign(checked: bool) -> Line:
    return styled("✓ ", "good") if checked else styled("▶ ", "told")


def _newest(told: Sequence[list[Line]], rows: int) -> tuple[list[Line], int]:
    """As many of the last sentences as fit into `rows`, or the beginning of the last one; and how many are
    left out before them.
    """
    shown: list[Line] = []
    for at, lines in enumerate(reversed(told)):
        if len(lines) + len(shown) > rows:
            return (shown, len(told) - at) if shown else (_whole_or_cut(lines, rows), len(told) - 1)
        shown = lines + shown
    return shown, 0


def _attention(scene: Scene, columns: int) -> list[Line]:
    """An alert; else how to answer, and what is typed or pointed at, explained."""
    if scene.alert is not None:
        tone, text = scene.alert
        sign = styled(" ⚠ " if tone in ("warn", "bad") else " ", tone)
        return wrapped((*sign, *styled(text, tone)), columns, 3)
    explained = scene.terminal.panels.explain(scene.context) if scene.context else EMPTY
    how = wrapped(_how(scene), columns, 3) if scene.how else []
    if not explained or scene.mode != "move":
        return how
    return [*(how if _points(scene) else []), *wrapped((("", " "), *explained), columns, 3)]


def _how(scene: Scene) -> Line:
    return styled(f" Type {scene.how}.", "dim") if scene.how else EMPTY


def _prompt(scene: Scene) -> Line:
    return styled({"move": " ❯ ", "chat": " say ❯ ", "confirm": " yes/no ❯ "}[scene.mode], "question")


def _choices(scene: Scene, columns: int) -> Line:
    """The choices for the line, as many as fit, the picked one in sight."""
    shown = [choice.shown for choice in scene.choices]
    words = [choice.word for choice in scene.choices]
    first = words.index(scene.picked) if scene.picked in words else 0
    start = 0
    while sum(len(text) + 3 for text in shown[start : first + 1]) > columns - 4:
        start += 1
    parts: Line = styled(" " if not start else "…", "dim")
    for number, (word, text) in list(enumerate(zip(words, shown, strict=True)))[start:]:
        if width(parts) + len(text) + 5 > columns:
            return (*parts, *styled(" …", "dim"))
        style = "chosen" if word == scene.picked else "dim"
        offered = overlaid(styled(f" {text} ", style), marked(f"{CHOICE}{number}"))
        parts += (*offered, *styled("·" if word != words[-1] else "", "rule"))
    return parts


def _footer(scene: Scene, columns: int) -> Line:
    parts: Line = EMPTY
    for hint in scene.keys:
        more = styled(f" {hint.key}", "footer", "footer.key") + styled(f" {hint.does} ", "footer")
        if width(parts) + width(more) <= columns:
            parts += more
    return (*parts, *styled(" " * (columns - width(parts)), "footer"))
