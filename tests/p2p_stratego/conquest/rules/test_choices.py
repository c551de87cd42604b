"""Options that are not listed to test a move hold what their list holds."""

from __future__ import annotations

import pytest

from p2p_stratego.conquest.rules.choices import Trios
from p2p_stratego.conquest.rules.notation import regroup

A1, A2, A3, B1, B2 = range(5)
TRIOS = Trios((A1, A3, B1, B2))


def test_each_listed_trio_is_an_option() -> None:
    assert [move in TRIOS for move in TRIOS] == [True] * len(TRIOS)
    assert len(TRIOS) == 4


@pytest.mark.parametrize(
    "move",
    [
        regroup((A1, A2, A3)),
        regroup((A1, A3)),
        regroup((A1, A3, B1, B2)),
        regroup((A1, A3, A3)),
        regroup((A1, A3, B1)).replace("a1 a3", "a3 a1"),
        regroup((A1, A3, B1)) + " ",
        regroup((A1, A3, B1)) + " z9",
        regroup((A1, A3, B1)).upper(),
        regroup((A1, A3, B1)).replace("regroup", "look"),
        "regroup ",
        "",
        0,
        [],
    ],
)
def test_nothing_else_is_a_trio(move: object) -> None:
    assert move not in TRIOS
