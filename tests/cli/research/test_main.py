"""`python -m cli.research`: a line that tells how a policy fares."""

from __future__ import annotations

import re

import pytest

from cli.research.__main__ import contest, main


def test_it_prints_one_line_and_the_bot_beats_chance(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["spies-and-lies", "--policies", "agent", "random", "--matches", "6", "--seed", "3"]) == 0
    output = capsys.readouterr().out
    line = r"spies-and-lies, 2 seats, agent against random: 6 matches: won (\d), drawn (\d), lost (\d); .*\n"
    match = re.fullmatch(line, output)
    assert match is not None
    won, drawn, lost = map(int, match.groups())
    assert won + drawn + lost == 6
    assert won > lost


def test_the_same_seed_gives_the_same_results() -> None:
    tally, other = (contest("spies-and-lies", 3, ("random", "recruit"), 4, 2) for _ in range(2))
    assert (tally.won, tally.drawn, tally.lost, tally.actions) == (
        other.won,
        other.drawn,
        other.lost,
        other.actions,
    )


@pytest.mark.parametrize(
    "words", [["--seats", "9"], ["--matches", "0"], ["--policies", "nobody", "random"]], ids=" ".join
)
def test_what_cannot_be_played_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["stratego", *words])
    assert refused.value.code == 2
    assert capsys.readouterr().err != ""
