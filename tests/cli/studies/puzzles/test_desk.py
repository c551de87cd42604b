"""A puzzle on the desk: typed lines, both front ends, and the command."""

from __future__ import annotations

import argparse
import json
from datetime import date
from functools import partial
from pathlib import Path
from typing import cast

import pytest
from prompt_toolkit.key_binding import KeyPressEvent
from prompt_toolkit.keys import Keys

from cli.commands import puzzle as command
from cli.lines.prompt import Prompt
from cli.lines.puzzle import solve
from cli.screen.puzzle import PuzzleScreen, screen
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.settings import Settings
from cli.studies.puzzles import progress
from cli.studies.puzzles.collection import of_day, of_game
from cli.studies.puzzles.desk import Desk
from cli.text import language
from cli.text.layout import ascii_line, width, words
from tests.helpers.program.commands import Call

TODAY = 739_000


def wrong_for(desk: Desk) -> str:
    return next(move for move in desk.sitting.position.moves() if move != desk.puzzle.move)


@pytest.fixture(params=["stratego", "spies-and-lies"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Desk:
    return Desk(tmp_path, TODAY, request.param)


def test_the_right_answer_is_kept_with_its_reasons(desk: Desk, tmp_path: Path) -> None:
    assert desk.puzzle == of_day(TODAY, desk.puzzle.game)
    assert "of the day" in desk.heading
    desk.typed(desk.puzzle.move)
    assert desk.sitting.right
    assert desk.sitting.sentences[0].startswith("Right")
    assert any("1 day in a row" in sentence for sentence in desk.sitting.sentences)
    assert progress.load(tmp_path).solved == {desk.puzzle.number}
    again = Desk(tmp_path, TODAY, desk.puzzle.game)
    assert again.puzzle != desk.puzzle  # that of the day is solved: here is another
    assert "of the day" not in again.heading


def test_a_wrong_first_try_stays_one(desk: Desk, tmp_path: Path) -> None:
    desk.typed(wrong_for(desk))
    assert not desk.sitting.over
    assert desk.sitting.first is False
    desk.typed("hint")
    assert len(desk.sitting.sentences) == 1
    desk.typed(desk.puzzle.move)
    assert desk.sitting.right
    assert [attempt.right for attempt in progress.load(tmp_path).tries] == [False, True]


@pytest.mark.parametrize(("code", "word"), [("de", "Verlassen"), ("nl", "weggaan"), ("nl", "leave")])
def test_a_puzzle_is_left_by_the_word_beside_its_key(desk: Desk, code: str, word: str) -> None:
    language.install(code)
    try:
        desk.typed(word)
    finally:
        language.install("en")
    assert desk.sitting.wish == "quit"


def test_a_shown_solution_counts_as_not_solved(desk: Desk, tmp_path: Path) -> None:
    desk.typed("solution")
    assert desk.sitting.over
    assert progress.load(tmp_path).solved == frozenset()
    desk.typed(desk.puzzle.move)
    assert progress.load(tmp_path).solved == frozenset()
    before = desk.puzzle
    desk.typed("")
    assert desk.puzzle != before
    assert not desk.sitting.over


def test_what_is_no_answer_costs_nothing(desk: Desk, tmp_path: Path) -> None:
    for line in ("", "?", "zz9", "board", "a1", "99"):
        desk.typed(line)
        assert not desk.sitting.wrong
    assert progress.load(tmp_path).tries == ()
    desk.typed("q")
    assert desk.sitting.wish == "quit"


def test_there_is_an_end_of_puzzles(desk: Desk, tmp_path: Path) -> None:
    tries = [progress.Try(TODAY, puzzle.number, True) for puzzle in of_game(desk.puzzle.game)]
    progress.save(tmp_path, progress.Progress(tuple(tries)))
    last = Desk(tmp_path, TODAY, desk.puzzle.game)
    last.typed("next")
    assert last.sitting.sentences[0].startswith("You have met all")


def test_the_screen_fills_its_terminal_and_shows_the_task(desk: Desk) -> None:
    for columns, rows in ((80, 24), (120, 40), (40, 10), (20, 4)):
        for line in ("hint", "solution"):
            desk.typed(line)
            lines = screen(desk, columns, rows, "e4")
            assert len(lines) == rows
            assert {width(line) for line in lines} == {columns}
    fresh = [words(line) for line in screen(Desk(desk.home, TODAY, desk.puzzle.game), 80, 24)]
    assert any("?" in line for line in fresh)
    assert all(words(ascii_line(line)).isascii() for line in screen(desk, 80, 24))


def test_typing_pointing_and_entering_on_the_screen(tmp_path: Path) -> None:
    shown = PuzzleScreen(Desk(tmp_path, TODAY, "stratego"), Settings())
    solution = shown.desk.puzzle.move
    half = 2 if solution[2].isalpha() else 3
    shown.point(solution[:half])
    assert shown.typed == solution[:half]
    shown.point(solution[half:])
    assert shown.desk.sitting.right
    shown.enter("next")
    shown.step("up")
    assert shown.cursor


def test_enter_points_only_where_nothing_was_typed(tmp_path: Path) -> None:
    shown = PuzzleScreen(Desk(tmp_path, TODAY, "stratego"), Settings())
    solution = shown.desk.puzzle.move
    half = 2 if solution[2].isalpha() else 3
    shown.cursor, shown.typed = solution[:half], wrong_for(shown.desk)
    shown.press()
    assert len(shown.desk.sitting.wrong) == 1
    shown.press()
    assert shown.typed == solution[:half]
    shown.cursor = solution[half:]
    shown.press()
    assert shown.desk.sitting.right
    solved = shown.desk.puzzle
    shown.press()
    assert shown.desk.puzzle != solved


def test_the_foot_names_what_keys_do_now(tmp_path: Path) -> None:
    shown = PuzzleScreen(Desk(tmp_path, TODAY, "stratego"), Settings())

    def foot() -> str:
        return words(screen(shown.desk, 80, 24, shown.typed)[-1])

    assert "Enter answer" in foot()
    assert "Esc leave" in foot()
    shown.typed = "e4"
    assert "Esc clear" in foot()
    shown.escape()
    assert shown.typed == ""
    assert not shown.desk.sitting.wish
    shown.enter("solution")
    assert "Enter next  Esc leave" in foot()
    assert "hint" not in foot()


def test_arrows_pick_of_all_answers_where_a_board_takes_no_cursor(tmp_path: Path) -> None:
    """Not only of those that are possible: they would give the solution away."""
    shown = PuzzleScreen(Desk(tmp_path, TODAY, "spies-and-lies"), Settings())
    picked = []
    for _each in range(10):
        shown.step("down")
        picked.append(shown.typed)
    assert picked == [f"guess {rank}" for rank in range(1, 11)]
    shown.step("up")
    assert shown.typed == "guess 9"


def arguments(home: Path, **given: object) -> argparse.Namespace:
    usual = {"home": home, "game": None, "number": None, "answer": None, "json": False, "plain": True}
    return argparse.Namespace(**{**usual, "ascii": False, **given})


def test_the_day_comes_from_the_clock_that_is_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = []
    for day in (TODAY, TODAY + 1):
        command.run(arguments(tmp_path, json=True), partial(date.fromordinal, day))
        shown.append(json.loads(capsys.readouterr().out))
    assert [puzzle["number"] for puzzle in shown] == [of_day(TODAY + nth, None).number for nth in (0, 1)]
    assert shown[0]["today"]
    assert shown[0]["solution"] is None
    assert shown[0]["why"] == []


def test_programs_answer_in_one_go(call: Call) -> None:
    asked = json.loads(call("puzzle", "12", "--json").out)
    document = json.loads(call("puzzle", "12", "--json", "--answer", asked["answers"][0]).out)
    assert document["right"] in (True, False)
    done = json.loads(call("puzzle", "12", "--json", "--answer", "solution").out)
    assert done["solution"] in asked["answers"]
    assert done["why"]


def test_what_is_no_answer_ends_the_command_with_65_and_no_number_of_a_puzzle_with_64(call: Call) -> None:
    for options in ((), ("--json",)):
        run = call("puzzle", "3", *options, "--answer", "xx")
        assert (run.code, run.out) == (Exit.DATA, "")
        assert "“xx” is no move." in run.err
        assert call("puzzle", "9999", *options).code == Exit.USAGE
    assert call("puzzle", "3", "--answer", "hint").code == Exit.OK


@pytest.mark.parametrize("name", ["conquest", "SPIES"])
def test_a_game_without_puzzles_is_refused_with_the_names_of_those_that_have_them(
    call: Call, name: str
) -> None:
    run = call("puzzle", "--game", name)
    assert run.code == Exit.UNSUPPORTED
    assert "has no puzzles yet; Spies & Lies and Stratego have them." in run.err
    assert "spies-and-lies, stratego" in call("puzzle", "--game", "chess").err


def test_lines_take_an_answer_and_go_on(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = iter(["hint", "solution", "", "q"])
    prompt = Prompt()
    prompt.interactive = True
    monkeypatch.setattr("builtins.input", lambda _question: next(typed))
    before = desk.puzzle
    solve(desk, prompt)
    output = capsys.readouterr().out
    assert desk.puzzle != before
    assert output.count("strength") == 2
    assert "Enter brings the next puzzle" in output


def test_no_puzzle_has_another_number(tmp_path: Path) -> None:
    with pytest.raises(Sorry, match="puzzles from 1 to"):
        Desk(tmp_path, TODAY, None, 9999)


def test_a_function_key_is_a_command_and_no_text(tmp_path: Path) -> None:
    """Keys without a command would be typed as their escape sequence: "OP" for F1."""
    shown = PuzzleScreen(Desk(tmp_path, TODAY, "stratego"), Settings())
    bindings = shown.app.key_bindings
    assert bindings is not None
    for key in (Keys.F1, Keys.F2, Keys.F3):
        before = shown.desk.sitting
        bindings.get_bindings_for_keys((key,))[-1].handler(cast("KeyPressEvent", None))
        assert shown.typed == ""
        assert shown.desk.sitting != before
