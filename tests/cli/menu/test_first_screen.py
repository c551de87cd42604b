"""The first screen of the program in a terminal of its own: into a game, and back again."""

from __future__ import annotations

import argparse
import signal
import termios
from pathlib import Path

import pytest

from cli.games import lessons
from cli.menu import first_screen
from cli.menu.first_screen import CHOICES, FirstScreen, ScreenPrompt
from cli.menu.line_menu import Menu
from cli.screen.chooser import TITLE, ChoiceList, ChoiceRow, draw
from cli.shell import parser
from cli.shell.exit_codes import Exit
from cli.shell.settings import Settings
from cli.text import language
from cli.text.layout import words
from p2p_stratego.core.language import _
from protocol.failures import InUse
from tests.golden.dialogues import assert_told
from tests.helpers.program.window import Window


@pytest.mark.usefixtures("nursery")
def test_a_player_comes_into_a_game_and_back_to_go_on_with_it(tmp_path: Path) -> None:
    window = Window(tmp_path / "home", "--theme", "dark")
    window.until("P2P STRATEGO", "Play a bot", "╰▼╯")
    window.type("f")
    window.until("Join", "Esc back")
    window.type("\x1b")
    window.until("Settings")
    window.type("b")
    window.until("Which game?")
    window.until("2 to 4 players, about 15 minutes")
    window.type("1")
    window.until("Which bot?", "The Recruit", "The Agent", "first beat: The ", "Another table")
    window.type("7")
    window.until("The Agent is not open yet, first beat")
    window.type("1")
    window.until("which four soldiers lie under your missions", "(you)", "─ Chat ─")
    window.type("\x11")
    window.until("Leave?")
    window.type("y\r")
    window.until("Your game with Recruit bot is saved.", "Enter: back")
    window.type("\r")
    window.until("Your turn in 1 game.", "Continue", "Spies & Lies with Recruit bot: unfinished, your turn")
    window.type("\r")
    window.until("which four soldiers lie under your missions", "(you)")
    window.type("\x11")
    window.until("Leave?")
    window.type("y\r")
    window.until("Enter: back")
    window.type("\rq")
    assert window.code() == 0
    assert termios.tcgetattr(window.inner) == window.before
    window.close()


@pytest.mark.usefixtures("nursery")
def test_esc_goes_back_one_list_at_a_time_and_out_of_a_question(tmp_path: Path) -> None:
    window = Window(tmp_path / "home", "--theme", "dark")
    window.until("Play a bot")
    window.type("l")
    window.until("Learn Stratego", "Esc back")
    window.type("r")
    window.until("Which game?")
    window.type("\x1b")
    window.until("Learn Stratego", "Esc back")
    window.type("r")
    window.until("Which game?")
    window.type("1")
    window.until("go on, b: back")
    window.type("\x1b")
    window.until("More about one thing?")
    window.type("marxx\x1b[D\x7f")
    window.until("marx")
    window.type("\x1b")
    window.until("Learn Stratego", "Esc back")
    window.type("\x1b")
    window.until("Play a bot", "Esc quit")
    window.type("q")
    assert window.code() == 0
    window.close()


@pytest.mark.parametrize(("typed", "answer"), [("", "usual"), ("mine", "mine"), (None, "")])
def test_esc_is_not_the_answer_that_enter_gives(
    monkeypatch: pytest.MonkeyPatch, typed: str | None, answer: str
) -> None:
    """Esc at the question for a file's name wrote the file."""
    prompt = ScreenPrompt(Settings())
    prompt.interactive = True
    monkeypatch.setattr(first_screen, "ask", lambda _question: typed)
    assert prompt.ask("The file", "usual") == answer


@pytest.mark.usefixtures("nursery")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_at_the_first_screen_restores_the_terminal(tmp_path: Path, number: signal.Signals) -> None:
    window = Window(tmp_path / "home")
    window.until("Play a bot")
    window.process.send_signal(number)
    assert window.code() == 130
    assert termios.tcgetattr(window.inner) == window.before
    window.close()


@pytest.mark.usefixtures("nursery")
def test_a_closed_window_ends_the_first_screen(tmp_path: Path) -> None:
    window = Window(tmp_path / "home", owned=False)
    window.until("Play a bot")
    window.hang_up()
    assert window.process.wait(30) == 130
    assert not (tmp_path / "home" / "crash.log").exists()


def test_every_choice_leads_to_a_command_of_the_program() -> None:
    shown = [*CHOICES, *(further for choice in CHOICES for further in choice.list)]
    assert {row.title for row in shown} >= {"Play a bot", "Host", "Join", "Past games", "The rules"}
    for row in shown:
        if row.command and row.command != ("settings",):
            parser.parser().parse_args([*row.command, *(["nobody"] if row.command == ("again",) else [])])
    for choices in (CHOICES, *(choice.list for choice in CHOICES)):
        assert len({choice.letter for choice in choices}) == len(choices)


@pytest.mark.parametrize("code", ["en", "de", "nl"])
def test_no_words_about_a_choice_are_cut_in_a_window_of_80_columns(code: str) -> None:
    language.install(code)
    try:
        for choices, title in (
            (CHOICES, TITLE),
            *((choice.list, choice.title) for choice in CHOICES if choice.list),
        ):
            shown = draw(ChoiceList(_(title), [choice.row for choice in choices]), 80, 24)
            assert not [line for line in map(words, shown) if "…" in line]
    finally:
        language.install(language.ENGLISH)


def test_games_that_cannot_be_read_are_told_when_they_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "games" / "x").mkdir(parents=True)

    def fail(_: Path) -> None:
        raise OSError(5, "Input/output error", "index.json")

    monkeypatch.setattr("cli.reports.own_games.listed", fail)
    looking = first_screen.HomeNews(tmp_path)
    looking.look()
    shown = looking.shown(ChoiceList("", [ChoiceRow("Continue", "…", "c"), ChoiceRow("Quit")], at=1))
    assert [row.title for row in shown.rows] == ["Continue", "Quit"]
    assert "cannot be read" in shown.rows[0].about
    assert shown.at == 1


def test_the_first_screen_names_the_next_opponent_on_the_ladder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "games" / "x").mkdir(parents=True)
    won = {
        "game": "stratego",
        "verdict": "complete",
        "reason": "flag",
        "seat": "red",
        "winners": ["red"],
        "others": ["Recruit bot"],
        "bots": ["recruit"],
        "changed": 0,
        "resumable": False,
    }
    monkeypatch.setattr("cli.reports.own_games.listed", lambda _home: [won])
    looking = first_screen.HomeNews(tmp_path)
    looking.look()
    shown = looking.shown(ChoiceList("", [choice.row for choice in CHOICES]))
    assert [row.title for row in shown.rows][:2] == ["Up the ladder", "Play a bot"]
    assert shown.rows[0].about == "The Cadet, in Stratego (not played yet)"
    assert looking.upward is not None
    assert looking.upward.command == ("play", "--game", "stratego", "--level", "cadet")
    assert shown.sentences == ["Today's puzzle waits under Learn.", "Stratego: The Recruit 1:0."]


def test_a_choice_in_reach_stays_when_the_games_are_found(tmp_path: Path) -> None:
    looking = first_screen.HomeNews(tmp_path)
    before = ChoiceList("", [ChoiceRow("Continue", "", "c"), ChoiceRow("Play"), ChoiceRow("Quit")], at=2)
    after = looking.shown(before)
    assert (after.rows[after.at].title, len(after.rows)) == ("Quit", 2)
    assert (
        FirstScreen(argparse.Namespace(theme="light", ascii=True), tmp_path).prompt.settings.theme == "light"
    )


def test_why_a_command_failed_is_told_before_the_player_is_asked_to_go_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def elsewhere(_: argparse.Namespace) -> int:
        raise InUse(str(tmp_path))

    monkeypatch.setattr(parser, "target", lambda _name: elsewhere)
    prompt = ScreenPrompt(Settings())
    prompt.interactive = True
    asked: list[str] = []

    def enter(_question: str) -> str:
        asked.append(capsys.readouterr().out)
        return ""

    monkeypatch.setattr(first_screen, "ask", enter)
    arguments = parser.parser().parse_args(["--home", str(tmp_path)])
    assert Menu(arguments, tmp_path, prompt).do("resume", "a" * 32) == Exit.OK
    assert list(prompt.taken()) == []
    assert len(asked) == 1
    assert_told("first", "a game that is open elsewhere", asked[0], "is open")


def test_the_learn_list_has_each_game_with_a_lesson() -> None:
    learn = next(choice for choice in CHOICES if choice.title == "Learn")
    assert [choice.command[1] for choice in learn.list if choice.command[0] == "learn"] == lessons.taught()
