"""The page's rules in JavaScript agree with the rules in Python: golden games, scenarios and random games."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any, Final

import pytest

from cli.page.generate import main
from p2p_stratego.core.self_play import play
from p2p_stratego.spies.rules.game import GAME
from tests.campaigns.page_rules import COMPARE, GAMES, OTHERS, scripts
from tests.golden import written
from tests.golden.spies import Repeated, Told
from tests.helpers.in_javascript.script import Answers, Overheard, Script, script_of
from tests.helpers.in_javascript.spies import TONGUE
from tests.helpers.machine.node import run_node

SEED: Final = 11
COUNT: Final = 4
YEARS: Final = 1
"""Of the random games of SPIES!."""


def _golden(game: str) -> Script:
    """The golden game of this name, observed at every state; that of SPIES! at some."""
    recorded = json.loads(written(game).with_suffix(".json").read_text(encoding="ascii"))
    if game == GAME.name:
        return {**_golden_spies(recorded), "label": "golden"}
    player = Answers(recorded["answers"])
    tongue = GAMES[game].TONGUE
    script, outcome = script_of(tongue, player, recorded["options"], Random(1), observations=1)
    assert outcome is not None
    return {**script, "label": "golden"}


def _golden_spies(recorded: dict[str, Any]) -> Script:
    overheard: Any = Overheard(TONGUE, Random(1))
    seats = recorded["seats"]
    bot = Repeated(iter(recorded["answers"]), Told(seats))
    play(overheard, [bot] * seats, recorded["options"], Random(recorded["chance"]))
    script: Script = overheard.script()[0]
    return script


def _compare(*all_scripts: Script) -> dict[str, Any]:
    """What the comparison counted.  Fails with the first difference."""
    lines = "".join(json.dumps(script) + "\n" for script in all_scripts)
    run = run_node([str(COMPARE)], data=lines.encode())
    assert run.returncode == 0, run.stderr.decode()[:3000]
    counted: dict[str, Any] = json.loads(run.stdout)
    return counted


def test_golden_and_random_games_are_the_same_in_both_languages() -> None:
    met: Counter[str] = Counter()
    counted = _compare(*map(_golden, GAMES), *scripts(SEED, COUNT, met, YEARS))
    assert counted["games"] == len(GAMES) * (COUNT + 1) + len(OTHERS) * COUNT
    assert counted["states"] > 1000
    assert counted["observations"] > 100
    assert len(met) > 6


@pytest.mark.parametrize("game", GAMES)
def test_a_difference_would_be_found(game: str) -> None:
    """The comparison looks at the states: a script with one wrong number is refused."""
    script = _golden(game)
    states = [event["state"] for event in script["events"] if "state" in event]
    spoilt = states[len(states) // 2]
    number = next(key for key in ("agent", "ap", "calm", "turn") if key in spoilt)
    spoilt[number] += 1
    run = run_node([str(COMPARE)], data=json.dumps(script).encode() + b"\n")
    assert run.returncode == 1
    assert "the state" in run.stderr.decode()


def test_the_tables_of_the_page_are_those_of_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 0
    assert capsys.readouterr().out == ""
