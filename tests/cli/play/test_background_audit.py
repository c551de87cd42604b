"""The audit beside the end page: in a thread, once for each state of the record."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest
import trio

from cli.play import background_audit
from cli.play.background_audit import BackgroundAudit
from tests.golden.dialogues import assert_told


async def test_a_verdict_is_worked_out_beside_the_thread_that_draws(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "transcript.p2ps"
    shutil.copy(records / "incomplete.p2ps", path)
    audit, threads = background_audit.verdict, list[threading.Thread]()

    def watched(of: Path) -> str:
        threads.append(threading.current_thread())
        return audit(of)

    monkeypatch.setattr(background_audit, "verdict", watched)
    send, ready = trio.open_memory_channel[None](1)
    async with trio.open_nursery() as nursery:
        beside = BackgroundAudit(nursery, lambda: path, lambda: send.send_nowait(None))
        assert beside.verdict() is None
        assert beside.verdict() is None
        await ready.receive()
        verdict = beside.verdict()
        assert verdict is not None
        assert_told("audit", "beside the table", verdict)
        assert len(threads) == 1
        assert threads[0] is not threading.current_thread()
        shutil.copy(records / "complete.p2ps", path)  # something arrived
        assert beside.verdict() is None
        await ready.receive()
        verdict = beside.verdict()
        assert verdict is not None
        assert verdict.startswith("complete: ")
    assert len(threads) == 2
