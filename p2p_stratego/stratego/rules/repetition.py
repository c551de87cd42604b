"""The rules against repetition: two squares, the tournaments' addition for scouts, and pursuit.

All depend on public facts: the moves so far, and the visible board.  A Memory holds exactly the part of a
game's past that they need, so that equal memories mean equal futures.

The formal statement of the rules is in spec/stratego.md; the names a, b, c, d and n are used there too.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from p2p_stratego.core.game import Seat
from p2p_stratego.stratego.rules.board import NEIGHBOURS, Square, column_of, row_of
from p2p_stratego.stratego.rules.cells import EMPTY, OWNER, Board, Cell
from p2p_stratego.stratego.rules.past import NO_PAST, Past

Repetition: TypeAlias = Literal["two-squares", "scout-line", "pursuit"]
"""`scout-line`: the rule of tournaments for scouts alone, beyond two squares."""
Trail: TypeAlias = tuple[Square, ...]
"""Squares that one piece came by in its side's last moves without a move of another, oldest first; at most
4, empty before the side's first move."""

TRAIL: Final = 4


class Memory(NamedTuple):
    """The part of the past that the rules ask for; pairs are by seat."""

    trails: tuple[Trail, Trail]
    threats: tuple[int, int]
    """The counters of the pursuit rule, ≥ 0."""
    boards: Past
    """The boards before the present one that the pursuit rule may still ask for, oldest first."""


FRESH: Final = Memory(((), ()), (0, 0), NO_PAST)
"""Nothing has been moved yet."""


def is_next_to_enemy(board: Board, seat: Seat, square: Square) -> bool:
    """Whether a piece of the other seat stands next to `square`."""
    enemy = 1 - seat
    for neighbour in NEIGHBOURS[square]:  # noqa: SIM110  `any` with a generator takes three times as long
        if OWNER[board[neighbour]] == enemy:
            return True
    return False


def after(memory: Memory, seat: Seat, move: tuple[Square, Square], boards: tuple[Board, Board]) -> Memory:
    """The memory after a move from one square to another; `boards`: the boards before and after it."""
    source, target = move
    trail = memory.trails[seat]
    trail = (*trail[1 - TRAIL :], target) if trail and trail[-1] == source else move
    theirs = memory.trails[1 - seat]
    own, other = memory.threats[seat], 0
    if boards[0][target] != EMPTY:
        own = 0
    elif theirs and source in NEIGHBOURS[theirs[-1]]:
        other = memory.threats[1 - seat] + 1
    own = own + 1 if is_next_to_enemy(boards[1], seat, target) else 0
    past = memory.boards.then(boards[0], max(own, other) - 1)
    if seat:
        return Memory((theirs, trail), (other, own), past)
    return Memory((trail, theirs), (own, other), past)


def recoded(memory: Memory, before: Cell, now: Cell) -> Memory:
    """The same past, with the new cell of a piece that has moved or was opened.

    Otherwise a board could never come again just because a piece on it has become known.
    """
    if not memory.boards:
        return memory
    return memory._replace(boards=memory.boards.recoded(bytes((before,)), bytes((now,))))


def is_restricted(memory: Memory, seat: Seat) -> bool:
    """Whether any of the rules could forbid a move of `seat` now; mostly False."""
    return memory.threats[seat] > 1 or _zigzags(memory.trails[seat])


def repeats(  # noqa: PLR0913 - the past, the move, and the rule agreed on
    memory: Memory, seat: Seat, board: Board, source: Square, target: Square, *, tournament: bool
) -> Repetition | None:
    """The rule against repetition that a legal move breaks, or None; `tournament`: with `scout-line`."""
    trail = memory.trails[seat]
    if _zigzags(trail) and trail[-1] == source:
        if trail == (target, source, target, source):
            return "two-squares"
        if tournament and _passes_the_nearer_turn(trail, target):
            return "scout-line"
    if (
        memory.threats[seat] > 1
        and board[target] == EMPTY
        and _is_pursuit(memory, seat, board, source, target)
    ):
        return "pursuit"
    return None


def _zigzags(trail: Trail) -> bool:
    """Whether a piece has gone to and fro, the last time forth; if all on one line is not asked here."""
    if len(trail) < TRAIL:
        return False
    d, c, b, a = trail
    return d < c > b < a > d or d > c < b > a < d


def _passes_the_nearer_turn(trail: Trail, n: Square) -> bool:
    """The tournaments' rule for a trail that zigzags: n may not lie beyond the nearer of a and c."""
    _, c, b, a = trail
    beyond = n < min(a, c) if b < a else n > max(a, c)
    # Squares are counted along a row and along a column alike, so only the line is left to ask for.
    squares = (*trail, n)
    return beyond and any(len({line(square) for square in squares}) == 1 for line in (row_of, column_of))


def _is_pursuit(memory: Memory, seat: Seat, board: Board, source: Square, target: Square) -> bool:
    trail = memory.trails[seat]
    if trail[-1] == source and trail[-2] == target:  # straight back to the square just left
        return False
    if not is_next_to_enemy(board, seat, target):
        return False
    then = bytearray(board)
    then[source], then[target] = EMPTY, board[source]
    return memory.boards.holds(bytes(then), memory.threats[seat] - 1)
