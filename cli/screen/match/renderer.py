"""The table's screen, alike for every game: a pure function from a Scene to lines of text.

Title, board, panels, news, the question, the input and the key hints stand here once; the board and its words
come from the game's parts.  No function here may read a clock, a file or a connection.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from cli.games.interface import Page
from cli.screen.match import frames, news, sides
from cli.table.pages.match_pages import COLUMNS
from cli.table.scene import keybar
from cli.table.scene.scene import LEAST, Overlay, OverlayRow, Scene
from cli.table.words.clocks import ScreenClock
from cli.table.words.other_players import with_doing
from cli.text.layout import (
    CHOICE,
    EMPTY,
    Line,
    ascii_line,
    block,
    both_ends,
    boxed,
    centred,
    fit,
    indented,
    longest,
    marked,
    overlaid,
    shortened,
    styled,
    width,
    words,
    wrapped,
)
from cli.text.sanitize import cells, crop
from p2p_stratego.core.language import _, n_

_COLUMNS = 96
"""Columns of the frame, where there is room."""
_MARGIN = 4
"""Cells of the frame at both sides of a row."""
_GAPS = 4
"""Cells before a row's name, with its mark, and behind it."""


def draw_over(overlay: Overlay, columns: int, rows: int) -> list[Line]:
    """The list in a frame of at most so many columns and rows, the selected row in sight."""
    inner = min(columns, _COLUMNS) - _MARGIN
    most = max(rows - 2, 1)
    left = max((width(styled(row.left)) for row in overlay.rows), default=0)
    whole = [_chosen(row, inner, left) for row in overlay.rows[overlay.selected :][:1]]
    most = max(most - sum(len(row_lines) - 1 for row_lines in whole), 1)
    start = min(max(overlay.selected - most // 2, 0), max(len(overlay.rows) - most, 0))
    lines: list[Line] = []
    for at, row in enumerate(overlay.rows[start : start + most], start=start):
        shown = whole[0] if at == overlay.selected else [_row(row, inner, left)]
        lines += [overlaid(line, marked(f"{CHOICE}{at}")) for line in shown]
    if not lines:
        lines = [fit(styled(overlay.empty, "dim"), inner)]
    above, below = start, max(len(overlay.rows) - start - most, 0)
    more = n_("{count} more", "{count} more", above + below) if above + below else ""
    foot = longest((f"{overlay.foot} · {more}" if more else overlay.foot, overlay.foot, more), inner - 2)
    return boxed(overlay.title, lines, inner + _MARGIN, foot=foot)


def _row(row: OverlayRow, columns: int, left: int) -> Line:
    """A row without the selection, shortened if it is too long."""
    right = styled(f" {row.right} ", "strong") if row.right else EMPTY
    name = fit(styled(row.left, "dim" if row.dim else "key"), left)
    about = shortened(_about(row), _room(right, columns, left))
    return both_ends(
        (("", "  "), *name, ("", "  "), *styled(about, "dim" if row.dim else "text")), right, columns
    )


def _chosen(row: OverlayRow, columns: int, left: int) -> list[Line]:
    """The selected row: in several lines if it is too long for one."""
    right = styled(f" {row.right} ", "chosen") if row.right else EMPTY
    name = fit(styled(f"▶ {row.left}", "chosen"), left + 2)
    about = wrapped(styled(_about(row), "chosen"), _room(right, columns, left))
    first, *more = about or [EMPTY]
    lines = [both_ends((*name, *styled("  ", "chosen"), *first), right, columns)]
    lines += [fit((*styled(" " * (left + 4), "chosen"), *line), columns) for line in more]
    return [overlaid(line, "chosen") for line in lines]


def _room(right: Line, columns: int, left: int) -> int:
    """Cells for the words of a row, beside its name in `left` cells and its key."""
    return max(columns - left - _GAPS - width(right), 2)


def _about(row: OverlayRow) -> str:
    return f"{row.about} ({row.dim})" if row.dim else row.about


_NAMES: Final = (12, 9, 6, 4)
"""Cells of a name at most, the widest that fits first; below that its first letter must do."""


def clock_line(clocks: Sequence[ScreenClock], room: int) -> Line:
    """As many of the clocks as fit into `room` cells: at least the player's own, which comes first, and
    those that run before those that stand.  Names are shortened before a clock is left out.
    """
    chosen = [clocks, [clock for clock in clocks if clock.own or clock.running]]
    tried = [(some, most) for mosts in (_NAMES, (1,)) for some in chosen for most in mosts]
    tried += [(clocks[:1], most) for most in (*_NAMES, 1)]
    drawn = (_drawn(some, most) for some, most in tried if some)
    return next((line for line in drawn if width(line) <= room), EMPTY)


def _drawn(clocks: Iterable[ScreenClock], most: int) -> Line:
    """The `clocks`, with at most so many cells of each name."""
    parts: Line = EMPTY
    for clock in clocks:
        name = _("You") if clock.own else clock.name
        if most == 1:
            name = name[:1]
        elif not clock.own:
            name = crop(name, most)
        sign = "▶" if clock.running else " "
        text = (
            _(" {sign}{name} {time}!", sign=sign, name=name, time=clock.time)
            if clock.low
            else _(" {sign}{name} {time}", sign=sign, name=name, time=clock.time)
        )
        parts += styled(text, "title", "title.name") if clock.running else styled(text, "title")
    return parts


_SAID: Final = 4
"""Rows of news and question on the smallest screens."""
_LIST: Final = 4
"""Rows without which no list is drawn."""
_WIDE: Final = 120
"""Columns of a screen from which on there is room for a page beside the board."""
PAGE: Final = 100
"""Columns of the frame around a page, where there is room."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A drawn screen: its rows from the top, the one of the input line between `news` and `below`."""

    title: list[Line]
    table: list[Line]
    """The board and the panels; a page or a warning floats over these rows."""
    news: list[Line]
    """The news, the alert, and the question."""
    prompt: Line
    """The cells before the input."""
    below: list[Line]
    page: Page | None = None
    """Floats over the table; its lines fit into PAGE cells with a frame around them."""
    careful: list[Line] = field(default_factory=list)
    """Floats in the middle of the table."""
    overlay: list[Line] = field(default_factory=list)
    """A list to choose from; floats over the table."""
    stage: list[Line] = field(default_factory=list)
    """The event that is played; floats in the middle of the table."""
    covered: bool = False
    """Whether the news take rows of the board that any key gives back."""

    @property
    def above(self) -> list[Line]:
        """All rows above the input."""
        return [*self.title, *self.table, *self.news]


def draw(scene: Scene, columns: int, rows: int, *, ascii_only: bool = False) -> Screen:
    """The whole screen in `rows` lines of `columns` cells, the input line among them."""
    if columns < LEAST[0] or rows < LEAST[1]:
        screen = _too_small(scene, columns, rows)
    else:
        screen = _whole(scene, columns, rows)
    if not ascii_only:
        return screen

    def plain(lines: list[Line]) -> list[Line]:
        return [ascii_line(line) for line in lines]

    return replace(
        screen,
        title=plain(screen.title),
        table=plain(screen.table),
        news=plain(screen.news),
        prompt=ascii_line(screen.prompt),
        below=plain(screen.below),
        careful=plain(screen.careful),
        overlay=plain(screen.overlay),
        stage=plain(screen.stage),
    )


def _whole(scene: Scene, columns: int, rows: int) -> Screen:
    """Everything, in at least LEAST.  Long news take the row of the tray first, then the board's spare rows.

    A player who lays pieces keeps the tray, and so do the games that need it at any size.
    """
    scene = _with_counsel(scene, columns, rows)
    above = news.news_rows(scene, columns, rows)
    left = rows - news.FRAME - len(above.lines)
    tray = scene.terminal.tray_stays or news.lays(scene) or left > scene.terminal.board.LEAST[1]
    floating = None if _stands_beside(scene, columns, left - tray) else scene.page
    table = _table(replace(scene, page=None) if floating else scene, columns, left - tray)
    below_board = scene.terminal.panels.tray(scene.context, columns) if scene.context else EMPTY
    news_rows = [*[fit(below_board, columns)] * tray, *above.lines]
    keys = [*[keybar.uncovering()] * above.covers, *scene.keys]
    keys = [key for key in keys if floating or key != keybar.scrolling()]
    scene = replace(scene, keys=tuple(keys))
    below = [fit(_choices(scene, columns), columns), _footer(scene, columns)]
    page = _page(floating, columns) if floating else None
    warned = [] if floating or scene.overlay else _careful(scene, columns, len(table))
    listed = [] if scene.overlay is None else draw_over(scene.overlay, columns, len(table))
    stage = [] if scene.stage is None else frames.frame(*scene.stage)
    title, prompt = [_title(scene, columns)], _prompt(scene)
    return Screen(title, table, news_rows, prompt, below, page, warned, listed, stage, above.covers)


def _stands_beside(scene: Scene, columns: int, rows: int) -> bool:
    """Whether the open page stands beside the board: it is made for that, and has room there, for its longest
    word too: a path in a command is not cut.  Else it lies over the board, and can be scrolled.
    """
    page, side = scene.page, _shape(scene, columns, rows).side
    if page is None or not (page.beside or (page.aside and columns >= _WIDE)):
        return False
    if any(cells(word) >= side for line in page.slim or page.lines for word in words(line).split(" ")):
        return False
    return len(sides.page_panel(page, side).lines) < rows


def _with_counsel(scene: Scene, columns: int, rows: int) -> Scene:
    """The scene with the coach above the question: on the smallest screens, for a player who lays pieces, if
    the coach would else take the panel that explains the pieces.
    """
    if not scene.coach or scene.lesson or scene.context is None or not news.lays(scene):
        return scene
    high = rows - news.FRAME - _SAID - 1
    shape = _shape(scene, columns, high)
    there = replace(scene, side="coach", page=None)
    coach, army, *_others = sides.panels(there, shape.side, (shape.wide, shape.high))
    fits = len(coach.lines) + 1 + min(army.least, len(army.lines)) + 1 <= high
    return scene if fits else replace(scene, coach="", counsel=scene.coach)


def _too_small(scene: Scene, columns: int, rows: int) -> Screen:
    """The question without the table, and as much of the rest as fits: the question is left out last."""
    below = [fit(_choices(scene, columns), columns)] if rows > 2 else []
    left = max(rows - 1 - len(below), 0)
    needed = _(
        "This window is {columns} x {rows}; the board needs at least {least} x {least_least}.",
        columns=columns,
        rows=rows,
        least=LEAST[0],
        least_least=LEAST[1],
    )
    parts: list[list[Line]] = []
    for wanted in (
        indented(styled(scene.question, "question"), columns - 1),
        [line for text in scene.careful for line in indented(styled(text, "warn"), columns - 1)],
        news.attention(scene, columns - 1),
        indented(styled(needed, "warn"), columns - 1),
    ):
        parts.append(block(wanted[:left], columns, min(len(wanted), left)))
        left -= len(parts[-1])
    question, careful, attention, window = parts
    table = block(_instead(scene, columns, left), columns, left)
    prompt = _prompt(scene) if columns > width(_prompt(scene)) else styled("> ")
    page = _page(scene.page, columns) if scene.page else None
    listed = [] if scene.overlay is None or left < _LIST else draw_over(scene.overlay, columns, left)
    return Screen(window, table, [*attention, *careful, *question], prompt, below, page, overlay=listed)


def _instead(scene: Scene, columns: int, rows: int) -> list[Line]:
    """The rows in place of a table that does not fit: the news, and the facts for an answer."""
    lines = [line for checked, text in scene.news for line in news.sentence(checked, text, columns)]
    if scene.context is not None and scene.context.view.decision is not None:
        facts = scene.terminal.description.asked(scene.context)
        lines += [line for text in facts for line in indented(styled(text), columns - 1)]
    return lines[max(len(lines) - rows, 0) :]


def _title(scene: Scene, columns: int) -> Line:
    tone, text = scene.link
    sign = sides.SIGNS[tone]
    left = styled(f" {scene.terminal.title} ", "title", "title.name") + styled(f" {scene.banner}", "title")
    checked = (
        n_("✓ {count} commitment checked   ", "✓ {count} commitments checked   ", scene.checked),
        _("✓ {checked} checked  ", checked=scene.checked),
    )
    places = (*(with_doing(text, doing) for doing in scene.doing), text)
    rights = [f"{count * bool(scene.checked)}{sign} {place} " for place in places for count in (*checked, "")]
    left = (*left, *clock_line(scene.clocks, columns - width(left) - len(text) - 6))
    right = styled(longest(rights, columns - width(left) - 1), "title")
    fill = max(columns - width(left) - width(right), 0)
    return both_ends((*left, *styled(" " * fill, "title")), right, columns)


class _Shape(NamedTuple):
    """How the table is divided: the cells of the board, and the columns of each of its columns of panels."""

    wide: int
    high: int
    side: int
    halves: int


def _shape(scene: Scene, columns: int, rows: int) -> _Shape:
    """The shape of a table of so many cells."""
    least, lowest = scene.terminal.board.LEAST
    halves = 2 if columns >= least + 76 else 1
    room = [max(least, columns - (38 if columns > 90 else 29)), max(least, columns - 68)]
    sizes = [scene.terminal.board.fitting(wide_most, max(rows, lowest)) for wide_most in room]
    if scene.terminal.board_first and sizes[1] < sizes[0]:
        halves = 1
    wide, high = sizes[halves - 1]
    side = columns - wide - 2
    return _Shape(wide, high, (side - 2) // 2 if halves == 2 else side, halves)


def _before(scene: Scene, columns: int, rows: int) -> list[Line]:
    """The game and how far its beginning is, in place of the board while chance is drawn."""
    far = wrapped(styled(scene.question), columns - 4)
    lines = [centred(line, columns) for line in (styled(_(scene.terminal.title), "strong"), EMPTY, *far)]
    return block([EMPTY] * ((rows - len(lines)) // 2) + lines, columns, rows)


def _table(scene: Scene, columns: int, rows: int) -> list[Line]:
    """The board with the panels at its side, and below it where the window is high.

    If there are fewer rows than a board needs, it loses some, see `_shortened`.
    """
    wide, high, half, halves = _shape(scene, columns, rows)
    side_columns = columns - wide - 2
    panels = sides.panels(scene, half, (wide, high))
    board = (
        _before(scene, wide, high)
        if scene.context is None
        else scene.terminal.board.draw(scene.context, wide, high)
    )
    if high > rows:
        board, high = _shortened(scene, board, high - rows), rows
    wider = sides.panels(scene, wide, (wide, high))
    below, panels = sides.under(panels, wider, rows - high, halves=halves == 2)
    board = board + sides.column(below, wide, rows - high)
    columns_of_panels = [(panels, side_columns)]
    if halves == 2:
        talk = [panel for panel in panels if panel.newest_last]
        facts = [panel for panel in panels if not panel.newest_last]
        columns_of_panels = [(facts, half), (talk, side_columns - half - 2)]
    for shown, its_columns in columns_of_panels:
        column = sides.column(shown, its_columns, rows)
        board = [(*left, *styled(" │", "rule"), *right) for left, right in zip(board, column, strict=True)]
    return board


def _shortened(scene: Scene, board: list[Line], lost: int) -> list[Line]:
    """The `board` without so many rows: at its lower side, or at the upper side for a player who lays pieces.
    There its name and its unusable rows go last.
    """
    if not news.lays(scene):
        return board[: len(board) - lost]
    game = scene.terminal
    head = min(max(game.spare_rows + game.bare_rows - lost, 0), game.spare_rows)
    return [*board[:head], *board[head + lost :]]


def _page(page: Page, columns: int) -> Page:
    """A page for a screen of so many columns, even if it was made for more, or to stand beside the board."""
    inner = min(columns, PAGE) - 4
    if inner >= COLUMNS and not page.beside:
        return page
    return replace(page, lines=[part for line in page.lines for part in wrapped(line, inner)])


def _careful(scene: Scene, columns: int, rows: int) -> list[Line]:
    """The warnings of the question to confirm, in a frame; what the player opens meanwhile lies over it."""
    if not scene.careful:
        return []
    inner = min(columns - 8, 72)
    lines = [line for text in scene.careful for line in (*wrapped(styled(text), inner - 4), EMPTY)]
    return boxed(_("Careful"), lines[:-1][: rows - 2], inner, "warn")


def _prompt(scene: Scene) -> Line:
    return styled(
        {"move": " ❯ ", "chat": _(" say ❯ "), "confirm": _(" yes/no ❯ "), "command": " : "}[scene.mode],
        "question",
    )


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
