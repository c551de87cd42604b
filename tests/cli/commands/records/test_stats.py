"""`stats`: from audited records only, the same again from what it keeps, in words and as JSON."""

from __future__ import annotations

import json
import os
import re
from multiprocessing.resource_tracker import ensure_running
from pathlib import Path

import pytest

from cli.shell import workers
from cli.studies.statistics import facts, records
from cli.studies.statistics.facts import Facts
from protocol.storage.home import Home
from protocol.storage.route import Route
from tests.golden.dialogues import assert_told
from tests.helpers.program.commands import Call
from tests.helpers.program.events import played
from tests.helpers.program.json_keys import documented, keys
from tests.helpers.seats.pair import Table

ANN = re.compile(r"(?<=Ann \[)[0-9A-Z-]{19}")
TIME = re.compile(r"(?<=in )\d+\.\d s")


@pytest.fixture
def filled(home: Path) -> Path:
    """Ann's home: four matches against Ben, two of them a series, one unfinished."""
    tables = [
        played("Ann", "Ben", seed=1),
        played("Ben", "Ann", seed=2, loser=0),
        played("Ann", "Ben", seed=3, game="stratego", loser=0),
        played("Ann", "Ben", seed=4, steps=40),
    ]
    with Home(home) as folder:
        folder.identity()
        for at, table in enumerate(tables):
            _keep(folder, table, at)
    return home


def _keep(folder: Home, table: Table, day: int) -> None:
    folder.create(table.begun, table.seats[0].master, Route()).close()
    (match,) = [game for game in folder.games() if table.begun.id.hex().startswith(game.id)]
    match.path.write_bytes(table.seats[0].transcript)
    os.utime(match.path, (86_400 * (20_000 + day),) * 2)


def test_it_tells_results_play_and_a_rating_and_what_does_not_count(call: Call, filled: Path) -> None:
    run = call("stats", "Ann")
    assert (run.code, run.err) == (0, "")
    assert max(map(len, run.out.splitlines())) <= 80
    assert_told("stats", "of a filled home folder", run, ANN=ANN, TIME=TIME)
    again = call("stats", "Ann", "--ascii")
    assert "0 audited now" in again.out
    assert again.out.isascii()
    assert "4 audited now" in call("stats", "Ann", "--afresh").out


def test_json_says_the_same_with_documented_keys_whether_kept_or_not(call: Call, filled: Path) -> None:
    run = call("stats", "Ann", "--json")
    assert call("stats", "Ann", "--json") == run
    (filled / "statistics.json").write_text('{"edition": "forged", "facts": {"x": 1}}', encoding="utf-8")
    assert call("stats", "Ann", "--json") == run
    (filled / "statistics.json").unlink()
    assert call("stats", "Ann", "--json") == run
    document = json.loads(run.out)
    names = {"red", "blue"} | {
        name for game in document["games"] for part in ("counts", "liked") for name in game[part]
    }
    chosen = {choice for game in document["games"] for kind in game["liked"].values() for choice in kind}
    assert keys(document) - names - chosen <= documented("stats") | documented("audit")
    assert [game["game"] for game in document["games"]] == ["spies-and-lies", "stratego"]
    assert [game["played"] for game in document["games"]] == [2, 1]
    assert [skipped["why"] for skipped in document["not_counted"]] == ["incomplete"]


def test_a_changed_record_is_audited_again_and_counts_no_more(call: Call, filled: Path) -> None:
    before = json.loads(call("stats", "Ann", "--json").out)
    with Home(filled) as folder:
        paths = [game.path for game in folder.games()]
    for path in paths:
        data = path.read_bytes()
        path.write_bytes(
            data[: len(data) // 2] + bytes((data[len(data) // 2] ^ 1,)) + data[len(data) // 2 + 1 :]
        )
    after = call("stats", "Ann")
    assert "4 audited now" in after.out
    assert before["games"]
    assert_told("stats", "changed records count no more", after.out, "No game")


def test_row_108_a_bug_over_one_record_is_told_and_the_others_count(
    call: Call, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = facts.read
    with Home(filled) as folder:
        bad = str(folder.games()[0].path)

    def broken(name: str) -> Facts:
        if name == bad:
            raise ZeroDivisionError
        return read(name)

    monkeypatch.setattr(facts, "read", broken)
    run = call("stats", "Ann")
    assert run.code == 70
    assert_told("bugs", "over one of four records", run.err, PATH=bad, HOME=filled)
    assert "4 audited now" in run.out


def test_one_game_alone_and_players_who_are_not_there(call: Call, filled: Path) -> None:
    assert "Spies & Lies" not in call("stats", "Ann", "--game", "stratego").out
    none = call("stats", "Ann", "--game", "conquest")
    assert_told("stats", "none of one game", none.out, "No game")
    unknown = call("stats", "Zoe\x1b[2J")
    assert unknown.code == 64
    assert "\x1b" not in unknown.err
    assert "Ann [" in unknown.err
    fingerprint = unknown.err.split("Ann [")[1][:6]
    by_fingerprint, by_name = (TIME.sub("", call("stats", who).out) for who in (fingerprint, "Ann"))
    assert by_fingerprint == by_name


@pytest.fixture(scope="module")
def resource_tracker() -> None:
    """Its one pipe stays open until the process ends; the first use of other processes opens it."""
    ensure_running()


@pytest.mark.usefixtures("resource_tracker")
def test_many_records_on_all_cores_give_the_same(
    call: Call, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = call("stats", "Ann", "--json")
    monkeypatch.setattr(records, "SERIAL", 1)
    monkeypatch.setattr(workers, "cores", lambda: 2)
    assert call("stats", "Ann", "--json", "--afresh") == alone
    assert call("stats").code == 0


def test_a_home_without_games_is_told_how_to_begin(call: Call, home: Path) -> None:
    run = call("stats")
    assert run.code == 74
    assert "play" in run.err
    assert not home.exists()
    home.mkdir()
    assert call("stats") == run


def test_a_damaged_key_of_the_tutor_is_told_and_stops_nothing(call: Call, filled: Path) -> None:
    whole = call("stats", "Ann", "--json")
    folder = filled / "bots" / "tutor"
    folder.mkdir(parents=True)
    (folder / "identity.key").write_text("no key", encoding="utf-8")
    run = call("stats", "Ann", "--json")
    assert (run.code, run.out) == (whole.code, whole.out)
    assert_told("stats", "a damaged key of the tutor", run.err, FOLDER=folder)


def test_one_key_has_one_name_whatever_it_wore_in_a_round(call: Call, home: Path) -> None:
    """The newest name, without the word of a tournament's round; or the one that a contact was given."""
    with Home(home) as folder:
        folder.identity()
        for at, (first, word) in enumerate([(0, "AVS4H"), (1, "DHQ7F")]):
            names = ("Ann", "Ben") if first == 0 else ("Ben", "Ann")
            _keep(folder, played(*names, seed=at, word=word, loser=0), at)
    output = call("stats", "Ann")
    assert output.code == 0
    assert "against Ben [" in " ".join(output.out.split())
    assert all(word not in output.out for word in ("AVS4H", "DHQ7F"))
    document = json.loads(call("stats", "Ann", "--json").out)
    (game,) = document["games"]
    assert [opponent["name"] for opponent in game["opponents"]] == ["Ben"]
    assert [opponent["name"] for run in game["series"] for opponent in run["opponents"]] == ["Ben"]
