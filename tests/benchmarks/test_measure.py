"""`python -m benchmarks`: medians, spreads, and when a figure says nothing."""

from __future__ import annotations

from itertools import count

import pytest

from benchmarks.measure import Measure, exact, rounds
from benchmarks.report import Figure, Result, at_least, at_most, show, spread, times


def test_a_figure_and_its_floor_are_measured_in_turn() -> None:
    order: list[str] = []
    ticks = count(1)

    def sampler(name: str) -> float:
        order.append(name)
        return float(next(ticks))

    value, floor = rounds(3, lambda: sampler("value"), lambda: sampler("floor"))
    assert order == ["value", "floor"] * 4, "one round to warm up, then three"
    assert (value.samples, floor.samples) == ((3.0, 5.0, 7.0), (4.0, 6.0, 8.0))


def test_a_ratio_is_taken_round_by_round() -> None:
    slowed = Measure((2.0, 20.0, 2.0)).over(Measure((1.0, 10.0, 1.0)))
    assert slowed.samples == (2.0, 2.0, 2.0)
    assert slowed.spread == 0


def test_the_middle_half_of_the_rounds_is_the_spread() -> None:
    measure = Measure((90.0, 94.0, 100.0, 106.0, 900.0))
    assert (measure.median, measure.quartiles) == (100.0, (94.0, 106.0))
    assert spread(measure) == " ±6 %"
    assert spread(exact(7)) == ""


@pytest.mark.parametrize(
    ("measure", "result"),
    [
        (Measure((1.0, 1.1, 1.2)), Result.MET),
        (Measure((2.5, 2.6, 2.7)), Result.MISSED),
        (Measure((1.5, 1.9, 2.3)), Result.NOISY),
        (Measure((0.2, 1.0, 1.8)), Result.NOISY),
        (Measure((1.0, 1.1, 1.2), waiting=0.3), Result.NOISY),
        (exact(2), Result.MET),
    ],
)
def test_a_figure_that_the_machine_leaves_open_is_neither_met_nor_missed(
    measure: Measure, result: Result
) -> None:
    assert at_most(measure, 2, "≤ 2").result is result
    opposite = {Result.MET: Result.MISSED, Result.MISSED: Result.MET}
    if measure.median != 2:
        assert at_least(measure, 2, "≥ 2").result is opposite.get(result, result)


def test_a_ratio_does_not_mind_that_both_parts_waited() -> None:
    busy = Measure((2.0, 2.0), waiting=0.5)
    assert times(busy.over(busy), 2).result is Result.MET


def test_only_a_missed_target_fails_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    def figure(*samples: float) -> Figure:
        measure = Measure(samples)
        return Figure("it", measure, str, "", at_most(measure, 2, "≤ 2"))

    assert show([figure(1, 1, 1), figure(1, 3, 5), Figure("free", exact(9), str)])
    assert "1 of 3 figures are noisy" in capsys.readouterr().out
    assert not show([figure(1, 1, 1), figure(3, 3, 3)])
    assert "MISSED" in capsys.readouterr().out
