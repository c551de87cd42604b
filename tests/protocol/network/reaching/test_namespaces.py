"""Two homes behind routers that translate addresses, in namespaces of the test's own."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tests.helpers.network import netspace

MISSING = netspace.missing()
UNTESTED = "so no match was played between homes behind routers of their own"
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"{MISSING}, {UNTESTED}")


def test_two_behind_routers_play_a_whole_match_through_a_relay(tmp_path: Path) -> None:
    told = netspace.run("between-routers", tmp_path)
    assert told["ways"] == ["relay", "relay"]
    assert told["ends"][0] == told["ends"][1]


def test_two_in_one_network_find_each_other_without_an_address(tmp_path: Path) -> None:
    """Real programs; a third one in that network sees the game come and go."""
    told = netspace.run("nearby", tmp_path)
    assert told["ends"][0] == told["ends"][1]
    assert told["codes"] == [130] * 3  # by ctrl-C, and nothing is left behind


@pytest.mark.skipif(
    importlib.util.find_spec("miniupnpc") is None,
    reason="miniupnpc has no wheel for this Python, so no router was asked by UPnP",
)
def test_a_router_that_is_asked_by_upnp_lets_a_caller_in_until_the_program_ends(tmp_path: Path) -> None:
    told = netspace.run("let-in-by-upnp", tmp_path)
    client, inside, outside = told["ends"][0].split()
    assert client == f"{netspace.HOMES['a'][0]}.2"
    assert told["said"] == [f"Your router lets friends in at {netspace.HOMES['a'][1]}:{outside} (UPnP)."]
    assert told["ways"] == "direct"
    assert told["ends"][1] == f"{client} {inside} {outside}", "what was opened is closed"


def test_two_behind_routers_who_call_at_the_same_moment_leave_the_relay(tmp_path: Path) -> None:
    told = netspace.run("crossing", tmp_path)
    assert told["ways"] == ["direct", "direct"]
    assert told["ends"][0] == told["ends"][1]
