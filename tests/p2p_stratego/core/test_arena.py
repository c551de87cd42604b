"""`python -m benchmarks.arena`: what it counts and what it says."""

from __future__ import annotations

import pytest

from benchmarks.arena import Table, main, match, told, wilson
from p2p_stratego.registry import GAMES
from tests.golden.dialogues import assert_told

GAME = "spies-and-lies"
RECRUITS = ("recruit", "recruit")


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_is_the_published_one(won: int, games: int, low: float, high: float) -> None:
    assert wilson(won, games) == pytest.approx((low, high), abs=5e-5)


def test_every_game_is_counted_once_and_can_be_repeated() -> None:
    tallies = list(match(GAMES[GAME], RECRUITS, 20, 1))
    tally = tallies[-1]
    assert tally.games == len(tallies) == 20
    assert tally.won + tally.drawn + tally.lost == 20
    again = list(match(GAMES[GAME], RECRUITS, 20, 1))[-1]
    assert (again.won, again.drawn, again.lost) == (tally.won, tally.drawn, tally.lost)


def test_the_figures_are_told_with_their_interval_and_times() -> None:
    text = told(list(match(GAMES[GAME], RECRUITS, 3, 1))[-1], RECRUITS)
    assert_told("arena", "three games", text, "colours", "95 %")
    assert text.count("ms a decision") == 2


@pytest.mark.parametrize("seats", [3, 4])
def test_at_a_larger_table_the_first_bot_has_a_whole_side(seats: int) -> None:
    tally = list(match(GAMES[GAME], RECRUITS, 6, 1, Table(seats)))[-1]
    assert tally.won + tally.drawn + tally.lost == tally.games == 6
    assert_told("arena", f"six games at a table of {seats}", told(tally, RECRUITS, seats), "6 games")


def test_a_share_that_is_missed_is_an_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--games", "4", "--a", "recruit"]
    assert main(few) == 0
    assert main([*few, "--at-least", "1.1"]) == 1
    assert main([*few, "--at-least", "0"]) == 0
    assert capsys.readouterr().out.count("4 games") == 3


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--games", "0"], "at least 1"),
        (["--seats", "5"], "one of 2, 3, 4"),
        (["--a", "admiral"], "its bots are: agent, "),
    ],
)
def test_what_cannot_be_played_is_said(
    wrong: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(wrong)
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err
