"""The language of a run: by its option, else the setting, else the environment."""

from __future__ import annotations

import argparse
import inspect
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.shell import parser, run_language
from cli.text import language
from p2p_stratego.core.language import install
from tests.helpers.program.commands import Call


@pytest.fixture
def spoken(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[list[str]]:
    """What was installed; the environment asks for Dutch."""
    heard: list[str] = []

    def listen(wanted: str, **_: object) -> str:
        heard.append(wanted)
        return wanted

    home.mkdir()
    monkeypatch.setattr(language, "install", listen)
    yield heard
    install(None)


@pytest.mark.parametrize(
    ("words", "saved", "wanted"),
    [
        ([], {}, "auto"),
        ([], {"language": "de"}, "de"),
        (["--language", "nl"], {"language": "de"}, "nl"),
        (["play", "--language=en"], {"language": "de"}, "en"),
        (["--language", "nl", "play", "--language", "de"], {}, "de"),
        (["--language"], {"language": "de"}, "de"),
        (["--language", "fr"], {"language": "de"}, "auto"),
        ([], {"language": ["de"]}, "auto"),
        ([], [], "auto"),
    ],
)
def test_the_option_goes_before_the_setting(
    words: list[str], saved: object, wanted: str, spoken: list[str], home: Path
) -> None:
    (home / "settings.json").write_text(json.dumps(saved))
    run_language.speak(words)
    assert spoken == [wanted]


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 100_000])
def test_settings_that_cannot_be_read_are_told_by_others(
    content: bytes, spoken: list[str], home: Path
) -> None:
    (home / "settings.json").write_bytes(content)
    run_language.speak([])
    assert spoken == ["auto"]


def test_a_language_that_is_none_is_refused_with_those_that_are(call: Call) -> None:
    called = call("--language", "fr", "games")
    assert called.code == 64
    assert "de" in called.err


def test_help_speaks_by_the_catalogue(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    class German:
        def gettext(self, message: str) -> str:
            return {"usage: ": "Aufruf: "}.get(message, message)

        def ngettext(self, singular: str, plural: str, n: int) -> str:
            return singular

        def pgettext(self, context: str, message: str) -> str:
            return message

    monkeypatch.setattr(language, "install", lambda *_, **__: install(German()))
    assert call("games", "--help").out.startswith("Aufruf: ")
    install(None)
    monkeypatch.setattr(language, "install", lambda *_, **__: "en")
    assert call("games", "--help").out.startswith("usage: ")


def test_argparse_of_this_python_says_what_is_translated() -> None:
    source = inspect.getsource(argparse)
    assert [word for word in parser.WORDS if word not in source] == []
