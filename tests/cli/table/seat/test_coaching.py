"""The coach at a table: on when it is wanted, beside the board and in lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

import pytest

from cli.games.interface import Panel
from cli.screen.match.renderer import draw
from cli.screen.match.sides import column
from cli.shell.settings import Settings
from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.seat import hints
from cli.table.seat.coaching import BESIDE_PEOPLE, advice
from cli.table.seat.controller import TableController
from cli.table.words.commands import Order
from cli.text import language
from cli.text.language import NAMES
from cli.text.layout import styled, words
from p2p_stratego.core import values
from p2p_stratego.core.language import _
from p2p_stratego.registry import GAMES, lesson, lessons
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from p2p_stratego.spies_and_lies.rules.components import RANKS, SOLDIERS
from p2p_stratego.stratego.formats.narration import named
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.game import GAME as STRATEGO
from tests.helpers.links.ends import STILL, Ends
from tests.helpers.program.commands import Call
from tests.helpers.program.screens import SIZES, assert_every_line_fits, text


@pytest.fixture
def ends(tmp_path: Path) -> Iterator[Ends]:
    both = Ends(tmp_path)
    yield both
    both.connect()
    both.close()


def test_the_coach_speaks_when_it_is_wanted_at_every_size(ends: Ends) -> None:
    ends.connect()
    table = ends.table(0)
    table.refresh()
    assert presentation.scene(table).coach == ""
    actions.enter(table, "coach")
    scene = presentation.scene(table)
    assert scene.coach.endswith(".")
    assert not scene.lesson
    for columns, height in SIZES:
        assert_every_line_fits(scene, columns, height, ascii_only=False)
        assert "─ Coach (F6)" in text(scene, columns, height)
    actions.enter(table, "coach off")
    assert "Coach" not in text(presentation.scene(table))


def test_while_the_tutor_is_about_to_give_up_nothing_is_asked_any_more(ends: Ends) -> None:
    ends.connect()
    table = ends.table(0)
    table.refresh()
    assert table.asked
    table.environment = replace(table.environment, parting=lambda: True, pausing=lambda: True)
    assert presentation.question(table)[0] == "The lesson is over. Enter goes on at once.", "no turn comes"
    actions.enter(table, "1 2 3 5")
    assert table.session.decision is not None
    assert table.notice == ("warn", "The lesson is over.")


def test_beside_other_people_the_coach_tells_rules_and_proposes_nothing(ends: Ends) -> None:
    """It named the line to type, and the soldier to guess, where a hint was refused."""
    advise = advice("spies-and-lies")
    assert advise is not None
    sentences: dict[str, None] = {}
    table = ends.table(0, STILL)
    ends.connect()
    table.refresh()
    actions.enter(table, "coach on")
    assert table.notice == ("dim", _(BESIDE_PEOPLE))

    def a_day_is_over() -> bool:
        table.refresh()
        view, sentence = table.session.long_view, presentation.coached(table)
        assert sentence not in [remark.text for remark in advise(view) if not remark.rule]
        sentences[sentence] = None
        return bool(view.state.day > 1)

    ends.play_on([Recruit(Random(seat)) for seat in (1, 2)], a_day_is_over)
    assert next(iter(sentences)) == _(BESIDE_PEOPLE)
    assert any(sentence.startswith("Mark truly") for sentence in sentences)


def test_the_coach_speaks_another_language_as_soon_as_it_is_chosen(ends: Ends) -> None:
    """It kept what it had said until the next question."""
    ends.connect()
    table = ends.table(0, replace(STILL, coach=True), bot=True)
    table.refresh()
    assert presentation.scene(table).coach.startswith("Type ")
    language.install("de")
    try:
        assert presentation.scene(table).coach.startswith("Tippe ")
    finally:
        language.install("en")


@pytest.mark.parametrize(
    "advice", ["", "A long sentence of the coach, which needs six rows at the side. " * 2]
)
def test_who_deploys_sees_the_coach_and_what_each_soldier_does_at_once(ends: Ends, advice: str) -> None:
    """On the smallest screen the coach and the history took the place of the soldiers."""
    ends.connect()
    table = ends.table(0, replace(STILL, coach=True), bot=True)
    table.refresh()
    scene = presentation.scene(table)
    assert scene.coach.startswith("Type ")
    for columns, height in SIZES:
        shown = text(replace(scene, coach=advice or scene.coach), columns, height)
        assert_every_line_fits(replace(scene, coach=advice or scene.coach), columns, height, ascii_only=False)
        assert "Coach (F6)" in shown
        assert "Hand" in shown
        for rank in RANKS:
            assert f"{rank:>2} {SOLDIERS[rank].name:<10} " in shown
        joined = " ".join(re.sub("[│─]", " ", shown).split())
        assert joined.count(scene.question) == 1
        assert not advice or advice.strip() in joined or (columns, height) != (80, 24)


def test_who_deploys_sees_the_enemys_exhausted_soldier_beside_the_news_and_the_coach(ends: Ends) -> None:
    ends.connect()
    table = ends.table(0, replace(STILL, coach=True), bot=True)
    table.refresh()
    scene = presentation.scene(table)
    assert scene.context is not None
    view = scene.context.view
    state = values.replace(view.state, day=2, exhausted=(frozenset((4,)), frozenset((7,))))
    long = "One sentence of the coach that needs two rows above the question of the smallest screen of all."
    of = replace(
        scene,
        context=replace(scene.context, view=replace(view, state=state)),
        coach=long,
        news=[(True, long)],
    )
    shown = text(of, 80, 24)
    assert "exhausted 7 Bomb" in shown
    assert "exhausted 4 Sergeant" in shown
    assert "Coach (F6): One sentence" in shown


@pytest.mark.parametrize("code", NAMES)
def test_each_soldier_has_one_row_beside_the_smallest_board_in_every_language(ends: Ends, code: str) -> None:
    """In German five of them took two rows, and the others had none."""
    ends.connect()
    table = ends.table(0, STILL)
    table.refresh()
    language.install(code)
    try:
        lines = text(presentation.scene(table)).splitlines()
    finally:
        language.install("en")
    beside = [line.split("│")[-1] if "│" in line else "" for line in lines[2:12]]
    assert [int(line[1:3]) for line in beside] == list(RANKS)


def test_a_lesson_has_its_coach_first_and_for_good(ends: Ends) -> None:
    ends.connect()
    taught = lesson("spies-and-lies")
    table = ends.table(0, Settings(), lesson=taught)
    table.refresh()
    scene = presentation.scene(table)
    assert scene.lesson
    assert scene.goal == ""  # the coach says it
    for columns, height in SIZES:
        assert_every_line_fits(scene, columns, height, ascii_only=False)
        shown = text(scene, columns, height)
        assert "─ Coach ─" in shown
        assert "Type " in shown
    actions.enter(table, "coach off")
    assert table.notice is not None
    assert "stays" in table.notice[1]


@pytest.mark.parametrize(("met", "onward"), [(True, 2), (False, 1)])
def test_at_the_end_of_a_lesson_a_digit_leads_on_and_a_tick_is_kept(
    ends: Ends, met: bool, onward: int
) -> None:
    """To the next lesson, or to this one again; nothing there is a proof or a command to copy."""
    ends.connect()
    taught = lesson("spies-and-lies")
    assert taught is not None
    table = ends.table(0, Settings(), lesson=replace(taught, met=lambda _view: met))
    table.refresh()
    ends.replicas[1].resign()
    ends.pump()
    table.refresh()
    assert table.settings.learnt == (("spies-and-lies-1",) if met else ())
    scene = presentation.scene(table)
    assert scene.page is not None
    text = " ".join([scene.question, scene.how, str(scene.news), *map(words, scene.page.lines)])
    assert ("Well done" in text, "Once more?" in text) == (met, not met)
    assert (f"Type 1 for lesson {onward}" if met else "Type 1 to try it again") in text
    assert not any(word in text for word in ("resigned", "Record", "Audit", "replay", "rematch"))
    actions.enter(table, "")
    assert (table.left, table.page) == (False, scene.page), "it was meant for the last answer"
    actions.enter(table, "1")
    assert (table.left, table.onward) == (True, onward)


def test_behind_the_last_lesson_a_digit_leads_to_a_real_game(ends: Ends) -> None:
    """It led back to a shell, with a command to copy."""
    ends.connect()
    taught = lesson("spies-and-lies")
    assert taught is not None
    last, learnt = len(lessons("spies-and-lies")), replace(taught, met=lambda _view: True)
    table = ends.table(0, Settings(), lesson=learnt, number=last)
    table.refresh()
    ends.replicas[1].resign()
    ends.pump()
    table.refresh()
    page = table.page
    assert page is not None
    assert "✓ Well done" in " ".join(map(words, page.lines))
    assert "Now a real game" in presentation.scene(table).question
    actions.enter(table, "next")
    assert (table.left, table.onward, table.wish) == (True, None, Order.NEXT)


LAST: Final = " ".join(["praised"] * 26)
"""A coach's last sentence of three rows, as long as the longest one in German."""


@pytest.mark.parametrize("spoken", NAMES)
@pytest.mark.parametrize(
    ("game", "number"), [(game, at) for game in GAMES for at in range(1, len(lessons(game)) + 1)]
)
def test_the_end_of_a_lesson_is_seen_at_once_on_the_smallest_screen(
    tmp_path: Path, game: str, number: int, spoken: str
) -> None:
    """Its last lines, with what comes next, stood below the window."""
    taught = lesson(game, number)
    assert taught is not None
    both = Ends(tmp_path, game=GAMES[game], options=taught.options)
    both.connect()
    learnt = replace(taught, met=lambda _view: True, coach=lambda _view: LAST)
    table = both.table(0, Settings(), lesson=learnt, number=number)
    language.install(spoken)
    try:
        table.refresh()
        both.replicas[1].resign()
        both.pump()
        table.refresh()
        scene = presentation.scene(table)
        shown, enter = draw(scene, 80, 24), table.coach.closing()
    finally:
        language.install("en")
        both.close()
    assert shown.page is not None
    assert len(shown.page.lines) + FRAMED <= len(shown.table)
    assert scene.question == enter


FRAMED: Final = 2
"""Rows of the frame around a page."""


def test_beside_the_coach_of_a_battle_all_pieces_are_named_on_the_smallest_screen(tmp_path: Path) -> None:
    """An empty chat gives way to them; a chat in which something was said stays."""
    taught = lesson("stratego")
    assert taught is not None
    both = Ends(tmp_path, game=STRATEGO, options=taught.options)
    both.connect()
    table = both.table(0, Settings(), lesson=taught)
    table.refresh()
    scene = presentation.scene(table)
    assert scene.lesson
    shown = text(scene)
    assert "─ Coach ─" in shown
    assert "Type ready" in shown
    for face in ARMIES[str(taught.options["army"])].faces:
        assert f" {named(face)} " in shown
    assert "─ Chat ─" not in shown
    assert "─ Chat ─" in text(replace(scene, chat=[("class:seat1", "Boris", "Good luck!")]))
    both.close()


def test_beside_a_long_word_of_the_coach_the_beginning_of_the_help_stands() -> None:
    coach = Panel("coach", "Coach", [styled("said")] * 6, 6)
    players = Panel("players", "Players", [styled(f"player {number}") for number in range(8)], 8)
    shown = [words(line).strip() for line in column([coach, players], 30, 14)]
    assert shown[7].startswith("─ Players ─")
    assert "2 more" in shown[7]
    assert shown[8:] == [f"player {number}" for number in range(6)]
    assert not any("Players" in words(line) for line in column([coach, players], 30, 9))


def test_beside_the_coach_of_a_lesson_no_other_example_is_told(tmp_path: Path) -> None:
    """The question named another move than the coach."""
    taught = lesson("stratego")
    assert taught is not None
    both = Ends(tmp_path, game=STRATEGO, options=taught.options)
    both.connect()
    for seat in (0, 1):
        table = both.table(seat, Settings(), lesson=replace(taught, line=lambda _view: "e4e7"))
        table.refresh()
        actions.enter(table, "ready")
        both.pump()
    table = both.table(0, Settings(), lesson=replace(taught, line=lambda _view: "e4e7"))
    table.refresh()
    assert presentation.question(table) == ("Your move.", "e4e7, or press Enter")
    both.close()


def test_in_lines_the_coach_is_told_before_the_question(call: Call) -> None:
    run = call("play", "--name", "Anna", "--coach", stdin=b"1 4 8 10\n")
    assert "\nCoach: " in run.out
    assert "Coach: " not in call("play", "stratego", "--name", "Anna", stdin=b"ready\n").out


def test_in_lines_the_coach_of_a_lesson_does_not_say_again_what_it_has_just_said(call: Call) -> None:
    run = call("learn", "stratego", "--plain", stdin=b"ready\ne4e7\ni4i5\nleave\nyes\n")
    assert run.out.count("Another way than mine") == 1
    assert run.out.count("Type j4j5") == 2


def test_the_coach_of_a_lesson_stands_in_the_same_column_however_long_it_speaks(ends: Ends) -> None:
    ends.connect()
    table = ends.table(0)
    table.refresh()
    scene = replace(presentation.scene(table), lesson=True)
    for columns, height in SIZES:
        places = {
            next(
                line
                for line in text(replace(scene, coach=sentence), columns, height).splitlines()
                if "─ Coach ─" in line
            ).index("─ Coach ─")
            for sentence in ("Short.", "\n".join(["One sentence of the coach, and a longer one."] * 3))
        }
        assert len(places) == 1


def test_the_coach_calls_no_army_ready_in_which_a_piece_is_missing(tmp_path: Path) -> None:
    ends = Ends(tmp_path, game=STRATEGO, options={"army": "quickplay"})
    ends.connect()
    table = ends.table(0, replace(STILL, coach=True), bot=True)
    table.refresh()
    ready = presentation.coached(table)
    assert "ready" in ready
    flag = next(square for square in ("a1 -", "b1 -", "c1 -", "d1 -", "e1 -") if _without(table, square))
    assert flag
    amiss = presentation.coached(table)
    assert "ready" not in amiss
    assert amiss in hints.proposed(table).sentences
    actions.enter(table, "undo")
    assert presentation.coached(table) == ready
    ends.close()


def _without(table: TableController, line: str) -> bool:
    """Take a piece away; whether there was one."""
    actions.enter(table, line)
    return bool(table.amiss)


MANY = 20
"""Sentences of a coach that a small screen has no room for."""


def test_in_a_lesson_all_that_the_coach_says_stands_there_or_behind_a_key(ends: Ends) -> None:
    taught = lesson("spies-and-lies")
    assert taught is not None
    sentences = "\n".join(f"Sentence {number} of the coach." for number in range(MANY))
    table = ends.table(0, Settings(), lesson=replace(taught, coach=lambda _view: sentences))
    ends.connect()
    table.refresh()
    whole = text(presentation.scene(table), 200, 60)
    assert all(f"Sentence {number} " in whole for number in range(MANY))
    assert "─ Coach ─" in whole
    small = text(presentation.scene(table), 80, 24)
    assert "Coach: F6" in small
    assert f"Sentence {MANY - 1} " in small
    actions.enter(table, "coach")
    assert table.page is not None
    page = " ".join(map(words, table.page.lines))
    assert all(f"Sentence {number} " in page for number in range(MANY))
    actions.enter(table, "coach off")
    assert table.notice == ("warn", "In a lesson the coach stays.")


def test_in_a_lesson_the_coach_stays_whatever_panel_is_chosen(ends: Ends) -> None:
    """F2, pressed twice, hid it for good on a small screen."""
    taught = lesson("spies-and-lies")
    assert taught is not None
    sentences = "\n".join(f"Sentence {number} of the coach." for number in range(MANY))
    table = ends.table(0, Settings(), lesson=replace(taught, coach=lambda _view: sentences))
    ends.connect()
    table.refresh()
    chosen = presentation.panels(table)
    assert chosen[0] == "coach"
    for table.side in chosen:
        shown = text(presentation.scene(table), 80, 24)
        assert "Coach: F6" in shown, table.side
        assert f"Sentence {MANY - 1} " in shown, table.side
