"""docs/engines.md keeps its word: its session is played again, and its tables name what there is."""

from __future__ import annotations

import json
import re
import typing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.games import packages
from cli.play.arena.contest import EngineContender, LevelContender, contest
from cli.play.engines import consultation
from cli.play.engines.engine_bot import EngineBot
from cli.play.engines.question import LISTED, Refusal
from p2p_stratego.registry import GAMES
from tests.helpers.program.engines import ROOT, FakePipe, Reply
from tests.helpers.program.packages import EXAMPLES, install, site

PAGE = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
MOST_WORDS = 1000


def content(line: str) -> dict[str, Any]:
    """A line, without the versions of what it was printed with."""
    message: dict[str, Any] = json.loads(line)
    message.pop("source", None)
    if message["type"] == "hello":
        message.pop("program", None)
    return message


def test_the_session_that_is_printed_is_played_again_to_the_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (printed,) = re.findall(r"^```\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    session = [(line[0], content(line[2:])) for line in printed.splitlines()]
    waiting = list(session)
    heard: list[dict[str, Any]] = []

    def replies(message: dict[str, Any]) -> list[Reply]:
        heard.append(content(json.dumps(message)))
        waiting.pop(0)
        answers: list[Reply] = []
        while waiting and waiting[0][0] == "<":
            answers.append(waiting.pop(0)[1])
        return answers

    line = FakePipe(replies)
    with site(tmp_path, monkeypatch) as folder:
        install(folder, "p2p-stratego-guess", {"guess": "guess.entry:ENTRY"})
        monkeypatch.syspath_prepend(EXAMPLES / "guess")
        packages.load()
        engine = EngineContender(
            "Lefty 1.0", lambda: EngineBot(lambda: line, {"side": "left"}, line.clock, Random(1)), 10.0
        )
        assert len(list(contest(GAMES["guess"], (engine, LevelContender("guess", "agent")), 2, 1))) == 2
        engine.close()
    assert heard == [message for side, message in session if side == ">"]
    assert waiting == []


def test_the_page_names_every_refusal_and_every_limit() -> None:
    refusals = PAGE.split("## Refusals")[1].split("\n## ")[0]
    codes = {*typing.get_args(Refusal), "no-json", "wrong-form", "not-asked"}
    assert set(re.findall(r"`([a-z-]+)`", refusals)) == codes
    assert f"{consultation.LONGEST:,} bytes" in PAGE
    assert f"more than {LISTED:,}" in PAGE
    assert f"within {consultation.READY_WITHIN:g} s" in PAGE
    assert (consultation.PATIENCE, consultation.VERSION) == (8, 1)


def test_the_page_is_short() -> None:
    assert len(PAGE.split()) <= MOST_WORDS


def test_the_example_in_python_is_short_and_imports_nothing_of_this_project() -> None:
    text = (ROOT / "examples" / "engines" / "random_player.py").read_text(encoding="utf-8")
    assert text.count("\n") <= 50
    assert set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE)) == {
        "json",
        "random",
        "sys",
        "typing",
    }
