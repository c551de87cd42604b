"""Set-ups as files: the diagrams that this program saves, and the 40-letter lines that other programs use.

A set-up serves both sides: a file shows it from red's side, on rows 1 to 4, and blue sees its own rows the
same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from p2p_stratego.core.game import Face, Move, Seat
from p2p_stratego.core.language import _, n_
from p2p_stratego.stratego.formats.diagram import (
    LEGEND,
    PLACES,
    UNSEEN,
    NumberedLine,
    Setup,
    TextError,
    is_legend,
    lines_of,
    read_rows,
    write_rows,
)
from p2p_stratego.stratego.formats.narration import called
from p2p_stratego.stratego.rules.armies import Army
from p2p_stratego.stratego.rules.board import HOME, HOME_ROWS, NAMES, SIDE
from p2p_stratego.stratego.rules.notation import fill
from p2p_stratego.stratego.rules.pieces import FACES, RED

LETTERS: Final = "MCDEFGHIJKLB"
"""By face, the letters of a 40-letter line."""
EMPTY_LETTER: Final = "A"
_MEANT: Final[dict[str, Face | None]] = {EMPTY_LETTER: None} | dict(zip(LETTERS, FACES, strict=True))


class SetupError(TextError):
    """A file without a set-up, or with a set-up of another army."""


def _row_by_row() -> Iterator[int]:
    """The places in the order of a 40-letter line: the front row first, each from left to right."""
    for row in reversed(range(HOME_ROWS)):
        yield from range(row * SIDE, row * SIDE + SIDE)


def read_line(line: str, number: int = 1) -> Setup:
    """The set-up in a 40-letter line, which is line `number` of its file.  Raises SetupError."""
    letters = line.strip()
    if len(letters) != PLACES:
        raise SetupError(_("{count} letters instead of {places}", count=len(letters), places=PLACES), number)
    setup: list[Face | None] = [None] * PLACES
    for place, letter in zip(_row_by_row(), letters, strict=True):
        if letter.upper() not in _MEANT:
            raise SetupError(_("{letter!a} is no piece", letter=letter), number, NAMES[place])
        setup[place] = _MEANT[letter.upper()]
    return tuple(setup)


def read(text: str, army: Army) -> list[Setup]:
    """Every set-up in a file, each of exactly this army: 40-letter lines, or diagrams of four rows.

    Raises SetupError, also for a file without a set-up.
    """
    lines = [line for line in lines_of(text) if not is_legend(line)]
    setups = []
    while lines:
        if lines[0][1][0].isdigit():
            taken, lines = lines[:HOME_ROWS], lines[HOME_ROWS:]
            setup = _diagram(taken)
        else:
            taken, lines = lines[:1] * HOME_ROWS, lines[1:]
            setup = read_line(taken[0][1], taken[0][0])
        numbers = [number for number, _line in taken]
        if UNSEEN in setup:
            raise SetupError(_("every piece of a set-up must be known"), *_where(setup, UNSEEN, numbers))
        check(setup, army, numbers)
        setups.append(setup)
    if not setups:
        raise SetupError(_("it is empty, or holds only comments"))
    return setups


def _diagram(lines: list[NumberedLine]) -> Setup:
    try:
        return read_rows(lines, RED)
    except TextError as error:
        raise SetupError(error.why, error.line, error.square) from error


def write(setup: Setup) -> str:
    """The diagram from which `read` restores this set-up."""
    return "\n".join((*write_rows(setup, RED), LEGEND, ""))


def check(
    setup: Setup,
    army: Army,
    lines: Sequence[int] = (0,) * HOME_ROWS,
    *,
    seat: Seat = RED,
    honest: bool = True,
) -> None:
    """Raise SetupError unless the pieces that are not UNSEEN can be the army's.

    `lines`: the number of the line of each row, the front row's first; `seat`: whose squares the error names;
    not `honest`: only the number of pieces must be right.
    """
    counts = Counter(face for face in setup if face is not None)
    if sum(counts.values()) != army.size:
        count = sum(counts.values())
        raise SetupError(
            n_("{count} piece instead of {size}", "{count} pieces instead of {size}", count, size=army.size),
            lines[0],
        )
    for face, count in counts.items() if honest else ():
        if face != UNSEEN and count > army.counts[face]:
            why = _(
                "one {piece} too many, since the army has {count}",
                piece=called(face),
                count=army.counts[face],
            )
            raise SetupError(why, *_where(setup, face, lines, seat))


def _where(setup: Setup, face: Face, lines: Sequence[int], seat: Seat = RED) -> tuple[int, str]:
    """The line and the square of the last such piece, the front row's being the last."""
    place = PLACES - 1 - setup[::-1].index(face)
    return lines[HOME_ROWS - 1 - place // SIDE], NAMES[HOME[seat][place]]


def mirrored(setup: Setup) -> Setup:
    """The same with left and right exchanged."""
    return tuple(setup[place - place % SIDE + SIDE - 1 - place % SIDE] for place in range(PLACES))


def answers(setup: Setup) -> tuple[tuple[Face, ...], Move]:
    """The answers that lay this set-up: its faces to the Commit, its filled squares to the Choose."""
    placed = [(place, face) for place, face in enumerate(setup) if face is not None]
    return tuple(face for _, face in placed), fill(place for place, _ in placed)


def of_answers(faces: Sequence[Face], places: Sequence[int]) -> Setup:
    """The set-up of these faces in these places; the inverse of `answers`."""
    setup: list[Face | None] = [None] * PLACES
    for place, face in zip(places, faces, strict=True):
        setup[place] = face
    return tuple(setup)
