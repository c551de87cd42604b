"""Scenarios of Spies & Lies to try clauses of the format on: one that is good, and its variations."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from p2p_stratego.core.scenario import Line, ScenarioError
from p2p_stratego.registry import play_scenario

EXAMPLE: dict[str, Any] = {
    "game": "spies-and-lies",
    "options": {"wall": 4},
    "starter": "red",
    "old_intel": [1, 4],
    "days": [
        {
            "exhausted": {"red": [7], "blue": [2]},
            "deploy": {"red": [1, 4, 8, 10], "blue": [3, 5, 6, 9]},
            "intel": [4, 7],
            "tokens": {"red": [], "blue": [2, 3]},
            "turns": [{"guess": 3}, {"guess": 2, "deception": True}, {"guess": 1}],
        }
    ],
}


MISSES: list[dict[str, Any]] = [{"guess": rank} for rank in (2, 2, 3, 3, 4, 1, 1, 1)]
"""A day of EXAMPLE's cards on which nobody guesses right."""


QUIET: dict[str, Any] = {
    "exhausted": {"red": [4], "blue": [5]},
    "deploy": {"red": [1, 2, 3, 8], "blue": [1, 2, 3, 8]},
    "intel": [4, 7],
    "tokens": {"red": [], "blue": []},
    "turns": [{"guess": 7}] * 8,
}
"""A second day, after EXAMPLE's first."""


def scenario(*turns: dict[str, Any], **day: Any) -> dict[str, Any]:
    """EXAMPLE with other turns and other parts of its day."""
    made = deepcopy(EXAMPLE)
    made["days"][0] |= deepcopy({**day, "turns": [*turns]})
    return made


def days(*days: dict[str, Any], **whole: Any) -> dict[str, Any]:
    return deepcopy({**EXAMPLE, "days": [*days], **whole})


def first_day(turns: int = 8) -> dict[str, Any]:
    return dict(EXAMPLE["days"][0], turns=MISSES[:turns])


def stopped(value: object) -> tuple[list[Line], ScenarioError]:
    """The lines that stand, and the error after them."""
    lines: list[Line] = []
    with pytest.raises(ScenarioError) as error:
        lines.extend(play_scenario(value))  # keeps the lines before the error
    return lines, error.value


def refused(value: object, day: int = 1, turn: int = 1, lines: int = 0) -> str:
    """Why a scenario is refused, and only there."""
    stood, error = stopped(value)
    assert (error.where, len(stood)) == ({"day": day, "turn": turn}, lines)
    assert str(error) == f"day {day}, turn {turn}: {error.why}"
    return error.why
