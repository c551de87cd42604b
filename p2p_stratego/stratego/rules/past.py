"""The boards that the pursuit rule may still ask for, as an immutable sequence.

A chase can last for 100,000 moves, and each state holds the boards of its chase.  So a sequence shares all
but its newest boards with the one that it grew from, and finds a board in tables, not one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from p2p_stratego.stratego.rules.cells import Board

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
