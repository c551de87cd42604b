"""The test kit: every game of this program passes it, and what is wrong with a game is found by it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from cli.games import packages
from cli.testing import checks
from cli.testing.__main__ import main
from cli.testing.checks import CHECKS, Check
from cli.testing.subject import Failed, LeftOut, Subject
from p2p_stratego.registry import ENTRIES
from tests.helpers.games.facts import facts
from tests.helpers.program.packages import install, site

LONG = {("spies", "two-ends"), ("spies", "whole-games")}
"""Minutes each: tests/protocol/record plays whole matches of decks, the game's own tests whole games."""
BY_NAME = {check.name: check for check in CHECKS}
ENTRY = "import guess.terminal\nfrom dataclasses import replace\nfrom guess.entry import ENTRY\n"
LAZY = "from p2p_stratego.core.entry import Lazy, Preset\n"
RULES = "from guess.rules import *\nfrom p2p_stratego.core.game import Roll\n"


@cache
def subject(game: str) -> Subject:
    """One for all checks, as the command has it: its games are played once."""
    return Subject(game, facts(game).kit)


@pytest.mark.parametrize(
    ("game", "check"),
    [
        pytest.param(game, check, id=f"{game}-{check.name}")
        for game in ENTRIES
        for check in CHECKS
        if (game, check.name) not in LONG
    ],
)
def test_every_game_passes_the_kit(game: str, check: Check) -> None:
    warnings: list[str] = []
    with suppress(LeftOut):
        warnings += check.run(subject(game))
    assert [text for text in warnings if " lacks: " in text] == []


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with site(tmp_path, monkeypatch) as path:
        yield path


def broken(folder: Path, entry: str, **modules: str) -> Subject:
    """The guessing game with something wrong with it."""
    names = {name: f"kit_{folder.parent.name}_{name}" for name in ("entry", *modules)}
    sources = {names["entry"]: ENTRY + LAZY + entry, **{names[name]: text for name, text in modules.items()}}
    for name, module in names.items():
        sources = {key: text.replace(f"<{name}>", module) for key, text in sources.items()}
    install(folder, "broken", {"guess": f"{names['entry']}:ENTRY"}, **sources)
    assert packages.load() == []
    return Subject("guess")


def rules(*lines: str) -> dict[str, str]:
    """A rulebook with something else in it."""
    change = "".join(f"    {line}\n" for line in lines)
    return {
        "entry": "ENTRY = replace(ENTRY, rules=Lazy('<rules>:GAME'))",
        "rules": f"{RULES}class Wrong(Guess):\n{change}\nGAME = Wrong()\n",
    }


def terminal(change: str) -> dict[str, str]:
    """A terminal with something else in it."""
    source = "from dataclasses import replace\nfrom guess.terminal import *\nSEEN = {}\n"
    return {
        "entry": "ENTRY = replace(ENTRY, terminal=Lazy('<terminal>:WRONG'))",
        "terminal": f"{source}WRONG = replace(TERMINAL.board, {change}).terminal('Guess')\n",
    }


def entry(change: str) -> dict[str, str]:
    """An entry with something else in it."""
    return {"entry": f"ENTRY = replace(ENTRY, {change})"}


SETUP = "def setup(self, seats, options):"
WRONG: list[tuple[str, str, dict[str, str]]] = [
    ("entry", "strongest bot", entry("bots={'b': ENTRY.bots['agent']}, about_bots={'b': 'x'}")),
    ("entry", "options are those", entry("options=()")),
    ("entry", "another title", entry("title='Guest'")),
    ("entry", "first preset", entry("presets=(Preset('x', {'first': 'red'}),)")),
    ("entry", "narration lacks step", entry("narration=Lazy('guess.rules')")),
    ("pure", "imports random", rules("import random")),
    ("pure", "calls hash", rules("version = 1 + 0 * hash('x')")),
    ("pure", "imports guess.rules", rules("pass")),
    ("whole-games", "more Rolls", rules(SETUP, "    yield Roll(2)", "    return State(0)")),
    ("whole-games", "does it end", rules("def turn(self, s):", "    yield Choose(0, SIDES)", "    return s")),
    ("whole-games", "are seats", rules("def outcome(self, s):", "    return Outcome(frozenset({7}), '')")),
    ("hidden", "changes what others see", terminal("lines=lambda v, p: [str(SEEN.update(v.known) or SEEN)]")),
    ("answers", "no answer is offered", terminal("answers=lambda view: {}")),
    ("answers", "is no answer", terminal("answers=lambda view: {'two  words': 'left'}")),
    ("every-answer", "means 'up'", terminal("answers=lambda view: {'up': 'up'}")),
    ("screens", "not filled", terminal("lines=lambda view, players: ['{name} hides.']")),
    ("screens", "no form in ASCII", terminal("lines=lambda view, players: ['\\u4e2d']")),
    ("screens", "goal has more", terminal("goal_of='x' * 71")),
]


@pytest.mark.parametrize(
    ("check", "why", "change"), WRONG, ids=[f"{check}: {why}" for check, why, _ in WRONG]
)
def test_what_is_wrong_is_found(
    folder: Path, check: str, why: str, change: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "MOST_ASKS", 1000)  # one of them never ends
    with pytest.raises(Failed, match=why):
        list(BY_NAME[check].run(broken(folder, **change)))


@pytest.mark.parametrize(
    "text", ["import time", "from os import path", "from . import other", "open('x')", "import cli"]
)
def test_a_module_that_is_not_pure_says_where(tmp_path: Path, text: str) -> None:
    file = tmp_path / "rules.py"
    file.write_text(f"import math\nfrom p2p_stratego.core.game import Roll\n{text}\n")
    (fault,) = checks.faults(file, "guess.rules")
    assert fault.startswith("rules.py, line 3, ")


def test_the_command_says_of_each_check_how_it_went(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(folder, "p2p-stratego-guess", {"guess": "guess.entry:ENTRY"})
    assert main(["guess"]) == 0
    output = capsys.readouterr().out
    assert [line.split()[0] for line in output.splitlines()].count("passed") == len(CHECKS) - 2
    assert "left out  mixes: nobody mixes cards blindly" in output
    assert "  warning: de lacks: Where is the high card?" in output


def test_the_command_fails_with_the_game(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken(folder, entry="ENTRY = replace(ENTRY, options=())")
    assert main(["guess", "--only", "entry"]) == 1
    assert capsys.readouterr().out == "FAILED    entry: the entry's options are those of the rules\n"
