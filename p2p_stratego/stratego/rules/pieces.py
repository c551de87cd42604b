"""The pieces of Stratego as tables: ranks, names, who moves, and who survives an attack.

This module only holds tables; the rules look up in them how a piece moves and which pieces it beats.
Source: the rule text's chapters on ranks and attacking.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from p2p_stratego.core.game import Face, Seat

RED: Final[Seat] = 0
BLUE: Final[Seat] = 1
SEATS: Final = (RED, BLUE)
SEAT_NAMES: Final = ("red", "blue")

FLAG, SPY, SCOUT, MINER, SERGEANT, LIEUTENANT, CAPTAIN, MAJOR, COLONEL, GENERAL, MARSHAL, BOMB = range(12)
FACES: Final[tuple[Face, ...]] = tuple(range(12))
"""Every face that a piece can show; 1 to 10 are the ranks printed on the pieces."""


class Piece(NamedTuple):
    """The printed name of a piece, and how it moves."""

    name: str
    """Lower case, as in scenarios, armies and records."""
    letter: str
    """One character for diagrams."""
    reach: int
    """0: never moves; 1: a square at a time; 2: any number of free squares along a line."""


PIECES: Final[tuple[Piece, ...]] = (
    Piece("flag", "F", 0),
    Piece("spy", "S", 1),
    Piece("scout", "2", 2),
    Piece("miner", "3", 1),
    Piece("sergeant", "4", 1),
    Piece("lieutenant", "5", 1),
    Piece("captain", "6", 1),
    Piece("major", "7", 1),
    Piece("colonel", "8", 1),
    Piece("general", "9", 1),
    Piece("marshal", "M", 1),
    Piece("bomb", "B", 0),
)
"""By face."""

NAMES: Final[tuple[str, ...]] = tuple(piece.name for piece in PIECES)
FACE_NAMED: Final[dict[str, Face]] = {name: face for face, name in enumerate(NAMES)}
IMMOBILE: Final[frozenset[Face]] = frozenset(face for face in FACES if not PIECES[face].reach)
MOBILE: Final[frozenset[Face]] = frozenset(FACES) - IMMOBILE
SCOUTS: Final[frozenset[Face]] = frozenset((SCOUT,))
NO_SCOUT: Final[frozenset[Face]] = frozenset(FACES) - SCOUTS

Fight: TypeAlias = Literal["won", "lost", "both", "flag"]
"""The result of an attack: the attacker takes the square; it falls; both fall; it takes the flag."""


def _fight(attacker: Face, defender: Face) -> Fight:
    if defender == FLAG:
        return "flag"
    if attacker == defender:
        return "both"
    if defender == BOMB:
        return "won" if attacker == MINER else "lost"
    if (attacker, defender) == (SPY, MARSHAL):
        return "won"
    return "won" if attacker > defender else "lost"


FIGHTS: Final[tuple[tuple[Fight, ...], ...]] = tuple(
    tuple(_fight(attacker, defender) for defender in FACES) for attacker in FACES
)
"""FIGHTS[attacker][defender]; the rows of flag and bomb are meaningless, for they never attack."""
