"""The real rules against a second referee, on random scenarios for two, three and four players.

`python -m tests.p2p_stratego.conquest.formats.test_random_scenarios FIRST LAST SLIPS` plays thousands.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import pytest

from p2p_stratego.conquest.formats.scenario import play
from p2p_stratego.core.scenario import ScenarioError
from tests.helpers.conquest.naive_turns import lines_of
from tests.helpers.conquest.random_scenarios import scenario
from tests.helpers.machine.examples import runs

LOTS = runs(16, 400)


def by_the_rules(written: dict[str, Any]) -> tuple[list[dict[str, object]], bool]:
    """The lines of a scenario, and whether it was refused at the end of them."""
    lines: list[dict[str, object]] = []
    try:
        lines.extend(play(written))
    except ScenarioError:
        return lines, True
    return lines, False


def assert_same(seed: int, slips: float) -> None:
    written = scenario(Random(seed), slips=slips)
    if isinstance(written, dict) and written.get("game") == "conquest":
        assert by_the_rules(written) == lines_of(written), f"seed {seed}, slips {slips}"


@pytest.mark.parametrize("slips", [0.0, 0.02, 0.1])
@pytest.mark.parametrize("lot", range(6))
def test_random_scenarios_end_as_the_second_referee_says(lot: int, slips: float) -> None:
    for seed in range(lot * LOTS, (lot + 1) * LOTS):
        assert_same(seed, slips)


if __name__ == "__main__":
    for number in range(int(sys.argv[1]), int(sys.argv[2])):
        assert_same(number, float(sys.argv[3]))
