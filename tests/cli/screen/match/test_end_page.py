"""The page at the end of a match: beside the board where its commands fit there, else over it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cli.screen.match.renderer import draw
from cli.table.scene import presentation
from cli.table.words import pages
from cli.table.words.pages import EndFacts
from cli.text.layout import words
from tests.helpers.links.ends import Ends


@pytest.mark.parametrize("home", ["", " --home /home/anna/of/games/that/we/play"])
def test_no_command_of_the_end_is_cut_at_80_columns(tmp_path: Path, home: str) -> None:
    """A path that is broken in its middle cannot be copied."""
    ends = Ends(tmp_path)
    ends.connect()
    table = ends.table(0)
    table.refresh()
    replay, export = (
        f"p2p-stratego{home} {rest}" for rest in ("replay 5dc906f8", "export 5dc906f8 --html a.html")
    )
    page = pages.the_end(EndFacts("You lost", "complete: as audited", replay, export), "", 76, screen=True)
    drawn = draw(replace(presentation.scene(table), page=page), 80, 24)
    assert (drawn.page is None) == (not home), "a page that fits stands beside the board"
    lines = drawn.table if drawn.page is None else drawn.page.lines
    shown = "\n".join(map(words, lines))
    for word in f"{replay} {export}".split():
        assert word in shown
    ends.close()
