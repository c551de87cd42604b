"""Whole matches between two real ends: over TLS on loopback, and within one process."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from protocol.audit import audit
from protocol.replica import Status
from tests.net.table import meet, meet_locally, owner, play_out, running


async def test_two_peers_play_a_whole_match_over_tls_and_both_records_are_complete(tmp_path: Path) -> None:
    ada, ben = owner(tmp_path / "ada", "Ada"), owner(tmp_path / "ben", "Ben")
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            table = await meet(nursery, ada, ben)
            async with running(*table.peers):
                await play_out(table.peers)
            records = [Path(peer.store.path).read_bytes() for peer in table.peers]
            nursery.cancel_scope.cancel()
    for record in records:
        report = audit(record, every_signature=True)
        assert report.verdict.name == "COMPLETE"
