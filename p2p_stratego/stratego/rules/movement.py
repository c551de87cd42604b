"""The moves of pieces: which moves are legal, and why others are not.

How far a piece may go depends on its face, which may be hidden.  So each function takes a `reach`, a table
by cell: from public facts, from possibilities, or from the owner's knowledge.

The rules cannot judge a player's claim about its closed pieces, for they see none.  They only state which
slots would have to show which faces.  Opening those slots settles it, at the end of the match at the
latest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import compress
from typing import Final, Literal, TypeAlias

from p2p_stratego.core.game import Claim, Face, Move, Seat, Slot
from p2p_stratego.stratego.rules.board import EAST, SQUARES, WEST, Square, way
from p2p_stratego.stratego.rules.board import LINES as LINES_OF
from p2p_stratego.stratego.rules.cells import (
    CRATER,
    EMPTY,
    MOVED,
    OPEN,
    OWNER,
    RUNS,
    SLOT,
    SLOTS,
    STEPS,
    TARGETS,
    UNMOVED,
    reach_of,
    reach_table,
)
from p2p_stratego.stratego.rules.notation import FAR, NEAR, squares
from p2p_stratego.stratego.rules.notation import STEPS as LINES
from p2p_stratego.stratego.rules.pieces import IMMOBILE, MOBILE, NO_SCOUT, SEATS
from p2p_stratego.stratego.rules.repetition import Repetition, is_restricted, repeats
from p2p_stratego.stratego.rules.state import State

Reach: TypeAlias = bytes
"""By cell, 256: how far the mover's pieces go, 0, STEPS or RUNS; 0 for everything else."""

Rule: TypeAlias = Literal[
    "false-claim", "not-yours", "bomb-or-flag", "crater", "too-far", "blocked", Repetition
]
"""Why a move is illegal."""

_TABLES: Final = tuple(
    {
        (unmoved, moved): reach_table(seat, unmoved, moved)
        for unmoved in (0, STEPS, RUNS)
        for moved in (0, STEPS, RUNS)
    }
    for seat in SEATS
)


_BYTES: Final = len(SQUARES)
_NOT_EAST: Final = int.from_bytes(bytes(LINES_OF[square][EAST] != () for square in SQUARES), "little")
_NOT_WEST: Final = int.from_bytes(bytes(2 * (LINES_OF[square][WEST] != ()) for square in SQUARES), "little")
"""The squares with a neighbour to the east, and to the west, in the bit of that side."""


def possible_reach(state: State, seat: Seat) -> Reach:
    """How far the pieces of `seat` could go, by public information."""
    moved = RUNS if state.has_scouts(seat) else STEPS
    unmoved = moved if state.unmoved[seat] > state.still_hidden(seat) else 0
    return _TABLES[seat][unmoved, moved]


def certain_reach(state: State, seat: Seat) -> Reach:
    """How far they can certainly go, by public information, if their owner is honest."""
    return _TABLES[seat][0 if state.still_hidden(seat) else STEPS, STEPS]


def closed_reach(seat: Seat, far: int) -> Reach:
    """The reach if every closed piece of `seat` goes `far`: 0, STEPS or RUNS."""
    return _TABLES[seat][far, far]


def own_reach(seat: Seat, known: Mapping[Slot, Face], others: Reach | None = None) -> Reach:
    """How far they can go by the knowledge of their owner, who can read its own slots.

    `others`: the reach of unknown slots; by default they cannot move.
    """
    reach = bytearray(others or closed_reach(seat, 0))
    for slot in range(seat * SLOTS, seat * SLOTS + SLOTS):
        if slot in known:
            reach[UNMOVED + slot] = reach[MOVED + slot] = reach_of(known[slot])
    return bytes(reach)


def illegal(state: State, move: Move, reach: Reach) -> Rule | None:
    """The first rule that this move from square to square breaks, in the order of spec/stratego.md.

    `move` is any two squares; it must not be "none".
    """
    line = LINES.get(move)
    if line is None:
        ends = squares(move)
        if ends is None:
            raise ValueError(f"{move!a} is no move")
        source, target = ends
        between = way(source, target)
    else:
        source, target, between = line
    board, seat = state.board, state.seat
    if OWNER[board[source]] != seat:
        return "not-yours"
    far = reach[board[source]]
    if not far:
        return "bomb-or-flag"
    if board[target] == CRATER:
        return "crater"
    if between is None or (between and far < RUNS):
        return "too-far"
    for square in between:
        if board[square] != EMPTY:
            return "crater" if board[square] == CRATER else "blocked"
    if OWNER[board[target]] == seat:
        return "blocked"
    return _repetition(state, source, target)


def _repetition(state: State, source: Square, target: Square) -> Repetition | None:
    return repeats(state.memory, state.seat, state.board, source, target, tournament=state.tournament)


def _open_sides(state: State, kinds: bytes) -> int:
    """By square, eight bits each: the Sides to which the piece there could go one square.

    `kinds`: the reach of the piece on each square.  One long number holds all squares at once.
    """
    free = int.from_bytes(state.board.translate(TARGETS[state.seat]), "little")
    # The byte of the next square comes to this one (8 bits from the east or west, a row, 80, from the north
    # or south), and its bit 0 to the bit of that side: 0 east, 1 west, 2 north, 3 south.
    sides = free >> 8 & _NOT_EAST | free << 9 & _NOT_WEST | free >> 78 | free << 83
    return sides & int.from_bytes(kinds, "little")


def legal(state: State, reach: Reach) -> list[Move]:
    """Every legal move of the seat whose turn it is, from square to square; no "none"."""
    board, seat = state.board, state.seat
    kinds = board.translate(reach)
    sides = _open_sides(state, kinds).to_bytes(_BYTES, "little")
    moves: list[Move] = []
    for square in compress(SQUARES, sides):
        moves += NEAR[square][sides[square]]
    square = kinds.find(RUNS)
    while square >= 0:
        for first, beyond in FAR[square][sides[square]]:
            if board[first] == EMPTY:
                for target, move in beyond:
                    if board[target] == EMPTY:
                        moves.append(move)
                        continue
                    if OWNER[board[target]] != seat:
                        moves.append(move)
                    break
        square = kinds.find(RUNS, square + 1)
    if is_restricted(state.memory, seat):
        return [move for move in moves if _repetition(state, *LINES[move][:2]) is None]
    return moves


def can_move(state: State, reach: Reach) -> bool:
    """Whether there is any legal move."""
    if is_restricted(state.memory, state.seat):
        return bool(legal(state, reach))
    # A piece that cannot go one square cannot go two.
    return _open_sides(state, state.board.translate(reach)) != 0


def movers(state: State, reach: Reach) -> dict[Square, list[Move]]:
    """The legal moves by the square that they start from."""
    by_square: dict[Square, list[Move]] = {}
    for move in legal(state, reach):
        by_square.setdefault(LINES[move][0], []).append(move)
    return by_square


WALKED: Final = "bomb-or-flag-moved"
RAN: Final = "ran-but-no-scout"
FALSE_NONE: Final = "false-no-move"
WRONG_ARMY: Final = "wrong-faces"
"""The rules that only hidden faces can break, by their names in a Breach."""


def walks(seat: int, slot: Slot) -> Claim:
    """A closed piece moves for the first time, so it is neither bomb nor flag."""
    return Claim(seat, WALKED, (slot,), MOBILE)


def _closed_movers(state: State, far: int) -> list[Square]:
    """The closed pieces of the seat whose turn it is that could move if all of them had this reach."""
    mobile = movers(state, closed_reach(state.seat, far))
    return [square for square in mobile if state.board[square] < OPEN]


def surely_can_move(state: State) -> bool:
    """Whether everybody can see that the seat whose turn it is has a legal move, if it is honest."""
    if can_move(state, certain_reach(state, state.seat)):
        return True
    # Now no piece that ever moved can; of the others, those beyond the number of bombs and flags could.
    return len(_closed_movers(state, STEPS)) > state.still_hidden(state.seat)


def of_none(state: State) -> Iterator[Claim]:
    """The claims implied when the seat to move says that it cannot; never call it if `surely_can_move`."""
    near = _closed_movers(state, STEPS)
    far = [square for square in _closed_movers(state, RUNS) if square not in near]
    for places, faces in ((near, IMMOBILE), (far, NO_SCOUT)):
        slots = tuple(slot for square in places if (slot := SLOT[state.board[square]]) is not None)
        if slots:
            yield Claim(state.seat, FALSE_NONE, slots, faces)
