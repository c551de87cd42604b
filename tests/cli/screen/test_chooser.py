"""The first screen: its looks at every size, and what keys and clicks choose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from prompt_toolkit.input import create_pipe_input

from cli.menu import line_menu, welcome
from cli.screen import chooser
from cli.screen.chooser import BACK, QUIT, ChoiceList, ChoiceRow, Chooser, choice_row, draw
from cli.studies.statistics.glicko import Rating
from cli.studies.statistics.ladder import Rung
from cli.text import portraits
from cli.text.layout import width, words
from p2p_stratego.registry import ENTRIES
from tests.golden.screens import assert_as_it_was
from tests.helpers.program.terminal import DOWN, ENTER, ESCAPE, LEFT, RIGHT, UP, Terminal

ROWS = (
    ChoiceRow("Continue", "Stratego with Anna: unfinished, your turn", "c"),
    ChoiceRow("Play a bot", "now, against the Agent or the Recruit", "b"),
    ChoiceRow("Learn", "", "l"),
    ChoiceRow(
        "Long", "A sentence about this choice that is too long to stand beside it in a narrow window.", "x"
    ),
    ChoiceRow("Quit", "", "q"),
)
TOP = ChoiceList(chooser.TITLE, ROWS)
MANY = ChoiceList("Which game?", [ChoiceRow(f"Game {number}") for number in range(40)], at=30, nested=True)
SIZES = [(80, 24), (81, 25), (100, 30), (120, 40), (140, 45), (200, 60), (40, 10), (20, 3), (10, 1)]


@pytest.mark.parametrize("listing", [TOP, MANY, ChoiceList("Nothing", ())])
@pytest.mark.parametrize(("columns", "height"), SIZES)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_line_fits_at_every_size(
    listing: ChoiceList, columns: int, height: int, ascii_only: bool
) -> None:
    lines = draw(listing, columns, height, ascii_only=ascii_only)
    assert [width(line) for line in lines] == [columns] * height
    assert not ascii_only or all(words(line).isascii() for line in lines)


@pytest.mark.parametrize(
    ("columns", "height", "ascii_only"), [(80, 24, False), (80, 24, True), (200, 60, False)]
)
def test_the_first_screen_looks_as_it_did(columns: int, height: int, ascii_only: bool) -> None:
    shown = "\n".join(map(words, draw(TOP, columns, height, ascii_only=ascii_only)))
    assert_as_it_was(f"first-{columns}x{height}{'-ascii' * ascii_only}", shown)


def test_a_larger_window_has_a_larger_picture_and_a_tiny_one_none() -> None:
    heights = [len(chooser.picture(*size)) for size in ((60, 20), (80, 6), (120, 20), (200, 40))]
    assert heights[0] == 0
    assert heights == sorted(set(heights))


def test_no_card_has_colour_above_its_edge() -> None:
    for columns in (80, 120, 200):
        (row,) = [line for line in chooser.picture(columns, 40) if any("╭─╮" in text for _, text in line)]
        assert not any("class:face" in style for style, _ in row)


def test_the_choice_in_reach_is_in_sight_in_a_long_list() -> None:
    shown = "\n".join(map(words, draw(MANY, 80, 24)))
    assert "❯" in shown
    assert "Game 30" in shown
    assert "Game 0 " not in shown


def typed(*keys: str, listing: ChoiceList = TOP) -> int:
    with create_pipe_input() as entry:
        chooser = Chooser(listing, "dark", ascii_only=False, terminal=(entry, Terminal().output))
        for key in keys:
            entry.send_text(key)
        return chooser.run()


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        ((ENTER,), 0),
        ((DOWN, DOWN, ENTER), 2),
        ((UP, RIGHT), 4),
        (("3",), 2),
        (("L",), 2),
        (("z", "9", "0", "x"), 3),
        ((ESCAPE,), QUIT),
        (("\x03",), QUIT),
        (("q",), 4),
        (("?", LEFT, DOWN, ENTER), 1),
        (("?", ESCAPE, LEFT), QUIT),
    ],
)
def test_keys_choose(keys: Sequence[str], chosen: int) -> None:
    assert typed(*keys) == chosen


@pytest.mark.parametrize(
    ("keys", "chosen"), [((ESCAPE,), BACK), ((LEFT,), BACK), (("q",), QUIT), (("2",), 1)]
)
def test_a_list_within_leads_back(keys: Sequence[str], chosen: int) -> None:
    assert typed(*keys, listing=MANY) == chosen


def test_help_stands_above_the_choices_and_goes_again() -> None:
    with create_pipe_input() as entry:
        chooser = Chooser(TOP, "dark", ascii_only=False, terminal=(entry, Terminal().output))
        entry.send_text(f"?{DOWN}{ENTER}")
        assert chooser.run() == 1
    assert "a digit or a click" in "\n".join(map(words, draw(chooser.listing, 80, 24)))
    with create_pipe_input() as entry:
        chooser = Chooser(TOP, "dark", ascii_only=False, terminal=(entry, Terminal().output))
        entry.send_text(f"\x1bOP\x1bOP{ENTER}")
        assert chooser.run() == 0
    assert "a digit or a click" not in "\n".join(map(words, draw(chooser.listing, 80, 24)))


def test_words_beside_a_choice_end_at_a_word() -> None:
    shown = list(map(words, draw(TOP, 80, 24)))
    assert any(line.rstrip().endswith("stand…") or line.rstrip().endswith("in a…") for line in shown)


def test_a_click_chooses_and_the_wheel_moves() -> None:
    shown = list(map(words, draw(TOP, 80, 24)))
    row = next(n for n, line in enumerate(shown, start=1) if "Learn" in line)
    assert typed(f"\x1b[<0;8;{row}M", f"\x1b[<0;8;{row}m") == 2
    assert typed("\x1b[<65;8;3M", ENTER) == 1


def test_a_list_without_words_about_its_choices_uses_their_rows() -> None:
    rows = [ChoiceRow(f"setting {number}") for number in range(19)]
    lines = draw(ChoiceList("What do you want to change?", rows, nested=True), 80, 24)
    shown = ["".join(text for _style, text in line) for line in lines]
    assert all(any(f" {row.title} " in line for line in shown) for row in rows)


def test_a_choice_that_is_too_long_ends_at_a_word_and_stands_whole_once_it_is_in_reach() -> None:
    title = f"your network sees your open game, {'and so on, ' * 5}off, by P2P_STRATEGO_HIDDEN"
    listing = ChoiceList("What do you want to change?", [ChoiceRow("short"), ChoiceRow(title)], nested=True)
    away, there = ("\n".join(map(words, draw(listing.go(step), 80, 24))) for step in (0, 1))
    assert any(line.rstrip().endswith(("and…", "so…", "on…")) for line in away.split("\n"))
    assert "P2P_STRATEGO_HIDDEN" not in away
    assert title in " ".join(there.split())


@pytest.mark.parametrize("ascii_only", [False, True])
def test_the_ladder_as_it_looked(ascii_only: bool) -> None:
    rungs = [
        Rung("recruit", 3, 0, 1),
        Rung("cadet", 1, 1, 2),
        Rung("gambler"),
        *(Rung(level, open=False) for level in ("diplomat", "quartermaster", "agent")),
    ]
    entry = ENTRIES["stratego"]
    titles = [line_menu.opponent(entry, rungs, at) for at in range(len(rungs))]
    rows = [
        choice_row(title, portraits.lines(rung.level, known=rung.open))
        for title, rung in zip(titles, rungs, strict=True)
    ]
    rating = welcome.rated(entry, Rating(1234.4, 80.2))
    shown, waiting = (
        draw(ChoiceList("Which bot?", rows, at, [rating], nested=True), 80, 24, ascii_only=ascii_only)
        for at in (2, 5)
    )
    assert "?" in words(waiting[4]), "its hat tells who waits"
    assert_as_it_was(f"first-ladder-80x24{'-ascii' * ascii_only}", "\n".join(map(words, shown)))


def test_the_foot_says_that_esc_closes_the_help_that_is_open() -> None:
    def foot(listing: ChoiceList) -> str:
        return words(draw(listing, 80, 24)[-1])

    assert "Esc back" in foot(MANY)
    assert "Esc close" in foot(replace(MANY, helped=True))
    assert "F1 help" not in foot(replace(MANY, helped=True))
    assert "Esc quit" in foot(TOP)
