"""Every command that reads records takes what liars with all keys wrote; `make hostile` makes more."""

from __future__ import annotations

import pytest

from tests.campaigns.hostile import tried


@pytest.mark.parametrize("number", range(10_000_000, 10_000_008))
def test_row_108_no_command_fails_over_a_record_that_all_seats_forged(number: int) -> None:
    verdict, failure = tried(number)
    assert failure == ""
    assert verdict != "failed"
