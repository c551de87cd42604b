"""Whole games of self-play, written down as scenarios: the referee tells them as the rules did."""

from __future__ import annotations

import json
import sys
from random import Random

import pytest

from p2p_stratego.spies.bots.recruit import Recruit
from p2p_stratego.spies.formats.scenario import play
from p2p_stratego.spies.rules.allocation import OFFERED
from p2p_stratego.spies.rules.options import WORDS
from tests.helpers.spies.recorded import recorded


def options(seats: int, chance: Random) -> dict[str, int | str]:
    """Any options that go together."""
    allocation = chance.choice([words for players, words in OFFERED if players == seats])
    fields: dict[str, int | str] = {
        "allocation": allocation,
        "handicap": chance.choice(WORDS["handicap"]),
        "purse": chance.choice(WORDS["purse"]),
    }
    if fields["handicap"] in ("even", "none") and (seats, allocation) != (3, "alternate"):
        fields["alliances"] = chance.choice(WORDS["alliances"])
    return fields


def assert_told_as_played(seats: int, seed: int) -> None:
    chance = Random(f"{seats}/{seed}")
    bots = [Recruit(Random(f"{seed}/{seat}")) for seat in range(seats)]
    scenario, lines = recorded(bots, options(seats, chance), seed)
    played = list(play(json.loads(json.dumps(scenario))))
    for line, other in zip(played, lines, strict=True):
        assert line == other, f"{seats} players, seed {seed}"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", [0])
def test_a_recorded_game_is_told_as_it_was_played(seats: int, seed: int) -> None:
    assert_told_as_played(seats, seed)


if __name__ == "__main__":
    for number in range(int(sys.argv[1]), int(sys.argv[2])):
        for table in OFFERED:
            assert_told_as_played(table[0], number)
