"""Records into an archive: whatever happens, each once, and none lost."""

from __future__ import annotations

import io
import os
import random
import signal
import tarfile
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from cli.archive import intake, packs, schema, spool, store
from cli.shell.exit_codes import Exit, Sorry
from p2p_stratego.registry import ENTRIES
from protocol.limits import MAX_WITH_PROOFS
from protocol.wire.transcript import MAGIC
from tests.helpers.archives.judged import command, filled, hashes, judge, killed, rows, taken
from tests.helpers.archives.records import CHANGED, compressed, junk, match, members, samples, tar

SAMPLES = sorted(sha256(data).hexdigest() for data in samples().values())


def as_files(folder: Path) -> list[str]:
    (folder / "deep").mkdir(parents=True)
    for at, (name, data) in enumerate(samples().items()):
        (folder / ("deep" if at % 2 else "") / f"{name}.p2ps").write_bytes(data)
    (folder / "notes.txt").write_text("no record")
    return [str(folder)]


def as_pack(folder: Path, suffix: str, change: Callable[[bytes], bytes]) -> list[str]:
    folder.mkdir()
    (folder / f"season{suffix}").write_bytes(change(tar(samples(), tarfile.PAX_FORMAT)))
    return [str(folder / f"season{suffix}")]


WAYS: dict[str, Callable[[Path], list[str]]] = {
    "folder": as_files,
    "tar": lambda folder: as_pack(folder, ".tar", bytes),
    "gzip": lambda folder: as_pack(folder, ".tgz", lambda pack: compressed(pack, "gzip")),
    "zstd": lambda folder: as_pack(folder, ".tar.zst", lambda pack: compressed(pack, "zstd")),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_in_brings_the_same_records_once(tmp_path: Path, way: str) -> None:
    archive = store.made(str(tmp_path / "club"), 16)
    names = WAYS[way](tmp_path / "in")
    first = intake.add(archive, taken(names), lambda _taken: None)
    again = intake.add(archive, taken([*names, *names]), lambda _taken: None)
    assert hashes(archive) == SAMPLES
    assert (first.added, first.known, again.added, again.known) == (len(SAMPLES), 0, 0, 2 * len(SAMPLES))
    assert {row["sha256"]: row["bytes"] for row in rows(archive, schema.RECORDS)} == {
        sha256(data).hexdigest(): data for data in samples().values()
    }


def test_standard_input_is_a_record_or_a_pack(tmp_path: Path) -> None:
    archive = store.made(str(tmp_path), 1)
    single = match(0)[0]
    for given in (single, compressed(tar(samples()), "zstd")):
        intake.add(archive, taken(["-"], given), lambda _taken: None)
    assert hashes(archive) == SAMPLES
    times = {row["sha256"]: row["changed"] for row in rows(archive, schema.RECORDS)}
    assert times[sha256(single).hexdigest()] is None
    assert sorted(filter(None, times.values()))[0] > CHANGED


def test_copies_of_a_match_lie_in_one_part_whose_names_this_program_knows(tmp_path: Path) -> None:
    archive = filled(
        tmp_path,
        {**samples(), "foreign": samples()["match-0-0"].replace(b"spies-and-lies", b"tries-and-lies")},
        256,
    )
    stored = rows(archive, schema.RECORDS)
    assert {row["game"] for row in stored} == {"spies-and-lies", "stratego", schema.UNKNOWN}
    assert all(row["shard"] == row["match"][:2] for row in stored)
    by_bytes = {row["bytes"]: row["match"] for row in stored}
    assert len({by_bytes[data] for data in match(0)}) == 1


def test_batches_are_committed_as_they_are_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "SIZE", 100_000)
    monkeypatch.setattr(intake, "BATCH", 50_000)
    archive = store.made(str(tmp_path), 1)
    done = intake.add(archive, taken(["-"], tar(samples())), lambda _taken: None)
    assert done.commits > 3
    assert archive.table(schema.RECORDS).version() == done.commits
    assert hashes(archive) == SAMPLES


@pytest.mark.parametrize(
    "spoil",
    [
        lambda pack: pack[: len(pack) // 2],
        lambda pack: pack[:40_960] + b"\xff" * 512 + pack[41_472:],
        lambda pack: compressed(pack, "zstd")[:-9],
        lambda pack: compressed(pack, "gzip")[:-20],
    ],
    ids=["cut", "overwritten", "zstd cut", "gzip cut"],
)
def test_of_a_damaged_pack_what_stands_before_the_damage_is_taken(spoil: Callable[[bytes], bytes]) -> None:
    records = {f"long-{at}": junk(at, 40_000) for at in range(9)}
    read = taken(["-"], spoil(tar({**records, **samples()})))
    assert isinstance(read[-1], intake.Refused)
    assert "damaged" in read[-1].why
    assert {item.data for item in read[:-1] if isinstance(item, intake.Incoming)} <= {
        *records.values(),
        *samples().values(),
    }


def huge(kind: bytes, claimed: int) -> bytes:
    """The header of a member that claims so many bytes."""
    header = tarfile.TarInfo("x.p2ps")
    header.type, header.size = kind, claimed
    return header.tobuf(tarfile.GNU_FORMAT)


class Endless(io.RawIOBase):
    """Behind a first part, more zeros than any memory holds."""

    def __init__(self, first: bytes, zeros: int) -> None:
        super().__init__()
        self.most = 0
        self._first, self._left = first, zeros

    def read(self, size: int = -1) -> bytes:
        self.most = max(self.most, size)
        part, self._first = self._first[:size], self._first[size:]
        more = min(size - len(part), self._left)
        self._left -= more
        return part + bytes(more)


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME])
def test_no_member_of_a_pack_is_held_that_is_longer_than_a_record(kind: bytes) -> None:
    claimed = MAX_WITH_PROOFS + 512
    source = Endless(huge(kind, claimed), claimed)
    pack = packs.unpacked(packs.Stream(source))
    assert pack is not None
    with pytest.raises(packs.Damaged, match="no end"):
        assert all(member.data is None for member in packs.members(pack))
    assert source.most <= 1 << 20


def test_a_size_below_zero_is_damage() -> None:
    block = bytearray(huge(tarfile.REGTYPE, 1))
    block[124:136] = b"\xff" * 12  # base 256, negative
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    with pytest.raises(packs.Damaged):
        list(packs.members(packs.Stream(io.BytesIO(bytes(block) + bytes(1024)))))


def test_what_is_no_record_is_told_and_not_taken(tmp_path: Path) -> None:
    archive = store.made(str(tmp_path / "club"), 1)
    pack = tar({"empty": b"", "text": b"Dear Ben", "record": match(0)[0]})
    done = intake.add(archive, taken(["-"], pack), lambda _taken: None)
    assert (done.added, done.refused) == (1, 2)
    assert [refused.name for refused in done.named] == [
        "Standard input: empty.p2ps",
        "Standard input: text.p2ps",
    ]
    with pytest.raises(FileNotFoundError):
        taken([str(tmp_path / "nowhere")])


@pytest.mark.parametrize("known", [True, False], ids=["known first", "known later"])
def test_a_match_lies_in_one_part_whatever_games_the_writers_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    """One program has the package of the game, the other has not."""
    first, second = match(0)
    for knows, records in ((known, {"first": first}), (not known, {"first": first, "second": second})):
        monkeypatch.setattr(intake, "ENTRIES", ENTRIES if knows else {})
        archive = filled(tmp_path, records)
    assert hashes(archive) == sorted(sha256(data).hexdigest() for data in (first, second))
    judge(archive)
    [row] = rows(archive, schema.MATCHES)
    assert (row["copies"], row["game"]) == (2, "spies-and-lies" if known else schema.UNKNOWN)
    assert judge(archive).records == 0


@pytest.mark.parametrize("codec", ["gzip", "zstd"])
def test_a_pack_that_unpacks_without_end_is_left_there(monkeypatch: pytest.MonkeyPatch, codec: str) -> None:
    monkeypatch.setattr(packs, "FREE", 1 << 20)
    bomb = members({"first": match(0)[0]}) + huge(tarfile.REGTYPE, 1 << 24) + bytes(1 << 24)
    first, refused = taken(["-"], compressed(bomb, codec))
    assert isinstance(first, intake.Incoming)
    assert isinstance(refused, intake.Refused)
    assert "100 times" in refused.why


def test_nothing_is_read_that_could_wait_for_ever(tmp_path: Path) -> None:
    (tmp_path / "a.p2ps").write_bytes(match(0)[0])
    for name in ("b.p2ps", "season.tar"):
        os.mkfifo(tmp_path / name)
        with pytest.raises(Sorry, match="a pipe"):
            taken([str(tmp_path / name)])
    first, refused = taken([str(tmp_path)])
    assert isinstance(first, intake.Incoming)
    assert isinstance(refused, intake.Refused)
    assert "a pipe" in refused.why


# Writers at once, and kills


def test_a_writer_compares_again_after_each_commit_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other's commit comes between our look at the table and our own."""
    archive, other = store.made(str(tmp_path), 1), store.opened(str(tmp_path))
    rows_of = store.rows_of

    def late(*arguments: Any) -> Any:
        monkeypatch.undo()
        intake.add(other, taken(["-"], tar(samples())), lambda _taken: None)
        return rows_of(*arguments)

    monkeypatch.setattr(store, "rows_of", late)
    mine = {**samples(), "more": match(9)[0]}
    done = intake.add(archive, taken(["-"], tar(mine)), lambda _taken: None)
    assert hashes(archive) == sorted(sha256(data).hexdigest() for data in mine.values())
    assert (done.added, done.known) == (1, len(samples()))


def test_two_programs_that_add_at_once_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    records = [{f"{at}": junk(at, 200_000) for at in range(first, first + 350)} for first in (0, 175)]
    club = tmp_path / "club"
    store.made(str(club), 1)
    paths = [tmp_path / f"{at}.tar" for at in range(2)]
    for path, half in zip(paths, records, strict=True):
        path.write_bytes(tar(half))
    writers = [command(tmp_path, "add", str(club), str(path)) for path in paths]
    assert [writer.communicate()[1] for writer in writers] == [b"", b""]
    wanted = {sha256(data).hexdigest() for half in records for data in half.values()}
    assert hashes(store.opened(str(club))) == sorted(wanted)


def test_many_small_additions_leave_few_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "CROWD", 4)
    records = {f"{seed}": match(seed)[0] for seed in range(6)}
    for name, data in records.items():
        archive = filled(tmp_path, {name: data})
        judge(archive)
    assert hashes(archive) == sorted(sha256(data).hexdigest() for data in records.values())
    for table in (schema.RECORDS, schema.VERDICTS, schema.MATCHES):
        assert len(archive.table(table).file_uris()) < 4
        assert len(rows(archive, table)) == len(records)
    assert judge(archive).records == 0


def test_who_adds_while_files_are_made_one_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other's commit comes between our look at the table and our own."""
    records = {f"{at}": junk(at, 1000) for at in range(7)}
    for name in "012345":
        archive = filled(tmp_path, {name: records[name]})
    written = store.written

    def late(table: schema.Table) -> Any:
        monkeypatch.undo()
        filled(tmp_path, {"6": records["6"]})
        return written(table)

    monkeypatch.setattr(store, "CROWD", 4)
    monkeypatch.setattr(store, "written", late)
    archive.compact(schema.RECORDS)
    assert hashes(archive) == sorted(sha256(data).hexdigest() for data in records.values())
    monkeypatch.setattr(store, "CROWD", 2)
    archive.compact(schema.RECORDS)
    assert hashes(archive) == sorted(sha256(data).hexdigest() for data in records.values())
    assert len(archive.table(schema.RECORDS).file_uris()) == 1


def test_of_two_who_make_few_files_at_once_the_second_gives_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other has finished between our look at the table and our own commit."""
    records = {f"{at}": junk(at, 1000) for at in range(9)}
    for name, data in records.items():
        archive = filled(tmp_path, {name: data})
    written, others = store.written, [archive]

    def late(table: schema.Table) -> Any:
        while others:
            others.pop().compact(table)
        return written(table)

    monkeypatch.setattr(store, "CROWD", 4)
    monkeypatch.setattr(store, "written", late)
    archive.compact(schema.RECORDS)
    assert hashes(archive) == sorted(sha256(data).hexdigest() for data in records.values())
    assert len(archive.table(schema.RECORDS).file_uris()) == 1


def test_large_files_are_left_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(1)
    for at in range(6):
        archive = filled(tmp_path, {f"{at}": MAGIC + chance.randbytes(30_000)})
    files = archive.table(schema.RECORDS).file_uris()
    monkeypatch.setattr(store, "CROWD", 4)
    monkeypatch.setattr(store, "SMALL", 20_000)
    archive.compact(schema.RECORDS)
    assert archive.table(schema.RECORDS).file_uris() == files


def given(listed: Any, _standing: Any) -> Any:
    return listed


def events(ids: list[str], step: int) -> Any:
    """A row of EVENTS for each of these matches."""
    keys = {
        "game": "stratego",
        "shard": schema.UNKNOWN,
        "step": step,
        "entry": None,
        "told": [],
        "standing": None,
    }
    return store.rows_of(schema.EVENTS, [{**keys, "match": id_, "complete": True} for id_ in ids])


def test_parts_of_any_number_of_matches_are_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list of so many in a condition would end the process."""
    archive, most = store.made(str(tmp_path), 1), 15_000
    for first in (0, most):
        ids = [f"{number:064x}" for number in range(first, first + most)]
        archive.append(schema.EVENTS, partial(given, events(ids, 1)))
    monkeypatch.setattr(store, "CROWD", 2)
    archive.compact(schema.EVENTS)
    assert len(archive.table(schema.EVENTS).file_uris()) == 1
    assert len({row["match"] for row in rows(archive, schema.EVENTS)}) == 2 * most


def test_rows_of_any_number_of_matches_are_replaced(tmp_path: Path) -> None:
    """Some old and some new, in conditions of a few thousand: one of all of them would end the process."""
    archive, most = store.made(str(tmp_path), 1), 24_000
    ids = [f"{number:064x}" for number in range(most + 1)]
    archive.append(schema.EVENTS, partial(given, events(ids[:-1], 1)))
    archive.replace(schema.EVENTS, events(ids[1:], 2), ids[1:])
    steps = {row["match"]: row["step"] for row in rows(archive, schema.EVENTS)}
    assert steps == dict.fromkeys(ids, 2) | {ids[0]: 1}
    assert len(rows(archive, schema.EVENTS)) == most + 1


@pytest.mark.parametrize("at", [1, 2])
def test_killed_in_the_middle_an_archive_is_readable_and_the_next_run_finishes_it(
    tmp_path: Path, at: int
) -> None:
    records = {f"{at}": junk(at, 100_000) for at in range(320)}
    pack = tmp_path / "season.tar"
    pack.write_bytes(tar(records))
    archive = store.made(str(tmp_path / "club"), 1)
    ended = killed(tmp_path, at, "add", archive.place, str(pack))
    before = hashes(archive)
    assert ended == -signal.SIGKILL
    assert (len(before) > 0, len(before) < len(records)) == (at > 1, True)
    done = intake.add(archive, taken([str(pack)]), lambda _taken: None)
    assert done.known == len(before)
    assert hashes(archive) == sorted(sha256(data).hexdigest() for data in records.values())


def test_memory_stays_flat_while_an_archive_grows(tmp_path: Path) -> None:
    adding = command(tmp_path, "add", str(tmp_path / "club"), "-")
    assert adding.stdin is not None
    for start in range(0, 3000, 100):
        adding.stdin.write(members({f"{at}": junk(at, 100_000) for at in range(start, start + 100)}))
    status = Path(f"/proc/{adding.pid}/status").read_text("ascii")
    adding.stdin.close()
    adding.stdin = None
    adding.communicate()
    [peak] = [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")]
    assert peak < 400 * 1024


# Places


def test_what_is_no_archive_is_refused_in_words(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(Sorry, match="There is no archive") as missing:
        store.opened(str(tmp_path / "nowhere"))
    with pytest.raises(Sorry, match="is a file"):
        store.made(str(file), None)
    store.made(str(tmp_path / "club"), 16)
    with pytest.raises(Sorry, match="16 shards"):
        store.made(str(tmp_path / "club"), 256)
    assert missing.value.code is Exit.IO


def test_half_made_tables_are_made_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The maker is killed behind the first table, which has decided on the shards."""
    monkeypatch.setattr(schema, "TABLES", (schema.RECORDS,))
    store.made(str(tmp_path), 256)
    monkeypatch.undo()
    archive = store.made(str(tmp_path), None)
    assert archive.depth == 2
    assert [rows(archive, table) for table in schema.TABLES] == [[]] * 5


def test_a_later_format_is_not_guessed_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "FORMAT", 2)
    store.made(str(tmp_path), 1)
    monkeypatch.undo()
    with pytest.raises(Sorry, match="format 2"):
        store.opened(str(tmp_path))


def test_a_time_that_no_clock_shows_is_left_out() -> None:
    block = bytearray(huge(tarfile.REGTYPE, 1))
    block[136:148] = b"\x80" + bytes(1) + b"\x01" + bytes(9)  # base 256: 2^72
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    pack = bytes(block) + b"x" + bytes(511) + bytes(1024)
    assert [member.changed for member in packs.members(packs.Stream(io.BytesIO(pack)))] == [None]
