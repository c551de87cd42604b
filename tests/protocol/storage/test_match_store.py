"""What a match keeps, in which order it reaches the disk, and what is never printed (rows 30, 37 and 38)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from protocol.errors import Equivocation
from protocol.failures import TooLong
from protocol.record.statements import Kind
from protocol.seat.effects import Duty, Output
from protocol.storage.match_store import SECRETS, SECRETS_MAGIC, TRANSCRIPT, Store
from protocol.wire.encoding import Frame
from tests.helpers.links.wire import Wire, statement
from tests.helpers.machine.disk import RECORD, SECRET, SEND, filled, place, reopen


def test_what_a_session_gives_out_is_there_again_after_a_restart(store: Store) -> None:
    assert store.execute([SECRET, RECORD, SEND]) == SEND.data
    assert store.execute([]) == b""
    store = reopen(store)
    assert [frame.payload for frame in store.recorded] == [b"theirs", b"ours"]
    assert store.secrets.decided == {0: (1, 2, 3)}
    store.close()


def test_secrets_are_synced_before_the_records_that_need_them_and_both_before_anything_is_sent(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    real = os.write

    def write(fd: int, data: bytes) -> int:
        done.append(f"write {place(fd).name}")
        return real(fd, data)

    monkeypatch.setattr(os, "write", write)
    monkeypatch.setattr("protocol.storage.files.sync", lambda fd: done.append(f"sync {place(fd).name}"))
    store.execute([RECORD, SECRET, SEND, SECRET])
    monkeypatch.undo()
    assert done == ["write secrets", "sync secrets", "write transcript.p2ps", "sync transcript.p2ps"]


def test_row_47_a_record_grows_no_longer_than_one_that_can_be_opened(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is a decision kept for a record that never was."""
    folder = Path(store.path).parent
    store.execute([RECORD])
    before = {name: (folder / name).read_bytes() for name in (TRANSCRIPT, SECRETS)}
    most = len(before[TRANSCRIPT]) + len(SEND.data)
    monkeypatch.setattr("protocol.wire.transcript.MAX_TRANSCRIPT", most)
    store = reopen(store)
    with pytest.raises(TooLong):
        store.execute([SECRET, SEND, RECORD])
    assert {name: (folder / name).read_bytes() for name in before} == before
    with pytest.raises(TooLong):
        store.execute([SEND])
    store = reopen(store)
    assert store.execute([SECRET, SEND]) == SEND.data
    store = reopen(store)
    assert [frame.payload for frame in store.recorded] == [b"theirs", b"ours"]
    store.close()


class Syncs:
    """The names of the files that are synced, in order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        monkeypatch.setattr("protocol.storage.files.sync", self)

    def __call__(self, fd: int) -> None:
        self.names.append(place(fd).name)


def test_row_30_what_a_killed_process_wrote_and_never_synced_is_synced_on_opening(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.execute([SECRET, RECORD])
    store = reopen(store)
    syncs = Syncs(monkeypatch)
    store = reopen(store)
    assert syncs.names == ["transcript.p2ps", "secrets"]
    store.close()


def test_row_30_what_a_decision_answers_is_on_the_disk_before_the_decision(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    syncs = Syncs(monkeypatch)
    store.execute([RECORD])
    assert syncs.names == []
    store.execute([SECRET])
    assert syncs.names == ["transcript.p2ps", "secrets"]
    store.execute([SECRET])
    assert syncs.names[2:] == ["secrets"], "what is synced needs no second sync"


def test_the_proof_of_a_fault_is_on_the_disk_at_once(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, syncs = wire.sides[0], Syncs(monkeypatch)
    ada.received([statement(wire, 1, Kind.CHAT, "yes")])
    assert syncs.names == []
    with pytest.raises(Equivocation):
        ada.received([statement(wire, 1, Kind.CHAT, "no")])
    assert syncs.names == ["transcript.p2ps"]
    wire.close()


def test_row_37_neither_master_nor_undisclosed_decisions_stand_in_the_transcript(tmp_path: Path) -> None:
    folder = filled(tmp_path)
    record = (folder / "transcript.p2ps").read_bytes()
    master = (folder / "secrets").read_bytes()[len(SECRETS_MAGIC) + 5 :][:32]
    assert len(master) == 32
    assert master not in record


def test_row_38_what_is_said_or_kept_is_not_printed() -> None:
    assert "hush" not in repr(Frame(1, b"hush"))
    assert "hush" not in repr(Output(Duty.SECRET, b"hush"))
