"""Questions to an archive: answers from its tables, and nothing else that a question can reach."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from cli.__main__ import main
from cli.archive import reports, sql_questions
from cli.archive.store import Archive
from cli.shell.exit_codes import Exit, Sorry
from cli.studies.statistics import glicko
from tests.helpers.archives.judged import filled, judge
from tests.helpers.archives.records import samples

ROOT = Path(__file__).parents[2]
UNREAD = "what no question may read"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    made = filled(tmp_path_factory.mktemp("asked"), samples())
    judge(made)
    return made


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('{file}')",
        "SELECT * FROM '{file}'",
        "COPY matches TO '{other}'",
        "ATTACH '{other}'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "INSERT INTO matches SELECT * FROM matches",
        "DELETE FROM records",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM UNREAD",
        "SELECT",
    ],
)
def test_a_question_reaches_nothing_but_the_tables(archive: Archive, tmp_path: Path, sql: str) -> None:
    file, other = tmp_path / "a.txt", tmp_path / "b"
    file.write_text(UNREAD)
    with sql_questions.asking(archive) as asked, pytest.raises(Sorry) as refused:
        asked.ask_for_a_person(sql.format(file=file, other=other))
    assert refused.value.code is Exit.DATA
    assert UNREAD not in str(refused.value)
    assert not other.exists()


def test_each_question_in_the_manual_has_an_answer(archive: Archive) -> None:
    manual = (ROOT / "docs/archive.md").read_text(encoding="utf-8")
    listed = [line.strip() for line in manual.splitlines() if line.startswith("    select ")]
    listed += re.findall(r'archive query club/ "(.+)"', manual)
    assert len(listed) == 5
    for question in listed:
        with sql_questions.asking(archive) as asked:
            assert asked.ask_for_a_person(question).columns


@pytest.mark.parametrize("nothing", ["", " ; ", "-- how many?"])
def test_a_question_that_asks_nothing_is_answered_by_nothing(archive: Archive, nothing: str) -> None:
    with sql_questions.asking(archive) as asked:
        assert asked.ask_for_a_person(nothing) == sql_questions.Answer((), ())


def test_an_answer_of_too_many_rows_is_left_before_it_fills_the_memory(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_questions, "MOST", 9)
    with sql_questions.asking(archive) as asked:
        assert len(asked.ask_for_a_person("SELECT * FROM range(9)").rows) == 9
        with pytest.raises(Sorry, match="more than 9 rows"):
            asked.ask_for_a_person("SELECT * FROM range(1000000000000)")


def test_the_one_folder_that_the_engine_spills_to_is_closed_too(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB lets its temporary folder be written to, `.tmp` here, even where files are closed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".tmp").mkdir()
    for sql in ("COPY (SELECT 1) TO '.tmp/x.csv'", "ATTACH '.tmp/x.db'"):
        with sql_questions.asking(archive) as asked, pytest.raises(Sorry):
            asked.ask_for_a_person(sql)
    assert not [*(tmp_path / ".tmp").iterdir()]


def test_a_report_counts_each_match_once(archive: Archive) -> None:
    with sql_questions.asking(archive) as asked:
        known = reports.games(asked)
        for game, matches, counted in known:
            charts = {chart.name: chart for chart in reports.report(asked, game)}
            assert sum(row[1] for row in charts["What the records come to"].rows) == matches
            if counted:
                assert sum(row[2] for row in charts["How they end"].rows) == counted
            if "Results by seat" in charts:
                assert all(row[3] + row[4] + row[5] == row[2] for row in charts["Results by seat"].rows)
    assert sum(row[2] for row in known) > 0


def test_games_with_the_same_player_on_a_day_rate_alike_together_or_one_by_one() -> None:
    other = glicko.Rating(1600, 80)
    alone = [glicko.Played(other, score) for score in (1, 0, 0.5, 1)]
    assert glicko.rated(glicko.Rating(), [glicko.Played(other, 0.625, 4)]) == pytest.approx(
        glicko.rated(glicko.Rating(), alone)
    )


def test_a_record_comes_back_as_it_came_in(
    archive: Archive, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = next(iter(samples().values()))
    digest = sha256(data).hexdigest()
    words = ["archive", "get", archive.place, digest[:12], "-o", str(tmp_path / "out.p2ps")]
    assert main(words) == Exit.OK
    assert (tmp_path / "out.p2ps").read_bytes() == data
    assert main(words) == Exit.IO  # nothing is overwritten
    assert (tmp_path / "out.p2ps").read_bytes() == data
    assert main([*words[:3], "0" * 8, *words[4:]]) == Exit.IO
    assert main([*words[:3], "zz", *words[4:]]) == Exit.USAGE
    capsys.readouterr()


def test_answers_for_programs(archive: Archive, capsys: pytest.CaptureFixture[str]) -> None:
    sql = "SELECT count(*) AS n, min(bytes) AS b FROM records"
    assert main(["archive", "query", archive.place, sql, "--json"]) == Exit.OK
    report = json.loads(capsys.readouterr().out)
    assert report["columns"] == ["n", "b"]
    ((count, data),) = report["rows"]
    assert count == len(samples())
    assert bytes.fromhex(data) in samples().values()
    assert (
        main(["archive", "query", archive.place, "SELECT 1 AS a, 2 AS a, 'nan'::FLOAT", "--json"]) == Exit.OK
    )
    assert json.loads(capsys.readouterr().out)["rows"] == [[1, 2, None]]
    assert main(["archive", "report", archive.place, "--json"]) == Exit.OK
    assert json.loads(capsys.readouterr().out)["games"]
    assert main(["archive", "report", archive.place, "chess"]) == Exit.USAGE
    assert main(["archive", "query", archive.place]) == Exit.USAGE
    capsys.readouterr()


def test_an_archive_of_which_a_file_is_gone_is_told_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = filled(tmp_path, samples())
    judge(made)
    for file in (tmp_path / "matches").rglob("*.parquet"):
        file.unlink()
    for words in (["report", made.place], ["explore", made.place, "spies-and-lies"], ["audit", made.place]):
        assert main(["archive", *words]) == Exit.IO
        error = capsys.readouterr().err
        assert "cannot be reached" in error
        assert "No such file" in error or "not found" in error


def test_a_report_is_written_as_a_page_and_never_over_a_file(
    archive: Archive, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["archive", "report", archive.place, "--html", str(tmp_path / "out.html")]
    assert main(words) == Exit.OK
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    for title in ("Results by seat", "How they end", "First moves", "The best by rating"):
        assert f"<h3>{title}" in page
    assert main(words) == Exit.IO
    assert (tmp_path / "out.html").read_text(encoding="utf-8") == page
    capsys.readouterr()


def test_the_bars_of_a_histogram_hold_every_match_once(archive: Archive) -> None:
    with sql_questions.asking(archive) as asked:
        charts = {chart.name: chart for chart in reports.report(asked, "spies-and-lies")}
    bars = charts["How many take how many steps"].rows
    assert sum(row[3] for row in bars) == sum(row[2] for row in charts["How they end"].rows)
    assert max(row[4] for row in bars) == 1
    [span] = charts["How long they are, in steps"].rows
    assert bars[0][1] == span[2]
    assert bars[-1][1] <= span[5] <= bars[-1][2]
    lines = [chart for chart in charts.values() if chart.variant]
    assert {chart.variant for chart in lines} == {"2"}
    assert all(row[2] + row[3] + row[4] == row[1] for chart in lines for row in chart.rows)
