"""Settings as they are read from a file, and what of a file survives its being written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from cli.shell import settings
from cli.shell.exit_codes import Sorry
from cli.shell.settings import Settings
from protocol.storage.home import Home
from tests.helpers.program.playing import arguments

SET = Settings(
    name="Anna",
    notify="command",
    notify_command=("notify-send", "A game"),
    relays=("relay.example:4001",),
    relay_only=True,
    proxy="socks5://127.0.0.1:9050",
)


def test_what_is_written_is_read_again() -> None:
    for preferences in (Settings(), SET):
        assert settings.read(json.loads(json.dumps(settings.written(preferences)))) == preferences


@pytest.mark.parametrize(
    "saved",
    [
        {"notify": "shout"},
        {"notify": True},
        {"notify": "command"},
        {"theme": "pink", "ascii": 1, "name": None, "mouse": []},
        {"notify_command": "rm -rf"},
        {"notify_command": ["a", 1]},
        {"notify_command": ["a\x1b"]},
        {"notify_command": ["a"] * 33},
    ],
)
def test_a_value_that_makes_no_sense_counts_as_missing(saved: dict[str, Any]) -> None:
    assert settings.read(saved) == Settings()


@pytest.mark.parametrize(
    "saved",
    [
        {"relay_only": "yes"},
        {"relay_only": None},
        {"relays": "relay.example:4001"},
        {"relays": [1]},
        {"relays": ["x"] * 33},
        {"proxy": ["socks5://127.0.0.1:9050"]},
        {"proxy": "socks5://127.0.0.1:9050\n"},
    ],
)
def test_one_that_may_hide_an_address_is_unclear_instead(saved: dict[str, Any]) -> None:
    [name] = saved
    assert settings.read(saved) == Settings(unclear=(name,))
    assert settings.read(None).unclear == ("settings.json",)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda more: st.lists(more, max_size=4)
)


@hypothesis_settings(max_examples=40)
@given(st.dictionaries(st.sampled_from(list(settings.written(Settings()))), JSON))
def test_any_file_gives_settings_that_can_be_written(saved: dict[str, Any]) -> None:
    restored = settings.read(saved)
    assert set(restored.unclear) <= set(settings.WAYS)
    assert settings.read(settings.written(restored)).unclear == ()


def test_what_is_not_changed_stays_in_the_file_as_it_is(tmp_path: Path) -> None:
    with Home(tmp_path) as home:
        home.save_settings({"relay_only": "yes", "of_later": 1, "notes": True})
        settings.remember(home, Settings(), Settings(notes=False))
        assert home.settings() == {"relay_only": "yes", "of_later": 1, "notes": False}
        (tmp_path / "settings.json").write_text("{noise")
        settings.remember(home, Settings(), Settings(notes=False))
        assert (tmp_path / "settings.json").read_text() == "{noise"


def test_the_command_line_says_how_to_call_the_player() -> None:
    assert settings.given(Settings(), arguments("play", "--no-bell")).notify == "off"
    assert settings.given(SET, arguments("play")).notify == "command"
    assert settings.given(SET, arguments("play", "--notify", "osc9")).notify == "osc9"
    with pytest.raises(Sorry, match="a command of yours"):
        settings.given(Settings(), arguments("play", "--notify", "command"))


def test_a_lesson_that_another_window_learnt_meanwhile_keeps_its_tick(tmp_path: Path) -> None:
    before = Settings(learnt=("one",))
    with Home(tmp_path / "home") as home:
        for window in ("two", "three"):
            settings.remember(home, before, before.changed(learnt=("one", window)))
        assert settings.read(home.settings()).learnt == ("one", "two", "three")
