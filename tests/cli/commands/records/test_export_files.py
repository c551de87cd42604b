"""`export` into files: a page, a picture, a recording; over nothing that is there."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cli.commands import export
from cli.reports import sources
from cli.shell.exit_codes import Exit
from tests.golden.dialogues import assert_told
from tests.helpers.program.commands import Call


@pytest.mark.parametrize(
    ("options", "begins", "text"),
    [
        (["--html"], b"<!doctype html>", "The page is in"),
        (["--svg"], b"<svg ", "The picture is in"),
        (["--film", "3", "--svg"], b"<svg ", "The picture is in"),
        (["--cast"], b'{"version": 2', "The recording is in"),
    ],
    ids=["page", "picture", "film", "recording"],
)
def test_a_match_becomes_a_file_and_an_old_file_stays(
    call: Call, records: Path, tmp_path: Path, options: list[str], begins: bytes, text: str
) -> None:
    out = tmp_path / "out"
    made = call("export", records / "complete.p2ps", *options, out)
    assert (made.code, made.err) == (Exit.OK, "")
    assert made.out.startswith(text)
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


def test_a_folder_that_is_missing_is_named_and_not_the_file_to_be_made(
    call: Call, records: Path, tmp_path: Path
) -> None:
    refused = call("export", records / "complete.p2ps", "--html", tmp_path / "none" / "page.html")
    assert_told("export", "a missing folder", refused, FOLDER=tmp_path)


def test_a_film_needs_a_picture_to_be(call: Call, records: Path) -> None:
    refused = call("export", records / "complete.p2ps", "--film")
    assert refused.code == Exit.USAGE
    assert "--svg OUT" in refused.err


@pytest.mark.parametrize("option", ["--html", "--svg", "--cast"])
def test_a_folder_is_called_one_and_a_file_in_it_asked_for(
    call: Call, records: Path, tmp_path: Path, option: str
) -> None:
    run = call("export", records / "complete.p2ps", option, tmp_path)
    assert_told("export", "a folder in place of a file", run, FOLDER=tmp_path)
    proof = call("audit", records / "cheated.p2ps", "--proof", tmp_path)
    assert "is a folder" in proof.err


@pytest.mark.parametrize("installed", [True, False])
def test_a_folder_for_a_friend_holds_the_page_a_picture_and_three_lines(
    call: Call, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed: bool
) -> None:
    def drawing(name: str) -> Any:
        if not installed:
            raise ImportError(name)
        return SimpleNamespace(svg_to_bytes=lambda svg_string, zoom: svg_string[:5].encode() * zoom)

    monkeypatch.setattr(export, "import_module", drawing)
    folder = tmp_path / "shared"
    made = call("export", records / "complete.p2ps", "--share", folder)
    assert (made.code, made.err) == (Exit.OK, "")
    names = {"page.html", "picture.svg", "message.txt"} | ({"picture.png"} if installed else set())
    assert {path.name for path in folder.iterdir()} == names
    assert ("pip install 'p2p-stratego[pictures]'" in made.out) == (not installed)
    message = (folder / "message.txt").read_text(encoding="utf-8").splitlines()
    assert len(message) == 3
    assert made.out.splitlines()[-3:] == message
    assert (folder / "page.html").read_bytes().startswith(b"<!doctype html>")
    (folder / "page.html").write_text("mine by now")
    for behind in ("-2", "-3"):
        again = call("export", records / "complete.p2ps", "--share", folder)
        beside = tmp_path / f"shared{behind}"
        assert again.code == Exit.OK
        assert f"In {beside}:" in again.out.replace("\n", "")
        assert {path.name for path in beside.iterdir()} == names
    assert (folder / "page.html").read_text() == "mine by now"


def test_a_game_that_goes_on_is_shared_as_it_stands_with_whose_move_it_is(
    call: Call, records: Path, tmp_path: Path
) -> None:
    """The message for a friend was the audit's sentence, with fingerprints and what a seat "owes"."""
    folder = tmp_path / "shared"
    made = call("export", records / "incomplete.p2ps", "--share", folder)
    assert made.code == Exit.INCOMPLETE
    who, turn, page = (folder / "message.txt").read_text(encoding="utf-8").splitlines()
    assert re.search(r"Not over yet: \w+( and \w+)? to move\.$", who)
    assert re.fullmatch(r"\d+ steps? so far\.", turn)
    assert "replays it" in page
    assert (folder / "page.html").exists()


def test_a_picture_becomes_a_png_where_the_extra_is_installed() -> None:
    pytest.importorskip("resvg_py")
    drawn = export.png('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"/>')
    assert drawn is not None
    assert drawn.startswith(b"\x89PNG")


def test_mistakes_are_for_the_page_of_an_own_game(
    call: Call, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out = records / "complete.p2ps", tmp_path / "out.html"
    for options, why in ((["--mistakes"], "--html OUT"), (["--mistakes", "--html", out], "no game of yours")):
        refused = call("export", path, *options)
        assert refused.code == Exit.USAGE
        assert why in refused.err
    assert not out.exists()
    monkeypatch.setattr(sources, "own", lambda _home, _referee: (0, {}))
    made = call("export", path, "--mistakes", "--html", out)
    assert (made.code, made.err) == (Exit.OK, "")
    asked = json.loads(
        gzip.decompress(base64.b64decode(out.read_bytes().split(b'id="told">')[1].split(b"<")[0]))
    )
    assert ("mistakes" in asked) == ("show what you knew then" in made.out)
    assert ("mistakes" in asked) != ("Nothing here cost" in made.out)
