"""A recorded game in lines: what each typed line comes to."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.lines import replay
from cli.lines.prompt import Prompt
from cli.reports import history, sources
from cli.studies.analysis.analysing import Analysed, Work, whole
from cli.studies.analysis.analysis_text import share
from cli.studies.playback import Replay
from p2p_stratego.registry import GAMES
from protocol.audit import verdict
from tests.golden.tables import Chronicle, assert_as_kept


@pytest.fixture
def place(records: Path) -> Replay:
    record = verdict.replay(sources.read(str(records / "complete.p2ps")), GAMES)
    return Replay.of(history.of_match(record))


@pytest.mark.parametrize(
    ("typed", "at"),
    [("", 2), ("next", 2), ("5", 5), ("last", -1), ("0", 1), ("99999999999999", -1), ("e", 4), ("b", 1)],
)
def test_a_line_goes_to_its_step_and_tells_it(place: Replay, typed: str, at: int) -> None:
    there, lines = replay.answered(place, typed)
    assert there.at == (at if at > 0 else len(place.story.steps))
    if there.at != place.at:
        assert lines[: len(there.story.steps[there.at - 1].sentences)] == list(
            there.story.steps[there.at - 1].sentences
        )


def test_a_search_tells_the_found_step_or_that_there_is_none(place: Replay, chronicle: Chronicle) -> None:
    there, lines = replay.answered(place, "/guesses the")
    assert "guesses the" in lines[0]
    on, _ = replay.answered(there, "n")
    assert on.at > there.at
    assert replay.answered(on, "p").place.at == there.at
    chronicle.show("/dragon", *replay.answered(there, "/dragon").lines)
    assert_as_kept(chronicle)


def test_the_board_follows_the_view(place: Replay, chronicle: Chronicle) -> None:
    at = place.to(2)
    closed = replay.answered(at, "board").lines
    own, lines = replay.answered(at, "view")
    chronicle.show("view", *lines)
    assert replay.answered(own, "board").lines != closed
    everything, lines = replay.answered(at, "o")
    chronicle.show("o", *lines)
    assert len(replay.answered(everything, "board").lines) >= len(closed)
    assert_as_kept(chronicle)


@pytest.mark.parametrize("typed", ["dance", "?", "moves", "\x1b[2J", "-1"])
def test_other_lines_stay_where_they_are(place: Replay, typed: str) -> None:
    there, lines = replay.answered(place, typed)
    assert there == place
    assert lines


def test_a_person_reads_it_to_the_end(
    place: Replay, capsys: pytest.CaptureFixture[str], chronicle: Chronicle
) -> None:
    class Reader(Prompt):
        typed = iter(["last", ""])

        def ask(self, question: str, usual: str = "") -> str:
            line = next(self.typed, None)
            if line is None:
                raise EOFError
            return line

    replay.step_through(place, Reader(), lambda: 80)
    chronicle.show("last, and Enter", *capsys.readouterr().out.splitlines()[-8:])
    assert_as_kept(chronicle)


def test_the_analysis_of_a_step_is_told_in_lines(
    records: Path, place: Replay, capsys: pytest.CaptureFixture[str], chronicle: Chronicle
) -> None:
    chronicle.show("a, where there is no analysis", *replay.answered(place, "a").lines)
    record = verdict.replay(sources.read(str(records / "complete.p2ps")), GAMES)

    class Reader(Prompt):
        typed = iter(["5", "analysis", "1", "a", "last", "a"])

        def ask(self, question: str, usual: str = "") -> str:
            line = next(self.typed, None)
            if line is None:
                raise EOFError
            return line

    begun = []

    def analysis() -> Analysed:
        begun.append(1)
        return whole(lambda: Work(record, place.story), 60.0)

    replay.step_through(place, Reader(), lambda: 80, analysis)
    assert begun == [1]
    lines = capsys.readouterr().out.splitlines()
    assert any(": guess: " in line for line in lines)
    before = next(at for at, line in enumerate(lines) if "50 %" in line and "to win" in line)
    chronicle.show("the analysis of the first step", *lines[before : before + 2])
    assert [share(chance) for chance in (0.0, 0.001, 0.5, 1.0)] == ["0 %", "1 %", "50 %", "100 %"]
    assert_as_kept(chronicle)
