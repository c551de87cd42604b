"""Whole screens of SPIES!: as they were, and everything essential at the smallest one, also in ASCII."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from cli.games.interface import ViewContext
from cli.games.spies import board, questions
from cli.games.spies.terminal import TERMINAL
from cli.screen.renderer import draw
from cli.table.pages import guide
from cli.text.layout import width, words
from p2p_stratego.core.game import Choose
from p2p_stratego.core.view import View
from p2p_stratego.spies.rules.state import State
from tests.golden.screens import assert_as_it_was
from tests.helpers.spies.moments import context
from tests.helpers.spies.scene import golden, scene
from tests.helpers.terminal import displayed


def first(what: str, wanted: Callable[[View[State]], bool] = lambda _: True) -> ViewContext:
    """The first moment of the golden game that asks for this."""
    return context(next(view for view in golden() if questions.kind(view) == what and wanted(view)))


MOMENTS = {
    "secret": lambda: first("secret", lambda view: view.state.power == 1),
    "police": lambda: first("police"),
    "turn": lambda: first("turn", lambda view: view.state.year == 1934 and view.state.ap < 9),
    "answer": lambda: first("answer"),
    "end": lambda: context(golden()[-1]),
}
GOLDENS = {
    "spies-secret-80x24": ("secret", "", "rome", 80, 24, False),
    "spies-police-80x24": ("police", "berlin 4 1 hamburg ", "", 80, 24, False),
    "spies-turn-80x24": ("turn", "SPY", "", 80, 24, False),
    "spies-turn-80x24-ascii": ("turn", "SPY", "", 80, 24, True),
    "spies-turn-120x40": ("turn", "SPY", "", 120, 40, False),
    "spies-answer-80x24": ("answer", "", "", 80, 24, False),
    "spies-answer-120x40-ascii": ("answer", "", "", 120, 40, True),
    "spies-end-120x40": ("end", "", "", 120, 40, False),
}


def shown(name: str) -> tuple[ViewContext, str, str]:
    moment, typed, cursor, *_ = GOLDENS[name]
    of = MOMENTS[moment]()
    if typed == "SPY":
        assert isinstance(of.view.decision, Choose)
        typed = next(
            word.split()[1] for word in map(str, of.view.decision.options) if word.startswith("move")
        )
    return of, typed, cursor


@pytest.mark.parametrize("name", GOLDENS)
def test_a_screen_looks_as_it_did(name: str) -> None:
    *_, columns, rows, ascii_only = GOLDENS[name]
    assert_as_it_was(name, displayed(scene(*shown(name)), columns, rows, ascii_only=ascii_only))


@pytest.mark.parametrize("name", GOLDENS)
def test_every_row_has_the_width_of_the_screen(name: str) -> None:
    *_, columns, rows, ascii_only = GOLDENS[name]
    screen = draw(scene(*shown(name)), columns, rows, ascii_only=ascii_only)
    assert {width(line) for line in (*screen.above, *screen.below)} == {columns}
    assert len(screen.above) + 1 + len(screen.below) == rows


def test_the_smallest_screen_shows_the_whole_map_the_question_and_all_powers() -> None:
    for what in ("secret", "police", "turn", "answer"):
        of = scene(MOMENTS[what]())
        screen = draw(of, 80, 24)
        text = "\n".join(words(line) for line in screen.above)
        lines = " ".join(text.split())
        for city in ("osl", "ale", "lis", "mos"):
            assert city in text.lower()
        assert of.question in " ".join("\n".join(words(line) for line in screen.said).split()), lines
        for name in ("Germany", "Italy", "Russia", "France", "Britain"):
            assert name in text
    assert board.LEAST[1] == 14


def test_headings_of_panels_are_whole_at_each_size() -> None:
    for columns, rows in ((80, 24), (100, 30), (120, 40), (140, 45), (200, 60)):
        screen = draw(scene(MOMENTS["turn"]()), columns, rows)
        lines = [words(line) for line in screen.table]
        parts = [part for line in lines for part in line.split("│") if part.startswith("─ ")]
        assert any(part.startswith("─ Powers ─") for part in parts)
        assert all(re.match(r"─ \S.*? ─", part) for part in parts), parts


def test_who_runs_a_power_its_money_and_chits_are_there_at_both_sizes() -> None:
    of = MOMENTS["turn"]()
    state = of.view.state
    for columns, rows in ((80, 24), (120, 40)):
        text = "\n".join(words(line) for line in draw(scene(of), columns, rows).table)
        for power, name in enumerate(("Germany", "Italy", "Russia", "France", "Britain")):
            row = next(line for line in text.split("\n") if f" {name}" in line)
            assert f"£{state.money[power]} {len(state.hands[power])}c" in row
            assert ("you" in row) == (state.runs[power] == of.view.seat)


def test_help_names_every_sign_and_the_keys_of_its_pages() -> None:
    told = "\n".join(words(line) for line in guide(72, TERMINAL, screen=True).lines)
    for sign, _ in board.SIGNS:
        assert sign.strip() in told
    assert "F7, F8, F9" in told
    assert "records" in told


@pytest.mark.parametrize(("columns", "rows"), [(120, 40), (130, 40), (144, 40), (200, 60)])
def test_the_big_map_is_shown_wherever_there_is_room_for_it(columns: int, rows: int) -> None:
    news = [(False, f"Something happened in {city}.") for city in range(8)]
    for of in (scene(MOMENTS["turn"]()), replace(scene(MOMENTS["turn"]()), told=news, own=True)):
        screen = draw(of, columns, rows)
        assert "Stalngrd" in "\n".join(words(line) for line in screen.table)
        assert of.question in "\n".join(words(line) for line in screen.said)
