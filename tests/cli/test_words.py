"""With a language that brackets every sentence, nothing stands outside of brackets: all text is marked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cli.shell import speaking
from cli.shell.parser import COMMANDS
from cli.table.commands import COUNTED, INTERRUPTS, PRIVATE, SETTING_UP, TABLE
from p2p_stratego.conquest.rules.atlas import TERRITORIES
from p2p_stratego.core.language import install
from p2p_stratego.registry import ENTRIES
from tests.helpers.bracketed import Brackets, words_outside
from tests.helpers.commands import Call

TYPED = {
    *("agent", "recruit", "red", "blue", "green", "yellow", "none", "ready", "random", "resume", "off"),
    *("quickplay", "classic", "barrage", "duel", "corner", "craters", "scattered"),
    *("germany", "italy", "russia", "france", "britain"),
    *ENTRIES,
    *(word for entry in (*TABLE, *SETTING_UP, *INTERRUPTS, *COUNTED, PRIVATE) for word in entry.words),
    *("mirror", "clear", "bomb", "flag", "king"),
    *("and", "lies"),  # of a name that a line breaks
}
"""What a player types or what the record holds."""
NAMES = {
    *("Anna", "Agent", "bot", "Spies", "Lies", "Stratego", "Conquest"),
    *(word for territory in TERRITORIES for word in territory.name.split()),
}
"""Of players, games and places."""


def unmarked(text: str) -> set[str]:
    """The words that no catalogue knows; capitals alone stand for an argument."""
    return {word for word in words_outside(text) if not word.isupper()} - TYPED - NAMES


SCRIPTS = {
    "spies-and-lies": "? board hand notes checks who ways moves history rules 1,4,8,10 1 1 1 1 history leave",
    "stratego": "? setups board hand ready board notes moves a4a5 b4b5 c4c5 e4e5 history checks leave",
    "conquest": "? board hand notes 1 history leave",
}


@pytest.fixture(autouse=True)
def brackets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(speaking, "speak", lambda _words: install(Brackets()))
    yield
    install(None)


@pytest.mark.parametrize("game", SCRIPTS)
def test_a_game_in_lines_is_marked(call: Call, game: str) -> None:
    lines = SCRIPTS[game].replace(",", "\0").split()
    told = call(
        "play", "--game", game, "--plain", "--name", "Anna",
        stdin="".join(f"{line}\n".replace("\0", " ") for line in lines).encode(),
    )  # fmt: skip
    shown = "\n".join(line for line in told.out.splitlines() if not line.startswith(">"))
    assert unmarked(shown) - set(lines) == set()


@pytest.mark.parametrize("game", ENTRIES)
def test_the_manual_of_a_game_is_marked(call: Call, game: str) -> None:
    assert unmarked(call("rules", "--game", game).out) == set()


def test_the_help_of_every_command_is_marked(call: Call) -> None:
    names = {entry.name for entry in COMMANDS}
    for name in ("", *names):
        told = call(*filter(None, (name, "--help")))
        assert unmarked(told.out) - names == set(), name


@pytest.mark.parametrize(
    "words",
    [
        ("nix",),
        ("play", "--wall", "99"),
        ("join", "x"),
        ("audit", "/nix"),
        ("--nix",),
        ("play", "poker"),
        ("resume",),
        ("setups", "nix"),
        ("host", "--port", "x"),
        ("contacts", "name"),
        ("games",),
    ],
)
def test_a_misunderstanding_is_told_by_the_catalogue(call: Call, words: tuple[str, ...]) -> None:
    told = call(*words)
    assert unmarked(told.out + told.err) - set(words) == set()
