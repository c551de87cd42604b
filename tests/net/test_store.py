"""What a crash, a full disk, a failing one, and rot may do to a match: rows 30, 31, 33, 34 and 35."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from p2p_stratego.table import Choose
from protocol import transcript
from protocol.encoding import Deframer, Frame
from protocol.errors import Equivocation, Malformed, Stale, Unsupported
from protocol.failures import Damaged, DiskFailed, DiskFull, StorageFailure
from protocol.outputs import Duty, Output
from protocol.replica import Replica, Status
from protocol.secrets import encode_decision
from protocol.statements import Kind
from protocol.store import DECISION, MASTER, SECRETS_MAGIC, Store
from protocol.transcript import NotATranscript
from tests.net.table import owner, two_stores
from tests.net.wire import Crash, Wire, assert_one_signature_a_place

SECRET = Output(Duty.SECRET, encode_decision(0, (1, 2, 3)))
RECORD = Output(Duty.RECORD, bytes(Frame(2, b"theirs")))
SEND = Output(Duty.SEND, bytes(Frame(2, b"ours")))


def reopen(store: Store) -> Store:
    folder = Path(store.path).parent
    store.close()
    return owner(folder.parents[1], "Ada").home.open(folder.name)


def test_what_a_session_gives_out_is_there_again_after_a_restart(tmp_path: Path) -> None:
    store, other = two_stores(tmp_path)
    assert store.execute([SECRET, RECORD, SEND]) == SEND.data
    assert store.execute([]) == b""
    store = reopen(store)
    assert [frame.payload for frame in store.recorded] == [b"theirs", b"ours"]
    assert store.secrets.decided == {0: (1, 2, 3)}
    store.close()
    other.close()


def test_secrets_are_synced_before_the_records_that_need_them_and_both_before_anything_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = two_stores(tmp_path)
    done: list[str] = []
    real = os.write

    def name(fd: int) -> str:
        return Path(os.readlink(f"/proc/self/fd/{fd}")).name

    def write(fd: int, data: bytes) -> int:
        done.append(f"write {name(fd)}")
        return real(fd, data)

    monkeypatch.setattr(os, "write", write)
    monkeypatch.setattr("protocol.files.sync", lambda fd: done.append(f"sync {name(fd)}"))
    store.execute([RECORD, SECRET, SEND, SECRET])
    monkeypatch.undo()
    assert done == ["write secrets", "sync secrets", "write transcript.p2ps", "sync transcript.p2ps"]
    store.close()
    other.close()


class Syncs:
    """The names of the files that are synced, in order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        monkeypatch.setattr("protocol.files.sync", self)

    def __call__(self, fd: int) -> None:
        self.names.append(Path(os.readlink(f"/proc/self/fd/{fd}")).name)


def test_row_30_what_a_killed_process_wrote_and_never_synced_is_synced_on_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = two_stores(tmp_path)
    store.execute([SECRET, RECORD])
    store = reopen(store)
    syncs = Syncs(monkeypatch)
    store = reopen(store)
    assert syncs.names == ["transcript.p2ps", "secrets"]
    store.close()
    other.close()


def test_row_30_what_a_decision_answers_is_on_the_disk_before_the_decision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = two_stores(tmp_path)
    syncs = Syncs(monkeypatch)
    store.execute([RECORD])
    assert syncs.names == []
    store.execute([SECRET])
    assert syncs.names == ["transcript.p2ps", "secrets"]
    store.execute([SECRET])
    assert syncs.names[2:] == ["secrets"], "what is synced needs no second sync"
    store.close()
    other.close()


def test_the_proof_of_a_fault_is_on_the_disk_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wire = Wire(tmp_path)
    wire.play(6)
    wire.settle()
    ada, ben = wire.sides
    session = ben.session
    syncs = Syncs(monkeypatch)
    session._state(Kind.CHAT, ("yes",))
    one = session.outputs()[0]
    ada.received(list(Deframer().feed(one.data)))
    assert syncs.names == []
    session.referee.statements[1].pop()
    session._state(Kind.CHAT, ("no",))
    with pytest.raises(Equivocation):
        ada.received(list(Deframer().feed(session.outputs()[0].data)))
    assert syncs.names == ["transcript.p2ps"]
    wire.close()


# Row 33 and 34: the disk


@pytest.mark.parametrize("room", range(40))
def test_row_33_a_disk_that_fills_up_at_any_byte_stops_the_match_and_costs_nothing_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    store, other = two_stores(tmp_path)
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
        with pytest.raises(DiskFull, match="Make room"):
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
    other.close()


def test_row_33_a_write_that_takes_nothing_is_a_failure_and_no_endless_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = two_stores(tmp_path)
    monkeypatch.setattr(os, "write", lambda *_: 0)
    with pytest.raises(DiskFailed):
        store.execute([SEND])
    monkeypatch.undo()
    store.close()
    other.close()


def test_row_34_after_a_failed_sync_nothing_is_written_or_synced_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = two_stores(tmp_path)
    calls = []

    def sync(fd: int) -> None:
        calls.append(fd)
        raise OSError(errno.EIO, "input/output error")

    monkeypatch.setattr("protocol.files.sync", sync)
    for _ in range(3):
        with pytest.raises(DiskFailed, match="copy the folder"):
            store.execute([SEND])
    assert len(calls) == 1
    monkeypatch.undo()
    store = reopen(store)
    assert store.recorded == (), "what could not be synced was never promised, and is cut off"
    store.close()
    other.close()


def test_row_34_a_decision_that_cannot_be_synced_is_never_sent_and_the_match_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = Wire(tmp_path)
    wire.play(8)
    sent = len(wire.sent)

    def sync(_: int) -> None:
        raise OSError(errno.EIO, "input/output error")

    monkeypatch.setattr("protocol.files.sync", sync)
    with pytest.raises(StorageFailure):
        wire.play()
    assert len(wire.sent) == sent
    failed = next(side for side in wire.sides if side._failure is not None)
    with pytest.raises(StorageFailure):
        failed.say("still there?")
    wire.close()


# Row 35: rot


def filled(path: Path) -> Path:
    """The folder of a match with a few records in both files."""
    wire = Wire(path)
    wire.play(3)
    folder = Path(wire.sides[0].store.path).parent
    wire.close()
    return folder


def open_match(folder: Path) -> Store:
    return owner(folder.parents[1], "Ada").home.open(folder.name)


@pytest.mark.parametrize("name", ["transcript.p2ps", "secrets"])
def test_row_35_every_flipped_bit_is_noticed_and_nothing_is_cut_for_it(tmp_path: Path, name: str) -> None:
    folder = filled(tmp_path)
    file = folder / name
    good = file.read_bytes()
    home = owner(folder.parents[1], "Ada").home
    # Every bit of the reader's input and of the secrets; of the longer file on the disk, one of each byte.
    if name == "transcript.p2ps":
        for bit in range(len(good) * 8):
            bad = bytearray(good)
            bad[bit // 8] ^= 1 << bit % 8
            try:
                contents = transcript.read(bytes(bad))
            except (Malformed, NotATranscript, Unsupported):
                continue
            assert contents.damage is not None
    for at in (
        range(len(good) * 8) if name == "secrets" else (8 * byte + byte % 8 for byte in range(len(good)))
    ):
        bad = bytearray(good)
        bad[at // 8] ^= 1 << at % 8
        file.write_bytes(bad)
        with pytest.raises((Damaged, Unsupported)):
            home.open(folder.name)
        assert file.read_bytes() == bad
    file.write_bytes(good)
    home.open(folder.name).close()


@pytest.mark.parametrize("name", ["transcript.p2ps", "secrets"])
def test_row_35_a_torn_last_record_is_cut_off_and_the_whole_ones_stay(tmp_path: Path, name: str) -> None:
    folder = filled(tmp_path)
    file = folder / name
    good = file.read_bytes()
    whole = open_match(folder)
    records, decisions = whole.recorded, dict(whole.secrets.decided)
    whole.close()
    seen = set()
    for size in range(len(good) - 1, 0, -1):
        file.write_bytes(good[:size])
        try:
            store = open_match(folder)
        except (Damaged, Unsupported):
            break  # not even the first record is whole: there is nothing to go on from
        assert store.recorded == records[: len(store.recorded)]
        assert store.secrets.decided.items() <= decisions.items()
        seen.add(file.stat().st_size)
        store.execute([RECORD if name == "transcript.p2ps" else SECRET])
        store.close()
        open_match(folder).close()
    assert len(seen) >= (3 if name == "transcript.p2ps" else 1)
    assert file.read_bytes() == good[:size], "what was not opened is left as it is"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"p2p-stratego secrets 2\n",
        SECRETS_MAGIC,
        SECRETS_MAGIC + bytes(Frame(MASTER, b"short")),
        SECRETS_MAGIC + bytes(Frame(DECISION, SECRET.data)),
        SECRETS_MAGIC + bytes(Frame(MASTER, b"m" * 32)) * 2,
        SECRETS_MAGIC + bytes(Frame(MASTER, b"m" * 32)) + bytes(Frame(DECISION, b"noise")),
        SECRETS_MAGIC + bytes(Frame(MASTER, b"m" * 32)) + bytes(Frame(2, b"a record")),
    ],
)
def test_row_35_secrets_that_were_never_written_so_stop_the_match(tmp_path: Path, content: bytes) -> None:
    folder = filled(tmp_path)
    (folder / "secrets").write_bytes(content)
    with pytest.raises(Damaged, match="put back a copy"):
        open_match(folder)


def test_row_37_neither_master_nor_undisclosed_decisions_stand_in_the_transcript(tmp_path: Path) -> None:
    folder = filled(tmp_path)
    record = (folder / "transcript.p2ps").read_bytes()
    master = (folder / "secrets").read_bytes()[len(SECRETS_MAGIC) + 5 :][:32]
    assert len(master) == 32
    assert master not in record


# Row 30: crash at every write


class Bomb:
    """Counts the writes and syncs of one side, and ends its process at the one that is due."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.left = -1
        self.folder = str(folder)
        self._write = os.write
        monkeypatch.setattr(os, "write", self.write)
        monkeypatch.setattr("protocol.files.sync", self.sync)

    def _ours(self, fd: int) -> bool:
        return os.readlink(f"/proc/self/fd/{fd}").startswith(self.folder)

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
    for moment in range(1, 60):
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


# Row 31: one save on two machines


def test_row_31_a_copy_of_a_save_that_is_older_than_what_was_signed_since_signs_nothing(
    tmp_path: Path,
) -> None:
    wire = Wire(tmp_path)
    wire.play(12)
    shutil.copytree(tmp_path / "ada", tmp_path / "clone")
    before = wire.sides[0].session.referee.count
    wire.play(20)
    sent = len(wire.sent)
    assert any(entry.seat == 0 for entry in wire.sides[1].session.referee.entries[before:])
    wire.sides[0].store.close()
    wire.owners[0] = owner(tmp_path / "clone", "Ada")
    wire.restart(0)
    wire.link()
    with pytest.raises(Stale) as caught:
        wire.play(30)
    stale = wire.sides[0]
    stale.unlinked(caught.value)
    assert stale.status is Status.STALE
    assert set(wire.sent_payloads()[sent:]) <= set(wire.sent_payloads()[:sent])
    assert_one_signature_a_place(wire)
    wire.close()


def test_row_31_two_copies_that_both_went_on_are_proven_to_their_opponent_and_end_their_own(
    tmp_path: Path,
) -> None:
    """Ada plays on from one save in two places; whoever meets both has two signatures for one place."""
    first = Wire(tmp_path / "first")
    while not isinstance(choice := first.sides[0].session.decision, Choose) or any(first.queues):
        first.step()
    first.close()
    shutil.copytree(tmp_path / "first", tmp_path / "second")
    rooms = [Wire(tmp_path / name) for name in ("first", "second")]
    for room, move in zip(rooms, choice.options, strict=False):
        room.settle()
        room.sides[0].decide(move)
        room.play(room.sides[0].session.referee.count + 6)
    assert rooms[0].sides[0].session.position().head != rooms[1].sides[0].session.position().head
    ben, clone = rooms[0].sides[1], rooms[1].sides[0]
    meeting = rooms[0]
    meeting.sides = [clone, ben]
    meeting.link()
    raised: list[Exception] = []
    for _ in range(4):
        try:
            meeting.step()
        except (Stale, Equivocation) as error:
            raised.append(error)
    proof = next(error for error in raised if isinstance(error, Equivocation))
    assert proof.seat == 0
    assert ben.session.fault is proof
    assert ben.session.outcome is not None
    assert ben.session.outcome.winners == {1}
    assert any(isinstance(error, Stale) for error in raised), "the clone must stop too"
    evidence = owner(tmp_path / "first" / "ben", "Ben")
    ben.close()
    again = Replica(evidence, evidence.home.open(meeting.match), lambda: 0.0)
    assert isinstance(again.session.fault, Equivocation), "the proof is on the disk"
    again.close()
    clone.close()
