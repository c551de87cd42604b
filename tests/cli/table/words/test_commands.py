"""Commands: the words by which they are typed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from cli.games.interface import terminal
from cli.games.typed_names import folded
from cli.table.words import commands
from cli.table.words.commands import Order
from cli.text import language
from p2p_stratego.registry import ENTRIES
from tests.words.generate import forms, merged

WORDS = {
    "de": {
        "hilfe": Order.HELP,
        "Hinweis": Order.HINT,
        "zurück": Order.UNDO,
        "verlassen": Order.LEAVE,
        "aufgeben": Order.RESIGN,
        "Remis": Order.DRAW,
        "revanche": Order.REMATCH,
        "zurücknehmen": Order.BACK,
        "Ziel": Order.GOAL,
    },
    "nl": {
        "hulp": Order.HELP,
        "hint": Order.HINT,
        "ongedaan": Order.UNDO,
        "weggaan": Order.LEAVE,
        "opgeven": Order.RESIGN,
        "remise": Order.DRAW,
        "revanche": Order.REMATCH,
        "terugnemen": Order.BACK,
        "doel": Order.GOAL,
    },
}


@pytest.fixture(params=sorted(WORDS))
def code(request: pytest.FixtureRequest) -> Iterator[str]:
    language.install(request.param)
    yield request.param
    language.install("en")


def test_commands_are_typed_by_the_words_beside_their_keys(code: str) -> None:
    for word, order in WORDS[code].items():
        assert commands.read(word) == (order, "")
    assert commands.read("help") == (Order.HELP, "")


def test_a_topic_of_the_rules_stands_behind_their_word_in_german() -> None:
    assert commands.read("Regeln Spione") is None
    language.install("de")
    try:
        assert commands.read("Regeln Spione") == (Order.RULES, "Spione")
    finally:
        language.install("en")


def test_no_thing_of_a_game_has_the_name_of_a_command(code: str) -> None:
    for game in ENTRIES:
        for english, shown in terminal(game).names().items():
            for name in shown:
                assert commands.read(folded(name)) is None or name == english, (game, name)


def test_a_decision_in_the_players_language_is_seen_in_a_chat_and_completed(code: str) -> None:
    own = commands.word(Order.RESIGN)
    assert own != "resign"
    assert commands.decision(f"{own.capitalize()}!") == commands.decision("resign")
    assert commands.starting(own[:3], private=False)[0] == own
    assert commands.starting("resi", private=False) == ("resign",)
    assert commands.begins(own[:3])
    assert commands.whole(own)


def test_a_translation_names_a_command_by_its_word_in_that_language(code: str) -> None:
    """A sentence that offers "leave" in English offers the word that stands beside the key."""
    named = re.compile(r"(?<![{\w-])(?:leave|resign|rematch|accept)(?![}\w])")
    wrong = [text for message in merged(code) for text in forms(message) if named.search(text)]
    assert wrong == []
