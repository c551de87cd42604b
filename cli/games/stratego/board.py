"""The board of Stratego as text: the player's own side at the bottom, in either colour.

A style class names each square, so that a click finds what it hit (see `cli.screen.match.application`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cli.games.interface import ViewContext
from cli.games.stratego import tiles
from cli.games.stratego.names import called, grouped
from cli.games.stratego.snapshot import Snapshot, is_setting_up, snapshot
from cli.text.layout import EMPTY, Line, block, both_ends, centred, overlaid, styled, width
from cli.text.regions import marked
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _, mark
from p2p_stratego.stratego.rules.board import CRATERS, NAMES, SIDE, Square, column_of, row_of
from p2p_stratego.stratego.rules.cells import OWNER
from p2p_stratego.stratego.rules.pieces import RED, SEAT_NAMES

LABEL: Final = 3
"""Cells for the numbers of the rows, on either side."""
AROUND: Final = 5
"""Rows for both sides' names and losses, and for the letters of the columns."""
NARROWEST: Final = 4
"""Cells of a square, the one between it and its neighbour included."""
WIDEST: Final = (NARROWEST, NARROWEST, 6, 8, 10)
"""Cells of a square that is so many rows high; even, so that a sign stands in the middle."""
LEAST: Final = (2 * LABEL + SIDE * NARROWEST + 1, SIDE + AROUND)
SIGNS: Final = (
    (" 7 ", mark("a piece of yours: F flag, S spy, 2 to 9 by rank, M marshal, B bomb")),
    (f" 7{tiles.MOVED}", mark("a piece of yours that has moved: it can be neither bomb nor flag")),
    (f" 7{tiles.SHOWN}", mark("a piece of yours that the enemy has seen")),
    (tiles.CLOSED, mark("a closed piece of the enemy's that has never moved")),
    ("▐•▌", mark("a closed piece of the enemy's that has moved")),
    ("▐7▌", mark("a piece of the enemy's that you have seen")),
    ("↑ ‹7›", mark("the last move: where it came from, and where it ended")),
    (tiles.BOTH_FELL, mark("both pieces fell here in the last move")),
    (f"▶7◀ {tiles.GOAL} ×", mark("the piece you picked, where it can go, and whom it can attack")),
    ("[7]", mark("the cursor")),
    ("░░░", mark("a crater: nobody can enter or cross it")),
)
_ARROWS: Final = {(0, 1): "↑", (0, -1): "↓", (1, 0): "→", (-1, 0): "←"}


def fitting(columns: int, rows: int) -> tuple[int, int]:
    """As much of `columns` and `rows` as a board makes use of."""
    wide, high = _square(columns, rows)
    return 2 * LABEL + SIDE * wide + 1, SIDE * high + AROUND


def _square(columns: int, rows: int) -> tuple[int, int]:
    """The cells and rows of one square in a board of this size."""
    high = min(max((rows - AROUND) // SIDE, 1), len(WIDEST) - 1)
    while high > 1 and (columns - 2 * LABEL - 1) // SIDE < WIDEST[high - 1]:
        high -= 1
    wide = min((columns - 2 * LABEL - 1) // SIDE, WIDEST[high]) // 2 * 2
    return max(wide, NARROWEST), high


def draw(context: ViewContext, columns: int, rows: int) -> list[Line]:
    """The whole board in `rows` lines of `columns` cells; LEAST says how many it needs."""
    moment = snapshot(context)
    wide, high = _square(columns, rows)
    me = moment.seat
    lines = [
        _name(context, moment, 1 - me, columns),
        _lost(moment, 1 - me, columns),
        *(centred(line, columns) for line in _rows(moment, wide, high)),
        centred(_letters(me, wide), columns),
        _lost(moment, me, columns),
        _name(context, moment, me, columns),
    ]
    return block(lines, columns, rows)


def _name(context: ViewContext, moment: Snapshot, seat: Seat, columns: int) -> Line:
    """A rule with a side's colour, its player, and how many pieces are left."""
    you = _(" (you)") if seat == context.players.me else ""
    left = (
        *styled("─", "rule"),
        *styled(f" {_(SEAT_NAMES[seat]).upper()} ", f"seat{seat}"),
        *styled(context.players.names[seat] + you),
        ("", " "),
    )
    right = styled(f" {_strength(context, moment, seat)} ─", "dim")
    fill = max(columns - width(left) - width(right), 0)
    return both_ends((*left, *styled("─" * fill, "rule")), right, columns)


def _strength(context: ViewContext, moment: Snapshot, seat: Seat) -> str:
    """A side's pieces on the board; while it sets up, how far it is, if that can be known."""
    state, own = moment.state, seat == context.players.me
    if state.phase == "squares" or (own and state.phase == "army" and context.view.decision is None):
        return _("army laid")
    if own and state.phase == "army":
        count = len(moment.of(seat))
        return _("{count} of {size} placed", count=count, size=state.army.size)
    if is_setting_up(state):
        return _("{size} pieces to set up", size=state.army.size)
    count = sum(OWNER[cell] == seat for cell in state.board)
    return _("{count} of {size} pieces", count=count, size=state.army.size)


def _lost(moment: Snapshot, seat: Seat, columns: int) -> Line:
    """A side's fallen pieces: how many, and by their names if there is room for those."""
    lost = moment.state.lost[seat]
    if is_setting_up(moment.state):
        return EMPTY
    if not lost:
        return styled(_(" none fallen"), "dim")
    names, letters = called(lost), grouped(lost)
    tried = ((_(" fallen"), names), (_(" fallen"), letters), ("", letters))
    for word, text in tried:
        line = styled(f" {len(lost)}{word}: ", "dim") + styled(text, f"seat{seat}")
        if width(line) <= columns:
            break
    return line


def _letters(seat: Seat, wide: int) -> Line:
    names = [NAMES[square][0] for square in _row(seat, 0)]
    line = " " * (LABEL + 1) + "".join(name.center(wide - 1).ljust(wide) for name in names)
    return styled(line.ljust(2 * LABEL + SIDE * wide + 1), "dim")


def _row(seat: Seat, row: int) -> list[Square]:
    """The squares of the row that is `row` rows above the bottom, from left to right."""
    squares = range(row * SIDE, row * SIDE + SIDE)
    return list(squares) if seat == RED else [SIDE * SIDE - 1 - square for square in squares]


def _rows(moment: Snapshot, wide: int, high: int) -> Iterator[Line]:
    for row in reversed(range(SIDE)):
        squares = _row(moment.seat, row)
        bodies = [_body(moment, square, wide - 1, high) for square in squares]
        gaps = _gaps(moment, squares)
        number = str(row_of(squares[0]) + 1)
        for at in range(high):
            here = at == tiles.middle(high)
            line: Line = styled((number if here else "").rjust(LABEL), "dim")
            for place, square in enumerate(squares):
                gap = gaps[place] if here else styled(" ")
                line += overlaid((*gap, *bodies[place][at]), marked(NAMES[square]))
            last = gaps[SIDE] if here else styled(" ")
            yield (*line, *last, *styled((number if here else "").ljust(LABEL), "dim"))


def _gaps(moment: Snapshot, squares: list[Square]) -> list[Line]:
    """The signs between the squares of a row, and at its ends, which embrace a square."""
    gaps: list[Line] = [styled(" ")] * (SIDE + 1)
    for place, square in enumerate(squares):
        embraced = _embraced(moment, square)
        if embraced is not None:
            gaps[place], gaps[place + 1] = (styled(sign, "target") for sign in embraced)
    # The cursor goes before everything else.
    for place, square in enumerate(squares):
        if square == moment.cursor:
            gaps[place], gaps[place + 1] = styled("[", "chosen"), styled("]", "chosen")
    return gaps


def _embraced(moment: Snapshot, square: Square) -> tuple[str, str] | None:
    """The two signs around a square."""
    if square == moment.picked:
        return "▶", "◀"
    if square in moment.goals and square in moment.pieces:
        return "×", "×"
    if moment.trail is not None and square == moment.trail[1]:
        return "‹", "›"
    return None


def _body(moment: Snapshot, square: Square, wide: int, high: int) -> list[Line]:
    """The content of a square."""
    if square in CRATERS:
        return tiles.filled(tiles.CRATER, wide, high, "fog")
    aimed = square == moment.aim
    ended = moment.trail is not None and square == moment.trail[1]
    seen = moment.pieces.get(square)
    if seen is not None:
        extra = ("chosen",) if square == moment.picked or aimed else (f"fresh{seen.seat}",) if ended else ()
        shade = tiles.SHADE if (row_of(square) + column_of(square)) % 2 else ""
        return tiles.tile(seen, moment.seat, wide, high, shade, *extra)
    if square in moment.goals:
        return tiles.bare(tiles.GOAL, wide, high, "chosen" if aimed else "target")
    if ended and moment.fallen:
        return tiles.bare(tiles.BOTH_FELL, wide, high, "bad")
    if moment.trail is not None and square == moment.trail[0]:
        return tiles.bare(_arrow(moment, *moment.trail), wide, high, "target")
    return tiles.bare(tiles.EMPTY_SQUARE, wide, high, "fog")


def _arrow(moment: Snapshot, source: Square, target: Square) -> str:
    """Where a piece went from here, as this seat sees the board."""
    forward = 1 if moment.seat == RED else -1
    columns = (column_of(target) - column_of(source)) * forward
    rows = (row_of(target) - row_of(source)) * forward
    return _ARROWS[(columns > 0) - (columns < 0), (rows > 0) - (rows < 0)]
