"""Whole screens as rows of cells, without a terminal, and what holds for every one of them."""

from __future__ import annotations

from cli.games.interface import Board, ViewContext
from cli.screen.renderer import draw
from cli.table.scene import Scene
from cli.text.layout import Line, styled, width, words

SIZES = [(80, 24), (81, 25), (100, 30), (120, 24), (140, 45), (200, 60), (80, 60)]
"""Columns and rows of screens on which everything is tried."""


def rows(of: Scene, columns: int = 80, height: int = 24, *, ascii_only: bool = False) -> list[Line]:
    """All rows of a screen, with the typed text in its place."""
    screen = draw(of, columns, height, ascii_only=ascii_only)
    entry = (*screen.prompt, *styled(of.typed))
    return [*screen.above, (*entry, ("", " " * (columns - width(entry)))), *screen.below]


def text(of: Scene, columns: int = 80, height: int = 24, *, ascii_only: bool = False) -> str:
    """The same as a text."""
    return "\n".join(words(line) for line in rows(of, columns, height, ascii_only=ascii_only))


def assert_every_line_fits(of: Scene, columns: int, height: int, *, ascii_only: bool) -> None:
    """The screen has exactly its cells, all of them ASCII where that is asked for."""
    lines = rows(of, columns, height, ascii_only=ascii_only)
    assert len(lines) == height
    assert [width(line) for line in lines] == [columns] * height
    assert not ascii_only or all(words(line).isascii() for line in lines)


def assert_makes_use(board: Board, context: ViewContext, columns: int, height: int) -> None:
    """The board takes no more than it is given, no less than its least, and draws what it takes."""
    wide, high = board.fitting(columns, height)
    assert board.LEAST[0] <= wide <= columns
    assert board.LEAST[1] <= high <= height
    assert [width(line) for line in board.draw(context, wide, high)] == [wide] * high
