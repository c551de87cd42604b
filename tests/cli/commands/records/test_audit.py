"""`audit`: the verdict on each kind of record, for people and for machines."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
from dataclasses import replace
from multiprocessing.resource_tracker import ensure_running
from pathlib import Path
from typing import Any, cast

import pytest

from cli.commands import audit
from cli.reports import describe, file_report, sources
from cli.shell import workers
from cli.shell.exit_codes import Exit, Sorry
from p2p_stratego.registry import GAMES
from protocol.audit import comparison as audit_comparison
from protocol.audit import proof as proofs
from protocol.audit import verdict as protocol_audit
from protocol.audit.verdict import Report
from protocol.limits import MAX_WITH_PROOFS
from protocol.record.asks.proofs.shuffled import Shuffled
from protocol.wire import transcript
from protocol.wire.encoding import Frame, decode, encode, read_frame
from tests.golden.dialogues import assert_told
from tests.helpers.program.commands import Call, Called

TIME = re.compile(r"(?<=in )\d+[.,]\d s")
EXPECTED = {
    "complete": (Exit.OK, "complete"),
    "complete-too": (Exit.OK, "complete"),
    "incomplete": (Exit.INCOMPLETE, "incomplete"),
    "torn": (Exit.OK, "complete"),
    "cheated": (Exit.CHEATED, "cheated"),
    "unresponsive": (Exit.UNRESPONSIVE, "unresponsive"),
    "tampered": (Exit.TAMPERED, "tampered"),
    "fork": (Exit.INCOMPLETE, "incomplete"),
    "future": (Exit.UNSUPPORTED, "unsupported"),
}


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("every", [False, True], ids=["short", "every-signature"])
@pytest.mark.parametrize("name", EXPECTED)
def test_one_file_gives_its_verdict_as_text_and_as_exit_code(
    call: Call, records: Path, name: str, every: bool
) -> None:
    code, verdict = EXPECTED[name]
    run = call("audit", records / f"{name}.p2ps", *(["--every-signature"] if every else []))
    assert run.code == code
    if verdict == "unsupported":
        assert (run.out, run.err.count("\n")) == ("", 1)
    else:
        assert f"{verdict}: " in run.out
        assert run.err == ""


@pytest.mark.parametrize("name", EXPECTED)
def test_one_file_gives_exactly_one_object(call: Call, records: Path, name: str) -> None:
    code, verdict = EXPECTED[name]
    path = records / f"{name}.p2ps"
    run = call("audit", path, "--json")
    (line,) = lines(run.out)
    assert (run.code, line["exit_code"], line["verdict"]) == (code, code, verdict)
    assert (line["type"], line["file"]) == ("transcript", str(path))


def test_a_whole_record_of_another_version_is_not_called_damaged(
    call: Call, records: Path, tmp_path: Path
) -> None:
    kept = transcript.Records((records / "complete.p2ps").read_bytes())
    fields = decode(kept.genesis)
    assert isinstance(fields, list)
    fields[3] = [*cast("list[Any]", fields[3]), ["talk", 8]]
    path = tmp_path / "other.p2ps"
    whole = transcript.write(encode(fields), list(kept))
    path.write_bytes(whole)
    run = call("audit", path)
    assert_told("audit", "a whole record of another version", run, PATH=path)
    assert "damaged" not in run.err
    at = len(transcript.MAGIC) + 40
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    assert_told("audit", "a damaged first record", call("audit", path), PATH=path)


def test_damaged_files_are_told_in_the_language_that_is_spoken(
    call: Call, records: Path, tmp_path: Path
) -> None:
    whole = (records / "complete.p2ps").read_bytes()
    for name, at in (("early", len(transcript.MAGIC) + 40), ("late", len(whole) - 5)):
        spoilt = whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]
        (tmp_path / f"{name}.p2ps").write_bytes(spoilt)
    run = call("audit", tmp_path / "early.p2ps", tmp_path / "late.p2ps", "--language", "de")
    assert_told(
        "audit", "damaged files, in German", run, "beschädigt", "nicht lesbar", FOLDER=tmp_path, TIME=TIME
    )


def test_who_is_to_lay_something_face_down_owes_that_and_no_shuffle_of_cards(records: Path) -> None:
    report = protocol_audit.audit((records / "incomplete.p2ps").read_bytes(), GAMES)
    owing = replace(report, waited_for=(0,), owed=protocol_audit.Due(0, Shuffled, lays=True))
    assert_told("audit", "who is to lay something face down", describe.waits_for(owing))
    owing = replace(report, waited_for=(0,), owed=protocol_audit.Due(0, Shuffled))
    assert_told("audit", "who is to shuffle", describe.waits_for(owing))


def test_the_roster_counts_what_was_checked(call: Call, records: Path) -> None:
    path = records / "complete.p2ps"
    (short,), (long,) = (
        lines(call("audit", path, "--json", *more).out) for more in ([], ["--every-signature"])
    )
    assert short["checks"]["signatures"] == len(short["players"])
    verified = short["checks"]["signatures"] + short["checks"]["endorsed"]
    assert verified == short["entries"] + short["checks"]["statements"]
    assert short["entries"] == long["entries"]
    assert long["checks"]["endorsed"] == 0
    assert long["checks"]["signatures"] == long["entries"] + long["checks"]["statements"]
    assert short["checks"]["ends"] == len(short["players"]) == 2
    assert short["checks"]["laid"] == short["checks"]["opened"] + short["checks"]["closed"]
    assert short["bytes"] == path.stat().st_size


def test_one_roll_is_not_said_to_be_several(records: Path) -> None:
    report = protocol_audit.audit((records / "complete.p2ps").read_bytes(), GAMES)
    report = replace(report, checks=replace(report.checks, rolls=1, decisions=1))
    roster = dict(describe.roster(report))
    assert roster["chance"].startswith("1 roll, ")
    assert roster["choices"].startswith("1 decision, ")


def test_an_unfinished_game_says_who_owes_what(call: Call, records: Path) -> None:
    run = call("audit", records / "incomplete.p2ps")
    (line,) = lines(call("audit", records / "incomplete.p2ps", "--json").out)
    assert line["winner"] is None
    assert line["owed"]["seat"] in ("red", "blue")
    assert " owes " in run.out


@pytest.mark.parametrize(
    ("name", "closed"),
    [
        ("complete", "closed for ever"),
        ("cheated", "closed for ever"),
        ("incomplete", "still closed"),
        ("unresponsive", "still closed"),
        ("tampered", "still closed"),
    ],
)
def test_only_what_an_end_has_settled_is_closed_for_ever(
    call: Call, records: Path, name: str, closed: str
) -> None:
    (text,) = [line for line in call("audit", records / f"{name}.p2ps").out.splitlines() if " laid, " in line]
    assert text.endswith(closed)


def test_a_fault_names_who_where_and_what(call: Call, records: Path) -> None:
    (line,) = lines(call("audit", records / "cheated.p2ps", "--json").out)
    assert line["fault"]["seat"] != line["winner"]
    assert line["fault"]["number"] == line["entries"] - 1
    assert line["reason"] == "cheated"


def test_damage_blames_nobody_and_says_where(call: Call, records: Path) -> None:
    (line,) = lines(call("audit", records / "tampered.p2ps", "--json").out)
    assert line["fault"] is None
    assert line["winner"] is None
    assert line["at_record"] > 0


def test_two_copies_of_one_game_are_compared(call: Call, records: Path) -> None:
    run = call("audit", records / "complete.p2ps", records / "complete-too.p2ps", "--json")
    first, second, comparison, summary = lines(run.out)
    assert run.code == 0
    assert first["verdict"] == second["verdict"] == "complete"
    assert (comparison["type"], comparison["verdict"]) == ("comparison", "agree")
    assert (summary["files"], summary["matches"]) == (2, 1)


def test_a_copy_that_ends_earlier_agrees_with_the_whole(call: Call, records: Path) -> None:
    run = call("audit", records / "complete.p2ps", records / "incomplete.p2ps", "--json")
    assert lines(run.out)[2]["verdict"] == "agree"
    assert run.code == Exit.INCOMPLETE


def test_what_was_signed_differently_in_two_copies_comes_to_light(
    call: Call, records: Path, tmp_path: Path
) -> None:
    proof = tmp_path / "proof"
    forks = (records / "fork.p2ps", records / "fork-too.p2ps")
    run = call("audit", *forks, "--json", "--proof", proof)
    comparison = lines(run.out)[2]
    assert run.code == Exit.EQUIVOCATED
    assert comparison["verdict"] == "equivocated"
    assert comparison["fault"]["rule"] == "equivocation"
    assert proofs.check(proof.read_bytes(), GAMES).what == comparison["fault"]["what"]


@pytest.mark.parametrize(("name", "code"), [("cheated", Exit.CHEATED), ("fork fork-too", Exit.EQUIVOCATED)])
def test_a_proof_is_accepted_by_audit_itself(
    call: Call, records: Path, tmp_path: Path, name: str, code: Exit
) -> None:
    proof = tmp_path / "proof"
    call("audit", *(records / f"{word}.p2ps" for word in name.split()), "--proof", proof)
    run = call("audit", proof)
    assert run.code == code
    assert "proven: " in run.out


def test_a_proof_that_was_changed_proves_nothing(call: Call, records: Path, tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    call("audit", records / "cheated.p2ps", "--proof", proof)
    data = bytearray(proof.read_bytes())
    data[-20] ^= 1
    proof.write_bytes(data)
    run = call("audit", proof)
    assert run.code == Exit.DATA
    assert "proves nothing" in run.err


def test_a_proof_of_a_later_version_is_not_said_to_prove_nothing(
    call: Call, records: Path, tmp_path: Path
) -> None:
    proof = tmp_path / "proof"
    call("audit", records / "cheated.p2ps", "--proof", proof)
    data = proof.read_bytes()
    genesis = read_frame(data, len(proofs.MAGIC))
    assert genesis is not None
    body: Any = decode(genesis.payload)
    later = Frame(genesis.kind, encode([body[0] + 1, *body[1:]]))
    proof.write_bytes(proofs.MAGIC + bytes(later) + data[len(proofs.MAGIC) + len(genesis) :])
    run = call("audit", proof)
    assert run.code == Exit.UNSUPPORTED
    assert "proves nothing" not in run.err


def test_no_fault_no_proof(call: Call, records: Path, tmp_path: Path) -> None:
    run = call("audit", records / "complete.p2ps", "--proof", tmp_path / "proof")
    assert_told("audit", "no fault, no proof", Called(run.code, "", run.err))
    assert not (tmp_path / "proof").exists()


def test_a_proof_never_overwrites(call: Call, records: Path, tmp_path: Path) -> None:
    (tmp_path / "proof").write_text("precious")
    run = call("audit", records / "cheated.p2ps", "--proof", tmp_path / "proof")
    assert run.code == Exit.IO
    assert run.err.count("\n") == 1
    assert (tmp_path / "proof").read_text() == "precious"


def test_a_proof_is_of_one_match(call: Call, records: Path, tmp_path: Path) -> None:
    run = call("audit", records, "--proof", tmp_path / "proof")
    assert run.code == Exit.USAGE
    assert not (tmp_path / "proof").exists()


def test_a_folder_is_all_transcripts_in_it_and_below(call: Call, records: Path, tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    shutil.copy(records / "complete.p2ps", deep / "one.p2ps")
    shutil.copy(records / "cheated.p2ps", tmp_path / "two.p2ps")
    (deep / "other.txt").write_text("no transcript")
    run = call("audit", tmp_path, "--json")
    printed = lines(run.out)
    assert {line["verdict"] for line in printed if line["type"] == "transcript"} == {"complete", "cheated"}
    assert printed[-1]["verdicts"] == {"cheated": 1, "complete": 1}
    assert run.code == Exit.CHEATED


def test_one_bad_file_does_not_end_the_audit_of_the_others(call: Call, records: Path, tmp_path: Path) -> None:
    missing = tmp_path / "missing.p2ps"
    run = call("audit", missing, records / "complete.p2ps", "--json")
    first, second, summary = lines(run.out)
    assert run.code == Exit.IO
    assert (first["verdict"], first["exit_code"]) == ("unreadable", Exit.IO)
    assert second["verdict"] == "complete"
    assert summary["verdicts"] == {"complete": 1, "unreadable": 1}


@pytest.mark.parametrize(
    ("names", "code"),
    [
        ("cheated future missing tampered", Exit.CHEATED),
        ("missing cheated fork fork-too", Exit.EQUIVOCATED),
        ("complete future missing", Exit.IO),
        ("incomplete unresponsive", Exit.UNRESPONSIVE),
    ],
)
def test_of_several_files_a_proven_fault_outranks_all_else(
    call: Call, records: Path, names: str, code: Exit
) -> None:
    assert call("audit", *(records / f"{name}.p2ps" for name in names.split())).code == code


def test_only_matches_that_could_be_read_are_counted(call: Call, records: Path, tmp_path: Path) -> None:
    files = [records / f"{name}.p2ps" for name in ("complete", "complete-too", "cheated", "future")]
    run = call("audit", *files, tmp_path / "missing", tmp_path / "nothing")
    assert_told("audit", "files that could not be read", run.out, "6 files", TIME=TIME)


@pytest.mark.parametrize("damaged", range(3))
def test_a_damaged_copy_is_not_said_to_agree_as_a_whole(
    call: Call, records: Path, tmp_path: Path, damaged: int
) -> None:
    spoilt = [tmp_path / f"{number}.p2ps" for number in range(damaged)]
    for path in spoilt:
        shutil.copy(records / "tampered.p2ps", path)
    run = call("audit", records / "complete.p2ps", records / "complete-too.p2ps", *spoilt)
    names = {"RECORDS": records, "FOLDER": tmp_path}
    assert_told("audit", f"two copies, and {damaged} damaged ones", run.out, "of this match", **names)
    assert run.code == (Exit.TAMPERED if damaged else Exit.OK)


def test_what_could_not_be_read_is_not_held_together_with_copies(
    call: Call, records: Path, tmp_path: Path
) -> None:
    """Two whole copies and one that begins like them, but is longer than a transcript may be."""
    huge = tmp_path / "huge.p2ps"
    shutil.copy(records / "complete.p2ps", huge)
    with huge.open("r+b") as file:
        file.truncate(1 << 40)
    copies = [records / "complete.p2ps", records / "complete-too.p2ps"]
    comparison = lines(call("audit", huge, *copies, "--json").out)[3]
    assert comparison["files"] == list(map(str, copies))


def test_standard_input_is_a_file_too(call: Call, records: Path) -> None:
    data = (records / "complete.p2ps").read_bytes()
    run = call("audit", "-", "--json", stdin=data)
    (line,) = lines(run.out)
    assert (run.code, line["file"], line["verdict"]) == (0, "-", "complete")


def test_the_same_file_twice_is_one_file(call: Call, records: Path) -> None:
    path = records / "complete.p2ps"
    assert len(lines(call("audit", path, path, "--json").out)) == 1


@pytest.fixture(scope="module")
def resource_tracker() -> None:
    """Its one pipe stays open until the process ends; the first use of other processes opens it."""
    ensure_running()


@pytest.mark.usefixtures("resource_tracker")
def test_many_matches_on_all_cores_give_what_one_core_gives(
    call: Call, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(12):
        for name in ("complete", "cheated", "incomplete", "future"):
            shutil.copy(records / f"{name}.p2ps", tmp_path / f"{number:02}-{name}.p2ps")

    def without_time(text: str) -> list[dict[str, Any]]:
        return [{key: value for key, value in line.items() if key != "seconds"} for line in lines(text)]

    alone = call("audit", tmp_path, "--json")
    monkeypatch.setattr(audit, "SERIAL", 0)
    monkeypatch.setattr(workers, "cores", lambda: 2)
    spread = call("audit", tmp_path, "--json")
    assert without_time(spread.out) == without_time(alone.out)
    assert spread.code == alone.code == Exit.CHEATED


def killed(names: tuple[str, ...], **_: object) -> list[file_report.FileReport] | Exception:
    """The work of a process that the system kills over one of the files."""
    if "cheated" in names[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    return file_report.examine(names, every=False)


@pytest.mark.usefixtures("resource_tracker")
def test_row_47_a_process_that_is_killed_over_one_file_does_not_end_the_audit_of_the_others(
    call: Call, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        shutil.copy(records / "complete.p2ps", tmp_path / f"{number}.p2ps")
    for name in ("cheated", "incomplete"):
        shutil.copy(records / f"{name}.p2ps", tmp_path)
    monkeypatch.setattr(audit, "examine_within_memory", killed)
    monkeypatch.setattr(audit, "SERIAL", 0)
    monkeypatch.setattr(workers, "cores", lambda: 2)
    run = call("audit", tmp_path, "--json")
    verdicts = {Path(line["file"]).stem: line["verdict"] for line in lines(run.out) if "file" in line}
    assert verdicts == {
        **dict.fromkeys("0123", "complete"),
        "cheated": "unreadable",
        "incomplete": "incomplete",
    }
    assert run.code == Exit.IO
    [problem] = [line["problem"] for line in lines(run.out) if line.get("verdict") == "unreadable"]
    assert_told("audit", "the system ended one audit", problem, FOLDER=tmp_path)


def test_row_23_what_the_players_are_called_cannot_reach_the_terminal(
    call: Call, records: Path, tmp_path: Path
) -> None:
    """Names are checked in the genesis, file names are not: both pass the same escaping."""
    evil = tmp_path / "a\x1b]52;c;aGk=\x07\u202e.p2ps"
    shutil.copy(records / "complete.p2ps", evil)
    run = call("audit", evil)
    assert run.code == 0
    assert not set(run.out + run.err) & {"\x1b", "\x07", "\u202e"}


def test_copies_that_differ_without_anybodys_signature_blame_nobody(
    call: Call, records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contradiction = audit_comparison.Comparison(agree=False)
    monkeypatch.setattr(audit_comparison.Copies, "compare", lambda _: contradiction)
    run = call("audit", records / "complete.p2ps", records / "complete-too.p2ps")
    assert run.code == Exit.TAMPERED
    assert_told("audit", "copies that differ without a signature", run.out, "nothing in", RECORDS=records)


def test_endless_input_is_refused_after_a_limit(call: Call) -> None:
    run = call("audit", "-", stdin=bytes(MAX_WITH_PROOFS + 1))
    assert run.code == Exit.DATA
    assert "far too long" in run.err


@pytest.mark.parametrize("command", ["audit", "replay", "export", "referee", "setups"])
@pytest.mark.parametrize("kind", ["a pipe", "a socket", "a device"])
def test_row_47_only_regular_files_are_read(call: Call, tmp_path: Path, command: str, kind: str) -> None:
    path = tmp_path / "odd.p2ps"
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a socket":
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(path))
    else:
        path = Path("/dev/zero")
    run = call(command, path)
    assert run.code == Exit.DATA
    assert kind in run.out + run.err


def test_row_47_a_pipe_among_transcripts_does_not_end_the_audit(
    call: Call, records: Path, tmp_path: Path
) -> None:
    shutil.copy(records / "complete.p2ps", tmp_path / "b.p2ps")
    os.mkfifo(tmp_path / "a.p2ps")
    run = call("audit", tmp_path, "--json")
    assert [line.get("verdict") for line in lines(run.out)[:2]] == ["unreadable", "complete"]


def test_row_47_one_file_that_needs_too_much_memory_does_not_end_the_audit_of_the_others(
    call: Call, records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hungry = (records / "cheated.p2ps").read_bytes()
    add = audit_comparison.Copies.add

    def starved(copies: audit_comparison.Copies, data: bytes) -> Report:
        if data == hungry:
            raise MemoryError
        return add(copies, data)

    monkeypatch.setattr(audit_comparison.Copies, "add", starved)
    run = call("audit", records / "cheated.p2ps", records / "complete.p2ps", "--json")
    first, second, summary = lines(run.out)
    assert (run.code, first["verdict"], second["verdict"]) == (Exit.IO, "unreadable", "complete")
    assert "not enough memory" in first["problem"]
    assert summary["verdicts"] == {"unreadable": 1, "complete": 1}


def test_row_47_the_limit_is_checked_before_all_is_read(tmp_path: Path) -> None:
    huge = tmp_path / "huge.p2ps"
    with huge.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(Sorry):
        sources.read(str(huge))
