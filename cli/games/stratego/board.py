"""The board of Stratego as text: the player's own side at the bottom, in either colour.

A style class names each square, so that a click finds what it hit (see `cli.screen.match.application`).
Shape tells sides apart before colour does: one's own pieces stand on plain blocks, the enemy's between two
walls.  Closed pieces, moved ones and pieces that everybody has seen have signs of their own.  Shape also
tells a piece from the one below it: a block has a floor, and a solid piece ends above the next row.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cli.games.interface import ViewContext
from cli.games.stratego.names import LETTERS, called, grouped, short
from cli.games.stratego.snapshot import SeenPiece, Snapshot, is_setting_up, snapshot
from cli.text.layout import EMPTY, Line, block, both_ends, centred, marked, overlaid, styled, width
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _, mark
from p2p_stratego.stratego.rules.board import CRATERS, NAMES, SIDE, Square, column_of, row_of
from p2p_stratego.stratego.rules.cells import OWNER
from p2p_stratego.stratego.rules.pieces import RED, SEAT_NAMES

MOVED: Final = "•"
SHOWN: Final = "!"
UNREAD: Final = "?"
WALLS: Final = ("▐", "█", "▌")
"""An enemy's piece: its left wall, the filling of a closed one, its right wall."""
FEET: Final = ("▝", "▀", "▘")
"""The same where a solid piece ends, half a row above the next one."""
CLOSED: Final = "".join(FEET)
"""A closed piece that has never moved, in one row of three cells."""
FLOOR: Final = "floor"
"""The style of a block's last row."""
EMPTY_SQUARE: Final = "·"
GOAL: Final = "○"
BOTH_FELL: Final = "✗"
CRATER: Final = "░"
SHADE: Final = ".alt"
"""The other shade of a side's colour."""


def own(seen: SeenPiece, wide: int, high: int, shade: str, *extra: str) -> list[Line]:
    """A piece of the seat at the bottom, in `high` lines of `wide` cells, at least 3.

    `shade`: "" or SHADE, so that neighbours can be told apart; `extra`: more styles.
    """
    letter = UNREAD if seen.face is None else LETTERS[seen.face]
    mark = SHOWN if seen.shown else MOVED if seen.moved else " "
    name = "" if seen.face is None else short(seen.face)
    texts = _tile_rows(_with_mark(letter, mark, wide), name, wide, high)
    tile = f"tile{seen.seat}{shade}"
    return [*(styled(text, tile, *extra) for text in texts[:-1]), styled(texts[-1], tile, FLOOR, *extra)]


def enemy(seen: SeenPiece, wide: int, high: int, shade: str, *extra: str) -> list[Line]:
    """A piece of the other seat, likewise."""
    inner = wide - 2
    wall = f"back{seen.seat}{shade}"
    closed = seen.face is None and not seen.moved
    rows = [WALLS] * (high - 1) + [FEET if closed or high > 1 else WALLS]
    if closed:
        middle = [styled(filling * inner, wall, *extra) for _, filling, _ in rows]
    else:
        sign = MOVED if seen.face is None else LETTERS[seen.face]
        name = "" if seen.face is None or inner < 3 else short(seen.face)
        texts = _tile_rows(sign.center(inner), name, inner, high)
        middle = [styled(text, f"face{seen.seat}{shade}", *extra) for text in texts]
    return [
        (*styled(left, wall), *line, *styled(right, wall))
        for (left, _, right), line in zip(rows, middle, strict=True)
    ]


def bare(sign: str, wide: int, high: int, *styles: str) -> list[Line]:
    """A square without a piece, a sign in its middle."""
    return [styled(text, *styles) for text in _tile_rows(sign.center(wide), "", wide, high)]


def filled(sign: str, wide: int, high: int, style: str) -> list[Line]:
    """A square full of one sign."""
    return [styled(sign * wide, style)] * high


def tile(seen: SeenPiece, seat: Seat, wide: int, high: int, shade: str, *extra: str) -> list[Line]:
    """A piece as it looks to `seat`, at the bottom of the board."""
    return (own if seen.seat == seat else enemy)(seen, wide, high, shade, *extra)


def middle(high: int) -> int:
    """The line of a square, counted from 0, with its sign."""
    return (high - 1) // 2


def _with_mark(letter: str, mark: str, wide: int) -> str:
    """The letter in the middle, the mark right behind it."""
    left = (wide - 1) // 2
    return f"{' ' * left}{letter}{mark}".ljust(wide)


def _tile_rows(sign: str, name: str, wide: int, high: int) -> list[str]:
    """`sign` on the middle line; below it, if there is room, a name."""
    rows = [" " * wide] * high
    rows[middle(high)] = sign
    if high > middle(high) + 1:
        rows[middle(high) + 1] = name.center(wide)
    return rows


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
    (f" 7{MOVED}", mark("a piece of yours that has moved: it can be neither bomb nor flag")),
    (f" 7{SHOWN}", mark("a piece of yours that the enemy has seen")),
    (CLOSED, mark("a closed piece of the enemy's that has never moved")),
    ("▐•▌", mark("a closed piece of the enemy's that has moved")),
    ("▐7▌", mark("a piece of the enemy's that you have seen")),
    ("↑ ‹7›", mark("the last move: where it came from, and where it ended")),
    (BOTH_FELL, mark("both pieces fell here in the last move")),
    (f"▶7◀ {GOAL} ×", mark("the piece you picked, where it can go, and whom it can attack")),
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
            here = at == middle(high)
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
        return filled(CRATER, wide, high, "fog")
    aimed = square == moment.aim
    ended = moment.trail is not None and square == moment.trail[1]
    seen = moment.pieces.get(square)
    if seen is not None:
        extra = ("chosen",) if square == moment.picked or aimed else (f"fresh{seen.seat}",) if ended else ()
        shade = SHADE if (row_of(square) + column_of(square)) % 2 else ""
        return tile(seen, moment.seat, wide, high, shade, *extra)
    if square in moment.goals:
        return bare(GOAL, wide, high, "chosen" if aimed else "target")
    if ended and moment.fallen:
        return bare(BOTH_FELL, wide, high, "bad")
    if moment.trail is not None and square == moment.trail[0]:
        return bare(_arrow(moment, *moment.trail), wide, high, "target")
    return bare(EMPTY_SQUARE, wide, high, "fog")


def _arrow(moment: Snapshot, source: Square, target: Square) -> str:
    """Where a piece went from here, as this seat sees the board."""
    forward = 1 if moment.seat == RED else -1
    columns = (column_of(target) - column_of(source)) * forward
    rows = (row_of(target) - row_of(source)) * forward
    return _ARROWS[(columns > 0) - (columns < 0), (rows > 0) - (rows < 0)]
