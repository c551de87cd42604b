"""Whole screens of SPIES!: as they were, and everything essential at the smallest one, also in ASCII."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise, product

import pytest

from cli.games.drama import Capture, CardTurn
from cli.games.interface import Players, ViewContext
from cli.games.spies import drama, questions
from cli.games.spies.map import board
from cli.games.spies.terminal import TERMINAL
from cli.screen.match.renderer import draw
from cli.table.pages.match_pages import guide
from cli.table.scene.scene import Mode, Scene
from cli.text.layout import width, words
from cli.text.theme import TABLES
from p2p_stratego.core.game import Choose
from p2p_stratego.core.view import View
from p2p_stratego.spies.rules.atlas import CAPITALS
from p2p_stratego.spies.rules.state import State
from tests.golden.screens import assert_as_it_was
from tests.helpers.program.screens import assert_news_leave_the_board
from tests.helpers.program.terminal import displayed
from tests.helpers.spies.moments import PEOPLE, context, moments
from tests.helpers.spies.scene import golden, scene


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
    "spies-turn-200x60": ("turn", "SPY", "", 200, 60, False),
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


@pytest.mark.parametrize("moment", MOMENTS)
def test_news_leave_the_map_whole(moment: str) -> None:
    assert_news_leave_the_board(scene(MOMENTS[moment]()))


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
        assert of.question in " ".join("\n".join(words(line) for line in screen.news).split()), lines
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


@pytest.mark.parametrize("moment", ["police", "turn", "end"])
def test_a_player_has_one_colour_in_the_map_and_the_panels(moment: str) -> None:
    """A power had a colour of its own, and its player another one beside it."""
    of = MOMENTS[moment]()
    state = of.view.state
    lines = draw(scene(of), 120, 40).table
    parts = [(style, text.strip()) for line in lines for style, text in line]
    for seat, name in enumerate(of.players.names):
        assert colours(parts, name) | colours(parts, f"{name} (you)") == {f"seat{seat}"}
    for power, (name, capital) in enumerate(
        zip(("Germany", "Italy", "Russia", "France", "Britain"), CAPITALS, strict=True)
    ):
        worn = {f"seat{state.runs[power]}"}
        assert colours(parts, f"{board.LETTERS[power]} {name}") == worn
        assert colours(parts, board.CAPITAL + board.ROOMY.label(capital)) <= worn | {"chosen", "target"}


def test_players_whose_names_begin_alike_are_told_apart_in_a_small_window() -> None:
    of = MOMENTS["turn"]()
    bots = ("Anna", "Agent bot", "Agent bot 2")
    lines = [words(line) for line in draw(scene(replace(of, players=Players(bots, 0))), 80, 24).table]
    powers = {name: next(line for line in lines if f" {name} " in line) for name in ("Russia", "Britain")}
    assert "Russia Agent " in powers["Russia"]
    assert "Britain Agent 2 " in powers["Britain"]


def colours(parts: list[tuple[str, str]], wanted: str) -> set[str]:
    """The seats, and marks of the map, in whose colours a text stands."""
    known = re.compile(r"seat\d|chosen|target")
    return {hit for style, text in parts if text == wanted for hit in known.findall(style)}


@pytest.mark.parametrize("theme", TABLES)
def test_each_of_five_players_has_a_colour(theme: str) -> None:
    for kind in ("seat", "tile"):
        looks = [TABLES[theme].get(f"{kind}{seat}") for seat in range(5)]
        assert None not in looks
        assert theme == "mono" or len(set(looks)) == 5


def test_what_is_played_over_the_map_has_the_colour_of_the_player() -> None:
    states = [view.state for view in golden()]
    steps = list(pairwise(states))
    events = [
        event for before, other in steps for event in drama.events(before, other, Players(PEOPLE[:3], 0))
    ]
    assert {event.seat for event in events if isinstance(event, Capture)} == {0, 1, 2}
    assert {event.card.seat for event in events if isinstance(event, CardTurn)} <= {0, 1, 2}
    over = next(closed for step in steps if (closed := drama.closing([step], Players(PEOPLE[:3], 0))))
    assert [seat for seat, *_ in over.gains] == list(states[-1].runs)


def test_help_names_every_sign_and_the_keys_of_its_pages() -> None:
    text = "\n".join(words(line) for line in guide(72, TERMINAL, screen=True).lines)
    for sign, _ in board.SIGNS:
        assert sign.strip() in text
    assert "F7, F8, F9" in text
    assert "records" in text


@pytest.mark.parametrize(("columns", "rows"), [(120, 40), (130, 40), (144, 40), (200, 60)])
def test_the_big_map_is_shown_wherever_there_is_room_for_it(columns: int, rows: int) -> None:
    news = [(False, f"Something happened in {city}.") for city in range(8)]
    for of in (scene(MOMENTS["turn"]()), replace(scene(MOMENTS["turn"]()), news=news, own=True)):
        screen = draw(of, columns, rows)
        assert ("Stalingrad" if columns == 200 else "Stalngrd") in "\n".join(
            words(line) for line in screen.table
        )
        assert of.question in "\n".join(words(line) for line in screen.news)


CAUGHT = (
    "Germany searches it1 Dama (2) in Berlin (1 point).",
    "it1 Dama (2) is caught: Germany captures it, for £3 and a chit.",
    "Germany draws 1 chit for the capture.",
    "For you alone: Germany draws Papers (1934).",
)
PROVED = "Checked: 3 shown or given, 1 claimed, 1 drawn unseen, and proved."


def rows(of: Scene, columns: int, rows_: int) -> list[str]:
    """The rows between the board and the input line."""
    return [words(line) for line in draw(of, columns, rows_).news]


def test_the_result_of_one_s_own_step_is_whole_and_what_was_proved_is_told_where_rows_are_left() -> None:
    at = scene(MOMENTS["turn"]())
    of = replace(at, news=[(False, text) for text in CAUGHT], own=True, proved=PROVED)
    small, large = ("\n".join(rows(of, *size)) for size in ((80, 24), (120, 40)))
    for text in CAUGHT:
        assert text in small
        assert text in large
    assert PROVED not in small
    assert PROVED in "\n".join(rows(replace(of, news=of.news[:1]), 120, 40))
    assert of.question in small
    older = replace(of, own=False, news=[*of.news, *of.news])
    assert PROVED not in "\n".join(rows(older, 120, 40)), "older news go before"


@pytest.mark.parametrize("mode", ["move", "chat"])
def test_one_s_own_pounds_and_chits_are_always_to_be_seen(mode: Mode) -> None:
    of = MOMENTS["turn"]()
    at = replace(scene(of), news=[(False, text) for text in CAUGHT], own=True, mode=mode)
    alert = replace(at, alert=("warn", "Boris offers a draw: accept takes it, your next move declines. " * 2))
    money = of.view.state.money[of.view.state.power]
    for shown in (at, alert):
        assert any(row.startswith(" Germany ") and f"£{money}" in row for row in rows(shown, 80, 24))
        assert len(draw(shown, 80, 24).above) == 24 - 3


def test_a_city_that_is_pointed_at_pushes_out_neither_news_nor_how_to_answer() -> None:
    for what in ("secret", "turn", "police"):
        of = scene(MOMENTS[what](), cursor="munich")
        news = ["Germany gains £5 for its spy at Rome.", "Italy draws 2 chits for its spy at Paris."]
        of = replace(of, news=[(False, text) for text in news], own=True, typed="")
        whole = "\n".join(rows(of, 80, 24))
        assert " ".join(f"Type {of.how}."[:60].split()) in whole
        assert all(text in whole for text in news)
        assert "Munich (Esc closes)" in "\n".join(words(line) for line in draw(of, 80, 24).table)


def test_a_panel_that_is_cut_says_how_many_lines_are_left_out() -> None:
    of, cut = MOMENTS["turn"](), 0
    for columns, height, side in product((100, 120), (30, 40), ("hand", "records", "notes")):
        drawn = draw(replace(scene(of), side=side), columns, height).table
        shown_ = [words(line).rpartition("│")[2] for line in drawn]
        for panel in TERMINAL.panels.panels(of, len(shown_[0])):
            for at, row in enumerate(shown_):
                if row.startswith(f"─ {panel.title} "):
                    below = [*shown_[at + 1 :], "─"]
                    left_out = len(panel.lines) - next(n for n, line in enumerate(below) if line[:1] == "─")
                    assert (f" … {left_out} more" in row) == (left_out > 0)
                    assert row.rstrip("─").endswith(": F2 ") == (left_out > 0 and at > 0)
                    cut += left_out > 0
    assert cut


@pytest.mark.parametrize(("columns", "height"), [(80, 24), (100, 30), (120, 40), (200, 60)])
def test_in_talks_old_news_go_before_the_line_that_says_how_to_talk(columns: int, height: int) -> None:
    view = next(view for view, _ in moments(3, wild=1, talk=6) if view.state.phase == "talk")
    laid = [(False, f"{name} has laid its police.") for name in ("Germany", "Russia", "Britain", "Italy") * 2]
    for own in (True, False):
        of = replace(scene(context(view)), news=laid, own=own)
        lines = rows(of, columns, height)
        assert " ".join(of.how.split()) in " ".join(" ".join(lines).split())
        assert any(laid[-1][1] in row for row in lines)
        assert of.question in "".join(lines)


def test_a_line_that_was_refused_leaves_how_to_answer() -> None:
    of = replace(scene(MOMENTS["police"]()), alert=("warn", "“xyz” is no city, or several."))
    text = "\n".join(rows(of, 80, 24))
    assert "is no city" in text
    assert f"Type {of.how}."[:60] in text
