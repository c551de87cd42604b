"""Disks that are full or fail: rows 33 and 34."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from protocol.failures import DiskFailed, DiskFull, Missing, ReadOnly, StorageFailure
from protocol.storage.contacts import Contact
from protocol.storage.files import failure
from protocol.storage.home import Home, Owner
from protocol.storage.match_store import Store
from tests.helpers.links.founding import founded
from tests.helpers.links.introductions import ADA, BEN
from tests.helpers.links.peers import GAME, saved_match, two_stores
from tests.helpers.links.wire import Wire
from tests.helpers.machine.disk import RECORD, SECRET, SEND, failing, reopen

# Row 33: full


def test_row_33_a_match_does_not_begin_on_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = saved_match(tmp_path).name
    monkeypatch.setattr("protocol.storage.match_store.ROOM", 2**62)
    with pytest.raises(DiskFull):
        two_stores(tmp_path)
    with Home(tmp_path / "ada") as home, pytest.raises(DiskFull):
        home.open(name)
    monkeypatch.undo()
    with Home(tmp_path / "ada") as home:
        home.open(name).close()


@pytest.mark.parametrize("room", range(40))
def test_row_33_a_disk_that_fills_up_at_any_byte_stops_the_match_and_costs_nothing_saved(
    store: Store, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    store.execute([RECORD])
    real, left = os.write, [room]

    def write(fd: int, data: bytes) -> int:
        if left[0] == 0:
            raise OSError(errno.ENOSPC, "no space left on device")
        taken = real(fd, data[: min(left[0], 7)])
        left[0] -= taken
        return taken

    monkeypatch.setattr(os, "write", write)
    if room < len(SECRET.data) + 9 + len(SEND.data):
        with pytest.raises(DiskFull):
            store.execute([SECRET, SEND])
        left[0] = 1000
        with pytest.raises(DiskFull):
            store.execute([SEND])
    else:
        store.execute([SECRET, SEND])
    monkeypatch.undo()
    store = reopen(store)
    assert store.recorded[0].payload == b"theirs"
    assert len(store.recorded) <= 2
    store.execute([SEND])
    store.close()


def test_row_33_a_write_that_takes_nothing_is_a_failure_and_no_endless_loop(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "write", lambda *_: 0)
    with pytest.raises(DiskFailed):
        store.execute([SEND])


@pytest.mark.parametrize("broken", ["write", "fdatasync", "fsync", "rename"])
def test_making_a_match_fails_whole(
    ada: Owner, ben: Owner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    real = getattr(os, broken)

    def fail(*args: object, **more: object) -> object:
        if any((tmp_path / "ada" / "games").glob("new-*/transcript.p2ps")):
            raise OSError(28, "no space left")
        return real(*args, **more)

    monkeypatch.setattr(os, broken, fail)
    with pytest.raises(DiskFull):
        founded(GAME, GAME.options({}), (ada, ben), "bot")
    assert ada.home.games() == []
    monkeypatch.undo()
    saved_match(tmp_path)
    assert [path.name for path in (tmp_path / "ada" / "games").iterdir()] == [ada.home.games()[0].id]


@pytest.mark.parametrize("broken", ["write", "fdatasync", "rename"])
def test_a_file_that_cannot_be_replaced_keeps_its_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    with Home(tmp_path) as home:
        home.remember(ADA.key, "Ada")
        before = sorted(path.name for path in tmp_path.iterdir())
        monkeypatch.setattr(os, broken, failing(errno.ENOSPC))
        with pytest.raises(DiskFull):
            home.remember(BEN.key, "Ben")
        monkeypatch.undo()
        assert home.contacts().all == (Contact(ADA.key, "Ada"),)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


# Row 34: failing


def test_row_34_after_a_failed_sync_nothing_is_written_or_synced_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def sync(fd: int) -> None:
        calls.append(fd)
        raise OSError(errno.EIO, "input/output error")

    monkeypatch.setattr("protocol.storage.files.sync", sync)
    for _ in range(3):
        with pytest.raises(DiskFailed):
            store.execute([SEND])
    assert len(calls) == 1
    monkeypatch.undo()
    store = reopen(store)
    assert store.recorded == (), "what could not be synced was never promised, and is cut off"
    store.close()


def test_row_34_a_decision_that_cannot_be_synced_is_never_sent_and_the_match_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = Wire(tmp_path)
    wire.play(8)
    sent = len(wire.sent)

    monkeypatch.setattr("protocol.storage.files.sync", failing(errno.EIO))
    with pytest.raises(StorageFailure):
        wire.play()
    assert len(wire.sent) == sent
    failed = next(side for side in wire.sides if side.failure is not None)
    with pytest.raises(StorageFailure):
        failed.say("still there?")
    wire.close()


def test_a_torn_record_that_cannot_be_cut_off_stops_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = saved_match(tmp_path)
    with (match / "transcript.p2ps").open("ab") as file:
        file.write(b"\x02")
    monkeypatch.setattr(os, "ftruncate", failing(errno.EIO))
    with Home(tmp_path / "ada") as home:
        with pytest.raises(DiskFailed):
            home.open(match.name)
        monkeypatch.undo()
        home.open(match.name).close()


def test_another_lock_of_the_system_fails_as_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fcntl.flock", failing(errno.ENOLCK))
    with Home(tmp_path) as home, pytest.raises(DiskFailed):
        home.identity()


@pytest.mark.parametrize(
    ("number", "kind"),
    [(13, ReadOnly), (30, ReadOnly), (28, DiskFull), (122, DiskFull), (5, DiskFailed), (2, Missing)],
)
def test_errors_of_the_system_become_types(number: int, kind: type[StorageFailure]) -> None:
    words = failure(OSError(number, os.strerror(number)), "/some/where")
    assert type(words) is kind
    assert (words.place, words.errno) == ("/some/where", number)
    assert "/some/where" in str(words)
