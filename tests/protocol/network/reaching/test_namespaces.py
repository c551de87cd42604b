"""Two homes behind routers that translate addresses, in namespaces of the test's own.

All scenarios run at once, each in networks of its own: they wait for clocks more than they work.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.helpers.network import netspace

MISSING = netspace.missing()
UNTESTED = "so no match was played between homes behind routers of their own"
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"{MISSING}, {UNTESTED}")
SCENARIOS = ("between-routers", "nearby", "let-in-by-upnp", "crossing")


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Any]]:
    """By scenario, what it printed."""
    running = {name: netspace.Running(name, tmp_path_factory.mktemp(name)) for name in SCENARIOS}
    yield lambda name: running[name].result()
    for scenario in running.values():
        scenario.end()


def test_two_behind_routers_play_a_whole_match_through_a_relay(result: Callable[[str], Any]) -> None:
    match = result("between-routers")
    assert match["ways"] == ["relay", "relay"]
    assert match["ends"][0] == match["ends"][1]


def test_two_in_one_network_find_each_other_without_an_address(result: Callable[[str], Any]) -> None:
    """Real programs; a third one in that network sees the game come and go."""
    match = result("nearby")
    assert match["ends"][0] == match["ends"][1]
    assert match["codes"] == [130] * 3  # by ctrl-C, and nothing is left behind


@pytest.mark.skipif(
    importlib.util.find_spec("miniupnpc") is None,
    reason="miniupnpc has no wheel for this Python, so no router was asked by UPnP",
)
def test_a_router_that_is_asked_by_upnp_lets_a_caller_in_until_the_program_ends(
    result: Callable[[str], Any],
) -> None:
    match = result("let-in-by-upnp")
    client, inside, outside = match["ends"][0].split()
    assert client == f"{netspace.HOMES['a'][0]}.2"
    assert match["said"] == [f"Your router lets friends in at {netspace.HOMES['a'][1]}:{outside} (UPnP)."]
    assert match["ways"] == "direct"
    assert match["ends"][1] == f"{client} {inside} {outside}", "what was opened is closed"


def test_two_behind_routers_who_call_at_the_same_moment_leave_the_relay(result: Callable[[str], Any]) -> None:
    match = result("crossing")
    assert match["ways"] == ["direct", "direct"]
    assert match["ends"][0] == match["ends"][1]
