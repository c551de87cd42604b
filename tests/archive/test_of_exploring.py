"""How the matches of an archive began, counted from its tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.__main__ import main
from cli.archive import opening_explorer, schema, sql_questions
from cli.archive.opening_explorer import Explorer, Node
from cli.archive.store import Archive
from cli.shell.exit_codes import Exit
from tests.helpers.archives.judged import filled, judge, rows
from tests.helpers.archives.records import samples


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    made = filled(tmp_path_factory.mktemp("explored"), samples())
    judge(made)
    return made


@pytest.fixture
def explorer(archive: Archive) -> Iterator[Explorer]:
    with sql_questions.asking(archive) as asked:
        yield Explorer(asked, "spies-and-lies")


def test_choices_are_the_lines_of_the_matches_that_count(archive: Archive, explorer: Explorer) -> None:
    lines = [
        line
        for match in rows(archive, schema.MATCHES)
        if match["counted"] and match["game"] == "spies-and-lies"
        for line in match["openings"]
    ]
    branches = {branch.node.kind: branch for branch in explorer.branches()}
    assert {kind: 2 * branch.matches for kind, branch in branches.items()} == {
        kind: sum(line["kind"] == kind for line in lines) for kind in ("lines", "guesses")
    }
    node = branches["lines"].node
    while (listed := explorer.choices(node)).rows:
        depth = len(node.path)
        here = [line for line in lines if line["kind"] == "lines" and line["choices"][:depth] == [*node.path]]
        assert sum(choice.games for choice in listed.rows) == len(here)
        for choice in listed.rows:
            scores = [line["scores"][-1] for line in here if line["choices"][depth] == choice.word]
            assert (choice.won, choice.drawn, choice.lost) == tuple(map(scores.count, (1.0, 0.5, 0.0)))
        node = node.then(listed.rows[0].word)
    assert len(node.path) == 4
    matches = [match.id for match in explorer.matches(node).rows]
    assert matches == [
        match["match"]
        for match in rows(archive, schema.MATCHES)
        if any(line["choices"] == [*node.path] for line in match["openings"])
    ]


def test_a_match_that_does_not_count_has_no_lines(archive: Archive) -> None:
    assert all(bool(match["openings"]) <= match["counted"] for match in rows(archive, schema.MATCHES))


def test_the_command_shows_any_place(archive: Archive, capsys: pytest.CaptureFixture[str]) -> None:
    def output(*words: str, code: Exit = Exit.OK) -> str:
        assert main(["archive", "explore", archive.place, *words]) == code
        return capsys.readouterr().out

    assert "First moves" in output("stratego")
    assert "Flag: " in output("stratego", "setups")
    root = json.loads(output("stratego", "--json"))
    assert {branch["kind"] for branch in root["branches"]} == {"setups", "moves"}
    place = json.loads(output("stratego", "moves", "quickplay", "--json"))
    assert place["choices_in_all"] == len(place["choices"]) == place["matches_in_all"] == 1
    word = place["choices"][0]["word"]
    deeper = json.loads(output("stratego", "moves", "quickplay", word, "--json"))
    assert (deeper["path"], deeper["matches"]) == ([word], place["matches"])
    for words in ((), ("chess",), ("stratego", "moves", "quickplay", "a1a2"), ("stratego", "nothing")):
        output(*words, code=Exit.USAGE)


def test_an_archive_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["archive", "explore", str(tmp_path / "none"), "stratego"]) == Exit.IO
    capsys.readouterr()


def test_more_matches_than_are_listed_are_counted(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = explorer.branches()[0].node
    whole = explorer.matches(node)
    assert whole.total == len(whole.rows) > 2
    monkeypatch.setattr(opening_explorer, "MOST", 2)
    cut = explorer.matches(node)
    assert (cut.total, cut.rows) == (whole.total, whole.rows[:2])
    assert len(explorer.choices(node).rows) == 2


def test_the_root_is_no_place_of_a_line() -> None:
    assert Node().is_root
    assert not Node("moves").is_root
