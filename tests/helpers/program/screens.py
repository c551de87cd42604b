"""Whole screens as rows of cells, without a terminal, and what holds for every one of them."""

from __future__ import annotations

from dataclasses import replace

from cli.games.interface import Board, GameTerminal, ViewContext
from cli.screen.match.renderer import draw
from cli.table.scene import keybar
from cli.table.scene.keybar import Situation
from cli.table.scene.scene import KeyHint, Scene
from cli.table.words.commands import Order
from cli.text.layout import Line, styled, width, words
from p2p_stratego.core.game import Commit

SIZES = [(80, 24), (81, 25), (100, 30), (120, 24), (140, 45), (200, 60), (80, 60)]
"""Columns and rows of screens on which everything is tried."""


def keys(terminal: GameTerminal, *, asked: bool = True, typed: bool = False) -> tuple[KeyHint, ...]:
    """The keys at the foot of a screen on which a player plays."""
    pages = {Order.LOOKED: terminal.alone, Order.RECORDS: terminal.records, Order.MANIFEST: terminal.manifest}
    return keybar.keys(
        Situation(
            asked=asked,
            points=asked and terminal.pointer is not None,
            offered=asked,
            typed=typed,
            notes=True,
            coach=True,
            pages=frozenset(order for order, part in pages.items() if part is not None),
        )
    )


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


def assert_news_leave_the_board(of: Scene, lost: int = 0) -> None:
    """Three events of two rows and a warning of three cost the smallest screen at most `lost` rows at the far
    edge of its board, while the newest event, the warning's beginning and the question can be read.
    """
    assert of.context is not None
    long = "It takes a second row of the screen, as many events do. " * 2
    warning = (
        "Dan is away: wait, leave (all is saved), or claim in 2:54. " + "Only the relay leads there. " * 6
    )
    wide, high = of.terminal.board.LEAST
    board = [words(line) for line in of.terminal.board.draw(of.context, wide, high)]
    laying = isinstance(of.context.view.decision, Commit)
    kept = board[lost:] if laying else board[: high - lost]
    for own in (False, True):
        events = [(False, f"Event {number}. {long}") for number in range(3)]
        shown = [words(line) for line in rows(replace(of, news=events, own=own, alert=("warn", warning)))]
        assert len(shown) == 24
        beside = [line[:wide] for line in shown]
        assert any(beside[top : top + len(kept)] == kept for top in range(1, 2 + lost))
        joined = " ".join(" ".join(shown).split())
        for part in ("▶ Event 2.", "⚠ Dan is away: wait, leave", of.question):
            assert part in joined, part
