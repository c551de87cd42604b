"""Screens: every line fits, everything essential is there, and a few look exactly as they did."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from cli.games.interface import Choice, Page
from cli.screen.match import sides
from cli.screen.match.renderer import draw
from cli.table.pages.match_pages import guide
from cli.table.scene import keybar
from cli.table.scene.scene import Scene
from cli.text.layout import styled, width, words
from cli.text.sanitize import escape
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.rules.components import RANKS, SOLDIERS
from p2p_stratego.spies_and_lies.rules.state import State
from tests.golden.screens import assert_as_it_was
from tests.helpers.program.screens import (
    SIZES,
    assert_every_line_fits,
    assert_news_leave_the_board,
    keys,
    rows,
    text,
)
from tests.helpers.program.terminal import displayed
from tests.helpers.spies_and_lies.moments import MOMENTS, PLAYERS, TERMINAL, context, guessing, view
from tests.helpers.spies_and_lies.table import BASE

TOLD = [
    (True, "Boris guesses the Bomb (7) at Anna's mission 2. It is the Sergeant (4), which goes into action.")
]


def scene(of: View[State], typed: str = "") -> Scene:
    seen = context(of, typed)
    question = TERMINAL.questions.question(of, PLAYERS)
    return Scene(
        terminal=TERMINAL,
        banner=TERMINAL.description.banner(of),
        context=seen,
        link=("good", "direct 23 ms"),
        checked=12,
        history=["Day 1: both sides have deployed.", TOLD[0][1]],
        chat=[("class:seat1", "Boris", "Good luck, Anna!")],
        news=TOLD,
        question=question.text if question else "Boris guesses your mission 3.",
        how=question.at_table if question else "",
        typed=typed,
        choices=TERMINAL.questions.choices(context(of, typed)),
        keys=keys(TERMINAL),
    )


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize(("columns", "height"), SIZES)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_line_fits_at_every_size(moment: str, columns: int, height: int, ascii_only: bool) -> None:
    assert_every_line_fits(scene(MOMENTS[moment]), columns, height, ascii_only=ascii_only)


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_warning_takes_few_rows_of_the_board(moment: str) -> None:
    # Results since the player's own guess stay whole; in a deployment nothing is laid on the other side.
    assert_news_leave_the_board(scene(MOMENTS[moment]), lost=7 if moment == "deploying" else 4)


@pytest.mark.parametrize("wall", range(2, 9))
@pytest.mark.parametrize("seat", [0, 1])
def test_the_agent_can_be_seen_wherever_it_is(wall: int, seat: int) -> None:
    for agent in range(-wall - 1, wall + 2):
        for columns, height in ((80, 24), (140, 45)):
            state = replace(BASE, wall=wall, agent=agent)
            lines = rows(scene(view(state, seat=seat)), columns, height)
            assert [width(line) for line in lines] == [columns] * height
            assert any("double agent" in words(line) for line in lines)
            track = next(words(line) for line in lines if "⚑▐" in words(line))
            above = words(lines[[words(line) for line in lines].index(track) - 1])
            at = above.index("▼")
            place = agent * (1 if seat == 0 else -1)
            shown = track[at] if abs(place) <= wall else "⚑"
            assert shown == (str(abs(place)) if abs(place) <= wall else track[at])


def essential(of: Scene, columns: int) -> Sequence[str]:
    return [
        "Spies & Lies", "Day 1/3", "guess 5/8", "12 commitments checked", "direct 23 ms",  # where, how
        "RED", "Anna (you)", "BLUE", "Boris", "exhausted 2 Scout", "6/10", "◆◆",  # who
        "Spy+Scout+Miner" if columns < 100 else "in force: Spy Scout Miner", "blast",  # abilities in force
        "1 Spy", "identified", "4 Sergeant", "activated", "3 Miner", "retreated",  # cards and results
        "8 Colonel", "10 Marshal", "◉", "═",  # own hidden cards, marks, the target
        "double agent", "⚑▐ 4─3─2─1─0─1─2─3─4 ▌⚑",  # the track between the forts
        "today 7–10", "old 1–4", "4 to come",  # intel
        "Hand", "Good luck, Anna!", "Soldiers",  # hand, chat, abilities
        "✓ " + TOLD[0][1][:60], of.question, "F1", "help", "Tab", "chat", "leave",
    ]  # fmt: skip


@pytest.mark.parametrize(("columns", "height"), SIZES)
def test_everything_essential_is_on_every_screen(columns: int, height: int) -> None:
    of = scene(guessing())
    of = replace(of, news=TOLD)
    shown = re.sub("─+", "─", " ".join(text(of, columns, height).split()))
    assert "8, all kept" in shown or "goes over" in shown
    for part in essential(of, columns):
        assert " ".join(part.split()) in shown, part


def test_our_own_side_is_at_the_bottom_whatever_the_colour() -> None:
    for seat, mine in ((0, "RED Anna (you)"), (1, "BLUE Boris (you)")):
        of = scene(view(BASE, seat=seat))
        assert of.context is not None
        of = replace(of, context=replace(of.context, players=replace(PLAYERS, me=seat)))
        lines = text(of).split("\n")
        assert next(i for i, line in enumerate(lines) if mine in line) > 12


def test_notes_can_be_switched_off_and_are_marked_by_more_than_colour() -> None:
    of = scene(guessing())
    assert of.context is not None
    with_notes, without = text(of), text(replace(of, context=replace(of.context, notes=False)))
    assert "89X" in with_notes
    assert "89X" not in without
    assert "─ Notes" in text(of, 100, 30)
    assert "─ Notes" not in text(replace(of, context=replace(of.context, notes=False)), 100, 30)


def test_what_is_typed_is_laid_out_on_the_board_before_it_is_said() -> None:
    shown = text(scene(MOMENTS["deploying"], "1 4 lieu"))
    assert "[1 Spy][" not in shown
    assert "[1 Spy]" in shown
    assert "│ 5 Lt      │" in shown


def test_a_target_has_a_border_of_its_own_and_a_fresh_card_a_style_of_its_own() -> None:
    lines = rows(scene(guessing()), 80, 24)
    assert any("╔═ 3" in words(line) for line in lines)
    fresh = [part for line in lines for style, part in line if "class:fresh0" in style.split()]
    assert any("4 Sergeant" in part for part in fresh)


def test_a_small_window_says_so_and_breaks_nothing() -> None:
    for columns, height in ((79, 24), (80, 23), (20, 5), (1, 1), (3, 2)):
        screen = draw(scene(guessing()), columns, height)
        assert all(width(line) <= max(columns, 1) for line in screen.above)
        if columns > 40:
            assert "80 x 24" in " ".join(words(line) for line in screen.above)


@pytest.mark.parametrize(("columns", "height"), [(79, 24), (70, 20), (60, 15), (40, 8), (40, 4), (80, 2)])
def test_in_a_small_window_what_is_asked_goes_last(columns: int, height: int) -> None:
    of = scene(guessing())
    screen = draw(of, columns, height)
    above = [words(line) for line in screen.above]
    assert len(above) + 1 + len(screen.below) == height
    assert all(width(line) == columns for line in (*screen.above, *screen.below))
    shown = " ".join(" ".join(above).split())
    assert shown.endswith(of.question)
    assert ("It is the Sergeant" in shown) == ("can be 4" in shown) == (height > 8)
    assert ("Type a rank or a name" in shown) == (height > 4)
    sure = replace(of, question="Resign, and lose this game?", mode="confirm", careful=("Think twice.",))
    asked = draw(sure, columns, height)
    shown = " ".join(" ".join(words(line) for line in asked.above).split())
    assert shown.endswith("Resign, and lose this game?")
    assert ("Think twice." in shown) == (height > 2)
    page = replace(of, page=Page("Long", [styled(f"line {number}") for number in range(100)]))
    seen = displayed(page, columns, height, top=10_000)
    assert ("line 99" in seen) == (height > 8)
    assert ("of 100" in seen) == (height > 8)
    assert of.question[:4] in seen
    assert words(asked.prompt) == " yes/no ❯ "


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize(("columns", "height"), SIZES)
def test_a_page_lies_over_the_board_and_scrolls_to_its_end(
    columns: int, height: int, ascii_only: bool
) -> None:
    page = Page("Long", [styled(f"line {number} …") for number in range(100)])
    of = replace(scene(guessing()), page=page)
    first = displayed(of, columns, height, ascii_only=ascii_only)
    assert "line 0 " in first
    assert of.question in first
    assert first.isascii() is ascii_only
    last = displayed(of, columns, height, top=10_000, ascii_only=ascii_only)
    assert "line 99" in last
    assert "100 of 100" in last
    if ascii_only:
        return
    short = displayed(replace(of, page=Page("Short", [styled("one line")])), columns, height)
    assert "one line" in short
    assert "╰─ Esc closes ─" in short


def test_a_page_in_a_narrow_window_is_broken_anew() -> None:
    sentence = "A sentence for seventy-two columns, which is more than there are here, told whole."
    seen = displayed(replace(scene(guessing()), page=Page("Page", [styled(sentence)])), 50, 20)
    assert sentence in " ".join(seen.replace("│", " ").split())


def test_warnings_to_be_confirmed_are_readable_in_full() -> None:
    warnings = tuple(TERMINAL.questions.warnings(MOMENTS["deploying"], (10, 8, 4, 1)))
    for columns, height in SIZES:
        seen = displayed(
            replace(scene(MOMENTS["deploying"]), careful=warnings, mode="confirm"), columns, height
        )
        assert "─ Careful ─" in seen
        joined = " ".join(seen.replace("│", " ").split())
        for word in " ".join(warnings).split():
            assert word in joined


@pytest.mark.parametrize(("columns", "height"), SIZES)
def test_what_is_opened_meanwhile_lies_over_the_warnings(columns: int, height: int) -> None:
    of = replace(scene(MOMENTS["deploying"]), careful=("Out of order.",), mode="confirm")
    seen = displayed(replace(of, page=Page("Help", [styled("one line")])), columns, height)
    assert "one line" in seen
    assert "─ Careful ─" not in seen
    assert "─ Careful ─" in displayed(of, columns, height), "once it is closed"


@pytest.mark.parametrize(("columns", "height"), [(201, 60), (240, 70), (320, 90), (250, 30)])
def test_a_very_big_window_shows_the_table_in_its_middle(columns: int, height: int) -> None:
    wide, high = min(columns, 200), min(height, 60)
    left, top = (columns - wide) // 2, (height - high) // 2
    of = scene(guessing())
    lines = displayed(of, columns, height).splitlines()
    whole = displayed(of, wide, high).splitlines()
    row = next(number for number, line in enumerate(lines) if line.strip())
    assert abs(row - top) <= 1
    inside = [line[left:] for line in lines[row : row + high]]
    shift = next(n for n in range(2) if inside[1][n:].startswith(whole[1].rstrip()))
    assert [line[shift:].rstrip() for line in inside] == [line.rstrip() for line in whole]


def test_an_alert_takes_the_place_of_the_hint_and_carries_a_sign() -> None:
    away = "Boris is away."
    shown = text(replace(scene(guessing()), alert=("warn", away)))
    assert f"⚠ {away}" in shown


def test_what_the_own_guess_led_to_stays_when_the_other_side_answers_at_once() -> None:
    result = "It is the Bomb (7), which goes into action."
    own = f"Anna guesses the Sergeant (4) at Boris's mission 1. {result}"
    first, second = (f"Boris guesses the Spy ({number})" for number in (1, 2))
    news = [(True, own), *[(True, f"{guess} at Anna's mission 1. It is.") for guess in (first, second)]]
    for height in (24, 28, 36):
        shown = text(replace(scene(guessing()), news=news, own=True), 80, height)
        assert result in " ".join(shown.split())
        assert second in shown
    shown = text(replace(scene(guessing()), news=news, own=False))
    assert result not in " ".join(shown.split())
    move = "Anna moves a1 to a2."
    short = text(replace(scene(guessing()), news=[(False, move), news[1]], own=True))
    assert f"▶ {move}" in short
    assert f"✓ {first}" in short


def test_a_long_alert_takes_more_rows_and_says_if_even_they_are_not_enough() -> None:
    warning = (
        "Boris is away: wait, leave (all is saved), or claim in 1:55. " + "The game goes on when it can. " * 2
    )
    for columns, height in SIZES:
        of = replace(scene(guessing()), alert=("warn", warning.strip()))
        lines = rows(of, columns, height)
        assert [width(line) for line in lines] == [columns] * height
        shown = " ".join(" ".join(map(words, lines)).split())
        assert warning.strip() in shown
        assert of.question in shown
        assert " …" in text(replace(of, alert=("warn", warning * 9)), columns, height)


def test_what_needs_attention_is_read_to_its_end_at_80_columns() -> None:
    message = "A message of which the last word decides. " * 3 + "It decides."
    question = (
        "A question that is too long for a single row because the names in it are as long as names may be?"
    )
    of = replace(scene(guessing()), alert=("warn", message))
    longer = f"{message} Even in three rows, as it has to be here, while there is nothing else."
    assert longer in " ".join(text(replace(of, alert=("warn", longer))).split())
    shown = " ".join(text(replace(of, question=question)).split())
    assert message in shown
    assert question in shown


def test_what_happened_uses_all_rows_that_there_are() -> None:
    """The own guess was cut to one row, and a blank one stood below it."""
    own = "Boris guesses 1. The Spy (1) goes into action: Anna wins a deception token. " + "Anna's end. " * 4
    news = [(True, own + "The end."), (True, "Boris is done.")]
    for height in (24, 28, 36):
        shown = " ".join(text(replace(scene(guessing()), news=news, own=True), 80, height).split())
        assert "The end." in shown
        assert "Boris is done." in shown


def sentences(game: str) -> list[str]:
    """All that a golden playthrough tells, with names as long as names may be."""
    golden = Path(__file__).parents[3].joinpath("golden", f"{game}.txt").read_text(encoding="utf-8")
    lines = [line for line in golden.splitlines()[1:] if line and line[0] not in " ="]
    return [line.replace("Red", "Anna-Theodora Sokolowska").replace("Blue", "B" * 24) for line in lines]


@pytest.mark.parametrize("game", ["spies-and-lies", "stratego"])
@pytest.mark.parametrize(("columns", "height"), [(80, 24), (100, 30), (120, 40), (200, 60)])
@pytest.mark.parametrize("own", [False, True])
def test_the_newest_result_is_always_whole(game: str, columns: int, height: int, own: bool) -> None:
    texts = sentences(game)
    assert len(texts) > 30
    # All at the smallest size, at the others every third.
    for number, (before, newest) in list(enumerate(pairwise(texts)))[:: 1 if columns == 80 else 3]:
        typed = "bomb" if number % 2 else ""
        alert = ("warn", "Boris is away: wait, leave (all is saved), or claim in 1:55.")
        of = replace(
            scene(guessing(), typed),
            news=[(True, before), (True, newest)],
            own=own,
            alert=alert if number % 3 else None,  # type: ignore[arg-type]
            history=(),
        )
        lines = rows(of, columns, height)
        assert [width(line) for line in lines] == [columns] * height
        assert newest in " ".join(" ".join(map(words, lines)).split())


def test_what_the_own_decision_led_to_is_whole_beside_the_newest_result_if_a_row_is_to_be_had() -> None:
    own = "Anna guesses the Spy (1) at Boris's mission 1. It is the Bomb (7), which goes into action now."
    news = "Boris guesses the Spy (1) at Anna's mission 1. It is the Bomb (7), which goes into action too."
    shown = " ".join(text(replace(scene(guessing()), news=[(True, own), (True, news)], own=True)).split())
    assert own in shown
    assert news in shown


def test_the_end_beside_the_board_leaves_the_history_in_sight() -> None:
    """At 120 columns a whole column was blank until the page was closed."""
    end = Page("The end", [styled("You won.")], beside=True)
    shown = text(replace(scene(guessing()), page=end), 120, 40)
    for part in ("You won.", "─ The end (Esc closes)", "─ History", "Good luck, Anna!"):
        assert part in shown


def test_the_goal_stands_beside_the_board_until_somebody_chats() -> None:
    goal = TERMINAL.description.goal(guessing())
    for columns, height in SIZES:
        of = replace(scene(guessing()), goal=goal, chat=())
        shown = " ".join(re.sub("[│─]", " ", text(of, columns, height)).split())
        assert "Goal (hide: goal off)" in shown
        assert goal.partition(":")[0] in shown
    assert len(goal) <= 70
    narrow = replace(of, goal=goal)
    for columns in (14, 20, 30):
        (panel,) = [panel for panel in sides.panels(narrow, columns, (60, 16)) if panel.name == "goal"]
        assert panel.title == (
            "Goal (hide: goal off)" if columns > 26 else "Goal: goal off" if columns > 16 else "Goal"
        )
    assert "Goal (" not in text(replace(of, goal=""))


def test_the_page_of_the_end_stands_beside_the_board() -> None:
    lines = [styled("You lost.", "question"), styled("Audit: complete. Boris has won by resignation.")]
    for columns, height in SIZES:
        of = replace(scene(MOMENTS["over"]), page=Page("The end", lines, beside=True))
        shown = text(of, columns, height)
        assert "─ The end (Esc closes) ─" in shown
        assert "RED Anna (you)" in shown
        assert "╭─ 1 ─" in shown
        assert [width(line) for line in rows(of, columns, height)] == [columns] * height


@pytest.mark.parametrize(("columns", "height"), SIZES)
@pytest.mark.parametrize("kind", ["beside", "aside"])
def test_a_page_that_has_no_room_beside_the_board_lies_over_it_and_is_scrolled(
    columns: int, height: int, kind: str
) -> None:
    """The page of a long day left the column of the panels blank."""
    scroll = keybar.scrolling()
    for count in (3, 100):
        page = Page("A long day", [styled(f"line {number}.") for number in range(count)])
        page = replace(page, beside=kind == "beside", aside=kind == "aside")
        of = replace(scene(MOMENTS["over"]), page=page, keys=(scroll,))
        drawn = draw(of, columns, height)
        beside = "\n".join(map(words, drawn.table))
        floats = drawn.page is not None
        assert floats != ("line 1." in beside)
        assert floats == (words(drawn.below[-1]).strip() == f"{scroll.key} {scroll.does}")
        assert not floats or "A long day" not in beside
        assert floats or count == 3


def test_no_column_of_the_biggest_screen_is_left_empty_at_the_end() -> None:
    """The page of the end stood below the board, and the column beside it was blank."""
    end = Page("The end", [styled("You lost."), styled("Audit: complete.")], beside=True)
    shown = text(replace(scene(MOMENTS["over"]), page=end), 200, 60).split("\n")
    _board, facts, talk = shown[1].split(" │")
    assert "─ The end" in facts
    assert "─ " in talk


def test_how_to_answer_is_told_where_a_row_is_left_for_it() -> None:
    how = "Type a rank or a name, such as 7 or bomb."
    news = [(True, "Boris guesses the Spy (1) at Anna's mission 1. It is.")]
    assert how in text(replace(scene(guessing()), news=news, own=True))
    long = [(True, "A sentence that takes three rows of its own. " * 4)]
    shown = " ".join(text(replace(scene(guessing()), news=long)).split())
    assert how not in shown
    assert long[0][1].strip() in shown


def test_what_is_typed_is_explained_to_the_end() -> None:
    shown = " ".join(text(scene(guessing(), "bomb")).split())
    assert f"7 Bomb: {SOLDIERS[7].ability}." in shown


@pytest.mark.parametrize("mode", ["move", "chat", "confirm"])
def test_the_prompt_tells_what_is_typed_there(mode: str) -> None:
    prompt = words(draw(replace(scene(guessing()), mode=mode), 80, 24).prompt)  # type: ignore[arg-type]
    assert {"move": "❯", "chat": "say", "confirm": "yes/no"}[mode] in prompt


def test_the_picked_choice_is_always_in_sight() -> None:
    choices = tuple(Choice(f"guess {rank}", f"{rank} a rather long name") for rank in range(1, 11))
    for choice in choices:
        of = replace(scene(guessing()), choices=choices, picked=choice.word)
        picked = [
            part for line in rows(of, 80, 24) for style, part in line if "class:chosen" in style.split()
        ]
        assert any(choice.shown in part for part in picked)


def test_a_panel_can_be_brought_to_the_front() -> None:
    of = scene(guessing())
    for side, title in (
        ("history", "─ History"),
        ("notes", "─ Notes (honest lines)"),
        ("soldiers", "─ Soldiers"),
    ):
        assert title in text(replace(of, side=side)).split("\n")[1]


def test_hostile_names_and_chat_change_no_width() -> None:
    evil = escape("\x1b]52;c;AAAA\x07 日本 \u202e e\u0301\u0301\u0301\u0301", 60)
    of = replace(
        scene(guessing()),
        chat=[("class:seat1", evil, evil)] * 5,
        news=[(True, evil * 3)],
        alert=("bad", evil * 9),
    )
    assert of.context is not None
    of = replace(of, context=replace(of.context, players=replace(PLAYERS, names=(evil, evil))))
    for columns, height in SIZES:
        assert [width(line) for line in rows(of, columns, height)] == [columns] * height


GOLDENS = {
    "deploying-80x24": (replace(scene(MOMENTS["deploying"], "1 4 8 9")), 80, 24, False),
    "marking-80x24-ascii": (scene(MOMENTS["marking"]), 80, 24, True),
    "guessing-80x24": (scene(MOMENTS["guessing-token"], "bomb"), 80, 24, False),
    "guessing-100x30": (scene(MOMENTS["guessing"]), 100, 30, False),
    "guessing-140x45": (scene(MOMENTS["guessing"]), 140, 45, False),
    "help-80x24": (replace(scene(MOMENTS["waiting"]), page=guide(72, TERMINAL, screen=True)), 80, 24, False),
}


@pytest.mark.parametrize("name", GOLDENS)
def test_a_screen_looks_as_it_did(name: str) -> None:
    of, columns, height, ascii_only = GOLDENS[name]
    assert_as_it_was(name, displayed(of, columns, height, ascii_only=ascii_only))


def test_a_big_screen_tells_all_in_full() -> None:
    shown = text(scene(guessing()), 200, 60)
    assert all(SOLDIERS[rank].ability in shown for rank in RANKS)
    assert "8 Colonel: 33 %" in shown  # notes on the card itself, by name
    middling = text(scene(guessing()), 140, 45)
    assert "today enemy Marshals" in middling


@pytest.mark.parametrize(("columns", "height"), SIZES)
def test_every_note_stands_once_and_says_what_it_assumes(columns: int, height: int) -> None:
    of = replace(scene(guessing()), side="notes")
    shown = text(of, columns, height)
    assert shown.count("9: 33 %") + shown.count("9 General: 33 %") <= 1
    assert "(honest lines equally likely) ─" in shown or "─ Notes (honest lines) ─" in shown
    assert (
        "The percentages take all honest lines equally likely."
        in TERMINAL.description.asked(context(guessing()))[0]
    )


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize(("columns", "height"), SIZES)
def test_the_toolkit_never_sees_a_no_break_space(moment: str, columns: int, height: int) -> None:
    """It draws one as a yellow underscore."""
    for side in (None, "notes"):
        assert "\u00a0" not in text(replace(scene(MOMENTS[moment], "7"), side=side), columns, height)


def test_a_board_takes_what_it_is_given_in_every_size() -> None:
    for columns in (52, 60, 72, 100, 120):
        for height in range(15, 60):
            wide, high = TERMINAL.board.fitting(columns, height)
            lines = TERMINAL.board.draw(context(guessing()), wide, high)
            assert [width(line) for line in lines] == [wide] * high
            assert height >= high >= TERMINAL.board.LEAST[1]
