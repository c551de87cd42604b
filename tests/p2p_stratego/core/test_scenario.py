"""Reading a scenario, which a stranger wrote."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest

from p2p_stratego.core.scenario import LONGEST, ScenarioError, load


def test_a_key_that_stands_twice_in_one_object_is_refused() -> None:
    assert load(b'{"a": {"a": 1}}') == {"a": {"a": 1}}
    with pytest.raises(ScenarioError, match="the key 'b' twice"):
        load(b'{"a": 1, "b": [{"a": 1, "b": 2, "b": 3}]}')


def seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def test_row_106_the_longest_object_with_a_key_twice_costs_little_more_than_its_json() -> None:
    """The key before it is not sought among all before it for each of them."""
    keys = ",".join(f'"{number:06}":0' for number in range(LONGEST // 12))
    data = f'{{{keys},"000000":0}}'.encode()
    assert len(data) < LONGEST

    def refused() -> None:
        with pytest.raises(ScenarioError):
            load(data)

    floor = min(seconds(lambda: json.loads(data)) for _ in range(3))
    assert min(seconds(refused) for _ in range(3)) < 20 * floor
