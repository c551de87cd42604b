"""The start menu: what it lists, what it understands, and what it runs."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.commands import menu
from cli.shell import parser
from cli.shell.exit_codes import Exit
from tests.helpers.commands import Call
from tests.helpers.playing import PATIENCE


def test_the_menu_lists_unfinished_games_and_all_ways_to_begin(call: Call) -> None:
    told = call()
    assert told.code == Exit.OK
    assert "wait for a friend" in told.out
    assert "Unfinished" not in told.out
    call("play", "--name", "Anna")
    told = call()
    assert "Unfinished games" in told.out
    assert "with Agent bot: unfinished" in told.out


def test_every_variant_in_the_menu_has_its_name() -> None:
    named = [name for name, options in menu.variants() if "stratego" in options]
    assert [name.split()[1] for name in named] == [
        f"{army}," for army in ("quickplay", "classic", "barrage", "duel")
    ]


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("1", ["resume", "a" * 32]),
        (" 2 ", ["resume", "b" * 32]),
        ("p", ["play"]),
        ("HOST", ["host"]),
        ("j", ["join"]),
        ("", None),
        ("0", None),
        ("3", None),
        ("99999999999999", None),
        ("x", None),
    ],
)
def test_the_menu_understands_numbers_letters_and_words(typed: str, command: list[str] | None) -> None:
    assert menu.read(typed, [{"id": "a" * 32}, {"id": "b" * 32}]) == command


def test_a_choice_in_the_menu_runs_the_command_with_the_same_home(
    call: Call, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    call("play", "--name", "Anna")
    typed = iter(["what?", "g", "q"])
    monkeypatch.setattr("sys.stdin", type("Terminal", (io.StringIO,), {"isatty": lambda _: True})())
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    assert menu.run(parser.parser().parse_args(["--home", str(home)]), home) == Exit.OK
    told = capsys.readouterr().out
    assert "Please type one of" in told
    assert "last played" in told
    assert told.count("wait for a friend") == 2  # the list is read, and the menu is there again


def test_the_menu_reads_a_pipe_and_leaves_the_rest_of_it_to_the_game(home: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "cli"],
        input=b"nonsense\ng\np\n1\nresign\nyes\nleave\n",
        capture_output=True,
        cwd=Path(__file__).parents[3],
        env=os.environ | {"P2P_STRATEGO_HOME": str(home)},
        timeout=PATIENCE,
        check=False,
    )
    out = told.stdout.decode()
    assert (told.returncode, told.stderr) == (Exit.OK, b"")
    assert "Please type one of" in out
    assert out.count("wait for a friend") == 2
    assert "has resigned" in out
