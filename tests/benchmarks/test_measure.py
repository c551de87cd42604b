"""`python -m benchmarks`: medians, spreads, and when a figure says nothing."""

from __future__ import annotations

from itertools import count

import pytest

from benchmarks import measure
from benchmarks.measure import Floor, Measure, Taken, exact, rounds, slowest, total
from benchmarks.report import Result, Target, spread


def test_a_figure_and_its_floor_are_measured_in_turn() -> None:
    order: list[str] = []
    ticks = count(1)

    def sampler(name: str) -> float:
        order.append(name)
        return float(next(ticks))

    value, floor = rounds(3, lambda: sampler("value"), lambda: sampler("floor"))
    assert order == ["value", "floor"] * 4, "one round to warm up, then three"
    assert (value.samples, floor.samples) == ((3.0, 5.0, 7.0), (4.0, 6.0, 8.0))


@pytest.mark.parametrize(
    ("waits", "steals", "waiting"), [(0.0, 0.0, 0.0), (0.25, 0.0, 0.25), (0.25, 0.5, 0.5)]
)
def test_a_busy_machine_is_known_by_what_plain_computing_waited_or_what_was_stolen(
    monkeypatch: pytest.MonkeyPatch, waits: float, steals: float, waiting: float
) -> None:
    """`waits`, `steals`: the share of each second."""
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 0.001
        return now

    monkeypatch.setattr(measure, "perf_counter", clock)
    monkeypatch.setattr(measure, "scheduled_time", lambda: (now * (1 - waits), now * waits))
    monkeypatch.setattr(measure, "stolen_time", lambda: now * steals)
    [taken] = rounds(3, lambda: 1.0)
    assert taken.waiting == pytest.approx(waiting, abs=0.05)


def test_a_ratio_is_taken_round_by_round() -> None:
    slowed = Measure((2.0, 20.0, 2.0)).over(Measure((1.0, 10.0, 1.0)))
    assert slowed.samples == (2.0, 2.0, 2.0)
    assert slowed.spread == 0
    assert Measure((2.0, 4.0)).over(exact(2)).samples == (1.0, 2.0), "a floor that no round changes"


def test_a_floor_of_parts_is_added_round_by_round() -> None:
    assert total((2, Measure((1.0, 2.0))), (1, Measure((10.0, 20.0), 0.5))) == Measure((12.0, 24.0), 0.5)


def test_the_middle_half_of_the_rounds_is_the_spread() -> None:
    taken = Measure((90.0, 94.0, 100.0, 106.0, 900.0))
    assert (taken.median, taken.quartiles) == (100.0, (94.0, 106.0))
    assert spread(taken) == " ±6 %"
    assert spread(exact(7)) == ""


@pytest.mark.parametrize(
    ("of", "result"),
    [
        (Measure((1.0, 1.1, 1.2)), Result.MET),
        (Measure((2.5, 2.6, 2.7)), Result.MISSED),
        (Measure((1.5, 1.9, 2.3)), Result.NOISY),
        (Measure((0.2, 1.0, 1.8)), Result.NOISY),
        (Measure((1.0, 1.1, 1.2), waiting=0.3), Result.NOISY),
        (Measure((2.5, 2.6, 2.7), waiting=0.3), Result.NOISY),
        (exact(2), Result.MET),
    ],
)
def test_a_figure_that_the_machine_leaves_open_is_neither_met_nor_missed(of: Measure, result: Result) -> None:
    assert Target(2, alone=True).judged(Taken(of, Floor("", exact(5)))) is result
    assert Target(2).judged(Taken(of, Floor("", exact(1)))) is result


def test_a_ratio_of_which_one_part_waited_is_noisy() -> None:
    """The floor may have lost less by it, or more: a miss is the machine's fault then, a success its gift."""
    quiet, busy = Measure((1.0, 1.0)), Measure((1.0, 1.0), waiting=0.5)
    assert Target(2).judged(Taken(quiet, Floor("", busy))) is Result.NOISY
    assert Target(2).judged(Taken(busy, Floor("", quiet))) is Result.NOISY
    assert Target(2).judged(Taken(quiet, Floor("", quiet))) is Result.MET


def test_the_slowest_of_several_is_named() -> None:
    taken = {name: Taken(exact(value), Floor("verify", exact(1))) for name, value in (("a", 2), ("b", 3))}
    assert slowest(taken) == Taken(exact(3), Floor("b: verify", exact(1)))
