"""What a crash at any moment may do to a match: row 30."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from protocol.errors import Malformed
from protocol.replication.replica import Status
from protocol.storage.home import Home
from tests.helpers.links.peers import saved_match
from tests.helpers.links.wire import Crash, Wire, assert_one_signature_a_place
from tests.helpers.machine.disk import place
from tests.helpers.machine.examples import every


class Bomb:
    """Counts the writes and syncs of one side, and ends its process at the one that is due."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.left = -1
        self.folder = folder
        self._write = os.write
        monkeypatch.setattr(os, "write", self.write)
        monkeypatch.setattr("protocol.storage.files.sync", self.sync)

    def _ours(self, fd: int) -> bool:
        return place(fd).is_relative_to(self.folder)

    def _tick(self, fd: int) -> bool:
        if self._ours(fd):
            self.left -= 1
        return self.left == 0 and self._ours(fd)

    def write(self, fd: int, data: bytes) -> int:
        if self._tick(fd):
            self._write(fd, data[: len(data) // 2])
            raise Crash
        return self._write(fd, data)

    def sync(self, fd: int) -> None:
        if self._tick(fd):
            raise Crash


@pytest.mark.parametrize("side", [0, 1])
def test_row_30_a_crash_at_any_write_loses_nothing_sent_and_never_signs_a_place_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, side: int
) -> None:
    for moment in {*every(range(1, 60), 2, side), 59}:
        path = tmp_path / str(moment)
        path.mkdir()
        wire = Wire(path, seed=moment)
        bomb = Bomb(monkeypatch, path / ("ada", "ben")[side])
        bomb.left = moment
        crashed = False
        try:
            wire.play(16)
        except Crash:
            crashed = True
        if crashed:
            wire.restart(side)
            assert_one_signature_a_place(wire)
            wire.link()
            wire.play(16)
        bomb.left = -1
        assert_one_signature_a_place(wire)
        wire.settle()
        assert wire.records(0) == wire.records(1) >= set(wire.sent_payloads())
        assert wire.sides[0].session.referee.count >= 16 or wire.sides[0].finished
        assert [replica.status for replica in wire.sides] == [Status.CONNECTED] * 2
        wire.close()
        shutil.rmtree(path)
    assert not crashed, "the last moment lies behind everything that is written"


def test_row_30_both_crash_at_once_and_the_match_goes_on(tmp_path: Path) -> None:
    wire = Wire(tmp_path)
    for entries in range(2, 40, 3):
        wire.play(entries)
        wire.restart(0)
        wire.restart(1)
        wire.link()
    wire.play()
    assert all(replica.finished for replica in wire.sides)
    assert_one_signature_a_place(wire)
    wire.close()


def test_a_decision_made_without_a_connection_is_kept_and_goes_out_with_the_next_one(tmp_path: Path) -> None:
    wire = Wire(tmp_path)
    for replica in wire.sides:
        replica.unlinked(Malformed("a pulled cable"))
    before = len(wire.sent)
    wire.queues[0].clear()
    wire.queues[1].clear()
    for replica in wire.sides:
        while decision := replica.session.decision:
            replica.decide(tuple(sorted(decision.faces))[: len(decision.slots)])  # type: ignore[union-attr]  # the first decision of a match is a deployment
    assert len(wire.sent) == before
    for side in (0, 1):
        wire.restart(side)
        assert wire.sides[side].session.decision is None, "what was decided is not asked again"
    wire.link()
    wire.play(4)
    assert wire.sides[0].session.referee.count >= 4
    wire.close()


def test_a_match_that_a_crash_left_half_made_never_shows_up(tmp_path: Path) -> None:
    half = saved_match(tmp_path).with_name("new-0123456789abcdef")
    half.mkdir(mode=0o700)
    (half / "secrets").write_bytes(b"half")
    with Home(tmp_path / "ada") as home:
        assert len(home.games()) == 1
    saved_match(tmp_path)
    assert not half.exists()


def test_a_file_that_a_crash_left_half_written_in_a_match_is_gone_when_it_is_opened(tmp_path: Path) -> None:
    stray = saved_match(tmp_path) / "new-0123456789abcdef"
    stray.write_bytes(b"half a receipt")
    with Home(tmp_path / "ada") as home:
        home.open(home.games()[0].id).close()
    assert not stray.exists()
