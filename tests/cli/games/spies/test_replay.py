"""A match of SPIES! afterwards: the key that opens all shows it on each map, or says that it cannot."""

from __future__ import annotations

import pytest

from cli.games.spies.map import board
from cli.reports.history import Step, Story
from cli.screen.replay.replay import screen
from cli.studies.playback import Replay
from cli.text.layout import words
from tests.helpers.spies.scene import golden

EARLY = next(view.state for view in golden() if view.state.phase == "tile")
LAST = golden()[-1]
PART = {secret.slot: LAST.known[secret.slot] for secret in LAST.state.secrets if secret.slot in LAST.known}


def shown(place: Replay, columns: int, rows: int) -> tuple[str, str]:
    """The board, and the row of keys."""
    *lines, keys = (words(line) for line in screen(place, columns, rows))
    return "\n".join(lines), keys


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40), (200, 60)])
def test_opening_all_changes_the_map_of_each_size_and_the_keys_tell_it(columns: int, rows: int) -> None:
    steps = Step(1, EARLY, (), 1, {}), Step(2, LAST.state, (), 1, PART)
    closed = Replay(Story("spies", ("Anna", "Boris", "Chen"), steps, "Over."))
    opened = closed.go("open")
    before, after = shown(closed, columns, rows), shown(opened, columns, rows)
    assert board.SECRET in before[0]
    assert before[0].count(board.SECRET) > after[0].count(board.SECRET)
    assert "o open" in before[1]
    assert "o close" in after[1]
    assert " o " not in shown(opened.go("last"), columns, rows)[1]
    assert "is open" in shown(closed.go("last").go("open"), columns, rows)[1]


def test_a_step_of_which_nothing_was_opened_later_offers_no_key_for_it() -> None:
    steps = Step(1, EARLY, (), 1, {}), Step(2, LAST.state, (), 1, {-1: 1})
    story = Story("spies", ("Anna", "Boris", "Chen"), steps, "Over.")
    for place in (Replay(story), Replay(story, open=True)):
        assert " o " not in shown(place, 80, 24)[1]
