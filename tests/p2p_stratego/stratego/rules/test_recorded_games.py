"""Games that people played, replayed whole: they fix what the rules on repetition mean."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from p2p_stratego.registry import play_scenario
from p2p_stratego.stratego.formats.setups import read
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.movement import closed_reach, illegal
from p2p_stratego.stratego.rules.notation import move
from p2p_stratego.stratego.rules.state import open_position
from tests.helpers.stratego.boards import after, write_line
from tests.helpers.stratego.games import DATA, RECORDED, load, needs_data
from tests.helpers.stratego.naive import referee

CHASE = "classic-attack-chase"


@needs_data
def test_all_recorded_games_are_here() -> None:
    assert Counter(path.stem.partition("-")[0] for path in RECORDED) == {"classic": 21, "barrage": 20}


@needs_data
@pytest.mark.parametrize(
    "path", [path for path in RECORDED if path.stem != CHASE], ids=lambda path: path.stem
)
def test_only_the_last_move_of_a_recorded_game_is_illegal_as_a_pursuit(path: Path) -> None:
    game = load(path)
    *lines, outcome = play_scenario(game.scenario)
    assert outcome == {"winner": None, "reason": "illegal", "rule": "pursuit", "plies": len(game.moves) - 1}
    assert [line["move"] for line in lines] == game.moves[:-1]
    assert [line["player"] for line in lines[:2]] == ["red", "blue"]


@needs_data
def test_a_chase_that_ends_in_an_attack_is_legal_throughout() -> None:
    game = load(DATA / "games" / f"{CHASE}.txt")
    *lines, outcome = play_scenario(game.scenario)
    assert outcome == {"winner": "blue", "reason": "flag", "plies": 592}
    assert len(lines) == 592
    state = after(open_position(ARMIES["classic"], game.pieces), *game.moves[:376])
    assert illegal(state, move(64, 65), closed_reach(0, 0)) == "pursuit"


@needs_data
@pytest.mark.parametrize("name", ["barrage-game11", "barrage-game88", "classic-game107", CHASE])
def test_the_naive_rules_play_recorded_games_alike(name: str) -> None:
    scenario = load(DATA / "games" / f"{name}.txt").scenario
    assert list(play_scenario(scenario)) == referee(scenario)


@needs_data
@pytest.mark.parametrize(
    ("name", "army", "count"),
    [("classic", "classic", 6000), ("barrage", "barrage", 3646), ("twenty", "quickplay", 1067)],
)
def test_every_set_up_that_people_played_can_be_read_and_written(name: str, army: str, count: int) -> None:
    text = (DATA / f"setups-{name}.txt").read_text(encoding="ascii")
    setups = read(text, ARMIES[army])
    assert len(setups) == count
    assert "".join(f"{write_line(setup)}\n" for setup in setups) == text
