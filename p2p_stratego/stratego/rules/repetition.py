"""The rules against repetition: two squares, the tournaments' addition for scouts, and pursuit.

All depend on public facts: the moves so far, and the visible board.  A Memory holds exactly the part of a
game's past that they need, so that equal memories mean equal futures.

The formal statement of the rules is in spec/stratego.md; the names a, b, c, d and n are used there too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from p2p_stratego.core.game import Seat
from p2p_stratego.stratego.rules.board import NEIGHBOURS, Square, column_of, row_of
from p2p_stratego.stratego.rules.cells import EMPTY, OWNER, Board, Cell

_NEWEST: Final = 32
"""Boards that are copied from sequence to sequence; then they become a block, which is shared."""
_MERGED: Final = 16
"""Blocks of one size that become one, so that even the longest chase has fewer than 60."""


class _Block:
    """Boards in a row, oldest first, and where each stands in it for the last time."""

    __slots__ = ("boards", "last")

    def __init__(self, boards: tuple[Board, ...]) -> None:
        self.boards = boards
        self.last = {board: at for at, board in enumerate(boards)}

    def __reduce__(self) -> tuple[type[_Block], tuple[tuple[Board, ...]]]:
        return _Block, (self.boards,)  # the other process works `last` out anew


@dataclass(frozen=True, slots=True, eq=False)
class Past:
    """Boards, oldest first; all operations leave this one as it is."""

    _blocks: tuple[_Block, ...] = ()
    _newest: tuple[Board, ...] = ()
    _length: int = 0
    """The first block may begin with boards that no longer count; this many, from the end, do."""

    def then(self, board: Board, most: int) -> Past:
        """This and one more board, as far as the last `most` of them."""
        if most <= 0:
            return NO_PAST
        blocks, newest = self._blocks, (*self._newest, board)
        if len(newest) == _NEWEST:
            blocks, newest = _with_block(blocks, _Block(newest)), ()
        length = min(self._length + 1, most)
        if length <= self._length:
            blocks, newest = _recent(blocks, newest, length)
        return Past(blocks, newest, length)

    def recoded(self, old: bytes, new: bytes) -> Past:
        """The same boards with the cell `old` replaced by `new`; both are one byte."""
        return past_of(board.replace(old, new) for board in self)

    def holds(self, board: Board, last: int) -> bool:
        """Whether `board` is among the last `last` boards, 0 or more."""
        last = min(last, self._length)
        newest = self._newest
        if board in newest[max(0, len(newest) - last) :]:
            return True
        left = last - len(newest)
        for block in reversed(self._blocks):
            if left <= 0:
                return False
            size = len(block.boards)
            at = block.last.get(board)
            if at is not None:
                return at >= size - left
            left -= size
        return False

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Board]:
        skipped = sum(len(block.boards) for block in self._blocks) + len(self._newest) - self._length
        for block in self._blocks:
            yield from block.boards[skipped:]
            skipped = 0
        yield from self._newest

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Past):
            return NotImplemented
        return self is other or (self._length == other._length and tuple(self) == tuple(other))

    def __hash__(self) -> int:
        return self._length  # enough for a table: hashing all boards would cost more than it saves


NO_PAST: Final = Past()


def past_of(boards: Iterable[Board]) -> Past:
    """All of `boards`, oldest first."""
    blocks: tuple[_Block, ...] = ()
    newest: list[Board] = []
    length = 0
    for board in boards:
        length += 1
        newest.append(board)
        if len(newest) == _NEWEST:
            blocks = _with_block(blocks, _Block(tuple(newest)))
            newest.clear()
    return Past(blocks, tuple(newest), length)


def _with_block(blocks: tuple[_Block, ...], block: _Block) -> tuple[_Block, ...]:
    """`blocks` and one more, equal ones merged."""
    blocks = (*blocks, block)
    # As the digits of a number grow: sixteen equal blocks become one, which may be the sixteenth of its size.
    while len(blocks) >= _MERGED and len(blocks[-_MERGED].boards) == len(blocks[-1].boards):
        row = tuple(board for earlier in blocks[-_MERGED:] for board in earlier.boards)
        blocks = (*blocks[:-_MERGED], _Block(row))
    return blocks


def _recent(
    blocks: tuple[_Block, ...], newest: tuple[Board, ...], length: int
) -> tuple[tuple[_Block, ...], tuple[Board, ...]]:
    """The blocks that hold the last `length` boards."""
    if length <= len(newest):
        return (), newest[len(newest) - length :]
    left, first = length - len(newest), len(blocks)
    while left > 0:
        first -= 1
        left -= len(blocks[first].boards)
    return blocks[first:], newest


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
