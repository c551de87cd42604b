"""The referee as a user calls it: files, folders, standard input, and all that can be wrong with them."""

from __future__ import annotations

import io
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from cli.commands.referee import referee
from cli.shell.exit_codes import Exit
from p2p_stratego.core.scenario import LONGEST
from tests.golden.dialogues import assert_told
from tests.helpers.program.commands import Call, Called
from tests.helpers.spies_and_lies.scenario import EXAMPLE, MISSES, scenario

GOOD = json.dumps(EXAMPLE).encode()
BAD = json.dumps(scenario(*MISSES[:2], {"guess": 11})).encode()


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


class Broken(io.BytesIO):
    """Standard input from a disk that fails."""

    def readline(self, *_: object) -> bytes:
        raise OSError(5, "Input/output error")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a good scenario, a bad one, and other files."""
    (tmp_path / "b-good.json").write_bytes(GOOD)
    (tmp_path / "a-bad.json").write_bytes(BAD)
    (tmp_path / "notes.txt").write_text("not a scenario")
    (tmp_path / "folder.json").mkdir()
    return tmp_path


def test_one_scenario_prints_its_lines_and_nothing_else(call: Call, folder: Path) -> None:
    run = call("referee", folder / "b-good.json")
    assert (run.code, run.err) == (Exit.OK, "")
    assert [line.get("turn") for line in lines(run.out)] == [1, 2, 3, None]
    assert list(lines(run.out)[-1]) == ["winner", "reason", "agent", "points"]


def test_an_error_names_file_day_and_turn_after_the_lines_that_stand(call: Call, folder: Path) -> None:
    run = call("referee", folder / "a-bad.json")
    assert run.code == Exit.DATA
    assert [line["turn"] for line in lines(run.out)] == [1, 2]
    assert_told("referee", "an error in the third turn", Called(run.code, "", run.err), FOLDER=folder)


def test_of_several_each_outcome_names_its_scenario_and_a_bad_one_stops_no_other(
    call: Call, folder: Path
) -> None:
    good, bad = str(folder / "b-good.json"), str(folder / "a-bad.json")
    run = call("referee", good, bad, good)
    assert run.code == Exit.DATA
    named = [line.get("scenario") for line in lines(run.out)]
    assert named == [None, None, None, good, None, None, None, None, None, good]
    assert list(lines(run.out)[3]) == ["winner", "reason", "agent", "points", "scenario"]


def test_the_mark_that_some_editors_put_before_utf_8_is_passed_over(call: Call, tmp_path: Path) -> None:
    marked = tmp_path / "marked.json"
    marked.write_bytes(b"\xef\xbb\xbf" + GOOD)
    run = call("referee", marked)
    assert (run.code, run.err) == (Exit.OK, "")
    assert call("referee", "-", stdin=marked.read_bytes()).out == run.out
    marked.write_bytes(b"\xef\xbb\xbf" * 2 + GOOD)
    assert call("referee", marked).code == Exit.DATA


def test_a_folder_is_its_json_files_by_name(call: Call, folder: Path) -> None:
    run = call("referee", folder)
    assert run.code == Exit.DATA
    assert [line.get("scenario") for line in lines(run.out)][-1] == str(folder / "b-good.json")
    assert len(lines(run.out)) == 2 + 4


def test_standard_input_has_one_scenario_a_line(call: Call) -> None:
    run = call("referee", "-", stdin=b"\n".join([GOOD, b"", BAD, GOOD + b"\r"]))
    assert run.code == Exit.DATA
    assert [line["scenario"] for line in lines(run.out) if "winner" in line] == ["-:1", "-:4"]
    assert_told("referee", "an error in the third line", Called(run.code, "", run.err))


def test_a_single_line_of_standard_input_is_like_a_single_file(call: Call, folder: Path) -> None:
    assert call("referee", "-", stdin=GOOD).out == call("referee", folder / "b-good.json").out


def test_what_cannot_be_read_counts_for_more_than_what_is_wrong(call: Call, folder: Path) -> None:
    run = call("referee", folder / "nowhere.json", folder)
    assert run.code == Exit.IO
    assert len(run.err.splitlines()) == 2
    assert len(lines(run.out)) == 6


def test_that_a_file_is_no_scenario_at_all_is_told_in_the_language_that_is_spoken(
    call: Call, tmp_path: Path
) -> None:
    path = tmp_path / "words.json"
    path.write_text("root:x:0")
    run = call("referee", path, "--language", "de")
    assert_told("referee", "no scenario, in German", run, FOLDER=tmp_path)


def test_a_folder_without_scenarios_is_said_to_have_none(call: Call, tmp_path: Path) -> None:
    run = call("referee", tmp_path)
    assert (run.code, run.out) == (Exit.DATA, "")
    assert str(tmp_path) in run.err


def test_noise_on_standard_input_is_told_in_one_sentence_and_hides_no_scenario(call: Call) -> None:
    noise = random.Random(1).randbytes(100_000)
    run = call("referee", "-", stdin=noise + b"\n" + GOOD + b"\nmore\nnoise")
    assert run.code == Exit.DATA
    assert len(run.err.splitlines()) == 2
    assert lines(run.out)[-1]["reason"] == "unfinished"


def test_a_line_longer_than_any_scenario_is_refused_and_the_next_one_played(call: Call) -> None:
    run = call("referee", "-", stdin=b"x" * (3 * LONGEST) + b"\n" + GOOD)
    assert run.err.count("longer") == 1
    assert lines(run.out)[-1]["scenario"] == "-:2"


def test_a_set_up_without_a_side_is_blamed_on_no_move(call: Call) -> None:
    wrong = b'{"game": "stratego", "setup": {"red": {}}, "moves": []}'
    run = call("referee", "-", stdin=wrong + b"\n" + wrong)
    assert run.code == Exit.DATA
    why = "\"setup\" lacks the key 'blue'."
    assert run.err == f"p2p-stratego: -:1: {why}\np2p-stratego: -:2: {why}\n"


def test_a_file_is_named_once(call: Call, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    run = call("referee", tmp_path / "pipe")
    assert_told("referee", "a pipe is named once", run, FOLDER=tmp_path)


def test_an_empty_standard_input_is_said_to_be_empty(call: Call) -> None:
    run = call("referee", "-", stdin=b"\n \n")
    assert (run.code, run.out) == (Exit.DATA, "")
    assert run.err.startswith("p2p-stratego: -: ")


def test_a_failing_standard_input_is_an_input_error() -> None:
    out, err = io.StringIO(), io.StringIO()
    assert referee(["-"], Broken(), out, err) == Exit.IO
    assert out.getvalue() == ""
    assert err.getvalue().count("\n") == 1


def test_row_23_a_hostile_file_name_reaches_no_terminal(call: Call, tmp_path: Path) -> None:
    name = "\x1b]52;c;aGk=\x07\u202e.json"
    (tmp_path / name).write_bytes(BAD)
    (tmp_path / "z.json").write_bytes(GOOD)
    run = call("referee", tmp_path)
    assert run.out.isascii()
    assert all(line.isprintable() for line in run.err.splitlines())
