"""Work spread over processes, of which some are killed."""

from __future__ import annotations

from functools import partial
from multiprocessing.resource_tracker import ensure_running

import pytest

from cli.shell.workers import spread
from tests.helpers.machine.deadly import double, stumble

pytestmark = pytest.mark.usefixtures("resource_tracker")


@pytest.fixture(scope="module")
def resource_tracker() -> None:
    """Its one pipe stays open until the process ends; the first use of other processes opens it."""
    ensure_running()


@pytest.mark.parametrize("fatal", [(), (0, 1), (7,), (5, 15)])
def test_row_47_a_killed_process_takes_only_its_own_item_with_it(fatal: tuple[int, ...]) -> None:
    results = list(spread(partial(double, fatal=fatal), range(16), 2, lambda item: -item - 1))
    assert results == [-item - 1 if item in fatal else 2 * item for item in range(16)]


def test_a_bug_in_another_process_is_raised_here() -> None:
    with pytest.raises(ZeroDivisionError):
        list(spread(stumble, range(20), 2, lambda item: item))


def test_nothing_is_left_when_the_reader_stops() -> None:
    results = spread(partial(double, fatal=()), range(16), 2, lambda item: item)
    assert next(results) == 0
    del results
