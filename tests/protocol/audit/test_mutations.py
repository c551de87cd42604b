"""Mutated transcripts: none accepted with an end that nobody signed, nobody honest ever blamed.

800 copies and 100 pairs of copies here; `make mutations` tries as many as one has time for.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.helpers.cheats.bout import compare
from tests.helpers.forgery.corpus import MAKERS, sources
from tests.helpers.forgery.mutate import intact, mutant, pair
from tests.helpers.forgery.promises import broken_pair, broken_promise, judged, supported
from tests.helpers.machine.examples import runs

BATCHES = 10
MUTANTS = runs(80, 400)
PAIRS = runs(10, 50)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_no_mutant_changes_what_a_match_means_or_blames_somebody_honest(batch: int) -> None:
    for number in range(batch * MUTANTS, (batch + 1) * MUTANTS):
        made = mutant(number)
        assert broken_promise(made) is None, f"mutant {number}: {made.how}"


@pytest.mark.parametrize("batch", range(BATCHES))
def test_no_pair_of_copies_blames_somebody_honest_or_leaves_it_worse_off(batch: int) -> None:
    for number in range(batch * PAIRS, (batch + 1) * PAIRS):
        made = pair(number)
        assert broken_pair(made) is None, f"pair {number}: {made.how}"


@pytest.mark.parametrize("name", MAKERS)
def test_a_match_as_it_was_played_keeps_every_promise(name: str) -> None:
    """Otherwise the promises would be wrong, or the matches."""
    source = next(source for source in sources() if source.name == name)
    copies = [intact(source, copy) for copy in range(len(source.logs))]
    assert [broken_promise(made) for made in copies] == [None] * len(copies)
    assert all(supported(report, None) for report in source.reports)
    if source.culprit is None and "away" not in source.name:
        assert compare(source.reports).agree


def test_the_matches_that_mutants_are_made_of_come_to_every_kind_of_end() -> None:
    verdicts = Counter(source.reports[0].verdict.value for source in sources())
    assert verdicts == {"complete": 24, "incomplete": 2, "unresponsive": 3, "cheated": 3}
    reasons = {source.reports[0].outcome.reason for source in sources() if source.reports[0].outcome}
    assert reasons == {
        *("points", "draw", "flag", "territory", "quiet-draw", "no-moves"),
        *("resigned", "deserted", "agreed-draw", "unresponsive", "cheated"),
    }
    assert {source.begun.game.name for source in sources()} == {"toy", "spies-and-lies", "stratego"}
    assert {len(source.players) for source in sources()} == {2, 3}


def test_mutants_are_of_every_sort_and_always_the_same() -> None:
    """Some are refused, some are found out, and some are harmless: otherwise the tests above test nothing."""
    verdicts: Counter[str] = Counter()
    others = 0
    for number in range(300):
        made = mutant(number)
        assert made.data == mutant(number).data
        report = judged(made)
        verdicts["refused" if report is None else report.verdict.value] += 1
        if report is not None and report.outcome is not None and made.cheater is not None:
            others += report.outcome != made.source.reports[made.copy].outcome
    assert set(verdicts) >= {"refused", "complete", "incomplete", "tampered", "cheated"}
    assert verdicts["tampered"] > 100
    assert verdicts["complete"] > 4
    assert others > 20, "whoever has a key can end a match in another way"


def test_pairs_are_of_every_sort_and_always_the_same() -> None:
    counts: Counter[str] = Counter()
    for number in range(100):
        made = pair(number)
        assert [copy.data for copy in made.copies] == [copy.data for copy in pair(number).copies]
        first, second = map(judged, made.copies)
        if first is not None and second is not None and first.genesis.id == second.genesis.id:
            comparison = compare([first, second])
            counts[comparison.fault.rule if comparison.fault else f"agree: {comparison.agree}"] += 1
    assert set(counts) >= {"equivocation", "agree: True"}
    assert counts["equivocation"] > 3
