"""The common parts of all readers of people's files: the typed error with its place, and the diagram.

A diagram is four lines, a side's front row as far from it as from its enemy: the row's number, then ten
characters, one for each square from a to j: a piece's letter, "." for an empty square, "?" for a piece that
nobody has seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from p2p_stratego.core.game import Face, Seat
from p2p_stratego.core.language import _
from p2p_stratego.stratego.rules.board import COLUMNS, CRATERS, HOME_ROWS, PLACE, SIDE, SQUARE_NAMED
from p2p_stratego.stratego.rules.pieces import BLUE, PIECES, RED

Setup: TypeAlias = tuple[Face | None, ...]
"""Forty places in the order of `board.HOME`; None: empty."""
UNSEEN: Final[Face] = -1
"""Stands in a set-up for a piece with an unknown face."""
PLACES: Final = HOME_ROWS * SIDE

EMPTY_SIGN: Final = "."
CRATER_SIGN: Final = "~"
_UNSEEN_SIGN: Final = "?"
_SIGNS: Final[dict[Face | None, str]] = {
    None: EMPTY_SIGN,
    UNSEEN: _UNSEEN_SIGN,
    **{face: piece.letter for face, piece in enumerate(PIECES)},
}
_MEANT: Final[dict[str, Face | None]] = {sign: face for face, sign in _SIGNS.items()}

NumberedLine: TypeAlias = tuple[int, str]
"""A line of a file and its number, from 1."""


class TextError(Exception):
    """A text in a file breaks its format.

    `line`: its number from 1, 0 for the file as a whole; `square`: where on the board, or "".
    """

    def __init__(self, why: str, line: int = 0, square: str = "") -> None:
        self.why, self.line, self.square = why, line, square
        place = [_("line {line}", line=line)] * bool(line) + [square] * bool(square)
        super().__init__(f"{', '.join(place)}: {why}" if place else why)


def lines_of(text: str) -> Iterator[NumberedLine]:
    """The lines of a file that are neither empty nor comments ("#"), without space at their ends.

    It ignores the mark that some editors write first (U+FEFF, the "BOM").
    """
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        content = line.strip()
        if content and not content.startswith("#"):
            yield number, content


def rows(seat: Seat) -> range:
    """The numbers of a side's rows as a diagram has them: from the top of the board down."""
    return range(HOME_ROWS, 0, -1) if seat == RED else range(SIDE, SIDE - HOME_ROWS, -1)


def write_rows(setup: Setup, seat: Seat) -> list[str]:
    """The diagram of a set-up on a side's own rows."""
    lines = []
    for row in rows(seat):
        faces = (setup[PLACE[seat][SQUARE_NAMED[f"{column}{row}"]]] for column in COLUMNS)
        lines.append(f"{row:2}  {' '.join(_SIGNS[face] for face in faces)}")
    return lines


LEGEND: Final = f"    {' '.join(COLUMNS)}"
"""The line under a diagram; readers skip it."""


def _middle(row: int) -> str:
    signs = (CRATER_SIGN if SQUARE_NAMED[f"{column}{row}"] in CRATERS else EMPTY_SIGN for column in COLUMNS)
    return f"{row:2}  {' '.join(signs)}"


_MIDDLE: Final = tuple(_middle(row) for row in range(SIDE - HOME_ROWS, HOME_ROWS, -1))
"""The rows between the two sides, from the top down."""


def write_board(setups: tuple[Setup, Setup]) -> list[str]:
    """The whole board at the start of a game, seen by red, with its legend: eleven lines."""
    return [*write_rows(setups[BLUE], BLUE), *_MIDDLE, *write_rows(setups[RED], RED), LEGEND]


def read_board(lines: Sequence[NumberedLine]) -> tuple[Setup, Setup]:
    """The set-ups in the ten rows that `write_board` writes.  Raises TextError."""
    lowest = SIDE - HOME_ROWS
    blue = read_rows(lines[:HOME_ROWS], BLUE)
    for (number, line), middle in zip(lines[HOME_ROWS:lowest], _MIDDLE, strict=False):
        if line.split() != middle.split():
            raise TextError(_("between the sides there are only craters:{middle}", middle=middle), number)
    return read_rows(lines[lowest:SIDE], RED), blue


def is_legend(line: NumberedLine) -> bool:
    """Whether a line only names the columns."""
    return line[1].lower().split() == list(COLUMNS)


def read_rows(lines: Sequence[NumberedLine], seat: Seat) -> Setup:
    """The set-up that the diagram in these lines, at most four, shows.  Raises TextError."""
    if len(lines) < HOME_ROWS:
        why = _("the diagram has {count} of this side's {rows} rows", count=len(lines), rows=HOME_ROWS)
        raise TextError(why, lines[0][0] if lines else 0)
    setup: list[Face | None] = [None] * PLACES
    for (number, line), row in zip(lines, rows(seat), strict=True):
        label, _space, signs = line.partition(" ")
        letters = signs.upper().split() if " " in signs.strip() else list(signs.upper().strip())
        if label != str(row):
            raise TextError(_("row {row} of the diagram should be here, after its number", row=row), number)
        if len(letters) != SIDE:
            raise TextError(
                _("row {row} has {count} squares instead of {side}", row=row, count=len(letters), side=SIDE),
                number,
            )
        for column, letter in zip(COLUMNS, letters, strict=True):
            square = f"{column}{row}"
            if letter not in _MEANT:
                raise TextError(_("{letter!a} is no piece", letter=letter[:8]), number, square)
            setup[PLACE[seat][SQUARE_NAMED[square]]] = _MEANT[letter]
    return tuple(setup)
