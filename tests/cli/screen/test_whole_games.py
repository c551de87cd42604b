"""Results are told whole at the smallest screen, through whole games."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from cli.screen.match.renderer import draw
from cli.table.scene import presentation
from cli.table.scene.scene import Scene
from cli.table.seat.controller import TableController
from cli.text.layout import words
from p2p_stratego.core.game import Commit
from p2p_stratego.registry import make_bot
from tests.helpers.links.ends import Ends

NAMES = ("Anna-Theodora Sokolowska", "B" * 24)
"""As long as names may be."""
GAME = "spies-and-lies"


def assert_told_whole(table: TableController) -> None:
    """All that happened since the player's own decision stands above the question, whole."""
    of = presentation.scene(table)
    screen = draw(of, 80, 24)
    lines = screen.news
    shown = " ".join(" ".join(map(words, lines)).split())
    for _, sentence in of.news if of.own else of.news[-1:]:
        assert sentence in shown
    assert " …" not in shown
    assert of.question in shown
    if table.session.decision is not None and isinstance(table.session.decision, Commit):
        assert any(re.match(r" ?Hand", words(line)) for line in lines), lines
        assert of.how in shown
    if screen.covered:
        assert_whole_board(of)


def assert_whole_board(of: Scene) -> None:
    """Once the news were read, both sides and the hand can be seen, and how the newest event begins."""
    assert of.context is not None
    read = draw(replace(of, read=True), 80, 24)
    assert not read.covered
    wide, high = of.terminal.board.LEAST
    board = of.terminal.board.draw(of.context, wide, high)
    assert [words(line)[:wide] for line in read.table] == [words(line) for line in board]
    assert words(read.news[0]).startswith(" Hand")
    shown = " ".join(" ".join(map(words, read.news)).split())
    assert of.news[-1][1][:60] in shown
    assert of.question in shown


@pytest.mark.parametrize("seed", [*range(8), 27])
def test_every_result_of_a_game_is_whole_at_80_by_24(tmp_path: Path, seed: int) -> None:
    """The last sentences of long chains of points were cut, at the end of a game the decisive one.

    Of the first 30 games, 27 alone needs every row that the board gives up for a result.
    """
    ends = Ends(tmp_path, f"whole {seed}", NAMES)
    table = ends.table(0)
    bots = [make_bot(GAME, ("agent", "recruit")[(seed + at) % 2], random.Random(seed + at)) for at in (0, 1)]
    ends.connect()
    while not all(replica.finished for replica in ends.replicas):
        for seat, replica in enumerate(ends.replicas):
            if replica.session.decision is not None:
                decided = bots[seat].decide(replica.session.view)
                (replica.decide if seat else table.decide)(decided)
                ends.pump()
                table.refresh()
                assert_told_whole(table)
    assert table.ended
    assert_told_whole(table)
    ends.close()
