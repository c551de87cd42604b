"""With a language that brackets every sentence, nothing stands outside of brackets: all text is marked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.games.interface import terminal
from cli.reports import history
from cli.screen.replay.replay import screen
from cli.shell import run_language
from cli.shell.commands import COMMANDS
from cli.studies.playback import Replay
from cli.table.pages import match_pages
from cli.table.words.commands import COUNTED, INTERRUPTS, PRIVATE, SETTING_UP, TABLE
from cli.text.layout import words
from p2p_stratego.conquest.rules.atlas import TERRITORIES
from p2p_stratego.core.language import english, install
from p2p_stratego.registry import ENTRIES, GAMES
from p2p_stratego.spies.rules.atlas import NAMES as NAMES_OF_CITIES
from p2p_stratego.spies.rules.counters import spy_names
from protocol.audit import verdict
from tests.helpers.games.facts import ALL
from tests.helpers.program.bracketed import CLOSE, OPEN, Brackets, words_outside
from tests.helpers.program.commands import Call
from tests.helpers.program.events import key, played, transcript

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
PLAYERS = ("Anna", "Ben", "Cleo", "Dan")
CITIES = {name.capitalize() for name in NAMES_OF_CITIES} | {*spy_names(0)}
KEYS = {"Tab", "Esc", "Enter"}
"""That have no other name in any language."""


def unmarked(text: str) -> set[str]:
    """The words that no catalogue knows; capitals alone stand for an argument."""
    return {word for word in words_outside(text) if not word.isupper()} - TYPED - NAMES


SCRIPTS = {game: of_game.script for game, of_game in ALL.items() if of_game.script}


@pytest.fixture(autouse=True)
def brackets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(run_language, "speak", lambda _words: install(Brackets()))
    install(Brackets())
    yield
    install(None)


@pytest.mark.parametrize("game", SCRIPTS)
def test_a_game_in_lines_is_marked(call: Call, game: str) -> None:
    lines = SCRIPTS[game].replace(",", "\0").split()
    run = call(
        "play", "--game", game, "--plain", "--name", "Anna",
        stdin="".join(f"{line}\n".replace("\0", " ") for line in lines).encode(),
    )  # fmt: skip
    shown = "\n".join(line for line in run.out.splitlines() if not line.startswith(">"))
    assert unmarked(shown) - set(lines) == set()


@pytest.mark.parametrize("game", ENTRIES)
def test_the_manual_of_a_game_is_marked(call: Call, game: str) -> None:
    assert unmarked(call("rules", "--game", game).out) == set()


def test_the_help_of_every_command_is_marked(call: Call) -> None:
    names = {entry.name for entry in COMMANDS}
    for name in ("", *names):
        run = call(*filter(None, (name, "--help")))
        assert unmarked(run.out) - names == set(), name


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
    run = call(*words)
    assert unmarked(run.out + run.err) - set(words) == set()


def read_back(call: Call, *commands: tuple[str, ...]) -> set[str]:
    """The unmarked words that commands tell, but for those of their own line."""
    sentences: set[str] = set()
    for line in commands:
        run = call(*line)
        sentences |= unmarked(run.out + run.err) - {part for word in line for part in word.split()}
    return sentences


LESSON = "ready e4e7 j4j5 j5j6 j6j7 e3e4 i4i5 i5i6 i6i7 i7i8 i8j8 j8j9 j9j10 ? checks history leave"


def test_a_lesson_and_all_that_reads_its_record_are_marked(call: Call, tmp_path: Path) -> None:
    run = call("learn", "stratego", "--name", "Anna", stdin="\n".join(LESSON.split()).encode())
    shown = "\n".join(line for line in run.out.splitlines() if not line.startswith(">"))
    assert unmarked(shown) - {"Tutor", "learn", "export", "replay"} == set()
    with english():
        [row] = json.loads(call("games", "--json").out)["games"]
    name, page = row["id"], str(tmp_path / "page.html")
    left = read_back(
        call,
        ("games",),
        ("stats",),
        ("contacts",),
        ("audit", name),
        ("export", name),
        ("export", name, "--html", page),
        ("replay", name, "--plain"),
        ("analyse", name, "--time", "0.01"),
        ("resume", name),
    )
    assert left - {"Tutor", "replay"} == set()


@pytest.mark.parametrize("game", ["spies-and-lies", "stratego"])
def test_the_readers_of_a_record_are_marked(call: Call, tmp_path: Path, game: str) -> None:
    record, proof = tmp_path / "record.p2ps", str(tmp_path / "x.p2pf")
    table = played("Anna", "Boris", game=game, options=ALL[game].kit.short or None)
    record.write_bytes(transcript(table, 0))
    left = read_back(
        call,
        ("audit", str(record), "--proof", proof),
        ("export", str(record)),
        ("replay", str(record), "--plain"),
        ("analyse", str(record), "--time", "0.001"),
    )
    assert left - {"Boris"} == set()
    run = call("replay", str(record), "--plain", stdin=b"?\nboard\ne\n/flag\nv\nall\no\na\nstep 3\nnix\n")
    shown = "\n".join(line for line in run.out.splitlines() if not line.startswith(">"))
    assert unmarked(shown) - {"Boris", "nix", "step", "first", "last", "all"} == set()


def test_a_replay_on_the_screen_is_marked() -> None:
    table = played("Anna", "Boris", seed=4)
    story = history.of_match(verdict.replay(transcript(table, 0), GAMES))
    place, shown = Replay(story, judges=True), set()
    for command in ("next", "keys", "close", "moves", "close", "event", "view", "open", "last"):
        place = place.go(command)
        shown |= unmarked("\n".join(words(line) for line in screen(place, 200, 60)))
    assert shown - {"Boris"} - KEYS == set()


@pytest.mark.parametrize("game", ENTRIES)
def test_the_page_of_keys_and_commands_is_marked_but_for_what_is_typed(game: str) -> None:
    page = match_pages.guide(160, terminal(game), screen=True)
    text = "\n".join(words(line) for line in page.lines)
    assert unmarked(text) - KEYS == set()
    assert re.findall(rf"^{OPEN}(?:ready|random|clear|mirror|save|load|say|resign){CLOSE}", text, re.M) == []


def test_a_tournament_is_marked(call: Call, tmp_path: Path) -> None:
    field, folder, page = tmp_path / "field.txt", str(tmp_path / "cup"), str(tmp_path / "table.html")
    field.write_text("".join(f"{key(name)} {name}\n" for name in PLAYERS), encoding="utf-8")
    new = ("--name", "Anna", "--game", "spies-and-lies", "--players", str(field))
    left = read_back(
        call,
        ("tournament", "new", folder, *new),
        ("tournament", "pair", folder),
        ("tournament", "pair", folder),
        ("tournament", "table", folder),
        ("tournament", "table", folder, "--html", page),
        ("tournament", "take", folder, str(tmp_path / "nix")),
        ("tournament", "rule", folder, "--at", "1.1", "--result", "1-0", "--why", "nix"),
        ("tournament", "withdraw", folder, "Cleo"),
        ("tournament", "table", folder),
        ("tournament", "key"),
    )
    assert left - {*PLAYERS, "nix", "host", "join"} == set()


TOPICS = {game: of_game.topics for game, of_game in ALL.items() if of_game.topics}


@pytest.mark.parametrize("game", TOPICS)
def test_all_about_one_thing_of_a_game_is_marked(call: Call, game: str) -> None:
    left = {word for topic in TOPICS[game] for word in unmarked(call("rules", "--game", game, topic).out)}
    assert left - CITIES - {"duel", "cousin", *TOPICS[game]} == set()


def test_a_post_and_a_record_that_are_none_are_marked(call: Call, tmp_path: Path) -> None:
    none = tmp_path / "none.p2ps"
    none.write_bytes(b"none")
    left = read_back(call, ("take", str(none)), ("audit", str(none)), ("replay", str(none)))
    assert left - {"games"} == set()
