"""Set-ups as files: the diagrams that this program saves, and the 40-letter lines that other programs use.

A set-up serves both sides: a file shows it from red's side, on rows 1 to 4, and blue sees its own rows the
same way.

Templates are set-ups with names, for the armies that have one: to begin from, to look at, or to play as
they are.  They were written for this game by the principles that `deploy.soundness` counts: diagrams as
`read` reads them, a side's front row first; `mirrored` doubles their number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
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
from p2p_stratego.stratego.rules.armies import ARMIES, Army
from p2p_stratego.stratego.rules.board import HOME, HOME_ROWS, NAMES, PLACE, SIDE, SQUARE_NAMED
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


def read_line(line: str, number: int = 1, *, seat: Seat = RED) -> Setup:
    """The set-up in a 40-letter line, which is line `number` of its file; `seat`: see `read`.

    Raises SetupError.
    """
    letters = line.strip()
    if len(letters) != PLACES:
        raise SetupError(_("{count} letters instead of {places}", count=len(letters), places=PLACES), number)
    setup: list[Face | None] = [None] * PLACES
    for place, letter in zip(_row_by_row(), letters, strict=True):
        if letter.upper() not in _MEANT:
            raise SetupError(_("{letter!a} is no piece", letter=letter), number, NAMES[HOME[seat][place]])
        setup[place] = _MEANT[letter.upper()]
    return tuple(setup)


def read(text: str, army: Army, *, seat: Seat = RED) -> list[Setup]:
    """Every set-up in a file, each of exactly this army: 40-letter lines, or diagrams of four rows.

    `seat`: whose squares an error names.  Raises SetupError, also for a file without a set-up.
    """
    lines = [line for line in lines_of(text) if not is_legend(line)]
    setups = []
    while lines:
        if lines[0][1][0].isdigit():
            taken, lines = lines[:HOME_ROWS], lines[HOME_ROWS:]
            setup = _diagram(taken, seat)
        else:
            taken, lines = lines[:1] * HOME_ROWS, lines[1:]
            setup = read_line(taken[0][1], taken[0][0], seat=seat)
        numbers = [number for number, _line in taken]
        if UNSEEN in setup:
            raise SetupError(
                _("every piece of a set-up must be known"), *_where(setup, UNSEEN, numbers, seat)
            )
        check(setup, army, numbers, seat=seat)
        setups.append(setup)
    if not setups:
        raise SetupError(_("it is empty, or holds only comments"))
    return setups


def _diagram(lines: list[NumberedLine], seat: Seat) -> Setup:
    try:
        return read_rows(lines, RED)
    except TextError as error:
        square = NAMES[HOME[seat][PLACE[RED][SQUARE_NAMED[error.square]]]] if error.square else ""
        raise SetupError(error.why, error.line, square) from error


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


_DIAGRAMS: Final[Mapping[str, Mapping[str, str]]] = {
    "quickplay": {
        "corner": """
            4  5 2 . . 8 6 . . 9 5
            3  6 M . . S 2 . . 7 2
            2  B 4 . . 3 . . . 4 .
            1  F B 2 . . . . 3 . .
        """,
        "craters": """
            4  . 6 . . 2 5 . . M 5
            3  7 2 4 . 9 S . 8 2 .
            2  . 3 . B 6 . . . 4 .
            1  . . 3 F B . 2 . . .
        """,
        "scattered": """
            4  9 . . . 6 . . . . 5
            3  2 5 . 7 2 . 8 . M 2
            2  . 4 S . 3 6 . 4 . .
            1  2 . . . . 3 B F B .
        """,
    },
    "classic": {
        "citadel": """
            4  2 6 5 2 M 7 2 5 6 2
            3  5 7 S 8 2 4 9 2 8 6
            2  4 3 B 2 6 7 B 2 B 4
            1  3 B F B 3 4 3 B 3 5
        """,
        "corners": """
            4  5 2 8 2 6 7 2 M 2 5
            3  6 7 2 S 9 2 5 8 6 4
            2  B 4 7 B 2 3 6 2 4 B
            1  F B 3 3 5 B 3 3 B 4
        """,
        "storm": """
            4  9 5 2 6 7 5 2 2 M 6
            3  7 8 2 4 2 6 S 5 8 2
            2  3 4 B 2 B 3 B 7 4 6
            1  B 3 3 2 5 B F B 3 4
        """,
        "gate": """
            4  6 5 2 2 B 7 2 2 5 M
            3  7 2 8 9 S 4 B 6 8 2
            2  5 3 6 2 B 6 3 4 7 4
            1  3 4 3 B F B 2 3 5 B
        """,
    },
    "barrage": {
        "corner": """
            4  . M . . . . . . 9 .
            3  . S . . 2 . . . . .
            2  B . . . . . . . . .
            1  F 3 . . . . . 2 . .
        """,
        "middle": """
            4  . . . . 9 M . . . .
            3  2 . . . S . . . . 2
            2  . . . . B . . . . .
            1  . . . . F 3 . . . .
        """,
        "wings": """
            4  9 . . . . . . . M 2
            3  . . . . . . . . S .
            2  . . . B . . . . . .
            1  2 . . F 3 . . . . .
        """,
    },
    "duel": {
        "corner": """
            4  . M . . . 2 . . 9 .
            3  . S . . . . . . . 2
            2  B . . . 3 . . . . .
            1  F B . . . . . . 3 .
        """,
        "middle": """
            4  2 . . . 9 M . . . 2
            3  . . . . . S . . . .
            2  . . . B . . . 3 . .
            1  . . B F 3 . . . . .
        """,
        "wings": """
            4  9 . . . . . . . 3 M
            3  2 . . . . . . . S .
            2  . . . . . . . B . .
            1  . 2 . . . . 3 F B .
        """,
    },
}


def armies_with(name: str) -> tuple[str, ...]:
    """The armies, by name, that have a template of this name."""
    return tuple(army for army, diagrams in _DIAGRAMS.items() if name in diagrams)


@lru_cache(maxsize=len(ARMIES))
def templates(army: Army) -> Mapping[str, Setup]:
    """The named set-ups of this army, in the order to offer them; none for an army of a player's own."""
    diagrams = _DIAGRAMS.get(army.text, {})
    return MappingProxyType({name: read(diagram, army)[0] for name, diagram in diagrams.items()})
