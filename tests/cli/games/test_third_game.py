"""A game of another package, in no list of ours: played, audited, exported, refereed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.games import packages
from cli.menu import line_menu
from p2p_stratego import registry
from protocol.audit.verdict import Verdict, audit
from tests.helpers.program.commands import Call
from tests.helpers.program.packages import install, site
from tests.helpers.seats.pair import Table


@pytest.fixture(autouse=True)
def third(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The example is installed."""
    with site(tmp_path, monkeypatch) as path:
        install(path, "p2p-stratego-guess", {"guess": "guess.entry:ENTRY"})
        assert packages.load() == []
        yield


def test_it_is_played_against_its_bot_through_the_whole_protocol(call: Call, home: Path) -> None:
    run = call(
        "play", "--game", "guess", "--first", "red", "--plain", "--name", "Anna", stdin=b"left\nleave\n"
    )
    assert run.err == ""
    assert "Anna points left" in run.out
    assert run.code == 0
    (record, *_) = sorted(home.rglob("transcript.p2ps"))
    report = audit(record.read_bytes(), registry.GAMES)
    assert report.verdict is Verdict.COMPLETE
    assert call("audit", record).code == 0
    exported = json.loads(call("export", "--json", record).out)
    assert exported["game"] == "guess"
    assert exported["steps"][-1]["told"][0].startswith("Anna points left")
    assert "no notation" in call("export", "--record", record).err
    page = call("export", "--html", home / "page.html", record)
    assert "no page" in page.err
    assert "the high card" in call("games").out
    assert "points left" in call("replay", record).out


def test_both_sides_agree_on_a_game_that_only_they_know() -> None:
    table = Table(7, game=registry.GAMES["guess"]).play()
    assert audit(table.seats[0].transcript, registry.GAMES).verdict is Verdict.COMPLETE


def test_command_line_and_menu_take_it_from_its_entry(call: Call) -> None:
    assert ("Guess, two cards", ["--game", "guess"]) in line_menu.variants()
    assert "high card" in call("rules", "--game", "guess").out
    assert "GUESS" in call("rules", "--game", "guess").out
    text = " ".join(call("play", "--help").out.split())
    assert "Stratego and Guess: --first FIRST Stratego: who moves first; Guess: who guesses" in text


def test_an_option_that_two_games_have_is_checked_by_the_game_that_is_played(call: Call) -> None:
    run = call("play", "--game", "guess", "--first", "green")
    assert (run.code, run.out) == (64, "")
    assert "red, blue" in run.err
    run = call("play", "--game", "guess", "--first", "blue", "--plain", stdin=b"12\nleave\n")
    assert "laid two cards" in run.out


def test_its_scenarios_are_refereed(call: Call) -> None:
    run = call("referee", "-", stdin=b'{"game": "guess", "cards": [1, 2], "point": "right"}\n')
    assert [json.loads(line) for line in run.out.splitlines()] == [
        {"point": "right", "card": 2},
        {"winner": "blue", "reason": "found"},
    ]
