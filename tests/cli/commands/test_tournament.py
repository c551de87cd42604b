"""`tournament`: from the first line to a page, by way of matches that were really played."""

from __future__ import annotations

import html
import json
import re
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from cli.shell.version import PROGRAM
from cli.studies.tournament import evidence
from tests.golden.dialogues import assert_said, assert_told
from tests.helpers.program.commands import Call
from tests.helpers.program.events import key, played, transcript
from tests.helpers.program.json_keys import documented, keys

NAMES = ("Ann", "Ben", "Cleo", "Dan")
WORD = re.compile(r"\b[0-9A-HJKMNP-TV-Z]{5}\b")
RECORD = re.compile(r"\b[0-9a-f]{16,}\b")
KEYS = {name.upper(): key(name) for name in NAMES}


@pytest.fixture
def cup(call: Call, tmp_path: Path) -> Path:
    """A round robin of four, with its first round paired."""
    field = tmp_path / "field.txt"
    field.write_text("# the field\n" + "".join(f"{key(name)} {name}\n" for name in NAMES), encoding="utf-8")
    path = tmp_path / "cup"
    made = call("tournament", "new", path, "--name", "Cup", "--game", "spies-and-lies", "--players", field)
    assert_told("tournament", "a new round robin", made)
    paired = call("tournament", "pair", path)
    assert "--name" in paired.out
    assert (paired.code, paired.err) == (0, "")
    return path


def sat_down(cup: Path, seed: int, *, number: int = 1, table: int = 1, loser: int | None = 0) -> list[bytes]:
    """Both records of a pairing's match."""
    document = json.loads((cup / f"rounds/{number:03}.json").read_text(encoding="utf-8"))
    names = [NAMES[seat - 1] for seat in document["pairings"][table - 1]["seats"]]
    match = played(*names, seed=seed, word=document["word"], loser=loser)
    return [transcript(match, seat) for seat in (0, 1)]


def written(folder: Path, *records: bytes) -> list[Path]:
    folder.mkdir(exist_ok=True)
    paths = []
    for data in records:
        paths.append(folder / f"{len(list(folder.iterdir()))}.p2ps")
        paths[-1].write_bytes(data)
    return paths


def test_a_whole_round_robin(call: Call, cup: Path, tmp_path: Path) -> None:
    for number in (1, 2, 3):
        records = [data for table in (1, 2) for data in sat_down(cup, number, number=number, table=table)]
        run = call("tournament", "take", cup, *written(tmp_path / f"in{number}", *records))
        assert (run.code, run.err) == (0, "")
        assert run.out.splitlines()[-1].startswith("0 results")
        after = call("tournament", "pair", cup)
        assert after.code == (0 if number < 3 else 65)
    assert_told("tournament", "a round behind the last", after)
    text = call("tournament", "table", cup, "--ascii").out
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 80
    document = json.loads(call("tournament", "table", cup, "--json").out)
    assert keys(document) - {"wall", "starter"} <= documented("tournament")
    assert sum(row["points"] for row in document["standings"]) == 6
    page = tmp_path / "table.html"
    both = call("tournament", "table", cup, "--html", page, "--json")
    assert (both.code, json.loads(both.out)["paired"]) == (0, 3)
    assert page.read_bytes().startswith(b"<!doctype html>")
    assert call("tournament", "table", cup, "--html", page).code == 74, "never over another file"


def test_row_108_a_bug_over_one_match_is_told_and_the_others_count(
    call: Call, cup: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = sat_down(cup, 1, table=1), sat_down(cup, 2, table=2)
    judged = evidence.judged

    def broken(copies: Mapping[str, bytes]) -> evidence.Judged | None:
        if set(bad) & {*copies.values()}:
            raise ZeroDivisionError
        return judged(copies)

    monkeypatch.setattr(evidence, "judged", broken)
    run = call("tournament", "take", cup, *written(tmp_path / "in", *bad, *good))
    assert_told(
        "tournament",
        "a bug over one match",
        run,
        "1 result",
        "a bug",
        FOLDER=tmp_path,
        RECORD=RECORD,
        HOME=home,
    )
    shown = call("tournament", "table", cup, "--json")
    assert shown.code == 70
    assert sum(row["points"] for row in json.loads(shown.out)["standings"]) == 1
    paired = call("tournament", "pair", cup)
    assert "is a bug" in paired.err or paired.code == 0


def test_the_table_tells_who_is_still_to_play_and_what_each_types(
    call: Call, cup: Path, tmp_path: Path
) -> None:
    records = sat_down(cup, 1, table=1)
    assert call("tournament", "take", cup, *written(tmp_path / "in", *records)).code == 0
    for _ in range(2):
        assert call("tournament", "pair", cup).code == 0, "a round robin can be drawn as a whole"
    assert "tournament table" in call("tournament", "pair", cup).err
    rounds = [json.loads(path.read_bytes()) for path in sorted((cup / "rounds").iterdir())]
    table = call("tournament", "table", cup).out.splitlines()
    page = tmp_path / "table.html"
    assert call("tournament", "table", cup, "--html", page).code == 0
    shown = page.read_text(encoding="utf-8")
    done, *waiting = (
        [f"'{NAMES[seat - 1]} {entry['word']}'" for seat in pair["seats"]]
        for entry in rounds
        for pair in entry["pairings"]
    )
    assert len(waiting) == 5
    for first, second in waiting:
        host, join = (line.strip() for line in table if first in line or second in line)
        assert (host.split()[:2], host.endswith(f"--name {first}")) == ([PROGRAM, "host"], True)
        assert join == f"{PROGRAM} join INVITE --name {second}"
        assert f"<code>{html.escape(host)}</code><br><code>{html.escape(join)}</code>" in shown
    assert not any(name in line for name in done for line in table), "it is played"
    assert json.loads(call("tournament", "table", cup, "--json").out)["words"] == [
        entry["word"] for entry in rounds
    ]


def test_row_94_a_name_that_cannot_be_shown_as_it_is_stands_in_no_command(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "cup"
    field = [f"--player={key(name)} {called}" for name, called in (("Ann", "$(ls)"), ("Ben", "Jörg"))]
    assert call("tournament", "new", path, "--name", "S", "--game", "stratego", *field).code == 0
    output = call("tournament", "pair", path).out
    (word,) = json.loads(call("tournament", "table", path, "--json").out)["words"]
    assert f"--name 'YOUR-NAME {word}'" in output
    assert f"--name 'Jörg {word}'" in output
    plain = call("tournament", "table", path, "--ascii").out
    assert f"--name 'YOUR-NAME {word}'" in plain, "another name would not count"


def test_row_94_another_folder_with_the_same_files_prints_the_same(
    call: Call, cup: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    (other / "rounds").mkdir(parents=True)
    for name in ("event.json", "rounds/001.json"):
        (other / name).write_bytes((cup / name).read_bytes())
    paths = written(
        tmp_path / "in", *sat_down(cup, 1), *sat_down(cup, 2, table=2), *sat_down(cup, 3, table=2)
    )
    assert call("tournament", "take", cup, *paths).code == 0
    for path in reversed(paths):
        assert call("tournament", "take", other, path, path).code == 0
    for form in ((), ("--json",)):
        assert call("tournament", "table", cup, *form).out == call("tournament", "table", other, *form).out
    assert call("tournament", "pair", cup).out == call("tournament", "pair", other).out


def test_row_94_what_does_not_belong_here_is_refused_and_not_kept(
    call: Call, cup: Path, tmp_path: Path
) -> None:
    stray = transcript(played("Ann", "Dan", seed=5, loser=0))
    foreign = transcript(played("Ann", "Zoe", seed=6, loser=0))
    early = transcript(played("Ann", "Ben", seed=7, loser=0))
    paths = written(tmp_path / "in", stray, foreign, early, b"rubbish")
    run = call("tournament", "take", cup, *paths, tmp_path / "none.p2ps")
    assert_told("tournament", "records that do not belong here", run, FOLDER=tmp_path, WORD=WORD)
    assert not (cup / "records").exists()


def test_a_dispute_keeps_its_evidence_until_it_is_ruled(call: Call, cup: Path, tmp_path: Path) -> None:
    first, second = sat_down(cup, 8), sat_down(cup, 9, loser=1)
    run = call("tournament", "take", cup, *written(tmp_path / "in", *first, *second))
    assert_told("tournament", "two results of one pairing", run, RECORD=RECORD)
    assert len(list((cup / "records").iterdir())) == len({*first, *second})
    for why in ((), ("--why", ""), ("--why", " ")):
        assert call("tournament", "rule", cup, "--at", "1.1", "--result", "1-0", *why).code == 64, (
            "a ruling has a reason"
        )
    assert call("tournament", "rule", cup, "--at", "9.1", "--result", "1-0", "--why", "x").code == 64
    ruled = call("tournament", "rule", cup, "--at", "1.1", "--result", "1-0", "--why", "the first one counts")
    assert (ruled.code, ruled.err) == (0, "")
    table = call("tournament", "table", cup).out
    assert_told("tournament", "a ruling in the table", table, "ruled", "records/", RECORD=RECORD)


def test_a_proof_is_kept_where_somebody_cheated(call: Call, tmp_path: Path, records: Path) -> None:
    path = tmp_path / "free"
    report = json.loads(call("audit", records / "cheated.p2ps", "--json").out)
    field = [f"--player={player['key']} {player['name']}" for player in report["players"]]
    assert (
        call(
            "tournament", "new", path, "--name", "Free", "--game", "spies-and-lies", "--no-words", *field
        ).code
        == 0
    )
    assert call("tournament", "pair", path).code == 0
    run = call("tournament", "take", path, records / "cheated.p2ps")
    assert_told("tournament", "somebody cheated", run, "breach", "proofs/", RECORD=RECORD)
    (proof,) = (path / "proofs").iterdir()
    assert call("audit", proof).code == 20
    assert "proof" in call("tournament", "table", path).out


def test_swiss_waits_for_its_results(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "swiss"
    field = [f"--player={key(name)} {name}" for name in NAMES]
    made = call(
        "tournament",
        "new",
        path,
        "--name",
        "S",
        "--game",
        "stratego",
        "--system",
        "swiss",
        "--rounds",
        "2",
        *field,
    )
    assert made.code == 0
    assert call("tournament", "pair", path).code == 0
    waiting = call("tournament", "pair", path)
    assert_told("tournament", "swiss waits for results", waiting)
    for table in ("1.1", "1.2"):
        assert call("tournament", "rule", path, "--at", table, "--result", "1-0", "--why", "test").code == 0
    assert call("tournament", "pair", path).code == 0


def test_a_player_withdraws_and_two_directors_have_the_same_table(
    call: Call, cup: Path, tmp_path: Path
) -> None:
    """Dan plays the first round, which is fewer than half of three, and goes home."""
    records = [data for table in (1, 2) for data in sat_down(cup, 1, table=table)]
    assert call("tournament", "take", cup, *written(tmp_path / "in", *records)).code == 0
    assert call("tournament", "pair", cup).code == 0
    early = call("tournament", "withdraw", cup, "Dan", "--from", "1")
    assert_told("tournament", "a withdrawal before a result", early)
    assert call("tournament", "withdraw", cup, "Zoe").code == 64
    assert call("tournament", "withdraw", cup, "Dan", "--from", "4").code == 64
    assert call("tournament", "withdraw", cup).code == 64
    run = call("tournament", "withdraw", cup, "dan", "--why", "called away\x1b[2J")
    assert_told("tournament", "a withdrawal", run)
    assert "\x1b" not in run.out
    assert "withdrawal" in call("tournament", "pair", cup).out
    document = json.loads(call("tournament", "table", cup, "--json").out)
    assert keys(document) - {"wall", "starter"} <= documented("tournament")
    assert document["withdrawals"] == [
        {"player": 4, "round": 2, "why": "called away\x1b[2J", "counts": False}
    ]
    assert [pairing["by"] for pairing in document["pairings"] if 4 in pairing["seats"]] == [
        "play",
        "withdrawal",
        "withdrawal",
    ]
    assert document["standings"][-1] | {"place": None, "player": 4, "points": 0} == document["standings"][-1]
    page = tmp_path / "table.html"
    assert call("tournament", "table", cup, "--html", page).code == 0
    assert b"called away" in page.read_bytes()
    other = tmp_path / "other"
    shutil.copytree(cup, other)
    for name in ("withdrawals", "records"):
        shutil.rmtree(other / name)
    assert call("tournament", "withdraw", other, "4", "--from", "2", "--why", "called away\x1b[2J").code == 0
    assert call("tournament", "take", other, *reversed(written(tmp_path / "again", *records))).code == 0
    for form in ((), ("--json",)):
        assert call("tournament", "table", cup, *form).out == call("tournament", "table", other, *form).out
    files = [
        sorted((path.relative_to(top), path.read_bytes()) for path in top.rglob("*.*"))
        for top in (cup, other)
    ]
    assert files[0] == files[1]
    shutil.copy(cup / "withdrawals/004.json", cup / "withdrawals/001.json")
    assert call("tournament", "table", cup).code == 65, "two files for one player"


def test_a_file_where_the_folder_belongs_is_told(call: Call, tmp_path: Path) -> None:
    record = tmp_path / "record.p2ps"
    record.write_bytes(b"")
    run = call("tournament", "take", str(record))
    assert_told("tournament", "a file in place of the folder", run, FOLDER=tmp_path)


def test_a_player_learns_the_line_for_the_director(call: Call, home: Path) -> None:
    line = call("tournament", "key", "--name", "Kees van Dam").out
    key, name = line.rstrip().split(" ", 1)
    assert (len(key), name) == (64, "Kees van Dam")
    (home / "settings.json").write_text('{"name": "Piet"}')
    assert call("tournament", "key").out == f"{key} Piet\n"
    assert call("tournament", "key", "--name", "Kees van Dam").out == line
    assert (home / "identity.key").exists()


def test_what_cannot_be_done_is_said(call: Call, tmp_path: Path) -> None:
    for run in assert_said("tournament", call, HERE=tmp_path / "here", LONG="K" * 99, **KEYS):
        assert run.code in (64, 65, 74)
        assert "\x1b" not in run.err
    assert not (tmp_path / "here").exists()


def test_who_withdraws_is_meant_by_name_and_the_others_go_on(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "token_hex", lambda size: "0" * 2 * size)  # all draws follow from it
    folders = {name.upper(): tmp_path / name for name in ("alike", "swiss", "two")}
    assert_said("withdrawals", call, **folders, **KEYS)
    assert sorted(path.name for path in (tmp_path / "alike/withdrawals").iterdir()) == [
        "002.json",
        "003.json",
    ]
    why = ("Dan", "--why", "no\udcff UTF-8")
    assert "on: no? UTF-8. " in call("tournament", "withdraw", tmp_path / "alike", *why).out
    again = call("tournament", "withdraw", tmp_path / "two", key("Ben").upper())
    assert again.code == 0
