"""`demo`: real processes, real sockets on loopback, real files; the tests look at the files they leave."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from cli.commands import demo
from cli.games.interface import terminal
from cli.reports.file_report import FileReport
from cli.shell.exit_codes import Exit
from cli.shell.parser import parser
from p2p_stratego.registry import GAMES
from protocol.audit import comparison, verdict
from protocol.wire import transcript
from protocol.wire.encoding import ENTRY
from tests.golden.dialogues import assert_told
from tests.helpers.machine.forked import ForkedBot, forked_bots
from tests.helpers.program.commands import Call, Called
from tests.helpers.program.json_keys import documented, keys

ROOT = Path(__file__).parents[3]


def last(run: Called) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(run.out.splitlines()[-1])
    return document


@pytest.fixture
def quick_bots(nursery: None) -> Iterator[None]:
    with forked_bots():
        yield


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One game with seed 5, in a process of its own."""
    home = tmp_path_factory.mktemp("demo")
    command = [sys.executable, "-m", "cli", "demo", "--seed", "5", "--json", "--home", str(home)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    assert done.stderr == b""
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def test_a_game_is_played_to_its_end_and_both_records_are_complete(seeded: dict[str, Any]) -> None:
    assert seeded["verdict"] == "complete"
    assert seeded["game"] in GAMES
    reports = [
        verdict.audit(Path(path).read_bytes(), GAMES, every_signature=True) for path in seeded["transcripts"]
    ]
    assert [report.verdict for report in reports] == [verdict.Verdict.COMPLETE] * 2
    assert comparison.compare((Path(path).read_bytes() for path in seeded["transcripts"]), GAMES).agree
    assert reports[0].outcome is not None
    assert reports[0].outcome.reason == seeded["reason"]
    assert (reports[0].checks.entries, reports[0].size) == (seeded["entries"], seeded["bytes"])


def test_the_machine_readable_line_is_as_documented(seeded: dict[str, Any]) -> None:
    wanted = {"game", "winner", "reason", "transcripts", "verdict", "entries", "bytes", "seconds"}
    assert wanted <= set(seeded)
    assert keys(seeded) <= documented("demo")


def test_a_proven_fault_outranks_a_damaged_record(tmp_path: Path) -> None:
    reports = [FileReport("", code, code.name, "", {"verdict": ""}) for code in (Exit.TAMPERED, Exit.CHEATED)]
    played = demo.DemoMatch(("", ""), reports, 0.0)
    assert played.code == Exit.CHEATED
    line = demo.plain(parser().parse_args(["demo"]), played, 1, None)
    assert line["verdict"] == "CHEATED"


def test_both_players_are_strangers_with_folders_of_their_own(seeded: dict[str, Any]) -> None:
    homes = [Path(path).parents[2] for path in seeded["transcripts"]]
    assert homes[0] != homes[1]
    secrets = [(home / "identity.key").read_bytes() for home in homes]
    assert secrets[0] != secrets[1]
    for home in homes:
        assert stat.S_IMODE(home.stat().st_mode) == 0o700
        assert stat.S_IMODE((home / "identity.key").stat().st_mode) == 0o600


def test_a_transcript_is_small(seeded: dict[str, Any]) -> None:
    assert seeded["bytes"] < 16 * 1024


def test_row_37_nothing_secret_is_in_a_transcript(seeded: dict[str, Any]) -> None:
    """Neither record holds a byte string of either side's secrets file or key file."""
    records = [Path(path).read_bytes() for path in seeded["transcripts"]]
    for path in seeded["transcripts"]:
        kept = (Path(path).parent / "secrets").read_bytes()
        key = (Path(path).parents[2] / "identity.key").read_bytes()
        for secret in (kept, key):
            for start in range(0, len(secret) - 32, 8):
                assert all(secret[start : start + 24] not in record for record in records)


def test_any_game_is_played_with_proofs(nursery: None, call: Call, tmp_path: Path) -> None:
    short = ("stratego", "--army", "duel", "--quiet", "10", "--level", "recruit")
    duel = ("demo", *short, "--proofs", "--seed", "5", "--json")
    with forked_bots():
        line = last(call(*duel, "--home", tmp_path))
    assert (line["verdict"], line["proofs"], line["escrow"]) == ("complete", True, 0)
    whole = call("audit", "--every-proof", "--json", *line["transcripts"]).out.splitlines()
    for document in map(json.loads, whole[:2]):
        assert (document["verdict"], document["proofs"], document["escrow"]) == ("complete", True, 0)
        assert keys(document) <= documented("audit")
        assert document["checks"]["proven"] == document["checks"]["proofs"] > 0
    paths = line["transcripts"]
    assert_told("demo", "every proof", call("audit", "--every-proof", paths[0]).out, "this audit")
    assert "--every-proof checks them" in call("audit", paths[0]).out
    again = last(call(*duel, "--home", tmp_path / "again"))  # proofs' random numbers follow from the seed
    for path, path_again in zip(line["transcripts"], again["transcripts"], strict=True):
        assert Path(path).read_bytes() == Path(path_again).read_bytes()


def test_of_more_than_two_the_same_seed_gives_the_same_entries_and_the_same_words(
    nursery: None, call: Call, tmp_path: Path
) -> None:
    """The order of the words depends on who is heard first."""
    by_seat = []
    for home, start in (("one", forked_bots), ("two", nullcontext)):
        demo = ("demo", "conquest", "--seats", "3", "--rounds", "1", "--level", "recruit", "--seed", "5")
        with start():
            line = last(call(*demo, "--json", "--home", tmp_path / home))
        assert line["verdict"] == "complete"
        by_seat.append([transcript.read(Path(path).read_bytes()) for path in line["transcripts"]])
    for record, other in zip(*by_seat, strict=True):
        assert record.genesis == other.genesis
        entries = [[frame for frame in of.frames if frame.kind == ENTRY] for of in (record, other)]
        assert entries[0] == entries[1]
        assert sorted(map(bytes, record.frames)) == sorted(map(bytes, other.frames))


@pytest.mark.usefixtures("quick_bots")
def test_several_games_are_several_matches_of_another_seed_and_the_last_line_counts_them(
    call: Call, seeded: dict[str, Any], tmp_path: Path
) -> None:
    run = call("demo", "--games", "2", "--seed", "6", "--json", "--home", tmp_path)
    lines = [json.loads(line) for line in run.out.splitlines()]
    assert run.code == 0
    assert [line["number"] for line in lines] == [1, 2]
    paths = {path for line in lines for path in line["transcripts"]}
    assert len(paths) == 4
    records = {Path(path).read_bytes() for path in paths}
    assert not records & {Path(path).read_bytes() for path in seeded["transcripts"]}
    assert sum(lines[-1]["winners"].values()) == 2
    audited = call("audit", tmp_path, "--json")
    assert audited.code == 0
    assert json.loads(audited.out.splitlines()[-1])["comparisons"] == {"agree": 2}


@pytest.mark.usefixtures("quick_bots")
def test_people_see_every_step_and_the_verdict_and_the_same_seed_gives_the_same_bytes(
    call: Call, seeded: dict[str, Any], tmp_path: Path
) -> None:
    run = call("demo", "--seed", "5", "--home", tmp_path)
    assert "until you remove" in run.out
    assert run.code == 0
    for words in ("red, Ann [", "blue, Ben [", "Day 1", "complete: ", "copies of this match agree"):
        assert words in run.out
    assert_told("demo", "nothing was secret", run.out, "ever secret", FOLDER=tmp_path)
    again = sorted(path.read_bytes() for path in tmp_path.rglob("transcript.p2ps"))
    assert again == sorted(Path(path).read_bytes() for path in seeded["transcripts"])


@pytest.mark.usefixtures("quick_bots")
def test_without_a_seed_nothing_is_said_of_seeds_and_keys_differ(call: Call, tmp_path: Path) -> None:
    run = call("demo", "--level", "recruit", "--home", tmp_path)
    assert "With --seed" not in run.out
    ids = {path.parent.name for path in tmp_path.rglob("transcript.p2ps")}
    call("demo", "--level", "recruit", "--home", tmp_path)
    assert len({path.parent.name for path in tmp_path.rglob("transcript.p2ps")} - ids) == 1


def test_a_home_that_is_a_file_is_told_in_one_sentence(call: Call, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious")
    run = call("demo", "--home", tmp_path / "file")
    assert run.code == Exit.IO
    assert run.err.count("\n") == 1
    assert (tmp_path / "file").read_text() == "precious"


@pytest.mark.usefixtures("quick_bots")
def test_a_bot_that_fails_ends_the_demonstration_with_its_own_words_and_code(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fresh(above: Path) -> Path:
        folder = above / "1"
        folder.mkdir(parents=True)
        (folder / "ben").write_text("a file where Ben's home should be")
        return folder

    monkeypatch.setattr(demo, "fresh_folder", fresh)
    started: list[ForkedBot] = []
    original = ForkedBot.__init__

    def remember(self: ForkedBot, *arguments: Any, **more: Any) -> None:
        original(self, *arguments, **more)
        started.append(self)

    monkeypatch.setattr(ForkedBot, "__init__", remember)
    run = call("demo", "--home", tmp_path)
    assert run.code == Exit.IO
    assert_told("demo", "a bot stops", run, FOLDER=tmp_path)
    assert len(started) == 2
    assert all(process.returncode is not None for process in started)


@pytest.mark.usefixtures("quick_bots")
def test_a_bot_that_hangs_is_given_up(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "SILENCE", 0.0)
    run = call("demo", "--home", tmp_path)
    assert run.code == Exit.UNREACHABLE
    assert run.err.count("\n") == 1


def test_a_bot_loads_nothing_that_only_a_screen_needs() -> None:
    code = "import sys, cli.play.bots.bot_process; print([m for m in sys.modules if 'prompt_toolkit' in m])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


def test_it_is_paced_for_who_reads_along_and_for_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:

    def pause(*line: str) -> float:
        return demo.pause_of(parser().parse_args(["demo", *line]))

    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    assert pause() == 0
    assert pause("--slow") == terminal(next(iter(GAMES))).pace
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert pause() == terminal(next(iter(GAMES))).pace
    assert pause("--fast") == pause("--json") == pause("--games", "2") == 0
