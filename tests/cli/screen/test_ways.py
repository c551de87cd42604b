"""Screens of two to five seats that tell by which way each is reached, and what is being tried."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from cli.screen.match.renderer import draw
from cli.table.scene.scene import Scene
from cli.table.words.other_players import Fellow, summary
from cli.text.layout import width, words
from tests.golden.screens import assert_as_it_was
from tests.helpers.program.terminal import displayed
from tests.helpers.spies.moments import context
from tests.helpers.spies.scene import golden, scene

TRYING = ("trying direct", "↑")
FELLOWS = (
    Fellow(1, "Boris", "blue", "direct", rtt=0.061, via="relay", doing=TRYING),
    Fellow(2, "Chen", "green", "away", seconds=125, doing=("calling 3 addresses", "calling"), owes=True),
    Fellow(3, "Dana", "gold", "direct", rtt=0.0034, via="nearby"),
    Fellow(4, "Bartholomew Fitzgerald", "pink", "direct", rtt=0.41, via="proxy", doing=TRYING),
)


def shown(seats: int) -> Scene:
    usual = scene(context(golden()[0]))
    if seats == 2:
        return replace(usual, fellows=(), link=("good", "relay 61 ms"), doing=TRYING)
    others = FELLOWS[: seats - 1]
    return replace(usual, fellows=others, link=summary(others), doing=FELLOWS[1].doing)


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("seats", range(2, 6))
def test_a_screen_looks_as_it_did(seats: int, ascii_only: bool) -> None:
    name = f"ways-{seats}-80x24{'-ascii' * ascii_only}"
    screen = displayed(shown(seats), ascii_only=ascii_only)
    assert_as_it_was(name, screen)
    assert screen.isascii() or not ascii_only


@pytest.mark.parametrize("columns", [80, 100, 120, 200])
@pytest.mark.parametrize("seats", range(2, 6))
def test_the_way_of_each_seat_is_told_at_every_size(seats: int, columns: int) -> None:
    screen = draw(shown(seats), columns, 24 if columns < 100 else 40)
    assert {width(line) for line in (*screen.above, *screen.below)} == {columns}
    lines = [words(line) for line in screen.above]
    way_of = partial(_told, lines)
    if seats == 2:
        assert "relay 61 ms, trying direct" in lines[0]
        return
    assert "Chen away 2:05, calling 3 addresses" in lines[0]
    assert way_of("Boris").startswith("relay 61 ms")
    assert way_of("Chen").startswith("away 2:05")
    if seats > 3:
        assert way_of("Dana") == "nearby 3 ms"


def _told(lines: list[str], name: str) -> str:
    """What the panel says behind a name."""
    row = next(line for line in lines[1:] if f"│ {name} " in line or f"│▶{name} " in line)
    return row.partition(name)[2].partition("│")[0].strip()
