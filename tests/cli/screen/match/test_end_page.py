"""The page at the end of a match: beside the board where its commands fit there, else over it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cli.table.scene import presentation
from cli.table.words import pages
from cli.table.words.pages import EndFacts
from tests.helpers.links.ends import Ends
from tests.helpers.program.screens import text


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
    shown = text(replace(presentation.scene(table), page=page), 80, 24)
    for word in f"{replay} {export}".split():
        assert word in shown
    assert ("1 ─" in shown) == (not home), "the board stands beside a page that fits"
    ends.close()
