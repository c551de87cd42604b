"""The pieces of Conquest Stratego as tables: faces, names, the army, and who survives an attack."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from p2p_stratego.core.game import Face

SEAT_NAMES: Final = ("red", "blue", "green", "yellow")
"""The colours, clockwise; fewer players are the first ones."""
SEAT_COUNTS: Final = (2, 3, 4)

CURSED, SPY, SCOUT, SORCERESS, BARON, KNIGHT, COUNT, DUKE, PRINCE, QUEEN, KING, FLAG = range(12)
FACES: Final[tuple[Face, ...]] = tuple(range(12))
"""Every face that a piece can show; 1 to 10 are the ranks."""


class Piece(NamedTuple):
    """A kind of piece."""

    name: str
    """Lower case, as in scenarios and in the Traitor's guess."""
    letter: str
    """One character for small drawings."""
    a_side: int


PIECES: Final[tuple[Piece, ...]] = (
    Piece("cursed", "X", 2),
    Piece("spy", "1", 1),
    Piece("scout", "2", 4),
    Piece("sorceress", "3", 3),
    Piece("baron", "4", 1),
    Piece("knight", "5", 1),
    Piece("count", "6", 1),
    Piece("duke", "7", 1),
    Piece("prince", "8", 1),
    Piece("queen", "9", 1),
    Piece("king", "K", 1),
    Piece("flag", "F", 1),
)
"""By face."""
NAMES: Final[tuple[str, ...]] = tuple(piece.name for piece in PIECES)
FACE_NAMED: Final[dict[str, Face]] = {name: face for face, name in enumerate(NAMES)}
A_SIDE: Final[tuple[int, ...]] = tuple(piece.a_side for piece in PIECES)
"""By face: how many of it a side has."""
ARMY: Final[tuple[Face, ...]] = tuple(
    face
    for face in (FLAG, KING, QUEEN, PRINCE, DUKE, COUNT, KNIGHT, BARON, SORCERESS, SCOUT, SPY, CURSED)
    for _ in range(A_SIDE[face])
)
"""One side's 18 pieces in the order of the rule page's table: a digit of the draw counts down this list."""
FIXED: Final[frozenset[Face]] = frozenset((FLAG, CURSED))
MOBILE: Final[frozenset[Face]] = frozenset(FACES) - FIXED

Faces: TypeAlias = int
"""A set of faces: bit f stands for face f."""
ANY: Final[Faces] = (1 << len(FACES)) - 1
FIXED_ONES: Final[Faces] = 1 << FLAG | 1 << CURSED
MOBILE_ONES: Final[Faces] = ANY & ~FIXED_ONES

Fight: TypeAlias = Literal["won", "lost", "both", "flag"]
"""The result of an attack: the attacker takes the zone; it falls; both fall; it captures the flag."""


def _fight(attacker: Face, defender: Face) -> Fight:
    if defender == FLAG:
        return "flag"
    if defender == CURSED:
        return "won" if attacker == SORCERESS else "lost"
    if attacker == SPY and defender == KING:
        return "won"
    if attacker == defender:
        return "both"
    return "won" if attacker > defender else "lost"


FIGHTS: Final[tuple[tuple[Fight, ...], ...]] = tuple(
    tuple(_fight(attacker, defender) for defender in FACES) for attacker in FACES
)
"""FIGHTS[attacker][defender]; the rows of fixed pieces are meaningless, for they never attack."""


def faces_in(of: Faces) -> frozenset[Face]:
    """The faces of a set."""
    return frozenset(face for face in FACES if of >> face & 1)
