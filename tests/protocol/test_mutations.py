"""At least 2,000 mutated transcripts: none accepted with another meaning, nobody honest ever blamed.

`python -m tests.campaigns.mutations` tries as many as one has time for.
"""

from __future__ import annotations

from collections import Counter

import pytest

from protocol.errors import Refusal
from tests.cheats.bout import judge
from tests.helpers.corpus import sources
from tests.helpers.mutate import broken_promise, mutant

BATCHES = 11
EACH = 200


@pytest.mark.parametrize("batch", range(BATCHES))
def test_no_mutant_changes_what_a_match_means_or_blames_somebody_honest(batch: int) -> None:
    assert BATCHES * EACH >= 2000
    for seed in range(batch * EACH, (batch + 1) * EACH):
        made = mutant(seed)
        assert broken_promise(made) is None, f"mutant {seed}: {made.how}"


def test_the_matches_that_mutants_are_made_of_come_to_every_kind_of_end() -> None:
    verdicts = Counter(source.report.verdict.value for source in sources())
    assert verdicts == {"complete": 8, "incomplete": 1, "unresponsive": 1, "cheated": 2}
    assert sum(source.culprit is not None for source in sources()) == 2


def test_mutants_are_of_every_sort_and_always_the_same() -> None:
    """Some are refused, some are found out, and some are harmless: otherwise the tests above test nothing."""
    verdicts: Counter[str] = Counter()
    for seed in range(300):
        made = mutant(seed)
        assert made.data == mutant(seed).data
        try:
            verdicts[judge(made.data).verdict.value] += 1
        except Refusal:
            verdicts["refused"] += 1
    assert set(verdicts) >= {"refused", "complete", "incomplete", "tampered", "cheated", "unresponsive"}
    assert verdicts["tampered"] > 100
