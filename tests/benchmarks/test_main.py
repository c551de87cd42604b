"""`python -m benchmarks`: what it prints, when it fails, and what it writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks.figures import FIGURES
from benchmarks.measure import Floor, Measure, Missing, Taken
from benchmarks.report import PAGE, Figure, Target, duration, size


def figure(name: str, *samples: float) -> Figure:
    return Figure(name, duration, Target(2), lambda: Taken(Measure(samples), Floor("it", Measure((1.0,)))))


def missing(name: str) -> Figure:
    def measured() -> Taken:
        raise Missing("There is no such thing.")

    return Figure(name, size, Target(1e3, alone=True), measured)


MET, MISSED, NOISY = figure("met", 1, 1, 1), figure("missed", 3, 3, 3), figure("noisy", 1, 3, 5)


def test_only_a_missed_target_fails_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([], [MET, NOISY, missing("else")]) == 0
    printed = capsys.readouterr().out
    assert "1 of 2 figures are noisy" in printed
    assert "else: not measured. There is no such thing." in printed
    assert command.main([], [MET, MISSED]) == 1
    assert "MISSED" in capsys.readouterr().out


def test_words_choose_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["met"], [MET, MISSED]) == 0
    assert "missed" not in capsys.readouterr().out


def test_the_page_is_written_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(command, "PAGE", tmp_path / "figures.md")
    command.main(["--write"], [MET, NOISY, missing("else")])
    lines = (tmp_path / "figures.md").read_text(encoding="utf-8").splitlines()
    assert "| met | 1 s ±0 % | it 1 s | 1 x ±0 % | ≤ 2 x | met |" in lines
    assert "| noisy | 3 s ±33 % | it 1 s | 3 x ±33 % | ≤ 2 x | noisy |" in lines
    assert "else: not measured. There is no such thing." in lines
    assert {line.split(":")[0] for line in lines if line.startswith("- ")} == {
        "- Date",
        "- Machine",
        "- Commit",
    }
    with pytest.raises(SystemExit):
        command.main(["met", "--write"], [MET])


def test_the_page_of_the_project_has_the_figures_and_targets_that_are_measured() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    written = {row[0]: row[4] for row in rows[2:]}
    unmeasured = {figure.name for figure in FIGURES if f"\n{figure.name}: not measured. " in text}
    assert written == {figure.name: figure.limit for figure in FIGURES if figure.name not in unmeasured}


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (duration(0.0000567), "56.7 µs"),
        (duration(0.25), "250 ms"),
        (duration(12.34), "12.3 s"),
        (duration(3e-8), "0.03 µs"),
        (size(118.25), "118 B"),
        (size(13_600), "13.6 kB"),
        (size(200e6), "200 MB"),
    ],
)
def test_values_have_three_digits(shown: str, text: str) -> None:
    assert shown == text


def test_no_two_figures_have_one_name() -> None:
    assert len({figure.name for figure in FIGURES}) == len(FIGURES)
