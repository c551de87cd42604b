"""Two homes behind routers that translate addresses, in namespaces of the test's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers import netspace

WHY = netspace.missing()


@pytest.mark.skipif(bool(WHY), reason=WHY)
def test_two_behind_routers_play_a_whole_match_through_a_relay(tmp_path: Path) -> None:
    told = netspace.run("between-routers", tmp_path)
    assert told["ways"] == ["relay", "relay"]
    assert told["ends"][0] == told["ends"][1]
