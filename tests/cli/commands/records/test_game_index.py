"""The index of games: a list reads only the records that changed, and nothing rests on it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.reports import own_games, rows
from protocol.audit.verdict import Verdict
from protocol.storage import index
from protocol.storage.home import INDEX, Home, SavedMatch
from tests.golden.dialogues import assert_told
from tests.helpers.program.commands import Call

ROOT = Path(__file__).parents[4]
NAMES = ("complete", "incomplete", "cheated", "unresponsive")


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the games whose records were read and judged, in order."""
    ids: list[str] = []
    summary = own_games.recorded

    def counted(saved: SavedMatch, key: bytes) -> dict[str, Any]:
        ids.append(saved.id)
        return summary(saved, key)

    monkeypatch.setattr(own_games, "recorded", counted)
    return ids


@pytest.fixture
def full(home: Path, records: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with a few games, which all changed long enough ago."""
    with Home(home) as opened:
        opened.identity()
    for number, name in enumerate(NAMES):
        folder = home / "games" / f"{number:032x}"
        folder.mkdir(parents=True)
        shutil.copy(records / f"{name}.p2ps", folder / "transcript.p2ps")
        os.utime(folder / "transcript.p2ps", (1_700_000_000 + number,) * 2)
    monkeypatch.setattr(index, "UNSURE", -(10**18))
    return home


def test_row_108_a_bug_over_one_record_is_told_and_the_others_are_listed(
    full: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = own_games.recorded

    def broken(saved: SavedMatch, key: bytes) -> dict[str, Any]:
        if saved.id.endswith("1"):
            raise ZeroDivisionError
        return summary(saved, key)

    monkeypatch.setattr(own_games, "recorded", broken)
    run = call("games", "--json")
    assert run.code == 70
    verdicts = {row["id"][-1]: row["verdict"] for row in json.loads(run.out)["games"]}
    assert verdicts == {"0": "complete", "1": "failed", "2": "cheated", "3": "unresponsive"}
    assert_told("bugs", "over one of all games", run.err, HOME=full)
    assert_told("bugs", "a game that is not judged", call("games").out, "not judged")


def test_a_second_list_reads_no_record_and_says_the_same(full: Path, call: Call, judged: list[str]) -> None:
    first = call("games", "--json")
    assert len(judged) == len(NAMES)
    assert call("games", "--json") == first
    assert len(judged) == len(NAMES)
    assert (full / INDEX).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in full.iterdir() if path.name.startswith("new-")] == []
    (full / INDEX).unlink()
    assert call("games", "--json") == first


def test_a_list_out_of_the_index_loads_no_audit(full: Path) -> None:
    own_games.listed(full)
    code = f"""import sys
from protocol.storage import index
index.UNSURE = {index.UNSURE}
from cli.__main__ import main
main(['--home', {str(full)!r}, 'games'])
print([name for name in sys.modules if name.startswith('protocol.audit')])"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert set(rows.VERDICTS) == {verdict.value for verdict in Verdict}


def test_only_what_changed_is_read_again(full: Path, judged: list[str]) -> None:
    before = own_games.listed(full)
    judged.clear()
    changed = full / "games" / f"{1:032x}" / "transcript.p2ps"
    changed.write_bytes((full / "games" / f"{0:032x}" / "transcript.p2ps").read_bytes())
    os.utime(changed, (1_700_000_001,) * 2)
    shutil.rmtree(full / "games" / f"{3:032x}")
    after = own_games.listed(full)
    assert judged == [f"{1:032x}"]
    assert [row["verdict"] for row in before] == ["unresponsive", "cheated", "incomplete", "complete"]
    assert [row["verdict"] for row in after] == ["cheated", "complete", "complete"]


def test_content_of_the_same_size_and_time_is_noticed(full: Path, judged: list[str]) -> None:
    """As by a program that sets the time back, or a backup that is put in its place."""
    own_games.listed(full)
    judged.clear()
    path = full / "games" / f"{0:032x}" / "transcript.p2ps"
    status, data = path.stat(), bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert {row["id"]: row["verdict"] for row in own_games.listed(full)}[f"{0:032x}"] == "tampered"


def test_what_changed_just_before_the_index_was_written_is_read_again(
    full: Path, judged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "UNSURE", 2 * 10**9)
    own_games.listed(full)
    own_games.listed(full)
    assert len(judged) == 2 * len(NAMES)


def mangled(full: Path) -> list[bytes]:
    """Indexes that another program wrote."""
    good = json.loads((full / INDEX).read_bytes())

    def with_summary(**fields: Any) -> bytes:
        copy = json.loads(json.dumps(good))
        for row in copy["matches"].values():
            row[-1].update(fields)
        return json.dumps(copy).encode()

    stamps = json.loads(json.dumps(good))
    for row in stamps["matches"].values():
        row[0] = True
    return [
        b"",
        b"\0" * 300,
        b"[" * 100_000,
        b"[]",
        b'{"version": 1}',
        json.dumps(good | {"version": 2}).encode(),
        json.dumps(good | {"owner": "1 " + "0" * 64}).encode(),
        json.dumps(good | {"matches": {"0" * 32: [1, 2, 3]}}).encode(),
        json.dumps(good | {"matches": []}).encode(),
        json.dumps(stamps).encode(),
        (full / INDEX).read_bytes()[:-40],
        b'{"version": 1' + b"0" * 10_000 + b"}",
        with_summary(status="won\x1b[2J"),
        with_summary(status="a\nb"),
        with_summary(status=7),
        with_summary(game="no such game"),
        with_summary(game=[]),
        with_summary(verdict="fine"),
        with_summary(others="Ben"),
        with_summary(others=[3]),
        with_summary(more="than a row has"),
        with_summary(owed=3),
        with_summary(owed={"seat": "\x1b[2J", "message": "Choice"}),
        with_summary(entries=float("nan")),
    ]


def test_a_damaged_or_hostile_index_is_made_again_and_never_shown(full: Path, call: Call) -> None:
    first = call("games", "--json")
    good = (full / INDEX).read_bytes()
    for data in mangled(full):
        (full / INDEX).write_bytes(data)
        assert call("games", "--json") == first
        assert json.loads((full / INDEX).read_bytes()) == json.loads(good), "it is rebuilt"


def test_a_link_or_folder_in_the_place_of_the_index_is_left_alone(
    full: Path, call: Call, tmp_path: Path
) -> None:
    first = call("games", "--json")
    target = tmp_path / "target"
    target.write_bytes((full / INDEX).read_bytes())
    before = target.read_bytes()
    (full / INDEX).unlink()
    (full / INDEX).symlink_to(target)
    assert call("games", "--json") == first
    assert target.read_bytes() == before
    (full / INDEX).unlink()
    (full / INDEX).mkdir()
    assert call("games", "--json") == first
    (full / INDEX).rmdir()
    os.mkfifo(full / INDEX)
    assert call("games", "--json") == first


def test_another_player_key_makes_another_list(full: Path, records: Path, judged: list[str]) -> None:
    own_games.listed(full)
    judged.clear()
    (full / "identity.key").unlink()
    own_games.listed(full)
    assert len(judged) == len(NAMES)


def test_the_index_gives_each_language_its_own_words_and_programs_english(call: Call) -> None:
    call("play", "--name", "Anna", stdin=b"resign\nyes\nleave\n")
    assert "verloren" in call("--language", "nl", "games").out
    for words in (("games", "--json"), ("--language", "nl", "games", "--json")):
        (row,) = json.loads(call(*words).out)["games"]
        assert row["status"] == "lost (you resigned)"
        assert row["others"] == ["Agent bot"]
        assert "statuses" not in row
    assert "lost (you resigned)" in call("games").out
