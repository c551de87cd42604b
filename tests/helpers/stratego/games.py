"""The recorded games for tests; they are read in place and never copied."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from p2p_stratego.core.game import Move, Seat
from p2p_stratego.stratego.rules.notation import move
from p2p_stratego.stratego.rules.pieces import FACES
from tests.helpers.stratego.walks import Pieces, setup_of

DATA: Final = Path(__file__).resolve().parents[4] / "shared" / "data" / "stratego"
needs_data: Final = pytest.mark.skipif(
    not DATA.is_dir(), reason="the recorded games are not here: they belong in ../shared/data/stratego"
)
RECORDED: Final = sorted((DATA / "games").glob("*.txt"))

_LETTERS: Final = ("MCDEFGHIJKLB", "YOPQRSTUVWXN")
"""By seat, then face."""
_MEANT: Final = {
    letter: (seat, face) for seat in (0, 1) for face, letter in zip(FACES, _LETTERS[seat], strict=True)
}


class Recorded(NamedTuple):
    """A recorded game: the pieces by square, and the moves."""

    pieces: Pieces
    moves: list[Move]

    @property
    def scenario(self) -> dict[str, Any]:
        options = {"shuttle": "tournament"}  # as the federation played them
        return {"game": "stratego", "options": options, "setup": setup_of(self.pieces), "moves": self.moves}


def load(path: Path) -> Recorded:
    """The game in a file."""
    first, *codes = path.read_text(encoding="ascii").split()
    pieces = {square: _MEANT[letter.upper()] for square, letter in enumerate(first) if letter not in "aA_"}
    return Recorded(pieces, [_decoded(int(code), ply % 2) for ply, code in enumerate(codes)])


def _decoded(code: int, seat: Seat) -> Move:
    """A move as its maker sees it: blue's board is turned round."""
    source, other = code % 100, code // 100
    row, column = divmod(source, 10)
    if other < 9:
        row_after, column_after = other + (other >= row), column
    else:
        row_after, column_after = row, other - 9 + (other - 9 >= column)
    ends = (source, row_after * 10 + column_after)
    return move(*(99 - end for end in ends)) if seat else move(*ends)
