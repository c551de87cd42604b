"""`python -m benchmarks.arena --game stratego`: any army, and whatever else the game offers."""

from __future__ import annotations

import pytest

from benchmarks.arena import Table, main, match
from p2p_stratego.stratego.rules.game import GAME

STRATEGO = ["--game", "stratego", "--a", "recruit", "--games", "4"]
RECRUITS = ("recruit", "recruit")


def test_any_army_can_be_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*STRATEGO, "--option", "army=barrage", "--option", "quiet=20"]) == 0
    assert "recruit against recruit: 4 games" in capsys.readouterr().out


def test_an_option_changes_the_games_that_are_played() -> None:
    *_, hasty = match(GAME, RECRUITS, 10, 1, Table(options={"army": "barrage", "quiet": 1}))
    *_, usual = match(GAME, RECRUITS, 10, 1, Table(options={"army": "barrage"}))
    assert hasty.drawn > usual.drawn


@pytest.mark.parametrize(
    ("option", "said"),
    [("army=tin", "army must be one of"), ("quiet=x", "quiet must be"), ("wall", "no option")],
)
def test_an_option_that_the_game_does_not_offer_is_named(
    option: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([*STRATEGO, "--option", option])
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err
