"""`python -m benchmarks.bots.half_days`: figures of games that were played and of solved half days."""

from __future__ import annotations

import pytest

from benchmarks.bots import half_days
from tests.helpers.spies_and_lies.rounds import rounds


@pytest.mark.parametrize(
    ("what", "phrases"),
    [
        (["gap", "--count", "4"], ("day 1: 2 half days", "day 2: 2 half days")),
        (["known", "--count", "1"], ("known against equilibrium: 1 games",)),
        (["series", "--count", "2", "--against", "recruit"], ("adaptive against recruit: 2 games", "% to ")),
        (["bait", "--count", "1"], ("adaptive against bait: 1 games",)),
    ],
)
def test_the_figures_are_told(
    what: list[str],
    phrases: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
) -> None:
    with rounds(1, 1, 2):
        assert half_days.main(what) == 0
    output = capsys.readouterr().out
    assert all(phrase in output for phrase in phrases)


def test_a_baiter_is_an_agent_until_it_is_trusted() -> None:
    with rounds(1, 1, 2):
        lines = list(half_days.games("agent", "bait", 1, 5))
    assert lines[-1].startswith("agent against bait: 1 games")
