"""Each target of `make fuzz` takes the inputs that it begins with, and some near them."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from tests.campaigns.fuzz.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_a_reader_has_a_value_or_a_typed_refusal(name: str) -> None:
    target, random = TARGETS[name], Random(name)
    seeds = [*islice(target.seeds(), 12)]
    assert seeds
    target.holds(b"")
    for data in seeds:
        target.holds(data)
        if data:
            spoilt = bytearray(data)
            spoilt[random.randrange(len(spoilt))] ^= 1 << random.randrange(8)
            target.holds(bytes(spoilt))
