"""Spoiled transcripts: none is accepted with a changed meaning, and nobody honest is blamed."""

from __future__ import annotations

import pytest

from tests.campaigns.mutations import campaign


@pytest.mark.parametrize("seed", range(5))
def test_no_mutation_changes_what_is_believed_or_blames_the_honest(seed: int) -> None:
    came = campaign(seed, 500)
    assert came.total() == 500
    # The campaign must reach all sorts of ends, or it would show nothing.
    assert {"tampered", "incomplete", "complete", "cheated", "Malformed"} <= came.keys()
