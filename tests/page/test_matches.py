"""The page judges whole matches as the audit does, state by state."""

from __future__ import annotations

import json
from collections import Counter
from typing import Final

from p2p_stratego.core.game import Options
from p2p_stratego.spies.rules.game import GAME as SPIES
from tests.campaigns.page_matches import COMPARE, copies, transcripts
from tests.helpers.games.players import honest
from tests.helpers.in_javascript.matches import random_match
from tests.helpers.machine.node import run_node
from tests.helpers.seats.pair import Table

SEED: Final = 3
COUNT: Final = 10


def test_random_matches_are_judged_the_same_in_both_languages() -> None:
    met: Counter[str] = Counter()
    labels = [f"{SEED}/{number}" for number in range(COUNT)]
    matches = [copy for label in labels for copy in copies(label, random_match(label), met)]
    run = run_node([str(COMPARE)], data="".join(json.dumps(match) + "\n" for match in matches).encode())
    assert run.returncode == 0, run.stderr.decode()[:3000]
    counted = json.loads(run.stdout)
    assert counted["transcripts"] == len(matches) > 2 * COUNT
    assert counted["states"] > 80
    assert len(met) >= 5


def test_a_match_with_decks_is_judged_the_same_in_both_languages() -> None:
    """The first year of a lesson of SPIES!: its decks are dealt, and not shuffled."""
    options: Options = {"allocation": "lesson", "talk": 0}
    table = Table(5, game=SPIES, seats=2, options=options, decide=honest).play(steps=30)
    match, *_ = copies("lesson", table, Counter())
    run = run_node([str(COMPARE)], data=json.dumps(match).encode() + b"\n")
    assert run.returncode == 0, run.stderr.decode()[:3000]
    assert json.loads(run.stdout)["states"] > 8


def test_another_verdict_or_state_would_be_found() -> None:
    [match] = [match for match in transcripts(SEED, 1, Counter()) if match["label"].endswith("copy 0")]
    verdict = {**match, "expected": {**match["expected"], "entries": match["expected"]["entries"] + 1}}
    state = {**match, "shown": [*match["shown"][:-1], [match["shown"][-1][0] + 1, match["shown"][-1][1]]]}
    for spoilt, what in ((verdict, "the verdict"), (state, "state ")):
        run = run_node([str(COMPARE)], data=json.dumps(spoilt).encode() + b"\n")
        assert run.returncode == 1
        assert what in run.stderr.decode()
