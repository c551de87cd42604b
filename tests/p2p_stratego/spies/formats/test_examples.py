"""The worked examples of the scenario format, to the letter."""

from __future__ import annotations

import json
from typing import Any

from p2p_stratego.spies.formats.scenario import play
from tests.helpers.spies.examples import CHEATED, DISCARDS, GERMANY_1933, ITALY_1933, QUIET, START


def values(text: str) -> list[Any]:
    """The JSON values that stand one behind the other in a text."""
    examples, text = [], text.strip()
    while text:
        value, end = json.JSONDecoder().raw_decode(text)
        examples.append(value)
        text = text[end:].strip()
    return examples


def lines(*turns: object) -> list[str]:
    """What the referee prints for these turns."""
    (start,) = values(START)
    return [json.dumps(line) for line in play({**start, "turns": list(turns)})]


def test_germanys_first_turn() -> None:
    turn, line = values(GERMANY_1933)
    assert lines(turn)[0] == json.dumps(line)


def test_italys_turn_behind_it_and_a_false_discard_of_russia() -> None:
    first, log = values(GERMANY_1933)
    second, also_told = values(ITALY_1933)
    (cheated,) = values(CHEATED)
    third = {"power": "russia", "do": [{"tile": "discard", "id": 18}]}
    assert lines(first, second, third) == [json.dumps(line) for line in (log, also_told, cheated)]


def test_a_game_in_which_nothing_happens() -> None:
    turns = [
        {"power": power, "do": [{"tile": "discard", "id": tiles[year]}]}
        for year in range(7)
        for power, tiles in DISCARDS.items()
    ]
    *rows, end = lines(*turns)
    assert end == json.dumps(values(QUIET)[0])
    assert len(rows) == 35
    assert all(
        json.loads(line)["ap"] == 12 and json.loads(line)["log"] == ["discards a tile"] for line in rows
    )


def test_the_examples_are_not_changed_by_playing_them() -> None:
    turn, _ = values(GERMANY_1933)
    (start,) = values(START)
    scenario = {**start, "turns": [turn]}
    before = json.dumps(scenario)
    list(play(scenario))
    assert json.dumps(scenario) == before
