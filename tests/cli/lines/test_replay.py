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


@pytest.fixture
def place(records: Path) -> Replay:
    found = verdict.replay(sources.read(str(records / "complete.p2ps")), GAMES)
    return Replay.of(history.of_match(found))


@pytest.mark.parametrize(
    ("said", "at"),
    [("", 2), ("next", 2), ("5", 5), ("last", -1), ("0", 1), ("99999999999999", -1), ("e", 4), ("b", 1)],
)
def test_a_line_goes_to_its_step_and_tells_it(place: Replay, said: str, at: int) -> None:
    there, told = replay.answered(place, said)
    assert there.at == (at if at > 0 else len(place.story.steps))
    if there.at != place.at:
        assert told[: len(there.story.steps[there.at - 1].sentences)] == list(
            there.story.steps[there.at - 1].sentences
        )


def test_a_search_tells_the_found_step_or_that_there_is_none(place: Replay) -> None:
    there, told = replay.answered(place, "/guesses the")
    assert "guesses the" in told[0]
    on, _ = replay.answered(there, "n")
    assert on.at > there.at
    assert replay.answered(on, "p").place.at == there.at
    assert replay.answered(there, "/dragon") == (
        replay.answered(there, "/dragon").place,
        ["No step tells “dragon”."],
    )


def test_the_board_follows_the_view(place: Replay) -> None:
    at = place.to(2)
    closed = replay.answered(at, "board").lines
    own, told = replay.answered(at, "view")
    assert told == ["The board is as Ada saw it."]
    assert replay.answered(own, "board").lines != closed
    everything, told = replay.answered(at, "o")
    assert told == ["All is open."]
    assert len(replay.answered(everything, "board").lines) >= len(closed)


@pytest.mark.parametrize("said", ["dance", "?", "moves", "\x1b[2J", "-1"])
def test_other_lines_stay_where_they_are(place: Replay, said: str) -> None:
    there, told = replay.answered(place, said)
    assert there == place
    assert told


def test_a_person_reads_it_to_the_end(place: Replay, capsys: pytest.CaptureFixture[str]) -> None:
    class Reader(Prompt):
        said = iter(["last", ""])

        def ask(self, question: str, usual: str = "") -> str:
            line = next(self.said, None)
            if line is None:
                raise EOFError
            return line

    replay.step_through(place, Reader(), lambda: 80)
    told = " ".join(capsys.readouterr().out.split())
    assert "complete: " in told
    assert told.endswith("This is the last step.")


def test_the_analysis_of_a_step_is_told_in_lines(
    records: Path, place: Replay, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replay.answered(place, "a").lines == ["This game has no analysis."]
    found = verdict.replay(sources.read(str(records / "complete.p2ps")), GAMES)

    class Reader(Prompt):
        said = iter(["5", "analysis", "1", "a", "last", "a"])

        def ask(self, question: str, usual: str = "") -> str:
            line = next(self.said, None)
            if line is None:
                raise EOFError
            return line

    begun = []

    def analysis() -> Analysed:
        begun.append(1)
        return whole(lambda: Work(found, place.story), 60.0)

    replay.step_through(place, Reader(), lambda: 80, analysis)
    told = " ".join(capsys.readouterr().out.split())
    assert begun == [1]
    assert "Ada: 50 % to win; Ben: 50 % to win" in told
    assert ": guess: " in told
    assert [share(chance) for chance in (0.0, 0.001, 0.5, 1.0)] == ["0 %", "1 %", "50 %", "100 %"]
    assert "Nobody decided anything in this step." in told
