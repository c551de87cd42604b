"""The worked examples of the scenario format, played line by line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from p2p_stratego.conquest.formats.scenario import play

KING_BEATS_SPY = """
{"game": "conquest", "players": 2,
 "setup": {"red": {"a1": "flag", "a2": "scout", "a3": "spy"}, "blue": {"a5": "king", "l6": "flag"}},
 "turns": [{"moves": ["a3a4"]}, {"moves": ["a5a4"]}, {"moves": ["a2l5"]},
           {"moves": ["a4a3"]}, {"moves": ["l5l6"]}]}
{"turn": 1, "player": "red", "move": "a3a4", "result": "moved", "attacker": null, "defender": null}
{"turn": 2, "player": "blue", "move": "a5a4", "result": "won", "attacker": "king", "defender": "spy"}
{"turn": 3, "player": "red", "move": "a2l5", "result": "ran", "attacker": null, "defender": null}
{"turn": 4, "player": "blue", "move": "a4a3", "result": "moved", "attacker": null, "defender": null}
{"turn": 5, "player": "red", "move": "l5l6", "result": "flag", "attacker": "scout", "defender": "flag"}
{"winner": "red", "reason": "flag", "turns": 5}
"""
FLAGS_COME_BACK = """
{"game": "conquest", "players": 3,
 "setup": {"red": {"a1": "flag", "b2": "knight"}, "blue": {"a2": "scout", "b1": "flag"},
           "green": {"c1": "flag", "l6": "duke"}},
 "turns": [{"moves": ["b2b1"]}, {"moves": ["a2a1"], "flag": "l1"}, {"moves": ["l6l5"]},
           {"leave": "blue", "flags": {"red": "a1"}}, {"moves": ["b1c1"]}]}
{"turn": 1, "player": "red", "move": "b2b1", "result": "flag", "attacker": "knight", "defender": "flag"}
{"turn": 2, "player": "blue", "move": "a2a1", "result": "flag", "attacker": "scout", "defender": "flag"}
{"turn": 3, "player": "green", "move": "l6l5", "result": "moved", "attacker": null, "defender": null}
{"turn": 3, "player": "blue", "left": true, "flags": {"red": "board", "blue": "gone", "green": "board"}}
{"turn": 4, "player": "red", "move": "b1c1", "result": "flag", "attacker": "knight", "defender": "flag"}
{"winner": "red", "reason": "flag", "turns": 4}
"""
CARDS_AND_A_MOUNTAIN = """
{"game": "conquest", "players": 2, "bag": {"red": ["queen"]},
 "setup": {"red": {"a1": "flag", "b1": "spy", "b2": "cursed", "c2": "count"},
           "blue": {"d2": "cursed", "d3": "scout", "l5": "prince", "l6": "flag"}},
 "turns": [{"cards": ["reinforce"], "play": {"card": "reinforce", "piece": "queen", "zone": "c1"},
            "moves": ["c2d2", "c1d1"]},
           {"cards": ["regroup"],
            "play": {"card": "regroup", "zones": ["d2", "d3", "l5"], "to": ["d3", "d2", "l5"]},
            "moves": ["l5l4"]},
           {"cards": ["secret"], "play": {"card": "secret", "zones": ["d2", "d3"]},
            "moves": ["d1d2", "d2e2"]}]}
{"turn": 1, "player": "red", "card": "reinforce", "result": "placed", "pieces": ["queen"]}
{"turn": 1, "player": "red", "move": "c2d2", "result": "lost", "attacker": "count", "defender": "cursed"}
{"turn": 1, "player": "red", "move": "c1d1", "result": "moved", "attacker": null, "defender": null}
{"turn": 2, "player": "blue", "card": "regroup", "result": "regrouped",
 "pieces": ["scout", "cursed", "prince"]}
{"turn": 2, "player": "blue", "move": "l5l4", "result": "moved", "attacker": null, "defender": null}
{"turn": 3, "player": "red", "card": "secret", "result": "looked", "pieces": ["scout", "cursed"]}
{"turn": 3, "player": "red", "move": "d1d2", "result": "won", "attacker": "queen", "defender": "scout"}
{"winner": null, "reason": "illegal", "rule": "mountain", "player": "red", "turns": 3}
"""


def values(text: str) -> list[Any]:
    """The JSON values that stand one behind the other in a text."""
    scenarios, text = [], text.strip()
    while text:
        value, end = json.JSONDecoder().raw_decode(text)
        scenarios.append(value)
        text = text[end:].strip()
    return scenarios


@pytest.mark.parametrize("example", [KING_BEATS_SPY, FLAGS_COME_BACK, CARDS_AND_A_MOUNTAIN])
def test_a_worked_example(example: str) -> None:
    scenario, *log = values(example)
    assert [line for line in play(scenario) if "pile" not in line and "first" not in line] == log


def test_the_start_and_the_ends_of_turns() -> None:
    lines = list(play(values(KING_BEATS_SPY)[0]))
    assert json.dumps(lines[0]) == (
        '{"turn": 0, "first": "red", "territories": {"red": 1, "blue": 2}, "cities": {"red": 0, "blue": 0}}'
    )
    assert json.dumps(lines[2]) == (
        '{"turn": 1, "player": "red", "pile": 42, "territories": {"red": 1, "blue": 1}, '
        '"cities": {"red": 0, "blue": 0}, "board": {"red": 3, "blue": 2}, "bag": {"red": 0, "blue": 0}, '
        '"flags": {"red": "board", "blue": "board"}}'
    )
    assert [line["turn"] for line in lines if "pile" in line] == [1, 2, 3, 4]  # none after the flag fell
