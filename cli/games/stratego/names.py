"""Short words of Stratego for pieces and squares; the game's narration tells its events."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from cli.games.placing import NOTHING
from cli.games.typed_names import begins
from p2p_stratego.core.game import Face
from p2p_stratego.core.language import _, accented, mark_each, once_a_language
from p2p_stratego.stratego.formats import narration
from p2p_stratego.stratego.rules.armies import ORDER
from p2p_stratego.stratego.rules.board import NAMES, SQUARE_NAMED, Square
from p2p_stratego.stratego.rules.pieces import FACE_NAMED, PIECES

LETTERS: Final = tuple(facts.letter for facts in PIECES)
"""By face, the character of a piece everywhere: F S 2 3 4 5 6 7 8 9 M B."""
SHORT: Final = mark_each("Flg, Spy, Sct, Min, Sgt, Lt, Cpt, Maj, Col, Gen, Mar, Bmb")
"""By face, the name on a piece of the board, in at most three cells."""
_NUMBERS: Final = {"1": "spy", "10": "marshal", "0": "marshal"}
FACE_OF: Final[dict[str, Face]] = {
    **FACE_NAMED,
    **{short.lower(): face for face, short in enumerate(SHORT)},
    **{letter.lower(): face for face, letter in enumerate(LETTERS)},
    **{sign: FACE_NAMED[name] for sign, name in _NUMBERS.items()},
}
"""By name, short name, letter or number, all in lower case."""
SQUARE: Final = r"[a-j](?:10|[1-9])(?![0-9])"
"""A square's name, as a regular expression."""
_SQUARE: Final = re.compile(SQUARE)


@accented()
@once_a_language
def names() -> dict[str, tuple[str, ...]]:
    """Each piece's names as they are shown, by every word that is read as a piece."""
    by_word: dict[str, tuple[str, ...]] = dict.fromkeys((*FACE_OF, *NOTHING), ())
    for name, face in FACE_NAMED.items():
        by_word[name] = (narration.named(face), narration.called(face), short(face))
    return by_word


def squares_in(text: str) -> list[str]:
    """The names of all squares that stand in a text, in order."""
    return _SQUARE.findall(text.lower())


def named_squares(text: str) -> list[Square]:
    """The squares that a text begins with, at most two: "a4", "a4 a", "a4-a5"."""
    return [SQUARE_NAMED[name] for name in squares_in(text)[:2]]


def square(at: Square) -> str:
    """The name of a square."""
    return NAMES[at]


def face_called(word: str) -> list[Face]:
    """The faces that a word can mean: a letter, a number, a short name, a name, or the beginning of one."""
    typed = word.lower()
    if typed in FACE_OF:
        return [FACE_OF[typed]]
    return [
        face for name, face in FACE_NAMED.items() if typed and begins((name, narration.named(face)), typed)
    ]


def names_piece(beginning: str) -> bool:
    """Whether a word for a piece, or for none, begins like this."""
    return any(begins((word, *shown), beginning) for word, shown in names().items())


def short(face: Face) -> str:
    """The name on a piece of the board, in at most three cells."""
    return _(SHORT[face])[:3]


def called(faces: Iterable[Face]) -> str:
    """Pieces by their names, the highest first: "captain, 2 scouts"."""
    count = Counter(faces)
    return ", ".join(narration.called(face, count[face]) for face in ORDER if count[face] > 0)


def grouped(faces: Iterable[Face]) -> str:
    """Pieces by their letters, the highest first, several of a kind as one: "M 8×2 B"."""
    count = Counter(faces)
    return " ".join(
        LETTERS[face] + (f"×{count[face]}" if count[face] > 1 else "") for face in ORDER if count[face] > 0
    )
