"""`export` into files: a page, a picture, a recording; over nothing that is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.shell.exit_codes import Exit
from tests.golden.dialogues import assert_told
from tests.helpers.program.commands import Call


@pytest.mark.parametrize(
    ("options", "begins", "told"),
    [
        (["--html"], b"<!doctype html>", "The page is in"),
        (["--svg"], b"<svg ", "The picture is in"),
        (["--film", "3", "--svg"], b"<svg ", "The picture is in"),
        (["--cast"], b'{"version": 2', "The recording is in"),
    ],
    ids=["page", "picture", "film", "recording"],
)
def test_a_match_becomes_a_file_and_an_old_file_stays(
    call: Call, records: Path, tmp_path: Path, options: list[str], begins: bytes, told: str
) -> None:
    out = tmp_path / "out"
    made = call("export", records / "complete.p2ps", *options, out)
    assert (made.code, made.err) == (Exit.OK, "")
    assert made.out.startswith(told)
    assert out.read_bytes().startswith(begins)
    before = out.read_bytes()
    again = call("export", records / "complete.p2ps", *options, out)
    assert again.code == Exit.IO
    assert "is there already" in again.err
    assert out.read_bytes() == before


def test_the_exit_code_is_the_audits(call: Call, records: Path, tmp_path: Path) -> None:
    for name in ("incomplete", "cheated", "torn"):
        audited = call("audit", records / f"{name}.p2ps")
        assert call("export", records / f"{name}.p2ps", "--html", tmp_path / name).code == audited.code


def test_a_tampered_record_becomes_no_page(call: Call, records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    refused = call("export", records / "tampered.p2ps", "--html", out)
    assert_told("export", "a page of a tampered record", refused)
    assert not out.exists()


def test_a_film_needs_a_picture_to_be(call: Call, records: Path) -> None:
    refused = call("export", records / "complete.p2ps", "--film")
    assert refused.code == Exit.USAGE
    assert "--svg OUT" in refused.err


@pytest.mark.parametrize("option", ["--html", "--svg", "--cast"])
def test_a_folder_is_called_one_and_a_file_in_it_asked_for(
    call: Call, records: Path, tmp_path: Path, option: str
) -> None:
    told = call("export", records / "complete.p2ps", option, tmp_path)
    assert_told("export", "a folder in place of a file", told, FOLDER=tmp_path)
    proof = call("audit", records / "cheated.p2ps", "--proof", tmp_path)
    assert "is a folder" in proof.err
