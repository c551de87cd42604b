"""The program itself in a terminal of its own: a pseudo-terminal and an emulator behind it."""

from __future__ import annotations

import signal
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.program.window import PATIENCE, Window

pytestmark = pytest.mark.usefixtures("nursery")


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Window]:
    """A game against a bot, waiting for four soldiers."""
    opened = Window(tmp_path / "home", "play", "--name", "Anna", "--level", "recruit")
    opened.until("which four soldiers lie under your missions", "RED Anna (you)")
    yield opened
    opened.close()


def test_the_program_plays_resizes_and_leaves_the_terminal_as_it_was(window: Window) -> None:
    assert termios.tcgetattr(window.inner) != window.before  # every key is its own, nothing is echoed
    window.type("rubbish \x01\x02\x1b[99~\r")
    window.until("⚠")
    window.resize(120, 40)
    window.until("Anna (you)", "─ History", "─ Soldiers")
    window.resize(60, 10)
    window.until("at least 80 x 24", "which four soldiers lie under your missions")
    window.resize(50, 2)
    window.until("which four soldiers lie under", "❯")
    window.resize(80, 24)
    window.until("RED Anna (you)")
    window.type("\x15leave\r")  # over the refused line, which came back for editing
    window.until("Leave? The game is saved")
    window.type("yes\r")
    assert window.code() == 0
    lines = [line.rstrip() for line in window.screen.display]
    assert lines[lines.index("Your game with Recruit bot is saved. Go on with it:") + 1].startswith(
        "  p2p-stratego resume"
    )
    assert termios.tcgetattr(window.inner) == window.before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_restores_the_terminal(window: Window, number: signal.Signals) -> None:
    window.process.send_signal(number)
    assert window.code() == 130
    assert "Nothing that was saved is lost" in " ".join(" ".join(window.screen.display).split())
    assert termios.tcgetattr(window.inner) == window.before


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_closed_window_ends_the_program_and_the_game_can_go_on(tmp_path: Path, unbuffered: str) -> None:
    arguments = ("play", "--name", "Anna", "--level", "recruit")
    window = Window(tmp_path / "home", *arguments, unbuffered=unbuffered)
    window.until("which four soldiers lie under your missions", "RED Anna (you)")
    window.hang_up()  # and so does the kernel
    assert window.process.wait(PATIENCE) == 130
    again = Window(tmp_path / "home", "resume")
    again.until("which four soldiers lie under your missions", "RED Anna (you)")
    again.type("\x11")
    again.until("Leave?")
    again.type("y\r")
    assert again.code() == 0
    again.close()


@pytest.mark.parametrize(
    ("arguments", "seen"),
    [
        (("play", "--level", "recruit"), ("which four soldiers lie under your missions", "RED Anna (you)")),
        (("host", "--game", "stratego", "--address", "127.0.0.1"), ("Waiting for more", "> ")),
        (("host", "--game", "stratego", "--address", "127.0.0.1"), ("Waiting ...",)),
    ],
    ids=["table", "lobby", "before the lobby"],
)
def test_a_window_that_is_gone_without_a_signal_is_no_bug(
    tmp_path: Path, arguments: tuple[str, ...], seen: tuple[str, ...]
) -> None:
    window = Window(tmp_path, *arguments, "--name", "Anna", owned=False)
    window.until(*seen)
    window.hang_up()
    assert window.process.wait(PATIENCE) == 130
    assert not (tmp_path / "crash.log").exists()


def test_an_interrupted_game_in_lines_says_below_the_prompt_how_it_goes_on(tmp_path: Path) -> None:
    window = Window(tmp_path / "home", "play", "--plain", "--name", "Anna", "--level", "recruit")
    window.until("soldiers lie under your missions", "\n> ")
    window.type("\x03")
    assert window.code() == 130
    lines = [line.rstrip() for line in window.screen.display]
    assert lines[lines.index("Your game with Recruit bot is saved. Go on with it:") + 1].startswith(
        "  p2p-stratego resume"
    )
    assert any(line.startswith("p2p-stratego: Interrupted.") for line in lines)
    window.close()
